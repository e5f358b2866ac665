import { z } from "zod";
import { resource } from "../core/resource";
import { isPlain, type Plain } from "../core/values";
import { logEnvironments, logSources } from "../vocabulary";
import {
  type DrainKind,
  drainChecks,
  drainHeaders,
  drainLife,
  drainListing,
  drainSecret,
  projectsOf,
} from "./drain/life";
import { isOwnDrain, type RemoteDrain } from "./drain/records";
import { projectIdsInput } from "./id-inputs";
import { projectId, receiverUrl } from "./names";

const inputs = z.strictObject({
  /** Name of the drain. */
  name: z.string().min(1).max(256),
  /** URL that receives the log lines: http or https, without a user or password. */
  endpoint: receiverUrl,
  /** Format of a delivery of several log lines. json: one JSON array. ndjson: one JSON object on each line. */
  deliveryFormat: z.enum(["json", "ndjson"]).optional(),
  /** Sources of the log lines. Default: all. */
  sources: z.array(z.enum(logSources)).min(1).max(7).optional(),
  /** Environments whose log lines are sent. */
  environments: z.array(z.enum(logEnvironments)).min(1).max(2).optional(),
  /** Ids of the projects whose log lines are sent. Default: all projects. */
  projectIds: z.array(projectId).min(1).max(50).optional(),
  /** Share of the log lines that is sent, greater than 0 and at most 1. */
  samplingRate: z.number().gt(0).max(1).optional(),
  /** Headers of each delivery, such as an `authorization` header with a token for the receiver. */
  headers: drainHeaders.optional(),
  /**
   * Secret of at least 32 characters that signs each delivery. The API does not return the secret, so drift of the
   * secret is not detected. If you remove `secret` from the program, the drain keeps the secret.
   */
  secret: drainSecret.optional(),
});

const outputs = z.object({
  /** Status of the drain: enabled, disabled, or errored when deliveries fail. */
  status: z.string().nullable(),
});

const filters = z.strictObject({
  /** Only drains that send the log lines of the project with this id. */
  projectId: z.string().optional(),
});

/** The settings of a log drain as programs declare them, with defaults for undeclared ones. */
interface Settings {
  name: string;
  endpoint: string;
  deliveryFormat: string;
  /** undefined: all sources. */
  sources: readonly string[] | undefined;
  environments: readonly string[];
  /** undefined: all projects. */
  projectIds: readonly string[] | undefined;
  samplingRate: number;
  headers: Record<string, string>;
}

const usual: Omit<Settings, "name" | "endpoint"> = {
  deliveryFormat: "json",
  sources: undefined,
  environments: logEnvironments,
  projectIds: undefined,
  samplingRate: 1,
  headers: {},
};

/** A drain that sends logs over HTTP and does not belong to an integration. */
export const isLogDrain = (remote: RemoteDrain): boolean =>
  remote.delivery.type === "http" &&
  typeof remote.delivery.endpoint === "string" &&
  isOwnDrain(remote, "log");

/** True for a sampling rule that applies to all environments and paths. Other rules are not settings of a log drain. */
const isForAll = ({ env, requestPath }: { env?: unknown; requestPath?: unknown }): boolean =>
  env == null && requestPath == null;

/** @source the Terraform provider: vercel_log_drain */
const kind: DrainKind<Settings> = {
  schema: "log",
  nouns: ["log drain", "log line"],
  otherwise: "does not send logs over HTTP",
  usual,
  isOfKind: isLogDrain,
  settingsOf({ name, projectIds, filterV2, delivery, sampling }) {
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
  },
  members(settings, secret, remote, isChanged) {
    const { name, endpoint, deliveryFormat: encoding, projectIds, headers, samplingRate: rate } = settings;
    const { project, ...existing }: Plain = remote?.filterV2?.filter ?? {};
    const compression = remote?.delivery.compression;
    const otherRules = (remote?.sampling ?? []).filter((rule) => !isForAll(rule));
    const keepsProject = project != null && !isChanged("projectIds");
    return [
      [["name"], { name }],
      [["projectIds"], projectsOf(projectIds)],
      [
        ["sources", "environments"],
        { filter: filterOf(settings, { ...existing, ...(keepsProject && { project }) }) },
      ],
      [
        ["endpoint", "deliveryFormat", "headers", "secret"],
        {
          delivery: {
            ...{ type: "http", endpoint, encoding, headers },
            ...(secret !== undefined && { secret }),
            ...(compression != null && { compression }),
          },
        },
      ],
      [
        ["samplingRate"],
        { sampling: [...otherRules, ...(rate < 1 ? [{ type: "head_sampling", rate }] : [])] },
      ],
    ];
  },
};

/**
 * A log drain of the account: an endpoint that receives the log lines of the account's projects.
 * @throws ApiError 400 if the account has too many drains, or if `projectIds` contains a project of another account
 * @source the newest official client: /v1/drains, and the Terraform provider
 */
export const logDrain = resource({
  type: "LogDrain",
  handler: "drain",
  scopes: [],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["headers", "secret"],
    defaults: {
      ...{ deliveryFormat: "json", sources: null, environments: [...logEnvironments], projectIds: null },
      ...{ samplingRate: 1, headers: {} },
    },
    stable: ["status"],
    computed: ["deliveryFormat", "sources", "environments", "projectIds", "samplingRate"],
    ids: { projectIds: projectIdsInput },
  },
  checks: drainChecks,
  ownership: { objects: (_outputs, id) => [id] },
  list: drainListing(kind, filters),
  ...drainLife(kind),
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
