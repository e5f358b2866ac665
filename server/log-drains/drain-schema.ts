import * as z from "zod";
import { logEnvironments } from "../../provider/vocabulary";
import { receiverUrl } from "../events/receiver-url";
import { createAccountDrain } from "./schema";

/**
 * Bodies and answers of drains, the newest form of the account's log drains, and the only form of other drains.
 * @choice Drains have one schema. The refusal of a drain that is not supported names the member that asks for it.
 * @source the newest official client: POST /v1/drains and PATCH /v1/drains/{id}, and the Terraform provider
 */

const { projectIds, headers, sources, environments, deliveryFormat } = createAccountDrain.shape;

const only = (what: string) => ({ error: `must be ${what}: this server has no other drains` });

const filter = z.strictObject({
  type: z.literal("basic", only("basic")),
  project: z.strictObject({ ids: projectIds }).optional(),
  log: z.strictObject({ sources: sources.optional() }).optional(),
  deployment: z.strictObject({ environments }).optional(),
});

const samplingRule = z.strictObject({
  type: z.literal("head_sampling", only("head_sampling")),
  rate: z.number().min(0).max(1),
  env: z.enum(logEnvironments).optional(),
  requestPath: z.string().max(2048).optional(),
});

/** The data that a drain receives. */
export const drainKinds = ["log", "trace", "audit_log"] as const;
export type DrainKind = (typeof drainKinds)[number];

const version = z.strictObject({ version: z.literal("v1") }).optional();
const schemas = z
  .strictObject({ log: version, trace: version, audit_log: version })
  .refine((given) => Object.keys(given).length === 1, "must be one of log, trace and audit_log")
  .transform((given) => drainKinds.find((kind) => given[kind]));

const received = { headers, secret: z.string().min(1).max(1000).optional() };
const compression = z.enum(["gzip", "none"]);
const otlpEncoding = z.enum(["json", "proto"]);
const bucket = z.strictObject({
  type: z.literal("s3"),
  endpoint: z
    .string()
    .regex(
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/\S{0,900})?$/,
      "must be s3://bucket or s3://bucket/prefix",
    ),
  encoding: deliveryFormat,
  compression: z.literal("none"),
  fileStructure: z.literal("hive"),
  roleArn: z.string().min(1).max(2048),
  region: z.string().min(1).max(100),
  serverSideEncryption: z.enum(["AES256", "aws:kms", "aws:kms:dsse"]).optional(),
  objectAcl: z.enum(["private", "bucket-owner-read", "bucket-owner-full-control"]).optional(),
});

const delivery = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("http"),
    endpoint: receiverUrl,
    encoding: deliveryFormat,
    /** @choice The default, which is not documented. */
    compression: compression.default("none"),
    ...received,
  }),
  z.strictObject({
    type: z.literal("otlphttp"),
    endpoint: z.strictObject({ traces: receiverUrl }),
    encoding: otlpEncoding,
    ...received,
  }),
  bucket,
]);

/** Members of seeds too. */
export const drainFields = {
  name: z.string().min(1).max(256),
  projectIds,
  delivery,
  sampling: z.array(samplingRule).max(50),
};

const fields = {
  ...drainFields,
  projectIds: projectIds.nullable(),
  projects: z.enum(["some", "all"]),
  filter: z.strictObject({ version: z.enum(["v1", "v2"]), filter }).nullish(),
  sampling: drainFields.sampling.nullish(),
  schemas,
  transforms: z.array(z.never()).max(0).nullish(),
  source: z.strictObject({ kind: z.literal("self-served", only("self-served")) }).optional(),
};

const idsOfSome = { path: ["projectIds"], message: "must be given with projects some, and only then" };

/** @source the newest official client: testDrain */
export const testDrain = z.strictObject({ schemas, delivery });

/** @choice Without members if the endpoint has accepted the event. */
export const testedDrain = z.strictObject({
  endpoint: z.string().optional(),
  status: z.literal("error").optional(),
  error: z.string().optional(),
});

