import type { Plain } from "../../../provider/core/values";
import { alias } from "../../../provider/resources/alias";
import { dnsRecord } from "../../../provider/resources/dns-record";
import { domain } from "../../../provider/resources/domain";
import { projectDomain } from "../../../provider/resources/project-domain";
import { takenApexes } from "../../support/domains";
import { byProfile } from "../../support/profile";
import { openRecordingProxy } from "../../support/recording-proxy";
import { type Harness, recordStack, startHarness } from "../stack";

const name = "example.com";
let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

const declared = (more: object = {}) => ({ name, ...more });
const add = (more: object = {}) => w.curl("POST", "/v7/domains", { name, ...more });
const added = async () =>
  (await w.server.control.snapshot()).accountDomains.map(({ name, zone = false, echMode = "auto" }) => ({
    name,
    zone,
    echMode,
  }));
const names = async () =>
  ((await w.curl("GET", "/v5/domains")) as unknown as { domains: { name: string }[] }).domains.map(
    (one) => one.name,
  );
const sent = async (method: string) =>
  (await w.server.control.requests()).filter((one) => one.method === method).map(({ path }) => `${path}`);
const attach = async (of = name) => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  await w.curl("POST", "/v10/projects/web/domains", { name: of });
};

it("adds a domain, changes its settings, and deletes it", async () => {
  const one = w.stack(domain);
  await one.up(declared({ zone: true, echMode: "disabled" }));
  expect(one.id).toBe(name);
  expect(one.state).toMatchObject({
    domainId: expect.any(String),
    verified: byProfile(false, true),
    nameservers: [],
    intendedNameservers: [],
    serviceType: "external",
  });
  expect(await added()).toEqual([{ name, zone: true, echMode: "disabled" }]);
  expect(await one.up(declared({ zone: true, echMode: "disabled" }))).toBe("same");
  expect(await one.up(declared({ zone: false, echMode: "disabled" }))).toBe("update");
  expect(await added()).toEqual([{ name, zone: false, echMode: "disabled" }]);
  expect(await one.up(declared())).toBe("update");
  expect(await added()).toEqual([{ name, zone: false, echMode: "auto" }]);
  await one.destroy();
  expect(await names()).toEqual([]);
});

it("sends only what changes", async () => {
  const one = w.stack(domain);
  await one.up(declared({ zone: true }));
  await w.curl("PATCH", `/v3/domains/${name}`, { op: "update", zone: false });
  await one.up(declared({ zone: true, echMode: "disabled" }));
  expect(await added()).toEqual([{ name, zone: false, echMode: "disabled" }]);
});

it("refuses a domain that the account has, and adopts it on request", async () => {
  await add({ zone: true });
  const exists = /The account's domain example.com already exists .*\{ adopt: true \}/;
  await expect(w.stack(domain, "refused").preview(declared())).rejects.toThrow(exists);
  await expect(w.stack(domain).up(declared())).rejects.toThrow(exists);
  const one = w.stack(domain);
  await one.up(declared({ echMode: "disabled", adopt: true }));
  // Settings that are not declared stay.
  expect(await added()).toEqual([{ name, zone: true, echMode: "disabled" }]);
  expect(await one.up(declared({ echMode: "disabled", adopt: true }))).toBe("same");
});

it("does not write what the program ignores when it adopts a domain", async () => {
  await add();
  const one = w.stack(domain);
  await one.up(declared({ zone: true, echMode: "disabled", adopt: true }), {
    ignored: async () => ["echMode"],
  });
  expect(await added()).toEqual([{ name, zone: true, echMode: "auto" }]);
});

it("adopts a domain that the account has because of a project domain", async () => {
  await attach("www.example.com");
  await expect(w.stack(domain, "refused").preview(declared())).rejects.toThrow(/already exists/);
  await w.stack(domain).up(declared({ zone: true, adopt: true }));
  expect(await added()).toEqual([{ name, zone: true, echMode: "auto" }]);
});

it("says that another account has the domain, or that the service has it", async () => {
  await w.server.control.seed({
    ...takenApexes(),
    accountDomains: [{ team: "others", name, verified: true }],
  });
  await expect(w.stack(domain).up(declared({ adopt: true }))).rejects.toThrow(/409.*Another account owns/);
  await expect(w.stack(domain).up({ name: "web.vercel.app" })).rejects.toThrow(/403.*belongs to the service/);
});

