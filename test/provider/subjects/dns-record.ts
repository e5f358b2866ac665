import type { Plain } from "../../../provider/core/values";
import { dnsRecord } from "../../../provider/resources/dns-record";
import type { Harness } from "../stack";
import { existing, life, type Row, type Subject } from "../subject";

/** The id of a record follows its contents, so a change of the contents outside leaves another record. */
const otherRecord = "a change of the contents makes another record of it";
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", `/v1/domains/records/${id.split("/")[1]}`, body);
};
const address = { type: "A", value: "192.0.2.1" };
const mail = { type: "MX", value: "mail.example.org", mxPriority: 10 };
const srv = { priority: 1, weight: 2, port: 3, target: "sip.example.org" };
const https = { priority: 1, target: "a.example.org", params: "alpn=h2" };
const service = { type: "SRV", srv };
const web = { type: "HTTPS", https };
const noEdit = "no request of the API changes it";

/** Gives the account two domains. */
async function domains(w: Harness): Promise<Plain> {
  for (const name of ["example.com", "www.example.net"])
    await w.curl("POST", "/v10/projects/web/domains", { name });
  return {};
}

/** A row for a part of a record, and how the service shows it. */
const part = (
  path: string,
  given: Plain,
  [first, second]: readonly unknown[],
  shown: (value: unknown) => string,
): Row => {
  return {
    path,
    given,
    first,
    second,
    changed: "update",
    cleared: new RegExp(`^${path.replace(".", "\\.")} is missing`),
    shown: (value) => ({ value: shown(value) }),
    drift: otherRecord,
  };
};

const srvValue = (one: Plain): string => `${one.priority} ${one.weight} ${one.port} ${one.target}.`;
const httpsValue = (one: Plain): string => `${one.priority} ${one.target}. ${one.params ?? ""}`.trim();

export const subject: Subject = {
  resource: dnsRecord,
  handler: "record",
  async prepare(w) {
    await w.curl("POST", "/v10/projects", { name: "web" });
    await domains(w);
    return { given: { domain: "example.com", name: "www" } };
  },
  async look(w, _id, { recordId }) {
    const record = await w.curl("GET", `/v5/domains/records/${recordId}`);
    return { comment: null, ...record } as Plain;
  },
  all: async ({ server }) => (await server.control.snapshot()).dnsRecords,
  listed: {
    query: { domain: "example.com" },
    names: ["a.example.com TXT"],
    prepare: existing("/v2/domains/example.com/records", { name: "a", type: "TXT", value: "canary" }),
  },
  managed: {
    inputs: (n) => ({ domain: "example.com", name: `a-${n}`, type: "A", value: "192.0.2.1" }),
    changed: { ttl: 300 },
  },
  rows: [
    {
      path: "domain",
      given: address,
      first: "example.com",
      second: "example.net",
      changed: "replace",
      cleared: /^domain is missing/,
      shown: (domain) => ({ domain }),
      drift: noEdit,
    },
    {
      path: "name",
      given: address,
      first: "www",
      second: "",
      changed: "update",
      cleared: /^name is missing/,
      shown: (name) => ({ name }),
      drift: otherRecord,
    },
    {
      path: "type",
      given: { value: "192.0.2.1" },
      first: "A",
      second: "TXT",
      changed: "replace",
      cleared: /^type is missing/,
      shown: (recordType) => ({ recordType }),
      drift: noEdit,
    },
    {
      ...part("value", { type: "A" }, ["192.0.2.1", "192.0.2.2", "192.0.2.3"], String),
    },
    {
      path: "ttl",
      given: address,
      first: 300,
      second: 600,
      changed: "update",
      cleared: "update",
      shown: (ttl = 60) => ({ ttl }),
      drift: patch({ ttl: 900 }),
    },
    part("mxPriority", { type: "MX", value: mail.value }, [10, 20, 30], (one) => `${one} ${mail.value}.`),
    part("srv", { type: "SRV" }, [srv, { ...srv, port: 4 }, { ...srv, port: 5 }], (one) =>
      srvValue(one as Plain),
    ),
    part("srv.priority", service, [1, 5, 6], (priority) => srvValue({ ...srv, priority })),
    part("srv.weight", service, [2, 5, 6], (weight) => srvValue({ ...srv, weight })),
    part("srv.port", service, [3, 5, 6], (port) => srvValue({ ...srv, port })),
    part("srv.target", service, ["sip.example.org", "b.example.org", "c.example.org"], (target) =>
      srvValue({ ...srv, target }),
    ),
    part(
      "https",
      { type: "HTTPS" },
      [https, { priority: 2, target: "b.example.org" }, { priority: 3, target: "c.example.org", params: "" }],
      (one) => httpsValue(one as Plain),
    ),
    part("https.priority", web, [1, 5, 6], (priority) => httpsValue({ ...https, priority })),
    part("https.target", web, ["a.example.org", "b.example.org", "c.example.org"], (target) =>
      httpsValue({ ...https, target }),
    ),
    {
      ...part("https.params", web, ["alpn=h2", "alpn=h3", "port=8443"], (params) =>
        httpsValue({ ...https, params }),
      ),
      cleared: "update",
    },
    {
      path: "comment",
      given: address,
      first: "for people",
      second: "for machines",
      changed: "update",
      cleared: "update",
      shown: (comment = null) => ({ comment }),
      drift: patch({ comment: "by hand" }),
    },
  ],
  operations: life(
    dnsRecord,
    () => ({ domain: "example.com", name: "www", ...address, comment: "for people" }),
    () => ({ domain: "example.com", name: "docs", type: "A", value: "192.0.2.2", ttl: 300 }),
    domains,
  ),
};
