import type { Plain } from "../../../provider/core/values";
import { auditLogDrain } from "../../../provider/resources/audit-log-drain";
import { drain, headerRows, key, named, patchDrain, signingSecret, updated } from "../fields/drains";
import { existing, life, type Row, type Subject } from "../subject";

const declared = { name: "events", endpoint: "http://127.0.0.1:9/events" };
const delivery = (change: object): Row["drift"] =>
  patchDrain({
    delivery: { ...{ type: "http", endpoint: declared.endpoint, encoding: "json", headers: {} }, ...change },
  });

const s3 = { roleArn: "arn:aws:iam::123456789012:role/audit", region: "eu-central-1" };
const inBucket = { endpoint: "s3://audit-logs/team" };
const bucket = {
  ...{ type: "s3", ...inBucket, encoding: "json", compression: "none", fileStructure: "hive", ...s3 },
};
const toBucket = (change: object): Row["drift"] => patchDrain({ delivery: { ...bucket, ...change } });
const ofBucket = (
  path: string,
  [first, second, byHand]: [string, string, string],
  cleared: Row["cleared"] = "update",
): Row => ({
  path: `s3.${path}`,
  given: { ...inBucket, s3 },
  ...{ first, second, changed: "update", cleared },
  shown: (value) => ({ [path]: value }),
  drift: toBucket({ [path]: byHand }),
});

export const subject: Subject = {
  resource: auditLogDrain,
  handler: "auditlogdrain",
  prepare: async () => ({ given: declared }),
  look: drain,
  all: (w) => w.curl("GET", "/v1/drains"),
  listed: {
    query: {},
    names: ["events"],
    prepare: existing("/v1/drains", {
      name: "events",
      projects: "all",
      schemas: { audit_log: { version: "v1" } },
      delivery: {
        ...{ type: "http", endpoint: "https://example.com/events", encoding: "json" },
        headers: { "x-key": "canary" },
      },
    }),
  },
  rows: [
    named("events", "Events (all)"),
    {
      path: "endpoint",
      first: declared.endpoint,
      second: "http://127.0.0.1:9/others",
      changed: "update",
      cleared: /^endpoint is missing/,
      shown: (endpoint) => ({ endpoint }),
      drift: delivery({ endpoint: "http://127.0.0.1:9/by-hand" }),
    },
    {
      path: "deliveryFormat",
      first: "ndjson",
      second: "json",
      ...updated,
      shown: (encoding = "json") => ({ encoding }),
      drift: delivery({ encoding: "ndjson" }),
    },
    {
      path: "compression",
      first: "gzip",
      second: "none",
      ...updated,
      shown: (compression = "none") => ({ compression }),
      drift: delivery({ compression: "gzip" }),
    },
    {
      path: "s3",
      given: inBucket,
      first: s3,
      second: { ...s3, region: "us-east-1", objectAcl: "private" },
      changed: "update",
      cleared: /^s3 must be declared/,
      shown: (value) => value as Plain,
      drift: toBucket({ region: "us-west-1" }),
    },
    ofBucket("roleArn", [s3.roleArn, `${s3.roleArn}-2`, `${s3.roleArn}-3`], /roleArn is missing/),
    ofBucket("region", [s3.region, "us-east-1", "us-west-1"], /region is missing/),
    ofBucket("serverSideEncryption", ["AES256", "aws:kms", "aws:kms:dsse"]),
    ofBucket("objectAcl", ["private", "bucket-owner-read", "bucket-owner-full-control"]),
    ...headerRows(delivery, (headers) => ({ headers })),
    signingSecret,
  ],
  operations: life(
    auditLogDrain,
    () => ({ ...declared, headers: { authorization: "Bearer canary-one" }, secret: key("1") }),
    () => ({
      ...declared,
      ...{ headers: { authorization: "Bearer canary-two" }, secret: key("2") },
      compression: "gzip",
    }),
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
