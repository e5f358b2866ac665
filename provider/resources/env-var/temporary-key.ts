import { randomBytes } from "node:crypto";

/**
 * The temporary key of a variable while another variable takes the original key.
 * @choice It contains the original key, such as DATABASE_URL__MOVING_4f9a12c0, so that users recognize the variable.
 */
export const temporaryKey = (key: string): string =>
  `${key.slice(0, 200)}__MOVING_${randomBytes(4).toString("hex")}`;

export const isTemporaryKey = (key: string): boolean => /__MOVING_[0-9a-f]{8}$/.test(key);
