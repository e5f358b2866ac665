import { z } from "zod";
import { resource } from "../core/resource";
import { logEnvironments } from "../vocabulary";
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

const samplingRule = z.strictObject({
  /** Share of the traces that is sent, from 0 to 1. */
  rate: z.number().min(0).max(1),
  /** Environment to which the rule applies. Default: both. */
  environment: z.enum(logEnvironments).optional(),
  /** Beginning of the paths to which the rule applies, such as `/api`. Default: all paths. */
  requestPath: z.string().min(1).max(2048).optional(),
});

const inputs = z.strictObject({
  /** Name of the drain. */
  name: z.string().min(1).max(256),
  /**
   * URL that receives the traces in OTLP over HTTP, which usually ends in `/v1/traces`: http or https, without a user or
   * password.
   */
  endpoint: receiverUrl,
  /** Encoding of the traces: json, or proto for protocol buffers. */
  deliveryFormat: z.enum(["json", "proto"]).optional(),
  /** Ids of the projects whose traces are sent. Default: all projects. */
  projectIds: z.array(projectId).min(1).max(50).optional(),
  /** Rules about the share of the traces that is sent, in their order. Default: all traces. */
  samplingRules: z.array(samplingRule).min(1).max(50).optional(),
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
  /** Only drains that send the traces of the project with this id. */
  projectId: z.string().optional(),
});

interface SamplingRule {
  rate: number;
  environment?: string;
  requestPath?: string;
}

/** The settings of a trace drain as programs declare them, with defaults for undeclared ones. */
interface Settings {
  name: string;
  endpoint: string;
  deliveryFormat: string;
  /** undefined: all projects. */
  projectIds: readonly string[] | undefined;
  /** undefined: all traces. */
  samplingRules: readonly SamplingRule[] | undefined;
  headers: Record<string, string>;
}

const usual: Omit<Settings, "name" | "endpoint"> = {
  ...{ deliveryFormat: "json", projectIds: undefined, samplingRules: undefined, headers: {} },
};

const receiver = z.looseObject({ traces: z.string() });

/** A drain that sends traces over HTTP and does not belong to an integration. */
export const isTraceDrain = (remote: RemoteDrain): boolean =>
  remote.delivery.type === "otlphttp" &&
  receiver.safeParse(remote.delivery.endpoint).success &&
  isOwnDrain(remote, "trace");

/** @source the Terraform provider: vercel_trace_drain */
const kind: DrainKind<Settings> = {
  schema: "trace",
  nouns: ["trace drain", "trace"],
  otherwise: "does not send traces over HTTP",
  usual,
  isOfKind: isTraceDrain,
  settingsOf({ name, projectIds, delivery, sampling }) {
    const rules = sampling?.map(({ rate, env, requestPath }) => ({
      rate,
      ...(env != null && { environment: env }),
      ...(requestPath != null && { requestPath }),
    }));
    return {
      name,
      endpoint: receiver.parse(delivery.endpoint).traces,
      deliveryFormat: delivery.encoding ?? usual.deliveryFormat,
      projectIds: projectIds ?? usual.projectIds,
      samplingRules: rules && rules.length > 0 ? rules : usual.samplingRules,
      headers: delivery.headers ?? usual.headers,
    };
  },
  members: ({ name, endpoint, deliveryFormat, projectIds, samplingRules = [], headers }, secret) => [
    [["name"], { name }],
    [["projectIds"], projectsOf(projectIds)],
    [
      ["endpoint", "deliveryFormat", "headers", "secret"],
      {
        delivery: {
          ...{ type: "otlphttp", endpoint: { traces: endpoint }, encoding: deliveryFormat, headers },
          ...(secret !== undefined && { secret }),
        },
      },
    ],
    [
      ["samplingRules"],
      {
        sampling: samplingRules.map(({ environment: env, ...rule }) => ({
          ...{ type: "head_sampling", ...rule },
          ...(env !== undefined && { env }),
        })),
      },
    ],
  ],
};

/**
 * A trace drain of the account: an endpoint that receives the traces of the account's projects in the format of
 * OpenTelemetry.
 * @throws ApiError 400 if the account has too many drains, or if `projectIds` contains a project of another account
 * @source the newest official client: /v1/drains, and the Terraform provider
 */
export const traceDrain = resource({
  type: "TraceDrain",
  handler: "tracedrain",
  scopes: [],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["headers", "secret"],
    defaults: { deliveryFormat: "json", projectIds: null, samplingRules: null, headers: {} },
    stable: ["status"],
    computed: ["deliveryFormat", "projectIds", "samplingRules"],
    ids: { projectIds: projectIdsInput },
  },
  checks: drainChecks,
  ownership: { objects: (_outputs, id) => [id] },
  list: drainListing(kind, filters),
  ...drainLife(kind),
});