it.each([
  ["www.example.com", /Declare example.com, and www.example.com as a ProjectDomain/],
  ["*.example.com", /Declare example.com, and \*.example.com as a ProjectDomain/],
  ["docs.example.co.uk", /Declare example.co.uk, and/],
  ["co.uk", /must be a domain that somebody can register/],
  ["Example.com", /must be a domain name in lower case/],
])("refuses the name %s at preview", async (other, reason) => {
  await expect(w.stack(domain, "refused").preview({ name: other })).rejects.toThrow(reason);
});

it.each(["example.co.uk", "someone.github.io", "github.io", "example.test"])("accepts %s", async (other) => {
  const one = w.stack(domain, "accepted");
  await one.up({ name: other });
  expect(await names()).toEqual([other]);
  await one.destroy();
});

it("adds a domain once although the answer is lost", async () => {
  await w.server.control.addFaults({ kind: "drop-after", method: "POST", path: "/v7/domains", times: 1 });
  const one = w.stack(domain);
  await one.up(declared({ zone: true, echMode: "disabled" }));
  expect(await sent("POST")).toHaveLength(1);
  expect(await added()).toEqual([{ name, zone: true, echMode: "disabled" }]);
});

it("goes on with its settings after one of them has failed", async () => {
  await w.server.control.addFaults({
    kind: "status",
    status: 400,
    method: "PATCH",
    path: `/v3/domains/${name}`,
    times: 1,
  });
  const one = w.stack(domain);
  await expect(one.up(declared({ zone: true, echMode: "disabled" }))).rejects.toThrow(/400/);
  await one.up(declared({ zone: true, echMode: "disabled" }));
  expect(await sent("POST")).toHaveLength(1);
  expect(await added()).toEqual([{ name, zone: true, echMode: "disabled" }]);
});

describe("the deletion of a domain that has something", () => {
  const built = { team: "acme", project: "web", id: "dpl_1", readyState: "READY" } as const;
  const contents: [string, () => Promise<unknown>, RegExp][] = [
    ["a project domain", () => attach("www.example.com"), /: the project domain www\.example\.com\. Remove/],
    ["itself as a project domain", () => attach(), /: the project domain example\.com\. Remove/],
    [
      "a DNS record",
      () => w.curl("POST", `/v2/domains/${name}/records`, { name: "mail", type: "A", value: "192.0.2.1" }),
      /: the DNS record mail\.example\.com A\. Remove/,
    ],
    [
      "an alias",
      async () => {
        await w.curl("POST", "/v10/projects", { name: "web" });
        await w.server.control.deploy(built);
        await w.server.control.seed({
          aliases: [{ team: "acme", alias: "docs.example.com", deployment: "dpl_1" }],
        });
      },
      /: the alias docs\.example\.com\. Remove/,
    ],
  ];

  it.each(contents)("is refused: %s", async (_, make, reason) => {
    const one = w.stack(domain);
    await one.up(declared());
    await make();
    const rows = async () => ({ ...(await w.server.control.snapshot()), now: 0 });
    const before = await rows();
    await expect(one.destroy()).rejects.toThrow(reason);
    await expect(one.destroy()).rejects.toThrow(/`pulumi state delete`.*`retainOnDelete`/);
    expect(await rows()).toEqual(before);
    expect(await sent("DELETE")).toEqual([]);
  });

  it("names a few of many", async () => {
    const one = w.stack(domain);
    await one.up(declared());
    for (let i = 0; i < 8; i++)
      await w.curl("POST", `/v2/domains/${name}/records`, { name: `r${i}`, type: "A", value: "192.0.2.1" });
    await expect(one.destroy()).rejects.toThrow(/delete with it: (the DNS record [^,]+, ){5}3 more\. Remove/);
  });

  it("is possible after what it has is deleted", async () => {
    await w.curl("POST", "/v10/projects", { name: "web" });
    const one = w.stack(domain);
    await one.up(declared());
    const [www, mail] = [w.stack(projectDomain), w.stack(dnsRecord)];
    await www.up({ project: "web", name: "www.example.com" });
    await mail.up({ domain: name, name: "mail", type: "A", value: "192.0.2.1" });
    await www.destroy();
    await mail.destroy();
    await one.destroy();
    expect(await names()).toEqual([]);
  });
});

it("ignores what other domains have when it deletes one", async () => {
  await attach("www.notexample.com");
  const one = w.stack(domain);
  await one.up(declared());
  await one.destroy();
  expect(await names()).toEqual(["notexample.com"]);
});

