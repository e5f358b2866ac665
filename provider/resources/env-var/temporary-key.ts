import { randomBytes } from "node:crypto";

/**
 * The key of a variable that was moved out of the way of another one.
 * @choice For instance DATABASE_URL__MOVING_4f9a12c0, which tells users the key that it had.
 */
export const temporaryKey = (key: string): string =>
  `${key.slice(0, 200)}__MOVING_${randomBytes(4).toString("hex")}`;

export const isTemporaryKey = (key: string): boolean => /__MOVING_[0-9a-f]{8}$/.test(key);
