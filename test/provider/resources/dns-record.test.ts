import { OutOfReach } from "../../../provider/client/errors";
import { type Plain, unknown } from "../../../provider/core/values";
import { dnsRecord } from "../../../provider/resources/dns-record";
import { readParts } from "../../../provider/resources/dns-record/values";
import { openRecordingProxy } from "../../support/recording-proxy";
import { type Harness, recordStack, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
  for (const name of ["www.example.com", "example.net"])
    await w.curl("POST", "/v10/projects/web/domains", { name });
});
afterEach(() => w.close());

const path = "/v2/domains/example.com/records";
const at = { domain: "example.com", name: "www" };
const address = { ...at, type: "A", value: "192.0.2.1" };

/** The records of users. */
const records = async (): Promise<Plain[]> => {
  const { records } = await w.curl("GET", "/v5/domains/example.com/records");
  return (records as unknown as Plain[]).filter(({ creator }) => creator !== "system");
};

it.each([
  ["A", { value: "192.0.2.1" }],
  ["AAAA", { value: "2001:DB8:0::1" }],
  ["ALIAS", { value: "Example.org" }],
  ["CAA", { value: '0 issue "letsencrypt.org"' }],
  ["CNAME", { value: "example.org" }],
  ["NS", { value: "ns1.example.org." }],
  ["TXT", { value: "10 apples" }],
  ["MX", { value: "mail.example.org", mxPriority: 0 }],
  ["SRV", { srv: { priority: 1, weight: 2, port: 3, target: "sip.example.org" } }],
  ["HTTPS", { https: { priority: 1, target: ".", params: "alpn=h2  port=8443" } }],
  ["HTTPS", { https: { priority: 0, target: "example.org" } }],
])("of type %s is created, read without a change, imported and deleted", async (type, parts) => {
  const record = w.stack(dnsRecord);
  const inputs = { ...at, type, ...parts };
  await record.up(inputs);
  expect(record.id).toBe(`example.com/${record.state.recordId}`);
  await record.refresh(w.another());
  expect(await record.up(inputs)).toBe("same");
  expect(record.state).toMatchObject(inputs);
  const imported = await dnsRecord.read(w.run, record.id, undefined);
  const diff = await dnsRecord.diff(w.run, record.id, imported?.state ?? {}, { ...inputs, ttl: 60 });
  expect(diff.changes).toEqual([]);
  expect(imported?.inputs).toMatchObject({ ...at, type, ttl: 60 });
  await record.destroy();
  expect(await records()).toEqual([]);
  expect(await record.refresh(w.another())).toBe(false);
});

it("lists the records that users have created, without those of the service", async () => {
  const { uid } = await w.curl("POST", path, { name: "www", type: "A", value: "192.0.2.1" });
  await w.server.control.seed({
    dnsRecords: [
      { team: "acme", domain: "example.com", type: "CAA", value: '0 issue "a.test"', creator: "system" },
    ],
  });
  const page = await dnsRecord.list?.page(
    w.client,
    { domain: "example.com" },
    { until: undefined, limit: 9 },
  );
  expect(page?.items).toEqual([{ id: `example.com/${uid}`, name: "www.example.com A" }]);
});

it("reads the priority beside the value or at its beginning", () => {
  const srv = { priority: 1, weight: 2, port: 3, target: "a.test." };
  expect(readParts("SRV", { value: "1 2 3 a.test." })).toEqual({ srv });
  expect(readParts("SRV", { value: "2 3 a.test.", priority: 1 })).toEqual({ srv });
  const mail = { value: "a.test.", mxPriority: 10 };
  expect(readParts("MX", { value: "10 a.test." })).toEqual(mail);
  expect(readParts("MX", { value: "a.test.", mxPriority: 10 })).toEqual(mail);
  const https = { priority: 1, target: ".", params: "alpn=h2 port=1" };
  expect(readParts("HTTPS", { value: "1 . alpn=h2 port=1" })).toEqual({ https });
  expect(readParts("HTTPS", { value: ". alpn=h2 port=1", priority: 1 })).toEqual({ https });
});

it("is updated in place, and sends what changes", async () => {
  const proxy = await openRecordingProxy(w.server.url);
  try {
    const record = w.stack(dnsRecord);
    await record.up({ ...address, ttl: 300, comment: "why" });
    const { id } = record;
    record.use(w.another({ apiUrl: proxy.url }));
    expect(await record.up({ ...address, name: "", value: "192.0.2.2" })).toBe("update");
    expect(record.id).toBe(id);
    const [sent] = proxy.requests.filter(({ method }) => method === "PATCH");
    expect(JSON.parse(String(sent?.body))).toEqual({ name: "", value: "192.0.2.2", ttl: 60, comment: "" });
  } finally {
    await proxy.close();
  }
});

