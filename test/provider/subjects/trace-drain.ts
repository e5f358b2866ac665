import { traceDrain } from "../../../provider/resources/trace-drain";
import { projects } from "../fields/common";
import { drain, headerRows, key, named, patchDrain, signingSecret, updated } from "../fields/drains";
import { existing, life, type Row, type Subject } from "../subject";

const declared = { name: "traces", endpoint: "http://127.0.0.1:9/v1/traces" };
const delivery = (change: object): Row["drift"] =>
  patchDrain({
    delivery: {
      ...{ type: "otlphttp", endpoint: { traces: declared.endpoint }, encoding: "json", headers: {} },
      ...change,
    },
  });
const rules =
  (...sampling: object[]): Row["shown"] =>
  () => ({
    sampling: sampling.map((rule) => ({ type: "head_sampling", ...rule })),
  });
const noRules = patchDrain({ sampling: [] });

export const subject: Subject = {
  resource: traceDrain,
  handler: "tracedrain",
  async prepare(w) {
    return { given: declared, known: await projects(w) };
  },
  look: drain,
  all: (w) => w.curl("GET", "/v1/drains"),
  listed: {
    query: {},
    names: ["traces"],
    prepare: existing("/v1/drains", {
      name: "traces",
      projects: "all",
      schemas: { trace: { version: "v1" } },
      delivery: {
        ...{ type: "otlphttp", endpoint: { traces: "https://example.com/v1/traces" }, encoding: "proto" },
        headers: { "x-key": "canary" },
      },
    }),
  },
  rows: [
    named("traces", "Traces (all)"),
    {
      path: "endpoint",
      first: declared.endpoint,
      second: "http://127.0.0.1:9/others",
      changed: "update",
      cleared: /^endpoint is missing/,
      shown: (traces) => ({ endpoint: { traces } }),
      drift: delivery({ endpoint: { traces: "http://127.0.0.1:9/by-hand" } }),
    },
    {
      path: "deliveryFormat",
      first: "proto",
      second: "json",
      ...updated,
      shown: (encoding = "json") => ({ encoding }),
      drift: delivery({ encoding: "proto" }),
    },
    {
      path: "projectIds",
      first: ["@web"],
      second: ["@other", "@web"],
      ...updated,
      shown: (projectIds = null) => ({ projectIds }),
      drift: patchDrain({ projects: "all" }),
    },
    {
      path: "samplingRules",
      first: [{ rate: 0.5, environment: "production", requestPath: "/api" }, { rate: 0 }],
      second: [{ rate: 0.25 }],
      ...updated,
      shown: (value) =>
        value === undefined
          ? { sampling: null }
          : rules(
              ...(value as { environment?: string }[]).map(({ environment: env, ...rest }) => ({
                ...rest,
                ...(env && { env }),
              })),
            )(value),
      drift: noRules,
    },
    {
      path: "samplingRules[].rate",
      first: 0.5,
      second: 0.25,
      changed: "update",
      cleared: /rate is missing/,
      shown: (rate) => rules({ rate })(rate),
      drift: noRules,
    },
    {
      path: "samplingRules[].environment",
      given: { samplingRules: [{ rate: 1 }] },
      first: "production",
      second: "preview",
      ...updated,
      shown: (env) => rules({ rate: 1, ...(env !== undefined && { env }) })(env),
      drift: noRules,
    },
    {
      path: "samplingRules[].requestPath",
      given: { samplingRules: [{ rate: 1 }] },
      first: "/api",
      second: "/docs",
      ...updated,
      shown: (requestPath) =>
        rules({ rate: 1, ...(requestPath !== undefined && { requestPath }) })(requestPath),
      drift: noRules,
    },
    ...headerRows(delivery, (headers) => ({ headers })),
    signingSecret,
  ],
  operations: life(
    traceDrain,
    () => ({ ...declared, headers: { authorization: "Bearer canary-one" }, secret: key("1") }),
    () => ({
      ...declared,
      ...{ headers: { authorization: "Bearer canary-two" }, secret: key("2") },
      samplingRules: [{ rate: 0.5 }],
    }),
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
