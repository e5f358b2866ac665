import * as z from "zod";
import { flagKinds, flagSlug, sdkKeyTypes } from "../../provider/vocabulary";
import { deepest, isTooDeep } from "../platform/depth";

/**
 * Bodies and answers of feature flags.
 * @source the newest official client: /v1/projects/{idOrName}/feature-flags; the Terraform provider
 */

/** @choice The public API gives no limits for texts and lists. */
const name = z.string().min(1).max(512);
const text = z.string().max(2000);
const slug = z.string().regex(flagSlug, "must consist of 1 to 512 letters, digits, '-' and '_'");
const list = <T extends z.ZodType>(item: T) => z.array(item).max(1000);

const value = z
  .unknown()
  .refine((given) => given !== undefined, { message: "is missing" })
  .refine((given) => !isTooDeep(given), { message: `must be nested at most ${deepest} levels deep` });

const variant = z.strictObject({
  id: name,
  label: text.optional(),
  description: text.optional(),
  value,
});
export type Variant = z.infer<typeof variant>;

/** An attribute of the visitor. */
const entity = z.strictObject({ type: z.literal("entity"), kind: name, attribute: name });

const promille = z.int().min(0).max(100_000);

const outcome = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("variant"), variantId: name }),
  z.strictObject({
    type: z.literal("split"),
    base: entity,
    weights: z.record(name, z.number().min(0)),
    defaultVariantId: name,
  }),
  z.strictObject({
    type: z.literal("rollout"),
    base: entity,
    startTimestamp: z.number(),
    rollFromVariantId: name,
    rollToVariantId: name,
    defaultVariantId: name,
    slots: list(z.strictObject({ promille, durationMs: z.int().min(0) })),
  }),
]);
export type Outcome = z.infer<typeof outcome>;

const note = { label: text.optional(), note: text.optional() };

const condition = z.strictObject({
  lhs: z.discriminatedUnion("type", [z.strictObject({ type: z.literal("segment") }), entity]),
  cmp: z.enum([
    ...(["eq", "!eq", "oneOf", "!oneOf", "containsAllOf", "containsAnyOf", "containsNoneOf"] as const),
    ...([
      "startsWith",
      "!startsWith",
      "endsWith",
      "!endsWith",
      "contains",
      "!contains",
      "ex",
      "!ex",
    ] as const),
    ...(["gt", "gte", "lt", "lte", "regex", "!regex", "before", "after"] as const),
  ]),
  rhs: z
    .union([
      z.string(),
      z.number(),
      z.boolean(),
      z.strictObject({ type: z.literal("regex"), pattern: text, flags: text }),
      z.strictObject({
        type: z.enum(["list", "list/inline"]),
        items: list(z.strictObject({ ...note, value: z.union([z.string(), z.number()]) })),
      }),
    ])
    .optional(),
  cmpOptions: z.strictObject({ ignoreCase: z.boolean().optional() }).optional(),
});

const rule = <T extends z.ZodType>(result: T) =>
  list(z.strictObject({ id: name, conditions: list(condition), outcome: result }));

/** Values of attributes, by the kind of entity and by the attribute. */
const matches = z.record(
  name,
  z.record(name, list(z.strictObject({ value: z.string(), note: text.optional() }))),
);

const environment = z.strictObject({
  active: z.boolean(),
  /** @choice The number is counted by the server, whatever a request says. */
  revision: z.int().min(0).optional(),
  /** The Terraform provider sends an inactive link without an environment. */
  reuse: z.strictObject({ active: z.boolean(), environment: z.string().max(100) }).optional(),
  targets: z.record(name, matches).optional(),
  pausedOutcome: z.strictObject({ type: z.literal("variant"), variantId: name }),
  rules: rule(outcome),
  fallthrough: outcome,
});
export type Environment = z.infer<typeof environment>;

const environments = z.record(z.string().min(1).max(100), environment);

/** The data that a version of a flag keeps. */
export const flagData = z.strictObject({
  description: text.optional(),
  environments,
  maintainerIds: list(name).optional(),
  permanent: z.boolean().optional(),
  seed: z.int().min(0),
  state: z.enum(["active", "archived"]),
  tags: list(name).optional(),
  variants: z.array(variant).min(1).max(100),
});
export type FlagData = z.infer<typeof flagData>;

const options = flagData.partial().omit({ environments: true });

export const createFlag = z.strictObject({
  slug,
  kind: z.enum(flagKinds),
  ...options.shape,
  environments,
});
export type CreateFlag = z.infer<typeof createFlag>;

