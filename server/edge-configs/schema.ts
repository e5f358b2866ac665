import * as z from "zod";
import { deepest, isTooDeep } from "../platform/depth";

/**
 * Bodies and answers of Edge Configs, which the newest official client calls Global Configs.
 * @source the newest official client: /v1/global-config; the Terraform provider: /v1/edge-config
 */

/** @choice Values are nested at most 100 levels deep. */
const json = z
  .unknown()
  .refine((value) => !isTooDeep(value), { message: `must be nested at most ${deepest} levels deep` });
/** A member that may be null, but must be present. */
const givenJson = json.refine((value) => value !== undefined, { message: "is missing" });

const slug = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, "may have letters, digits, '_' and '-'");

export const itemKey = z
  .string()
  .max(256)
  .regex(/^[A-Za-z0-9_-]+$/, "may have letters, digits, '_' and '-'");

export const itemDescription = z.string().max(512);

/** @choice A request writes at most 1000 items. */
const largestBatch = 1000;

export const createEdgeConfig = z.strictObject({
  slug,
  items: z
    .record(itemKey, givenJson)
    .refine((items) => Object.keys(items).length <= largestBatch, {
      message: `may have at most ${largestBatch} items`,
    })
    .optional(),
});

export const updateEdgeConfig = z.strictObject({ slug });

const description = itemDescription.nullable().optional();

/** @choice `null` and an empty text mean "no description". */
const operation = z.discriminatedUnion("operation", [
  z.strictObject({ operation: z.literal("create"), key: itemKey, value: givenJson, description }),
  z
    .strictObject({
      operation: z.enum(["update", "upsert"]),
      key: itemKey,
      value: json.optional(),
      description,
    })
    .refine((change) => change.value !== undefined || change.description !== undefined, {
      message: "needs a value or a description",
    }),
  // The Terraform provider sends a value with a deletion, too.
  z.strictObject({
    operation: z.literal("delete"),
    key: itemKey,
    value: json.optional(),
    description,
  }),
]);
export type ItemOperation = z.infer<typeof operation>;

export const patchItems = z.strictObject({ items: z.array(operation).max(largestBatch) });

export const itemsPatched = z.strictObject({ status: z.literal("ok") });

/** @choice A schema is a JSON object of at most 64 KiB. */
export const edgeConfigSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => !isTooDeep(schema) && JSON.stringify(schema).length <= 64 * 1024, {
    message: "must be at most 64 KiB of JSON, not too deeply nested",
  });

export const putSchema = z.strictObject({ definition: edgeConfigSchema });

export const shownSchema = z.record(z.string(), z.unknown());

export const edgeConfig = z.strictObject({
  id: z.string(),
  slug: z.string(),
  ownerId: z.string(),
  /** A hash that changes with the items. */
  digest: z.string(),
  itemCount: z.number(),
  sizeInBytes: z.number(),
  schema: z.record(z.string(), z.unknown()).optional(),
  createdBy: z.string().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type EdgeConfig = z.infer<typeof edgeConfig>;

export const edgeConfigItem = z.strictObject({
  edgeConfigId: z.string(),
  key: z.string(),
  value: z.unknown(),
  description: z.string().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});

/** @source the Terraform provider: the maximum length of a label */
export const createToken = z.strictObject({ label: z.string().min(1).max(52) });

/** Only this answer has the whole token, and the answer to a request that has the token in its path. */
export const createdToken = z.strictObject({ id: z.string(), token: z.string() });

export const edgeConfigToken = z.strictObject({
  id: z.string(),
  edgeConfigId: z.string(),
  label: z.string(),
  /** The first three characters of the token, and eight asterisks. */
  partialToken: z.string(),
  token: z.string().optional(),
  createdAt: z.number(),
});
export type EdgeConfigToken = z.infer<typeof edgeConfigToken>;

const several = z.array(z.string().min(1)).max(largestBatch);

export const deleteTokens = z
  .strictObject({ ids: several.optional(), tokens: several.optional() })
  .refine(({ ids, tokens }) => ids !== undefined || tokens !== undefined, {
    message: "needs ids or tokens",
  });

const metadata = z.strictObject({
  itemsCount: z.number(),
  itemsBytes: z.number(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string().optional(),
});
const listedBackup = z.strictObject({
  ...{ id: z.string(), lastModified: z.number(), metadata: metadata.optional() },
});
export type ListedBackup = z.infer<typeof listedBackup>;
export const backupList = z.strictObject({
  backups: z.array(listedBackup),
  pagination: z.strictObject({ hasNext: z.boolean(), next: z.string().optional() }),
});

export const backup = z.strictObject({
  ...{ id: z.string(), lastModified: z.number(), metadata },
  backup: z.strictObject({
    digest: z.string(),
    items: z.record(
      z.string(),
      z.strictObject({
        value: z.unknown(),
        description: z.string().optional(),
        createdAt: z.number(),
        updatedAt: z.number(),
      }),
    ),
    slug: z.string(),
    updatedAt: z.number(),
  }),
  /** The user who changed the items; absent for a seed. */
  user: z.strictObject({ id: z.string(), email: z.string(), username: z.string() }).optional(),
});
export type Backup = z.infer<typeof backup>;

export const restored = z.strictObject({
  status: z.literal("ok"),
  digest: z.string(),
  previousDigest: z.string(),
  restoredFrom: z.string(),
});