it("follows the id that a change gives the record, and leaves nothing in the zone", async () => {
  const record = w.stack(dnsRecord);
  await record.up(address);
  const before = record.state.recordId;
  await record.up({ ...address, value: "192.0.2.2" });
  expect(record.state.recordId).not.toBe(before);
  expect(await records()).toMatchObject([{ id: record.state.recordId, value: "192.0.2.2" }]);
  expect(await record.refresh(w.another())).toBe(true);
  expect(record.id).toBe(`example.com/${record.state.recordId}`);
  expect(await record.up({ ...address, value: "192.0.2.2" })).toBe("same");
  await record.up({ ...address, value: "192.0.2.3" });
  await record.destroy();
  expect(await records()).toEqual([]);
});

it("shows another value of a CNAME record as drift, and corrects it", async () => {
  const record = w.stack(dnsRecord);
  const inputs = { ...at, type: "CNAME", value: "example.org" };
  await record.up(inputs);
  await w.curl("PATCH", `/v1/domains/records/${record.state.recordId}`, { value: "example.net" });
  expect(await record.refresh(w.another())).toBe(true);
  expect(await record.up(inputs)).toBe("update");
  expect(await records()).toMatchObject([{ value: "example.org." }]);
});

describe("an update whose answer is lost", () => {
  const change = { ...address, value: "192.0.2.2" };

  it("counts as done when the record has the declared contents", async () => {
    const record = w.stack(dnsRecord);
    await record.up(address);
    const faultPath = `/v1/domains/records/${record.state.recordId}`;
    await w.server.control.addFaults({ method: "PATCH", path: faultPath, times: 1, kind: "drop-after" });
    expect(await record.up(change)).toBe("update");
    expect(await records()).toMatchObject([{ id: record.state.recordId, value: "192.0.2.2" }]);
  });

  it.each([
    ["refreshed", change],
    ["refreshed", address],
    ["run again", change],
    ["run again", address],
  ])("leaves one record when the stack is %s with %j", async (how, next) => {
    const record = w.stack(dnsRecord);
    await record.up(address);
    const send = w.client.send.bind(w.client);
    jest.spyOn(w.client, "send").mockImplementation(async (request) => {
      const answer = await send(request);
      if (request.method !== "PATCH") return answer;
      throw new OutOfReach(request, "http://127.0.0.1", "closed", false, undefined);
    });
    await expect(record.up(change)).rejects.toThrow(/out of reach/);
    record.use(w.another());
    if (how === "refreshed") expect(await record.refresh()).toBe(true);
    await record.up(next);
    expect(await records()).toMatchObject([{ id: record.state.recordId, value: next.value }]);
    await record.destroy();
    expect(await records()).toEqual([]);
  });
});

it("is the same when a host or an address is spelled in another way", async () => {
  const record = w.stack(dnsRecord);
  await record.up({ ...at, type: "CNAME", value: "example.org" });
  expect(await record.up({ ...at, type: "CNAME", value: "EXAMPLE.org." })).toBe("same");
  const other = w.stack(dnsRecord, "other");
  await other.up({ ...at, name: "v6", type: "AAAA", value: "::1" });
  expect(await other.up({ ...at, name: "v6", type: "AAAA", value: "0:0::1" })).toBe("same");
});

it("replaces a CNAME record of a name by deleting it first, and other types the other way round", async () => {
  const diffOf = (news: Plain) =>
    dnsRecord.diff(w.run, "example.com/rec_1", { ...address, recordId: "rec_1" }, { ...address, ...news });
  expect(await diffOf({ type: "CNAME", value: "a.test" })).toMatchObject({
    replaces: expect.arrayContaining(["type"]),
    deleteBeforeReplace: true,
  });
  expect(await diffOf({ type: "TXT" })).toMatchObject({ replaces: ["type"], deleteBeforeReplace: false });
  expect(await diffOf({ domain: "example.net" })).toMatchObject({ replaces: ["domain"] });
});

it("is created once when the answer gets lost", async () => {
  for (const kind of ["drop-after", "drop-before"] as const) {
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind });
    const record = w.stack(dnsRecord, kind);
    await record.up({ ...address, name: kind });
    expect((await records()).filter(({ name }) => name === kind)).toMatchObject([
      { id: record.state.recordId },
    ]);
  }
});

it("refuses a record that is there already, and does not take it over", async () => {
  await w.curl("POST", path, { name: "www", type: "A", value: "192.0.2.1" });
  await expect(w.stack(dnsRecord).up(address)).rejects.toThrow(
    /409 record_conflicts: .*The DNS record www.example.com A 192.0.2.1 already exists .*Import it with `slipway import`/,
  );
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "drop-before" });
  await expect(w.stack(dnsRecord).up(address)).rejects.toThrow(/out of reach/);
  expect(await records()).toHaveLength(1);
});

it("takes what another resource releases, and refuses what somebody else has, also spelled in another way", async () => {
  const [first, second] = [w.stack(dnsRecord, "first"), w.stack(dnsRecord, "second")];
  const six = { ...at, type: "AAAA", value: "2001:DB8:0::1" };
  await first.up(six);
  await expect(w.stack(dnsRecord).up({ ...six, value: "2001:db8::1" })).rejects.toThrow(
    /already|both declare/,
  );
  const run = w.another();
  for (const stack of [first, second]) stack.use(run);
  recordStack([{ type: first.type, name: first.name, outputs: first.state }]);
  await first.preview({ ...six, name: "other" });
  await second.up({ ...six, value: "2001:db8::1" });
  await first.up({ ...six, name: "other" });
  expect((await records()).map(({ name }) => name).sort()).toEqual(["other", "www"]);
});