it("never deletes a domain that was bought from the service", async () => {
  const proxy = await openRecordingProxy(w.server.url);
  try {
    const one = w.stack(domain);
    one.use(w.another({ apiUrl: proxy.url }));
    await one.up(declared());
    const { domain: found } = (await w.curl("GET", `/v5/domains/${name}`)) as unknown as { domain: Plain };
    proxy.before = async ({ method, path }) =>
      method === "GET" && `${path}`.startsWith(`/v5/domains/${name}`)
        ? { status: 200, body: JSON.stringify({ domain: { ...found, boughtAt: 1_700_000_000_000 } }) }
        : undefined;
    await expect(one.destroy()).rejects.toThrow(/was bought from the service.*`pulumi state delete`/);
    expect(await names()).toEqual([name]);
  } finally {
    await proxy.close();
  }
});

it("counts as deleted when it is gone, and is added again after that", async () => {
  const one = w.stack(domain);
  await one.up(declared());
  await w.curl("DELETE", `/v6/domains/${name}`);
  expect(await one.refresh(w.another())).toBe(false);
  expect(await one.up(declared())).toBe("create");
  await w.curl("DELETE", `/v6/domains/${name}`);
  await one.destroy();
});

it("sees drift of the settings that the service returns", async () => {
  const one = w.stack(domain);
  await one.up(declared({ zone: true, echMode: "auto" }));
  await w.curl("PATCH", `/v3/domains/${name}`, { op: "update", zone: false, echMode: "disabled" });
  await one.refresh(w.another());
  expect(one.state).toMatchObject({ zone: true, echMode: "disabled" });
  expect(await one.up(declared({ zone: true, echMode: "auto" }))).toBe("update");
  expect(await added()).toEqual([{ name, zone: false, echMode: "auto" }]);
});

it("is imported with the settings that the service returns", async () => {
  await add({ zone: true });
  const read = async (id: string) => (await domain.read(w.runOf(w.another()), id))?.inputs;
  expect(await read(name)).toEqual({ name });
  await w.curl("PATCH", `/v3/domains/${name}`, { op: "update", echMode: "disabled" });
  expect(await read(name)).toEqual({ name, echMode: "disabled" });
  await expect(read("www.example.com")).rejects.toThrow(/is a name below the domain example.com/);
  await expect(read("example.org")).rejects.toThrow(/404/);
});

it("is replaced by another name, and keeps the old one if it has something", async () => {
  const one = w.stack(domain);
  await one.up(declared());
  expect(await one.up({ name: "example.net" })).toBe("replace");
  expect(await names()).toEqual(["example.net"]);
  await attach("www.example.net");
  await expect(one.up({ name: "example.org" })).rejects.toThrow(/the project domain www.example.net/);
  expect((await names()).sort()).toEqual(["example.net", "example.org"]);
});

it("refuses two resources of one domain, and passes between resources", async () => {
  const [one, other] = [w.stack(domain, "one"), w.stack(domain, "other")];
  await one.preview(declared());
  await expect(other.preview(declared())).rejects.toThrow(
    /Domain "one" and Domain "other" both declare the account's domain example.com/,
  );
  await one.up(declared({ echMode: "disabled" }));
  const run = w.another();
  for (const each of [one, other]) each.use(run);
  recordStack([{ type: one.type, name: "one", outputs: one.state }]);
  await attach("www.example.com");
  expect(await other.up(declared({ zone: true }))).toBe("create");
  await one.destroy();
  expect(await added()).toEqual([{ name, zone: true, echMode: "auto" }]);
});

it("stands beside an alias of the same name", async () => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  await w.server.control.deploy({ team: "acme", project: "web", id: "dpl_1", readyState: "READY" });
  const [one, pointing] = [w.stack(domain, "one"), w.stack(alias, "pointing")];
  await one.up(declared());
  await w.server.control.seed({ accountDomains: [{ team: "acme", name: "example.org", verified: true }] });
  const run = w.another();
  for (const each of [one, pointing]) each.use(run);
  const org = w.stack(domain, "org");
  await org.up({ name: "example.org", adopt: true });
  await pointing.up({ alias: "example.org", deploymentId: "dpl_1" });
  org.use(w.another());
  await expect(org.destroy()).rejects.toThrow(/the alias example.org/);
  await pointing.destroy();
  await org.destroy();
  expect(await names()).toEqual([name]);
});

it("is a domain of the personal account without a team", async () => {
  const one = w.stack(domain, "personal");
  one.use(w.another({ team: "" }));
  await one.up(declared({ zone: true }));
  expect(await one.refresh(w.another({ team: "" }))).toBe(true);
  expect(await one.up(declared({ zone: true }))).toBe("same");
  expect(await names()).toEqual([]);
  await one.destroy();
  expect(await added()).toEqual([]);
});