/** The transforms return the settings that a body changes. A setting that is undefined returns to its default. */
export const createDrain = z
  .strictObject(fields)
  .refine(({ projects, projectIds }) => (projects === "some") === (projectIds != null), idsOfSome)
  .transform(({ projects: _, ...body }) => changesIn(body));

/**
 * @choice Each member replaces its whole value, because clients send it whole. But a delivery without a secret keeps
 *   the stored secret, because no answer shows the secret to clients. A drain cannot be disabled.
 */
export const updateDrain = z
  .strictObject({
    ...fields,
    name: fields.name.optional(),
    projects: fields.projects.optional(),
    delivery: delivery.optional(),
    schemas: schemas.optional(),
    status: z.literal("enabled", only("enabled")).optional(),
  })
  .refine(
    ({ projects, projectIds }) => projects === undefined || (projects === "some") === (projectIds != null),
    idsOfSome,
  )
  .transform(({ projects, projectIds, ...body }) =>
    changesIn({ ...body, ...((projects || projectIds !== undefined) && { projectIds: projectIds ?? null }) }),
  );

type Body = {
  [K in "name" | "delivery" | "filter" | "sampling" | "schemas" | "projectIds"]?:
    | z.output<(typeof fields)[K]>
    | undefined;
};

/** @choice The ids in the filter are the projects of the drain. */
function changesIn({ name, delivery, filter, sampling, schemas: kind, projectIds }: Body) {
  const ids = projectIds === undefined ? filter?.filter.project?.ids : projectIds;
  return {
    kind,
    ...(name !== undefined && { name }),
    ...(delivery && { delivery, url: urlOf(delivery) }),
    ...(filter !== undefined && { filter: filter?.filter ?? everything }),
    ...(ids !== undefined && { projectIds: ids ?? undefined }),
    ...(sampling !== undefined && { sampling: sampling?.length ? sampling : undefined }),
  };
}
const everything: z.output<typeof filter> = { type: "basic" };
export type DrainChanges = ReturnType<typeof changesIn>;
export type Delivery = z.output<typeof delivery>;

/** The URL that receives the data; undefined for a bucket. */
const urlOf = (to: Delivery): string | undefined =>
  to.type === "s3" ? undefined : to.type === "http" ? to.endpoint : to.endpoint.traces;

/** A drain in an answer: without the secret, and with the headers only for callers who may write drains. */
const shown = {
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  teamId: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  status: z.literal("enabled"),
  projectIds: z.array(z.string()).optional(),
  sampling: z.array(samplingRule).optional(),
  source: z.strictObject({ kind: z.literal("self-served") }),
};
const shownHeaders = z.record(z.string(), z.string());

const drainOfLogs = z.strictObject({
  ...shown,
  schemas: z.strictObject({ log: z.strictObject({}) }),
  filterV2: z.strictObject({
    version: z.literal("v2"),
    filter: z.strictObject({
      type: z.literal("basic"),
      log: z.strictObject({ sources: sources.optional() }),
      deployment: z.strictObject({ environments: environments.unwrap() }),
    }),
  }),
  delivery: z.strictObject({
    type: z.literal("http"),
    endpoint: z.string(),
    encoding: deliveryFormat,
    headers: shownHeaders,
  }),
});

const otherDrain = z.strictObject({
  ...shown,
  schemas: z.strictObject({ trace: version, audit_log: version }),
  delivery: z.union([
    z.strictObject({
      type: z.literal("http"),
      endpoint: z.string(),
      encoding: deliveryFormat,
      compression,
      headers: shownHeaders,
    }),
    z.strictObject({
      type: z.literal("otlphttp"),
      endpoint: z.strictObject({ traces: z.string() }),
      encoding: otlpEncoding,
      headers: shownHeaders,
    }),
    bucket,
  ]),
});

export const drain = z.union([drainOfLogs, otherDrain]);
export const drains = z.strictObject({ drains: z.array(drain) });
export type DrainOfLogs = z.infer<typeof drainOfLogs>;
export type OtherDrain = z.infer<typeof otherDrain>;
