import { z } from "zod";
import { pagination } from "../../client/responses";
import { isPlain, type Plain } from "../../core/values";
import { logEnvironments } from "../../vocabulary";

/** @param id undefined for the list, or to create a drain */
export const drainPath = (id?: string): string =>
  ["/v1/drains", ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

/** A drain. Some drains send data other than logs. A `LogDrain` cannot declare these. */
export const remoteDrain = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** The id of the account. */
  ownerId: z.string(),
  status: z.string().nullish(),
  projectIds: z.array(z.string()).nullish(),
  schemas: z.record(z.string(), z.unknown()).nullish(),
  /** A filter in another form has none of these members. */
  filterV2: z
    .looseObject({
      filter: z
        .looseObject({
          log: z.looseObject({ sources: z.array(z.string()).nullish() }).nullish(),
          deployment: z.looseObject({ environments: z.array(z.string()).nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  delivery: z.looseObject({
    type: z.string(),
    endpoint: z.unknown(),
    encoding: z.string().nullish(),
    compression: z.string().nullish(),
    headers: z.record(z.string(), z.string()).nullish(),
  }),
  sampling: z
    .array(z.looseObject({ rate: z.number(), env: z.string().nullish(), requestPath: z.string().nullish() }))
    .nullish(),
  source: z.looseObject({ kind: z.string() }).nullish(),
});
export type RemoteDrain = z.infer<typeof remoteDrain>;

export const drainList = z.looseObject({ drains: z.array(remoteDrain), pagination });

/** The settings of a log drain as programs declare them, with defaults for undeclared ones. */
export interface Settings {
  name: string;
  endpoint: string;
  deliveryFormat: string;
  /** undefined: all sources. */
  sources: readonly string[] | undefined;
  environments: readonly string[];
  /** undefined: all projects. */
  projectIds: readonly string[] | undefined;
  samplingRate: number;
  headers: Readonly<Record<string, string>>;
}

export type SettingName = keyof Settings;

const usual: Omit<Settings, "name" | "endpoint"> = {
  deliveryFormat: "json",
  sources: undefined,
  environments: logEnvironments,
  projectIds: undefined,
  samplingRate: 1,
  headers: {},
};

export const settingNames: readonly SettingName[] = [
  "name",
  "endpoint",
  ...(Object.keys(usual) as (keyof typeof usual)[]),
];

/** A drain that sends logs over HTTP and does not belong to an integration. */
export const isLogDrain = ({ delivery, schemas, source }: RemoteDrain): boolean =>
  delivery.type === "http" &&
  typeof delivery.endpoint === "string" &&
  schemas?.log !== undefined &&
  (source?.kind ?? "self-served") === "self-served";

/** The settings of a drain of the API. */
export function settingsOf({ name, projectIds, filterV2, delivery, sampling }: RemoteDrain): Settings {
  const { log, deployment } = filterV2?.filter ?? {};
  const rule = sampling?.find(isForAll);
  return {
    name,
    endpoint: String(delivery.endpoint),
    deliveryFormat: delivery.encoding ?? usual.deliveryFormat,
    sources: log?.sources ?? usual.sources,
    environments: deployment?.environments ?? usual.environments,
    projectIds: projectIds ?? usual.projectIds,
    samplingRate: rule?.rate ?? usual.samplingRate,
    headers: delivery.headers ?? usual.headers,
  };
}

/** True for a sampling rule that applies to all environments and paths. Other rules are not settings of a log drain. */
const isForAll = ({ env, requestPath }: { env?: unknown; requestPath?: unknown }): boolean =>
  env == null && requestPath == null;

/** Returns the declared settings, with the defaults of undeclared settings. */
export function settingsAfter(declared: Declared): Settings {
  const given = Object.entries(declared).filter(([, value]) => value !== undefined);
  return { ...usual, ...(Object.fromEntries(given) as unknown as Pick<Settings, "name" | "endpoint">) };
}

export type Declared = Pick<Settings, "name" | "endpoint"> & {
  [K in keyof typeof usual]?: Settings[K] | undefined;
} & { secret?: string | undefined };

/** The members of a request that creates a drain. @source the Terraform provider: vercel_log_drain */
export function creation(settings: Settings, secret: string | undefined): Plain {
  const { projectIds } = settings;
  const sampling = samplingOf(settings);
  return {
    name: settings.name,
    ...(projectIds === undefined ? { projects: "all" } : { projects: "some", projectIds }),
    filter: filterOf(settings),
    schemas: { log: { version: "v1" } },
    delivery: deliveryOf(settings, secret),
    ...(sampling.length > 0 && { sampling }),
    source: { kind: "self-served" },
  };
}

/**
 * The members of a request that changes a drain. Each member replaces several settings at once. Unchanged settings, and
 * settings that programs cannot declare, are therefore sent with the values of the service. A delivery without a secret
 * keeps the secret. The last parameter is the drain at the service.
 * @param settings the settings after the change @param changed true for a setting that changes
 */
export function changeOf(
  settings: Settings,
  secret: string | undefined,
  changed: (name: SettingName | "secret") => boolean,
  { filterV2, delivery: { compression }, sampling }: RemoteDrain,
): Plain {
  const { project, ...existing }: Plain = filterV2?.filter ?? {};
  const keepsProject = project != null && !changed("projectIds");
  const otherRules = (sampling ?? []).filter((rule) => !isForAll(rule));
  const members: [names: (SettingName | "secret")[], member: () => Plain][] = [
    [["name"], () => ({ name: settings.name })],
    [["projectIds"], () => projectsOf(settings)],
    [
      ["sources", "environments"],
      () => ({ filter: filterOf(settings, { ...existing, ...(keepsProject && { project }) }) }),
    ],
    [
      ["endpoint", "deliveryFormat", "headers", "secret"],
      () => ({ delivery: { ...deliveryOf(settings, secret), ...(compression != null && { compression }) } }),
    ],
    [["samplingRate"], () => ({ sampling: [...otherRules, ...samplingOf(settings)] })],
  ];
  const changes = members.filter(([names]) => names.some(changed)).map(([, member]) => member());
  return Object.assign({}, ...changes);
}

const projectsOf = ({ projectIds }: Settings): Plain => ({
  projects: projectIds === undefined ? "all" : "some",
  projectIds: projectIds ?? null,
});

/** The filter in a request. @param existing the filter of the drain, which is replaced if its type is not `basic` */
function filterOf(settings: Pick<Settings, "sources" | "environments">, existing: Plain = {}): Plain {
  const { sources, environments } = settings;
  const { type = "basic", log, deployment, ...others } = existing;
  if (type !== "basic") return filterOf(settings);
  const { sources: _, ...restOfLog } = isPlain(log) ? log : {};
  const ofLog = { ...restOfLog, ...(sources && { sources }) };
  return {
    version: "v2",
    filter: {
      type,
      ...others,
      ...(Object.keys(ofLog).length > 0 && { log: ofLog }),
      deployment: { ...(isPlain(deployment) && deployment), environments },
    },
  };
}

const deliveryOf = ({ endpoint, deliveryFormat, headers }: Settings, secret: string | undefined): Plain => ({
  type: "http",
  endpoint,
  encoding: deliveryFormat,
  headers,
  ...(secret !== undefined && { secret }),
});

const samplingOf = ({ samplingRate }: Settings): Plain[] =>
  samplingRate < 1 ? [{ type: "head_sampling", rate: samplingRate }] : [];
