import { addIntegration, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v2/domains/example.com/records";

interface Listed {
  id: string;
  name: string;
}

const create = (body: object, options: object = {}) => world.call("POST", path, { body, ...options });
const add = async (body: object): Promise<string> => {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 200, body: { uid: expect.any(String) } });
  return answer.body.uid;
};
const read = async (id: string) => (await world.call("GET", `/v5/domains/records/${id}`)).body;
const change = (id: string, body: object, options: object = {}) =>
  world.call("PATCH", `/v1/domains/records/${id}`, { body, ...options });
const remove = (id: string, options: object = {}) => world.call("DELETE", `${path}/${id}`, options);
const listAll = async (query = {}) =>
  (await world.call("GET", "/v5/domains/example.com/records", { query })).body;
/** The list without the records of the service. */
const list = async (query = {}) => {
  const { records, pagination } = await listAll(query);
  return {
    records: records.filter(({ creator }: { creator: string }) => creator !== "system"),
    pagination,
  };
};
const idsOf = (records: Listed[]): string[] => records.map(({ id }) => id);
/** A name of so many characters, in labels of at most 63. */
const nameOf = (length: number, end: string): string =>
  `${"a".repeat(63)}.`.repeat(4).slice(0, length - end.length) + end;

beforeEach(() =>
  world.seed({
    projects: [{ team: "acme", name: "web" }],
    domains: [{ team: "acme", project: "web", name: "www.example.com" }],
  }),
);

const www = { name: "www", type: "A", value: "192.0.2.1" };