/** Environments that the body does not have keep their configuration. */
export const updateFlag = z.strictObject({
  createdBy: z.string().optional(),
  message: text.optional(),
  ...options.shape,
  environments: environments.optional(),
});
export type UpdateFlag = z.infer<typeof updateFlag>;

const times = { createdAt: z.number(), updatedAt: z.number() };

export const flag = z.strictObject({
  id: z.string(),
  typeName: z.literal("flag"),
  slug: z.string(),
  kind: z.enum(flagKinds),
  projectId: z.string(),
  ownerId: z.string(),
  revision: z.number(),
  createdBy: z.string(),
  updatedBy: z.string().optional(),
  ...times,
  ...flagData.shape,
});
export type Flag = z.infer<typeof flag>;

/** The cursor is opaque: the time and the id of the last item of the page. */
export const pagination = z.strictObject({ next: z.string().nullable() });
export const flagList = z.strictObject({ data: z.array(flag), pagination });

export const flagVersions = z.strictObject({
  versions: z.array(
    z.strictObject({
      id: z.string(),
      flagId: z.string(),
      revision: z.number(),
      changedEnvironments: z.array(z.string()),
      createdBy: z.string(),
      createdAt: z.number(),
      message: z.string().optional(),
      data: flagData,
    }),
  ),
  pagination,
});

export const deploymentFlags = z.strictObject({ flags: z.array(z.never()), status: z.null() });

const segmentOutcome = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("all") }),
  z.strictObject({ type: z.literal("split"), base: entity, passPromille: promille }),
]);

const segmentData = z.strictObject({
  rules: rule(segmentOutcome).optional(),
  include: matches.optional(),
  exclude: matches.optional(),
});
export type SegmentData = z.infer<typeof segmentData>;

export const segmentSettings = z.strictObject({
  label: name,
  description: text.optional(),
  hint: text,
  data: segmentData,
});
export type SegmentSettings = z.infer<typeof segmentSettings>;

export const createSegment = z.strictObject({
  slug,
  createdBy: z.string().optional(),
  ...segmentSettings.shape,
});

/** Adds a value to the entries of a segment, or removes it. The operations are applied after the other members. */
const operation = z.strictObject({
  action: z.enum(["add", "remove"]),
  field: z.enum(["include", "exclude"]),
  entity: name,
  attribute: name,
  value: z.strictObject({ value: z.string(), note: text.optional() }),
});
export type SegmentOperation = z.infer<typeof operation>;

export const updateSegment = z.strictObject({
  operations: list(operation).optional(),
  ...segmentSettings.partial().shape,
});

export const segment = z.strictObject({
  id: z.string(),
  typeName: z.literal("segment"),
  slug: z.string(),
  projectId: z.string(),
  createdBy: z.string().optional(),
  ...times,
  ...segmentSettings.shape,
  usedByFlags: z.array(z.string()),
  usedBySegments: z.array(z.string()),
});
export const segmentList = z.strictObject({ data: z.array(segment) });

export const createKey = z.strictObject({
  sdkKeyType: z.enum(sdkKeyTypes),
  environment: z.string().min(1).max(100),
  label: text.optional(),
});

export const sdkKey = z.strictObject({
  hashKey: z.string(),
  projectId: z.string(),
  type: z.enum(sdkKeyTypes),
  environment: z.string(),
  label: z.string().optional(),
  partialKeyValue: z.string(),
  createdBy: z.string(),
  ...times,
});
export type SdkKey = z.infer<typeof sdkKey>;
export const sdkKeyList = z.strictObject({ data: z.array(sdkKey) });
/** Only this answer has the key itself. */
export const createdKey = sdkKey.extend({ keyValue: z.string(), connectionString: z.string() });

export const updateSettings = z.strictObject({
  enabled: z.boolean().optional(),
  entities: list(
    z.strictObject({
      kind: name,
      label: text,
      attributes: list(
        z.strictObject({
          key: name,
          type: name,
          labels: list(z.strictObject({ label: text, value: text })).optional(),
        }),
      ),
    }),
  ).optional(),
  environments: list(name).optional(),
});
export type UpdateSettings = z.infer<typeof updateSettings>;

export const settings = z.strictObject({
  ...updateSettings.required().shape,
  typeName: z.literal("settings"),
  projectId: z.string(),
  ownerId: z.string(),
  createdAt: z.number().optional(),
  updatedAt: z.number().optional(),
  metadata: z.strictObject({
    activeFlagCount: z.number(),
    archivedFlagCount: z.number(),
    segmentCount: z.number(),
    packSizeInBytes: z.number(),
  }),
});
export type Settings = z.infer<typeof settings>;
export const settingsList = z.strictObject({ data: z.array(settings), pagination });