it("refuses two resources that declare the same record", async () => {
  const both = [w.stack(dnsRecord, "a"), w.stack(dnsRecord, "b")];
  const ends = await Promise.allSettled(both.map((one) => one.up(address)));
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(ends.map((end) => (end.status === "rejected" ? String(end.reason) : ""))).toContainEqual(
    expect.stringMatching(/both declare the DNS record www.example.com A 192.0.2.1/),
  );
  expect(await records()).toHaveLength(1);
});

it("says what to do when the account does not have the domain", async () => {
  await expect(w.stack(dnsRecord).up({ ...address, domain: "example.org" })).rejects.toThrow(
    /404 not_found: .*Add example.org to this account first \(Domain\), or add it or a name below it to a project/,
  );
});

it("says what to give instead of a subdomain", async () => {
  await expect(w.stack(dnsRecord).up({ ...address, domain: "www.example.com" })).rejects.toThrow(
    /If www\.example\.com is a subdomain, give its domain \(`apexName` of the ProjectDomain\), and the rest as `name`/,
  );
});

it.each(["rec_1", "example.com/rec_1/more", "/rec_1", "example.com/"])("is not found by %s", async (id) => {
  await expect(dnsRecord.read(w.run, id, undefined)).rejects.toThrow(
    'The id of a DNS record is "domain/record", such as "example.com/rec_…".',
  );
});

it("is not found under another domain, and says its id", async () => {
  const { uid } = (await w.curl("POST", path, { name: "www", type: "A", value: "192.0.2.1" })) as Plain;
  await expect(dnsRecord.read(w.run, `example.net/${uid}`, undefined)).rejects.toThrow(
    `The record ${uid} belongs to example.com, so its id is example.com/${uid}.`,
  );
});

const srv = { priority: 1, weight: 2, port: 3, target: "a.test" };
it.each([
  [{ type: "A" }, /^value is missing/],
  [{ type: "MX", value: "a.test" }, /^mxPriority is missing/],
  [{ type: "SRV" }, /^srv is missing/],
  [{ type: "HTTPS" }, /^https is missing/],
  [{ type: "SRV", srv, value: "a" }, /^value does not belong/],
  [{ ...address, mxPriority: 1 }, /^mxPriority does not belong/],
  [{ ...address, srv }, /^srv does not belong/],
  [{ ...address, value: "::1" }, /^value must be an IPv4 address/],
  [{ type: "AAAA", value: "192.0.2.1" }, /^value must be an IPv6 address/],
  [{ type: "CNAME", value: "192.0.2.1" }, /^value must be a host name/],
  [{ type: "ALIAS", value: "localhost" }, /^value must be a host name/],
  [{ type: "SRV", srv: { ...srv, target: "a b" } }, /^srv.target must be a fully qualified domain name/],
  [
    { type: "HTTPS", https: { priority: 1, target: "x" } },
    /^https.target must be a fully qualified domain name/,
  ],
  [{ type: "NS", value: "a.test", name: "" }, /^name must not be empty/],
  [{ type: "CNAME", value: "a.test", name: "" }, /^name must not be empty/],
  [{ ...address, name: "@" }, /^name must be a name below the domain/],
  [{ ...address, name: "WWW" }, /^name must be a name below the domain/],
  [{ ...address, name: "www.example.com" }, /^name must not end with the domain, because it is relative/],
  [{ ...address, ttl: 30 }, /^ttl/],
  [{ ...address, type: "PTR" }, /^type/],
])("refuses %j before anything is asked", async (inputs, reason) => {
  await expect(w.stack(dnsRecord).up({ ...at, ...inputs })).rejects.toThrow(reason);
});

it("accepts what is not known at preview", () => {
  expect(dnsRecord.check({}, { ...at, type: unknown, value: unknown })).toEqual([]);
  expect(dnsRecord.check({}, { ...at, type: "MX", value: unknown, mxPriority: unknown })).toEqual([]);
  expect(dnsRecord.check({}, { ...at, type: "SRV", srv: { ...srv, target: unknown } })).toEqual([]);
});

it("does not take a record of the service for one that somebody created", async () => {
  const list = w.client.list.bind(w.client);
  const existing = { id: "rec_1", name: "www", type: "A", value: "192.0.2.1" };
  let creator = "system";
  jest
    .spyOn(w.client, "list")
    .mockImplementation(async (path, ...rest) =>
      path.endsWith("/records") ? ([{ ...existing, creator }] as never) : list(path, ...rest),
    );
  expect(await w.stack(dnsRecord, "it").preview(address)).toBe("create");
  creator = "user_1";
  await expect(w.stack(dnsRecord, "it").preview(address)).rejects.toThrow(/already exists/);
});
