import * as z from "zod";
import { receiverUrl } from "../events/receiver-url";
import { createAccountDrain } from "./schema";

/**
 * Bodies and answers of drains, the newest form of the account's log drains.
 * @choice Only drains of logs over HTTP are supported. The refusal of another drain names the member that asks for it.
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

const sampling = z.strictObject({
  type: z.literal("head_sampling", only("head_sampling")),
  rate: z.number().gt(0).max(1),
});

const kind = {
  schemas: z.strictObject({ log: z.strictObject({ version: z.literal("v1") }) }),
  transforms: z.array(z.never()).max(0),
  source: z.strictObject({ kind: z.literal("self-served", only("self-served")) }),
};

const fields = {
  name: z.string().min(1).max(256),
  projects: z.enum(["some", "all"]),
  projectIds,
  filter: z.strictObject({ version: z.enum(["v1", "v2"]), filter }),
  delivery: z.strictObject({
    type: z.literal("http", only("http")),
    endpoint: receiverUrl,
    encoding: deliveryFormat,
    compression: z.literal("none", only("none")).optional(),
    headers,
    secret: z.string().min(1).max(1000).optional(),
  }),
  sampling: z.array(sampling).max(1),
};

const idsOfSome = { path: ["projectIds"], message: "must be given with projects some, and only then" };

/** Transforms the body to the settings of a log drain. */
export const createDrainOfLogs = z
  .strictObject({
    ...fields,
    filter: fields.filter.optional(),
    sampling: fields.sampling.optional(),
    schemas: kind.schemas,
    transforms: kind.transforms.optional(),
    source: kind.source.optional(),
  })
  .refine(({ projects, projectIds }) => (projects === "some") === (projectIds !== undefined), idsOfSome)
  .transform(({ name, projectIds, filter, delivery, sampling = [] }) => ({
    name,
    ...settingsOfDelivery(delivery),
    ...settingsOfFilter(filter),
    projectIds: projectIds ?? filter?.filter.project?.ids,
    samplingRate: sampling[0]?.rate,
  }));

/**
 * Transforms the body to changes of a log drain. A change to undefined removes a setting.
 * @choice Each member replaces its whole value, because clients send it whole. But a delivery without a secret keeps
 *   the stored secret, because no answer shows the secret to clients. A drain cannot be disabled.
 */
export const updateDrainOfLogs = z
  .strictObject({
    name: fields.name.optional(),
    projects: fields.projects.optional(),
    projectIds: fields.projectIds.nullable(),
    filter: fields.filter.nullish(),
    delivery: fields.delivery.optional(),
    sampling: fields.sampling.nullish(),
    schemas: kind.schemas.optional(),
    transforms: kind.transforms.nullish(),
    source: kind.source.optional(),
    status: z.literal("enabled", only("enabled")).optional(),
  })
  .refine(
    ({ projects, projectIds }) => projects === undefined || (projects === "some") === (projectIds != null),
    idsOfSome,
  )
  .transform(({ name, projects, projectIds, filter, delivery, sampling }) => ({
    ...(name !== undefined && { name }),
    ...(delivery && settingsOfDelivery(delivery)),
    ...(filter !== undefined && settingsOfFilter(filter)),
    ...(filter?.filter.project?.ids && { projectIds: filter.filter.project.ids }),
    ...((projects !== undefined || projectIds !== undefined) && { projectIds: projectIds ?? undefined }),
    ...(sampling !== undefined && { samplingRate: sampling?.[0]?.rate }),
  }));

const settingsOfDelivery = (delivery: z.output<typeof fields.delivery>) => ({
  url: delivery.endpoint,
  deliveryFormat: delivery.encoding,
  headers: delivery.headers,
  ...(delivery.secret !== undefined && { secret: delivery.secret }),
});

const settingsOfFilter = (given: z.output<typeof fields.filter> | null | undefined) => ({
  sources: given?.filter.log?.sources,
  environments: given?.filter.deployment?.environments,
});

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