describe("a record", () => {
  it("is created with the defaults, and read by itself and in the list", async () => {
    const id = await add(www);
    expect(id).toMatch(/^rec_[A-Za-z0-9]{24}$/);
    const now = world.clock.now();
    const creator = (await world.call("GET", "/v2/user")).body.user.id;
    const shown = { id, name: "www", type: "A", value: "192.0.2.1", ttl: 60, creator, createdAt: now };
    expect(await read(id)).toEqual({ ...shown, domain: "example.com", recordType: "A" });
    expect(await list()).toEqual({
      records: [{ ...shown, slug: "www.example.com", created: now, updated: now, updatedAt: now }],
      pagination: { count: 4, next: null, prev: now },
    });
  });

  it("is listed before the records of the service, which no request changes", async () => {
    const own = (await listAll()).records;
    const service = { creator: "system", slug: "", ttl: 60 };
    expect(own).toMatchObject([
      { ...service, name: "*", type: "CNAME", value: "cname.slipway.app." },
      { ...service, name: "", type: "A", value: "192.0.2.1" },
      { ...service, name: "", type: "CAA", value: '0 issue "letsencrypt.org"' },
    ]);
    const id = await add({ name: "", type: "A", value: "192.0.2.1" });
    expect((await listAll()).records).toMatchObject([{ id }, ...own]);
    const pages = [];
    for (let until: number | null = Number.MAX_SAFE_INTEGER; until !== null; ) {
      const { records, pagination } = await listAll({ limit: 1, until });
      pages.push(...records);
      until = pagination.next;
    }
    expect(pages).toMatchObject([{ id }, ...own]);
    for (const record of own) {
      expect((await change(record.id, { ttl: 300 })).status).toBe(404);
      expect((await remove(record.id)).status).toBe(404);
    }
    expect((await listAll()).records.slice(1)).toEqual(own);
  });

  it.each([
    ["A", { value: "192.0.2.1" }, "192.0.2.1"],
    ["AAAA", { value: "::1" }, "::1"],
    ["ALIAS", { value: "Example.org" }, "example.org."],
    ["CAA", { value: '0 issue "letsencrypt.org"' }, '0 issue "letsencrypt.org"'],
    ["CAA", { value: '128 iodef "mailto:a@example.com"' }, '128 iodef "mailto:a@example.com"'],
    ["CAA", { value: '0 issuewild "ca.example; policy=ev"' }, '0 issuewild "ca.example; policy=ev"'],
    ["CAA", { value: '255 issue "ca.example"' }, '255 issue "ca.example"'],
    ["CNAME", { value: "example.org." }, "example.org."],
    ["CNAME", { value: nameOf(253, ".org") }, `${nameOf(253, ".org")}.`],
    ["NS", { value: "ns1.example.org" }, "ns1.example.org."],
    ["TXT", { value: "v=spf1 -all" }, "v=spf1 -all"],
    ["MX", { value: "mail.example.org", mxPriority: 10 }, "10 mail.example.org."],
    ["MX", { value: "mail.example.org", mxPriority: 0 }, "0 mail.example.org."],
    [
      "SRV",
      { srv: { priority: 1, weight: 2, port: 443, target: "sip.example.org" } },
      "1 2 443 sip.example.org.",
    ],
    ["SRV", { srv: { priority: null, weight: null, port: null, target: "." } }, "0 0 0 ."],
    [
      "HTTPS",
      { https: { priority: 1, target: ".", params: " alpn=h2  ipv4hint=192.0.2.1" } },
      "1 . alpn=h2 ipv4hint=192.0.2.1",
    ],
    ["HTTPS", { https: { priority: 0, target: "example.org" } }, "0 example.org."],
  ])("of type %s made of %j reads %s", async (type, members, value) => {
    const id = await add({ name: "Sub", type, ttl: 300, comment: "why", ...members });
    expect(await read(id)).toMatchObject({ name: "sub", recordType: type, value, ttl: 300, comment: "why" });
  });

  it("has its priority beside its value in the list", async () => {
    await add({ name: "", type: "MX", value: "mail.example.org", mxPriority: 10 });
    await add({
      name: "_sip._tcp",
      type: "SRV",
      srv: { priority: 1, weight: 2, port: 3, target: "a.example.org" },
    });
    await add({ type: "HTTPS", https: { priority: 4, target: ".", params: "alpn=h3" } });
    const { records } = await list();
    expect(records).toMatchObject([
      { name: "", type: "HTTPS", priority: 4, value: ". alpn=h3" },
      { name: "_sip._tcp", type: "SRV", priority: 1, value: "2 3 a.example.org." },
      { name: "", slug: "example.com", type: "MX", mxPriority: 10, value: "mail.example.org." },
    ]);
    expect(records[1]).not.toHaveProperty("mxPriority");
    expect(records[2]).not.toHaveProperty("priority");
  });

  it.each([
    ["@", ""],
    ["", ""],
    ["*", "*"],
    ["*.a", "*.a"],
    ["_acme-challenge.WWW", "_acme-challenge.www"],
    ["münchen", "xn--mnchen-3ya"],
    ["1", "1"],
    ["4.3.2", "4.3.2"],
    [nameOf(253 - ".example.com".length, ".a"), nameOf(253 - ".example.com".length, ".a")],
  ])("named %j is kept as %j", async (name, kept) => {
    expect(await read(await add({ ...www, name }))).toMatchObject({ name: kept });
  });
});

it("lists a domain page by page, the newest first", async () => {
  const ids: string[] = [];
  for (const at of [1, 2, 3, 4, 5]) ids.unshift(await add({ ...www, value: `192.0.2.${at}` }));
  const seen: string[] = [];
  let until: number | null = null;
  do {
    const page = await list({ limit: 2, ...(until === null ? {} : { until }) });
    seen.push(...idsOf(page.records));
    until = page.pagination.next;
  } while (until !== null);
  expect(seen).toEqual(ids);
});

