import { logDrain } from "../../../provider/resources/log-drain";
import { projects } from "../fields/common";
import { headerRows, key, named, patchDrain, signingSecret, updated } from "../fields/drains";
import { existing, life, type Row, type Subject } from "../subject";

const drain = { name: "audit", endpoint: "http://127.0.0.1:9/logs" };
const delivery = (change: object): Row["drift"] =>
  patchDrain({
    delivery: { type: "http", endpoint: drain.endpoint, encoding: "json", headers: {}, ...change },
  });
const filter = (change: object): Row["drift"] =>
  patchDrain({ filter: { version: "v2", filter: { type: "basic", ...change } } });

export const subject: Subject = {
  resource: logDrain,
  handler: "drain",
  async prepare(w) {
    return { given: drain, known: await projects(w) };
  },
  // The older form of the same drains.
  look: (w, id) => w.curl("GET", `/v1/log-drains/${id}`),
  all: (w) => w.curl("GET", "/v1/drains"),
  listed: {
    query: {},
    names: ["audit"],
    prepare: existing("/v1/drains", {
      name: "audit",
      projects: "all",
      schemas: { log: { version: "v1" } },
      delivery: {
        type: "http",
        endpoint: "https://example.com/logs",
        encoding: "json",
        headers: { "x-key": "canary" },
      },
    }),
  },
  rows: [
    named("audit", "Audit (all)"),
    {
      path: "endpoint",
      first: drain.endpoint,
      second: "http://127.0.0.1:9/others",
      changed: "update",
      cleared: /^endpoint is missing/,
      shown: (url) => ({ url }),
      drift: delivery({ endpoint: "http://127.0.0.1:9/by-hand" }),
    },
    {
      path: "deliveryFormat",
      first: "ndjson",
      second: "json",
      ...updated,
      shown: (deliveryFormat = "json") => ({ deliveryFormat }),
      drift: delivery({ encoding: "ndjson" }),
    },
    {
      path: "sources",
      first: ["build", "lambda"],
      second: ["static"],
      ...updated,
      shown: (sources = null) => ({ sources }),
      drift: filter({ log: { sources: ["edge"] } }),
    },
    {
      path: "environments",
      first: ["production"],
      second: ["preview"],
      ...updated,
      shown: (environments = ["production", "preview"]) => ({ environments }),
      drift: filter({ deployment: { environments: ["production"] } }),
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
      path: "samplingRate",
      first: 0.5,
      second: 0.25,
      ...updated,
      shown: (samplingRate = null) => ({ samplingRate }),
      drift: patchDrain({ sampling: [] }),
    },
    ...headerRows(delivery, (headers) => ({ headers })),
    signingSecret,
  ],
  operations: life(
    logDrain,
    () => ({
      ...drain,
      headers: { authorization: "Bearer canary-one" },
      secret: key("1"),
      samplingRate: 0.5,
    }),
    () => ({
      ...drain,
      headers: { authorization: "Bearer canary-two" },
      secret: key("2"),
      sources: ["build"],
    }),
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
