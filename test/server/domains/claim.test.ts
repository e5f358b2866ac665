import { useTestServer } from "../../support/world";

const world = useTestServer();
const name = "example.com";
let other: { token: string; team: string };
beforeEach(async () => {
  other = { token: await world.team("other"), team: "other" };
  await world.seed({
    projects: [
      { id: "prj_web", team: "acme", name: "web" },
      { id: "prj_old", team: "other", name: "old" },
    ],
    domains: [
      { team: "other", project: "old", name, verified: true },
      { team: "other", project: "old", name: `www.${name}`, verified: true },
    ],
  });
});

const record = async (domain = name, options: object = {}) => {
  const { status, body } = await world.call("GET", `/v9/domains/${domain}/verification`, options);
  return { status, ...body };
};
const claim = (domain = name, options: object = {}) =>
  world.call("POST", `/v9/domains/${domain}/claim`, options);
const publish = (...values: string[]) => world.control.setTxt(`_vercel.${name}`, ...values);
const isVerified = async (domain: string, options: object) =>
  (await world.call("GET", `/v9/projects/prj_old/domains/${domain}`, options)).body.verified;

it("has a record for each account, which does not change", async () => {
  const own = await record();
  expect(own).toEqual({
    status: 200,
    txtRecord: expect.stringMatching(/^vc-domain-verify=example\.com,[0-9a-f]{20}$/),
    verificationDomain: "_vercel.example.com",
  });
  expect(await record("EXAMPLE.com")).toEqual(own);
  expect((await record(name, other)).txtRecord).not.toBe(own.txtRecord);
});

it("takes the domain from the account that has it, and leaves the names below it", async () => {
  await publish("unrelated", (await record()).txtRecord);
  const { status, body } = await claim();
  expect({ status, domain: body.domain }).toMatchObject({ status: 200, domain: { name, verified: true } });
  expect((await world.call("GET", `/v5/domains/${name}`)).body.domain).toEqual(body.domain);
  expect([await isVerified(name, other), await isVerified(`www.${name}`, other)]).toEqual([false, true]);
  expect((await world.control.events())[0]).toMatchObject({ type: "project.domain.unverified" });
  // The domain counts as the account's own for names below it.
  const added = await world.call("POST", "/v10/projects/web/domains", { body: { name: `api.${name}` } });
  expect(added.body.verified).toBe(true);
});

it("takes a domain that was added to the other account, and can be repeated", async () => {
  await publish((await record()).txtRecord, (await record(name, other)).txtRecord);
  await claim();
  await claim(name, other);
  const owners = async () =>
    Promise.all(
      [{}, other].map(
        async (options) => (await world.call("GET", `/v5/domains/${name}`, options)).body.domain.verified,
      ),
    );
  expect(await owners()).toEqual([false, true]);
  expect((await claim()).status).toBe(200);
  expect((await claim()).status).toBe(200);
  expect(await owners()).toEqual([true, false]);
});

it("is refused without the record of the account", async () => {
  for (const values of [[], ["vc-domain-verify=example.com,00"], [(await record(name, other)).txtRecord]]) {
    await publish(...values);
    const { status, body } = await claim();
    expect([status, body.error.code]).toEqual([400, "missing_txt_record"]);
  }
  expect(await isVerified(name, other)).toBe(true);
});

it.each([
  ["www.example.com", 400, "invalid_name"],
  ["com", 400, "invalid_name"],
  ["web.vercel.app", 403, "forbidden"],
])("refuses %s", async (domain, status, code) => {
  const answers = [await world.call("GET", `/v9/domains/${domain}/verification`), await claim(domain)];
  for (const { status: answered, body } of answers)
    expect([answered, body.error.code]).toEqual([status, code]);
});

it("refuses a domain that the account may not use", async () => {
  await world.control.changeTeam("acme", { deniedDomains: [name] });
  expect((await claim()).body.error.code).toBe("domain_not_allowed");
});
