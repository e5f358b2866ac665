import * as z from "zod";
import { envTargets, sharedEnvTypes } from "../../provider/vocabulary";
import { commaSeparated, pagination, paging } from "../http/query";
import { envFailure, envTarget } from "./schema";

/**
 * Bodies and answers of shared variables. As with the variables of projects, the schemas check only types. Everything
 * else is a rule, because a request with several variables writes those that are valid.
 * @source the newest official client: /v1/env
 */

/** The maximum number of variables in a request. @source vercel/vercel#17487 */
const largestBatch = 50;
/** @choice The maximum number of projects in a request. Several requests can link a variable to more projects. */
const largestLinks = 1000;

const type = z.enum(sharedEnvTypes);
const projectIds = z
  .array(z.string())
  .max(largestLinks)
  .transform((ids) => [...new Set(ids)]);

const settings = {
  type: type.optional(),
  target: envTarget.optional(),
  projectId: projectIds.optional(),
  /** @source the Terraform provider */
  applyToAllCustomEnvironments: z.boolean().optional(),
};

const newSharedEnv = z.strictObject({ key: z.string(), value: z.string(), comment: z.string().optional() });

/** Several variables, which get the same type, targets and projects. */
export const createShared = z.strictObject({
  evs: z.array(newSharedEnv).min(1).max(largestBatch),
  ...settings,
});
export type CreateShared = z.infer<typeof createShared>;

/** @choice Absent members keep their value. An empty comment clears it. */
const editShared = z.strictObject({
  ...settings,
  key: z.string().optional(),
  value: z.string().optional(),
  comment: z.string().optional(),
  projectIdUpdates: z.strictObject({ link: projectIds.optional(), unlink: projectIds.optional() }).optional(),
});
export type EditShared = z.infer<typeof editShared>;

/** The changes of several variables, by the ids of the variables. */
export const updateShared = z.strictObject({
  updates: z
    .record(z.string(), editShared)
    .refine((updates) => Object.keys(updates).length > 0, "must name a variable")
    .refine(
      (updates) => Object.keys(updates).length <= largestBatch,
      `must name at most ${largestBatch} variables`,
    ),
});
export type UpdateShared = z.infer<typeof updateShared>;

export const deleteShared = z.strictObject({ ids: z.array(z.string()).min(1).max(largestBatch) });

const idList = commaSeparated.optional();
export const sharedFilters = z.object({
  ...paging,
  search: z.string().optional(),
  projectId: z.string().optional(),
  ids: idList,
  exclude_ids: idList,
  "exclude-ids": idList,
  exclude_projectId: z.string().optional(),
  "exclude-projectId": z.string().optional(),
});
export type SharedFilters = z.output<typeof sharedFilters>;

export const sharedRecord = z.strictObject({
  id: z.string(),
  key: z.string(),
  value: z.string().optional(),
  type,
  target: z.array(z.enum(envTargets)),
  projectId: z.array(z.string()),
  applyToAllCustomEnvironments: z.boolean(),
  comment: z.string().optional(),
  ownerId: z.string(),
  /** ISO 8601. */
  created: z.string(),
  createdAt: z.number(),
  createdBy: z.string().nullable(),
  updatedAt: z.number(),
  updatedBy: z.string().nullable(),
  decrypted: z.boolean(),
});
export type SharedRecord = z.infer<typeof sharedRecord>;

const failed = z.array(envFailure);

export const sharedCreated = z.strictObject({ created: z.array(sharedRecord), failed });
export const sharedUpdated = z.strictObject({ updated: z.array(sharedRecord), failed });
export const sharedDeleted = z.strictObject({ deleted: z.array(z.string()), failed });
export const sharedUnlinked = z.strictObject({ id: z.string() });
export const sharedList = z.strictObject({
  data: z.array(sharedRecord.extend({ securityIssues: z.array(z.string()) })),
  pagination,
});
