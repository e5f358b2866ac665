import type { Plain } from "../../../provider/core/values";
import { firewallBypass } from "../../../provider/resources/firewall-bypass";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
  await w.curl("POST", "/v10/projects/web/domains", { name: "www.example.com" });
});
afterEach(() => w.close());

const path = "/v1/security/firewall/bypass";
const rule = { project: "web", domain: "www.example.com", sourceIp: "192.0.2.1" };
const add = (body: object) => w.curl("POST", `${path}?projectId=${web}`, body);
const rules = async (): Promise<Plain[]> =>
  (await w.curl("GET", `${path}?projectId=${web}`)).result as unknown as Plain[];

it.each([
  ["www.example.com", "192.0.2.1"],
  ["*", "192.0.2.0/24"],
  ["*", "2001:db8::/32"],
])("of %s and %s is created, read without a change, imported and deleted", async (domain, sourceIp) => {
  const bypass = w.stack(firewallBypass);
  const declared = { project: "web", domain, sourceIp, note: "why" };
  await bypass.up(declared);
  expect(bypass.id).toBe(`${web}/${domain}/${sourceIp}`);
  expect(await rules()).toMatchObject([{ Id: bypass.state.bypassId, Ip: sourceIp, Note: "why" }]);
  await bypass.refresh(w.another());
  expect(await bypass.up(declared)).toBe("same");
  const imported = await firewallBypass.read(w.run, `web/${domain}/${sourceIp}`, undefined);
  expect(imported).toMatchObject({ id: bypass.id, inputs: { ...declared, project: web } });
  await bypass.destroy();
  expect(await rules()).toEqual([]);
  expect(await bypass.refresh(w.another())).toBe(false);
});

it("is created once when the answer gets lost", async () => {
  for (const [at, kind] of (["drop-after", "drop-before"] as const).entries()) {
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind });
    await w.stack(firewallBypass, kind).up({ ...rule, sourceIp: `192.0.2.${at}` });
    expect(await rules()).toHaveLength(at + 1);
  }
});

it("is replaced by another domain or address, and created again to change its note", async () => {
  const bypass = w.stack(firewallBypass);
  await bypass.up({ ...rule, note: "one" });
  expect(await bypass.up({ ...rule, note: "two" })).toBe("update");
  expect(await rules()).toMatchObject([{ Note: "two" }]);
  expect(await bypass.up(rule)).toBe("update");
  expect((await rules())[0]).not.toHaveProperty("Note");
  expect(await bypass.up({ ...rule, domain: "*" })).toBe("replace");
  expect(await bypass.up({ ...rule, domain: "*", sourceIp: "192.0.2.2" })).toBe("replace");
  expect(await rules()).toMatchObject([{ Domain: "*", Ip: "192.0.2.2" }]);
});

it("keeps the old rule when it cannot be created with another note", async () => {
  const bypass = w.stack(firewallBypass);
  await bypass.up({ ...rule, note: "one" });
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "status", status: 403 });
  await expect(bypass.up({ ...rule, note: "two" })).rejects.toThrow(/403/);
  expect(await rules()).toMatchObject([{ Note: "one" }]);
  expect(await bypass.up({ ...rule, note: "two" })).toBe("update");
  expect(await rules()).toMatchObject([{ Note: "two" }]);
});

it("refuses a rule that is there already, also of a service that would overwrite it", async () => {
  await add({ domain: rule.domain, sourceIp: rule.sourceIp, note: "by hand" });
  await expect(w.stack(firewallBypass).up({ ...rule, note: "mine" })).rejects.toThrow(
    /The firewall bypass www\.example\.com\/192\.0\.2\.1 already exists.*adopt/,
  );
  const sent = (await w.server.control.requests()).filter(
    ({ method, status }) => method === "POST" && status !== 200,
  );
  expect(sent).toEqual([]);
  expect(await rules()).toMatchObject([{ Note: "by hand" }]);
});

it("is found on any page of the rules", async () => {
  for (let i = 0; i <= 100; i++) await add({ projectScope: true, sourceIp: `192.0.2.${i}` });
  const { pagination } = await w.curl("GET", `${path}?projectId=${web}`);
  const offset = (pagination as unknown as Plain).Id;
  const { result } = await w.curl(
    "GET",
    `${path}?projectId=${web}&offset=${encodeURIComponent(String(offset))}`,
  );
  const [last, ...others] = result as unknown as Plain[];
  expect(others).toEqual([]);
  const declared = { project: "web", domain: "*", sourceIp: last?.Ip };
  await expect(w.stack(firewallBypass, "it").preview(declared)).rejects.toThrow(/already exists.*adopt/);
});

it("adopts a rule as it is, and refuses one with another note", async () => {
  await add({ domain: rule.domain, sourceIp: rule.sourceIp, note: "by hand" });
  await expect(w.stack(firewallBypass).up({ ...rule, note: "mine", adopt: true })).rejects.toThrow(
    /exists with another note\. The API cannot change a note/,
  );
  const bypass = w.stack(firewallBypass);
  expect(await bypass.up({ ...rule, adopt: true })).toBe("create");
  await bypass.refresh(w.another());
  expect(await bypass.up({ ...rule, adopt: true })).toBe("same");
  expect(await rules()).toMatchObject([{ Note: "by hand" }]);
});

it("is created again when it was deleted by hand", async () => {
  const bypass = w.stack(firewallBypass);
  await bypass.up(rule);
  await w.curl("DELETE", `${path}?projectId=${web}`, { domain: rule.domain, sourceIp: rule.sourceIp });
  expect(await bypass.refresh(w.another())).toBe(false);
  const again = w.stack(firewallBypass, "again");
  await again.up(rule);
  await w.curl("DELETE", "/v9/projects/web");
  await again.destroy();
});

it("says that the project needs the domain", async () => {
  await expect(w.stack(firewallBypass).up({ ...rule, domain: "docs.example.com" })).rejects.toThrow(
    /400 bad_request: The project "web" has no production domain docs\.example\.com/,
  );
});

it.each([
  [{ sourceIp: "everybody" }, /^sourceIp must be an IP address/],
  [{ sourceIp: "192.0.2.0/33" }, /^sourceIp must be an IP address/],
  [{ sourceIp: "2001:DB8::1" }, /^sourceIp must be an IP address in lower case/],
  [{ sourceIp: undefined }, /^sourceIp is missing/],
  [{ domain: "not a domain" }, /^domain/],
  [{ note: "" }, /^note/],
])("refuses %j before anything is asked", async (inputs, reason) => {
  await expect(w.stack(firewallBypass).up({ ...rule, ...inputs })).rejects.toThrow(reason);
});

it.each(["web", "web/www.example.com", "web/www.example.com/", "web/*/192.0.2.0/24/8"])(
  "is not found by %s",
  async (id) => {
    await expect(firewallBypass.read(w.run, id, undefined)).rejects.toThrow(
      'The id of a firewall bypass is "project/domain/address"',
    );
  },
);