describe("a change", () => {
  it("sets what it names, and keeps the rest", async () => {
    const id = await add({ ...www, ttl: 300, comment: "why" });
    world.clock.advance(5);
    const { status, body } = await change(id, { value: "192.0.2.2" });
    expect({ status, type: body.type }).toEqual({ status: 200, type: "record" });
    expect(await read(body.id)).toEqual({ ...body, type: "A" });
    expect(body).toMatchObject({ name: "www", value: "192.0.2.2", ttl: 300, comment: "why" });
    expect((await list()).records).toMatchObject([
      { createdAt: body.createdAt, updatedAt: body.createdAt + 5 },
    ]);
  });

  it("gives the record another id exactly if its contents change, and the same id for the same contents", async () => {
    const id = await add(www);
    expect((await change(id, { ttl: 300, comment: "why" })).body.id).toBe(id);
    const { body } = await change(id, { value: "192.0.2.2" });
    expect(body.id).toMatch(/^rec_[0-9a-f]{24}$/);
    expect(body.id).not.toBe(id);
    for (const call of [change(id, { ttl: 90 }), remove(id)]) expect((await call).status).toBe(404);
    expect((await change(body.id, { value: www.value })).body.id).toBe(id);
    await remove(id);
    expect(await add(www)).toBe(id);
  });

  it("frees what the record was, and conflicts with what it becomes", async () => {
    const id = await add(www);
    const next = { ...www, value: "192.0.2.2" };
    const { body } = await change(id, { value: next.value });
    const conflict = { status: 409, body: { error: { code: "record_conflicts", oldId: body.id } } };
    expect(await create(next)).toMatchObject(conflict);
    const other = await add(www);
    expect(await change(other, { value: next.value })).toMatchObject(conflict);
    expect(await read(other)).toMatchObject({ value: www.value });
  });

  it("keeps what is null, and removes a comment that is empty", async () => {
    const id = await add({ name: "", type: "MX", value: "a.example.org", mxPriority: 5, comment: "why" });
    const nulls = {
      name: null,
      type: null,
      value: null,
      ttl: null,
      mxPriority: null,
      srv: null,
      https: null,
    };
    const { body } = await change(id, { ...nulls, comment: "" });
    expect(body).toMatchObject({ name: "", recordType: "MX", value: "5 a.example.org.", ttl: 60 });
    expect(body).not.toHaveProperty("comment");
  });

  it("sets the parts of an SRV and of an HTTPS record", async () => {
    const srv = { priority: 1, weight: 2, port: 3, target: "a.example.org" };
    const service = await add({ name: "_s._tcp", type: "SRV", srv });
    const set = { srv: { priority: null, weight: 9, port: null, target: null } };
    expect((await change(service, set)).body).toMatchObject({ value: "1 9 3 a.example.org." });
    const https = { priority: 1, target: ".", params: "alpn=h2" };
    const id = await add({ name: "", type: "HTTPS", https });
    const other = { https: { priority: 2, target: null } };
    const { body } = await change(id, other);
    expect(body).toMatchObject({ value: "2 . alpn=h2" });
    const none = { https: { priority: 2, target: null, params: "" } };
    expect((await change(body.id, none)).body).toMatchObject({ value: "2 ." });
  });

  it.each([
    ["a value of another type", { value: "::1" }, "invalid_value"],
    ["a priority", { mxPriority: 1 }, "bad_request"],
    ["a name with an empty label", { name: "a..b" }, "invalid_name"],
  ])("is refused with 400 where it sets %s", async (_, body, code) => {
    const id = await add(www);
    const before = await read(id);
    expect(await change(id, body)).toMatchObject({ status: 400, body: { error: { code } } });
    expect(await read(id)).toEqual(before);
  });

  it("is refused with 400 where it changes the type", async () => {
    const id = await add(www);
    expect((await change(id, { type: "A", ttl: 120 })).status).toBe(200);
    const answer = await change(id, { type: "AAAA", value: "::1" });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
    expect(await read(id)).toMatchObject({ value: "192.0.2.1", ttl: 120 });
  });
});

it("is deleted once", async () => {
  const id = await add(www);
  expect(await remove(id)).toMatchObject({ status: 200, body: {} });
  expect((await remove(id)).status).toBe(404);
  expect((await world.call("GET", `/v5/domains/records/${id}`)).status).toBe(404);
  expect((await change(id, { ttl: 60 })).status).toBe(404);
  expect((await list()).records).toEqual([]);
});

