import * as z from "zod";
import { createAccountDrain, receiverUrl } from "./schema";

/**
 * Bodies and answers of drains, the newest form of the account's log drains.
 * @choice Drains of logs over HTTP alone: one of another kind is refused by the member that asks for it.
 * @source the newest official client: POST /v1/drains, and the Terraform provider
 */

const { name, projectIds, secret, headers, sources, environments, deliveryFormat, samplingRate } =
  createAccountDrain.shape;

const only = (what: string) => ({ error: `must be ${what}: this server has no other drains` });

const filter = z.strictObject({
  type: z.literal("basic", only("basic")),
  project: z.strictObject({ ids: projectIds }).optional(),
  log: z.strictObject({ sources: sources.optional() }).optional(),
  deployment: z.strictObject({ environments }).optional(),
});

const sampling = z.strictObject({
  type: z.literal("head_sampling", only("head_sampling")),
  rate: samplingRate.unwrap(),
});

/** As a log drain of the account. */
export const createDrainOfLogs = z
  .strictObject({
    name: name.unwrap(),
    projects: z.enum(["some", "all"]),
    projectIds,
    filter: z.strictObject({ version: z.enum(["v1", "v2"]), filter }).optional(),
    schemas: z.strictObject({ log: z.strictObject({ version: z.literal("v1") }) }),
    delivery: z.strictObject({
      type: z.literal("http", only("http")),
      endpoint: receiverUrl,
      encoding: deliveryFormat,
      compression: z.literal("none", only("none")).optional(),
      headers,
      secret,
    }),
    sampling: z.array(sampling).max(1).optional(),
    transforms: z.array(z.never()).optional(),
    source: z.strictObject({ kind: z.literal("self-served", only("self-served")) }).optional(),
  })
  .refine(({ projects, projectIds }) => (projects === "some") === (projectIds !== undefined), {
    path: ["projectIds"],
    message: "must be given with projects some, and only then",
  })
  .transform(({ delivery, filter: given, sampling: [rule] = [], ...body }) => ({
    name: body.name,
    url: delivery.endpoint,
    deliveryFormat: delivery.encoding,
    headers: delivery.headers,
    secret: delivery.secret,
    projectIds: body.projectIds ?? given?.filter.project?.ids,
    sources: given?.filter.log?.sources,
    environments: given?.filter.deployment?.environments,
    samplingRate: rule?.rate,
  }));

export const drainOfLogs = z.strictObject({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  teamId: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  status: z.literal("enabled"),
  projectIds: z.array(z.string()).optional(),
  schemas: z.strictObject({ log: z.strictObject({}) }),
  filterV2: z.strictObject({
    version: z.literal("v2"),
    filter: z.strictObject({
      type: z.literal("basic"),
      log: z.strictObject({ sources: sources.optional() }),
      deployment: z.strictObject({ environments: environments.unwrap() }),
    }),
  }),
  /** Without the secret, and with the headers only for callers who may write drains. */
  delivery: z.strictObject({
    type: z.literal("http"),
    endpoint: z.string(),
    encoding: deliveryFormat,
    headers: z.record(z.string(), z.string()),
  }),
  sampling: z.array(z.strictObject({ type: z.literal("head_sampling"), rate: z.number() })).optional(),
  source: z.strictObject({ kind: z.literal("self-served") }),
});

export const drainsOfLogs = z.strictObject({ drains: z.array(drainOfLogs) });
