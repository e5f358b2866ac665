import { z } from "zod";
import { resource } from "../core/resource";
import { isPlain, type Plain, same } from "../core/values";
import {
  type DrainKind,
  drainChecks,
  drainHeaders,
  drainLife,
  drainListing,
  drainSecret,
} from "./drain/life";
import { isOwnDrain, type RemoteDrain } from "./drain/records";
import { receiverUrl } from "./names";

const bucketUrl = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/\S{0,900})?$/;
const isBucket = (endpoint: string): boolean => endpoint.startsWith("s3:");

const bucket = z.strictObject({
  /** ARN of the AWS role that the service assumes to write objects. */
  roleArn: z.string().min(1).max(2048),
  /** AWS region of the bucket, such as `eu-central-1`. */
  region: z.string().min(1).max(100),
  /** Encryption of the objects by S3. Default: that of the bucket. */
  serverSideEncryption: z.enum(["AES256", "aws:kms", "aws:kms:dsse"]).optional(),
  /** Access control list of the objects. Default: that of the bucket. */
  objectAcl: z.enum(["private", "bucket-owner-read", "bucket-owner-full-control"]).optional(),
});

const inputs = z.strictObject({
  /** Name of the drain. */
  name: z.string().min(1).max(256),
  /**
   * Receiver of the events: a URL with http or https, without a user or password, or `s3://bucket/prefix` for objects in
   * the bucket of `s3`.
   */
  endpoint: z
    .string()
    .max(2048)
    .refine(
      (text) => bucketUrl.test(text) || receiverUrl.safeParse(text).success,
      "must be a URL that begins with http:// or https://, without spaces, a user or a password, or s3://bucket/prefix",
    ),
  /** Format of several events. json: one JSON array. ndjson: one JSON object on each line. */
  deliveryFormat: z.enum(["json", "ndjson"]).optional(),
  /** Compression of deliveries to a URL. */
  compression: z.enum(["gzip", "none"]).optional(),
  /** The bucket, if `endpoint` begins with `s3://`. */
  s3: bucket.optional(),
  /** Headers of each delivery to a URL, such as an `authorization` header with a token for the receiver. */
  headers: drainHeaders.optional(),
  /**
   * Secret of at least 32 characters that signs each delivery to a URL. The API does not return the secret, so drift of
   * the secret is not detected. If you remove `secret` from the program, the drain keeps the secret.
   */
  secret: drainSecret.optional(),
});

const outputs = z.object({
  /** Status of the drain: enabled, disabled, or errored when deliveries fail. */
  status: z.string().nullable(),
});

/** The settings of an audit log drain as programs declare them, with defaults for undeclared ones. */
interface Settings {
  name: string;
  endpoint: string;
  deliveryFormat: string;
  compression: string;
  s3: Plain | undefined;
  headers: Record<string, string>;
}

const usual: Omit<Settings, "name" | "endpoint"> = {
  ...{ deliveryFormat: "json", compression: "none", s3: undefined, headers: {} },
};

/** A drain that sends audit logs over HTTP or to a bucket, and does not belong to an integration. */
export const isAuditLogDrain = (remote: RemoteDrain): boolean =>
  ["http", "s3"].includes(remote.delivery.type) &&
  typeof remote.delivery.endpoint === "string" &&
  isOwnDrain(remote, "audit_log");

/** The input `s3` of a drain; undefined if it sends to a URL. */
export function bucketOf(delivery: RemoteDrain["delivery"]): Plain | undefined {
  if (delivery.type !== "s3") return undefined;
  const { roleArn, region, serverSideEncryption, objectAcl } = delivery;
  const members = Object.entries({ roleArn, region, serverSideEncryption, objectAcl });
  return Object.fromEntries(members.filter(([, value]) => value != null));
}

/** @source the Terraform provider: vercel_audit_log_drain */
const kind: DrainKind<Settings> = {
  schema: "audit_log",
  nouns: ["audit log drain", "event"],
  otherwise: "does not send audit logs over HTTP or to a bucket",
  usual,
  isOfKind: isAuditLogDrain,
  settingsOf({ name, delivery }) {
    return {
      name,
      endpoint: String(delivery.endpoint),
      deliveryFormat: delivery.encoding ?? usual.deliveryFormat,
      compression: delivery.compression ?? usual.compression,
      s3: bucketOf(delivery) ?? usual.s3,
      headers: delivery.headers ?? usual.headers,
    };
  },
  // The service sets what `s3` does not declare.
  isAsDeclared: (key, declared, current) =>
    key === "s3" && isPlain(declared) && isPlain(current)
      ? Object.entries(declared).every(([name, value]) => same(value, current[name]))
      : same(declared, current),
  members: ({ name, endpoint, deliveryFormat: encoding, compression, s3, headers }, secret) => [
    [["name"], { name, projects: "all" }],
    [
      ["endpoint", "deliveryFormat", "compression", "s3", "headers", "secret"],
      {
        delivery: isBucket(endpoint)
          ? { type: "s3", endpoint, encoding, compression: "none", fileStructure: "hive", ...s3 }
          : {
              ...{ type: "http", endpoint, encoding, compression, headers },
              ...(secret !== undefined && { secret }),
            },
      },
    ],
  ],
};

/**
 * An audit log drain of the team: an endpoint or a bucket that receives the events in the team's audit log, of all
 * projects.
 * @throws ApiError 403 if the plan of the team has no audit logs, 400 for a personal account
 * @source the newest official client: /v1/drains, and the Terraform provider
 */
export const auditLogDrain = resource({
  type: "AuditLogDrain",
  handler: "auditlogdrain",
  scopes: [],
  importId: "`<id>`",
  inputs,
  outputs,
  traits: {
    secret: ["headers", "secret"],
    defaults: { deliveryFormat: "json", compression: "none", s3: null, headers: {} },
    stable: ["status"],
    computed: ["deliveryFormat", "compression", "s3"],
  },
  checks: {
    ...drainChecks,
    rules: [
      ...drainChecks.rules,
      [
        ({ endpoint }, declared) => endpoint !== undefined && isBucket(endpoint) !== declared.has("s3"),
        "s3 must be declared if endpoint begins with s3://, and only then.",
      ],
      [
        ({ headers = {}, compression = "none" }, declared) =>
          declared.has("s3") &&
          (Object.keys(headers).length > 0 || declared.has("secret") || compression !== "none"),
        "headers, secret and compression are for a URL. Remove them, or declare an http or https endpoint.",
      ],
    ],
  },
  ownership: { objects: (_outputs, id) => [id] },
  list: drainListing(kind, z.strictObject({})),
  ...drainLife(kind),
});