describe("refuses", () => {
  const srv = { priority: 1, weight: 2, port: 3, target: "a.example.org" };
  it.each([
    ["an unknown type", { type: "PTR", value: "a.example.org" }, "bad_request"],
    ["a short time to live", { ...www, ttl: 59 }, "bad_request"],
    ["a long time to live", { ...www, ttl: 2_147_483_648 }, "bad_request"],
    ["a fraction of a second", { ...www, ttl: 60.5 }, "bad_request"],
    ["a long comment", { ...www, comment: "x".repeat(501) }, "bad_request"],
    ["an unknown member", { ...www, port: 1 }, "bad_request"],
    ["no value", { name: "a", type: "CNAME" }, "bad_request"],
    ["an empty value", { name: "a", type: "TXT", value: "" }, "bad_request"],
    ["a priority of another type", { ...www, mxPriority: 1 }, "bad_request"],
    ["an MX record without priority", { name: "", type: "MX", value: "a.example.org" }, "bad_request"],
    ["a large priority", { type: "MX", value: "a.example.org", mxPriority: 65_536 }, "bad_request"],
    ["a value of an SRV record", { name: "a", type: "SRV", srv, value: "b" }, "bad_request"],
    ["an SRV record without its parts", { name: "a", type: "SRV" }, "bad_request"],
    ["parts of another type", { ...www, srv }, "bad_request"],
    ["a large port", { name: "a", type: "SRV", srv: { ...srv, port: 65_536 } }, "bad_request"],
    ["an HTTPS record without its parts", { type: "HTTPS" }, "bad_request"],
    ["no IPv4 address", { ...www, value: "::1" }, "invalid_value"],
    ["no IPv6 address", { ...www, type: "AAAA" }, "invalid_value"],
    ["a value that is no host", { ...www, type: "CNAME" }, "invalid_value"],
    ["a long host", { ...www, type: "CNAME", value: nameOf(254, ".org") }, "invalid_value"],
    ["a host without a dot", { ...www, type: "ALIAS", value: "localhost" }, "invalid_value"],
    ["a null MX", { name: "", type: "MX", value: ".", mxPriority: 0 }, "invalid_value"],
    ["a target that is no host", { name: "a", type: "SRV", srv: { ...srv, target: "a b" } }, "invalid_value"],
    [
      "an HTTPS target that is no host",
      { type: "HTTPS", https: { priority: 1, target: "-" } },
      "invalid_value",
    ],
    ["a CAA record of another form", { ...www, type: "CAA", value: "letsencrypt.org" }, "invalid_value"],
    ["a CAA record without quotes", { ...www, type: "CAA", value: "0 issue a.example" }, "invalid_value"],
    ["a CAA record of nobody", { ...www, type: "CAA", value: '0 issue ";"' }, "invalid_value"],
    ["large CAA flags", { ...www, type: "CAA", value: '256 issue "a.example"' }, "invalid_value"],
    ["a name with a space", { ...www, name: "a b" }, "invalid_name"],
    ["a name with an empty label", { ...www, name: "a..b" }, "invalid_name"],
    ["a star inside a name", { ...www, name: "a.*" }, "invalid_name"],
    ["a long name", { ...www, name: nameOf(254 - ".example.com".length, ".a") }, "invalid_name"],
    ["name servers of the domain itself", { type: "NS", value: "ns1.example.org" }, "invalid_name"],
    ["a CNAME of the domain itself", { name: "@", type: "CNAME", value: "a.example.org" }, "invalid_name"],
  ])("%s with 400", async (_, body, code) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { error: { code } } });
    expect((await list()).records).toEqual([]);
  });

  it("the same record twice, however it is spelled, and names the first", async () => {
    const id = await add({ name: "", type: "MX", value: "mail.example.org", mxPriority: 1 });
    const again = await create({ name: "@", type: "MX", value: "MAIL.example.org.", mxPriority: 1, ttl: 90 });
    expect(again).toMatchObject({ status: 409, body: { error: { code: "record_conflicts", oldId: id } } });
    await add({ name: "", type: "MX", value: "mail.example.org", mxPriority: 2 });
    expect((await list()).records).toHaveLength(2);
  });

  it("a CNAME record beside any other record of the name, in either order, also by a change", async () => {
    const alias = { name: "docs", type: "CNAME", value: "a.example.org" };
    const text = { name: "docs", type: "TXT", value: "hello" };
    const conflict = { status: 409, body: { error: { code: "record_conflicts" } } };
    const first = await add(alias);
    expect(await create(text)).toMatchObject(conflict);
    expect(await create({ ...alias, value: "b.example.org" })).toMatchObject(conflict);
    const { body: changed } = await change(first, { value: "b.example.org" });
    const other = await add({ ...text, name: "blog" });
    expect(await change(other, { name: "docs" })).toMatchObject(conflict);
    await remove(changed.id);
    expect((await change(other, { name: "docs" })).status).toBe(200);
    expect(await create(alias)).toMatchObject(conflict);
  });

  it("one of two equal records that are created at once", async () => {
    const answers = await Promise.all([create(www), create(www), create(www)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it("domains that the account does not have, with 404, and a record under another one", async () => {
    const id = await add(www);
    await world.call("POST", "/v10/projects/web/domains", { body: { name: "example.net" } });
    for (const domain of ["example.org", "www.example.com", "com", "x"]) {
      const records = `/v2/domains/${domain}/records`;
      expect((await world.call("GET", records)).status).toBe(404);
      expect((await world.call("POST", records, { body: www })).status).toBe(404);
    }
    expect((await world.call("DELETE", `/v2/domains/example.net/records/${id}`)).status).toBe(404);
    expect((await list()).records).toHaveLength(1);
  });

  it("changes of a domain that another account has proved, with 403", async () => {
    const id = await add(www);
    await world.team("globex");
    await world.seed({
      projects: [{ team: "globex", name: "site" }],
      domains: [{ team: "globex", project: "site", name: "example.com", verified: true }],
    });
    const forbidden = { status: 403, body: { error: { code: "forbidden" } } };
    expect(await create({ ...www, name: "a" })).toMatchObject(forbidden);
    expect(await change(id, { ttl: 90 })).toMatchObject(forbidden);
    expect((await remove(id)).status).toBe(200);
  });

  it.each([["softBlocked"], ["paymentMethodNeedsUpdate"]])(
    "writes of an account with %s, with 402",
    async (state) => {
      const id = await add(www);
      await world.askControl("PATCH", "/teams/acme", { [state]: true });
      expect((await create({ ...www, name: "a" })).status).toBe(402);
      expect((await change(id, { ttl: 90 })).status).toBe(402);
      expect((await remove(id)).status).toBe(200);
    },
  );

  it("who may only read, with 403", async () => {
    const id = await add(www);
    const token = await world.member("VIEWER");
    expect((await create({ ...www, name: "a" }, { token })).status).toBe(403);
    expect((await change(id, { ttl: 90 }, { token })).status).toBe(403);
    expect((await remove(id, { token })).status).toBe(403);
    expect((await world.call("GET", `/v5/domains/records/${id}`, { token })).status).toBe(200);
  });

  it("an installation that does not cover all projects of the domain, with 403 or 404", async () => {
    const id = await add(www);
    await world.seed({ projects: [{ team: "acme", name: "docs" }] });
    await world.call("POST", "/v10/projects/docs/domains", { body: { name: "docs.example.com" } });
    await addIntegration(world, ["domain"]);
    const { token } = await installWithToken(world, { projects: ["web"] });
    expect((await world.call("GET", `/v5/domains/records/${id}`, { token })).status).toBe(200);
    for (const answer of [
      await create({ ...www, name: "a" }, { token }),
      await change(id, { ttl: 90 }, { token }),
      await remove(id, { token }),
      await world.call("PUT", "/v3/domains/example.com/records", {
        body: "docs 300 IN A 192.0.2.66",
        headers: { "content-type": "text/dns" },
        token,
      }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    await world.call("DELETE", "/v9/projects/web/domains/www.example.com");
    expect((await world.call("GET", `/v5/domains/records/${id}`, { token })).status).toBe(404);
    expect((await list({})).records).toHaveLength(1);
  });
});

it("another account neither sees nor changes a record, and has its own of the same domain", async () => {
  const id = await add(www);
  const foreign = { token: await world.team("globex"), team: "globex" };
  await world.seed({
    projects: [{ team: "globex", name: "site" }],
    domains: [{ team: "globex", project: "site", name: "example.com" }],
  });
  expect((await world.call("GET", `/v5/domains/records/${id}`, foreign)).status).toBe(404);
  expect((await change(id, { ttl: 90 }, foreign)).status).toBe(404);
  expect((await remove(id, foreign)).status).toBe(404);
  expect((await create(www, foreign)).status).toBe(200);
  expect((await list()).records).toHaveLength(1);
});

describe("the domain of a record", () => {
  const domains = async () =>
    (await world.call("GET", "/v5/domains")).body.domains.map(({ name }: { name: string }) => name);

  it("stays in the account when its last name leaves the projects", async () => {
    const id = await add(www);
    await world.call("DELETE", "/v9/projects/web/domains/www.example.com");
    expect(await domains()).toEqual(["example.com"]);
    expect((await world.call("GET", "/v5/domains/example.com")).body.domain).toMatchObject({
      verified: false,
    });
    expect((await change(id, { ttl: 90 })).status).toBe(200);
    await remove(id);
    expect(await domains()).toEqual([]);
    expect((await create(www)).status).toBe(404);
  });

  it("takes its records along when it is removed from the account", async () => {
    const id = await add(www);
    expect((await world.call("DELETE", "/v6/domains/example.com")).status).toBe(200);
    expect(await domains()).toEqual([]);
    expect((await world.call("GET", `/v5/domains/records/${id}`)).status).toBe(404);
  });
});

it("each change sends an event with the domain and the record", async () => {
  const id = await add(www);
  await change(id, { ttl: 90 });
  await remove(id);
  const events = (await world.control.events()).filter(({ type }) => type === "domain.dns.records.changed");
  expect(events).toHaveLength(3);
  for (const { payload } of events)
    expect(payload).toMatchObject({
      domain: { name: "example.com" },
      record: { id, name: "www", type: "A" },
    });
});

describe("a seed", () => {
  const record = { team: "acme", domain: "example.com", ...www, type: "A" as const };

  it("adds records once, and the snapshot has them", async () => {
    const seed = {
      dnsRecords: [record, { ...record, type: "MX" as const, value: "a.example.org", mxPriority: 3 }],
    };
    await world.seed(seed);
    await world.seed(seed);
    const { dnsRecords } = await world.control.snapshot();
    expect(dnsRecords).toHaveLength(2);
    expect(dnsRecords).toContainEqual(
      expect.objectContaining({
        id: expect.stringMatching(/^rec_/),
        accountId: expect.stringMatching(/^team_/),
        domain: "example.com",
        name: "www",
        type: "MX",
        priority: 3,
        value: "a.example.org.",
        ttl: 60,
        comment: null,
      }),
    );
    expect((await list()).records).toHaveLength(2);
  });

  it("restores ids and times", async () => {
    const times = { createdAt: 1000, updatedAt: 2000 };
    await world.seed({ dnsRecords: [{ ...record, id: "rec_1", creator: "user_1", ...times }] });
    expect((await list()).records).toMatchObject([{ id: "rec_1", creator: "user_1", ...times }]);
  });

  it.each([
    ["a domain that is none", { domain: "www.example.com" }, /dnsRecords\.0\.domain|dnsRecords\[0\]\.domain/],
    ["a value that is none", { value: "x" }, /IPv4/],
  ])("is refused with %s", async (_, members, message) => {
    const answer = await world.askControl("POST", "/seed", { dnsRecords: [{ ...record, ...members }] });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(message);
  });
});
