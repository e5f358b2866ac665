import * as z from "zod";
import { latestTime } from "../platform/clock";

/** Bodies and answers of the firewall. @source the newest official client: /v1/security */

/** @choice Without an end time, or with `null`, the mode lasts until it is changed. */
export const updateAttackMode = z.strictObject({
  projectId: z.string(),
  attackModeEnabled: z.boolean(),
  attackModeActiveUntil: z.int().min(0).max(latestTime).nullable().optional(),
});

export const attackMode = z.strictObject({
  attackModeEnabled: z.boolean(),
  attackModeUpdatedAt: z.number(),
});

/**
 * The firewall of a project, in the answers of projects. Absent until the attack challenge mode is set.
 * Snapshots of the hosted service have further members, which are left out.
 */
export const security = attackMode.extend({ attackModeActiveUntil: z.number().nullable() }).strip();
export type Security = z.infer<typeof security>;
