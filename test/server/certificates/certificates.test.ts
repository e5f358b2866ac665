import { X509Certificate } from "node:crypto";
import { first, second, uploadOf } from "../../support/certificates";
import { addIntegration, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v8/certs";

const upload = (change: object = {}) => world.call("PUT", path, { body: { ...uploadOf(first), ...change } });
const list = async (query: Record<string, string | number> = {}) =>
  (await world.call("GET", path, { query })).body;

it("returns the domains and the expiry of an uploaded certificate, and nothing of its content", async () => {
  const { status, body } = await upload();
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      id: expect.stringMatching(/^cert_[A-Za-z0-9]{24}$/),
      cns: ["api.example.com"],
      autoRenew: false,
      createdAt: world.clock.now(),
      expiresAt: Date.parse(new X509Certificate(first.certificate).validTo),
    },
  });
  expect((await world.call("GET", `${path}/${body.id}`)).body).toEqual(body);
  expect((await list()).certs).toEqual([body]);
});

it("takes all names of a certificate", async () => {
  const { body } = await world.call("PUT", path, { body: uploadOf(second) });
  expect(body.cns).toEqual(["example.org", "*.example.org"]);
});

it("keeps no private key", async () => {
  await upload();
  const rows = await world.services.store.read((tx) => tx.selectFrom("certificates").selectAll().execute());
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(first.privateKey.split("\n")[1]);
});

it("adds a certificate for each upload, and lists them page by page", async () => {
  const ids = [(await upload()).body.id, (await upload()).body.id];
  const { certs, pagination } = await list({ limit: 1 });
  expect(certs.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
  const next = await list({ limit: 1, until: pagination.next });
  expect(next.certs.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  expect(next.pagination.next).toBeNull();
});

it.each([
  ["no certificate", { cert: "none" }, /^Invalid body member cert: must be a certificate/],
  ["no key", { key: "none" }, /^Invalid body member key: must be a private key/],
  ["a certificate as the key", { key: first.certificate }, /^Invalid body member key: must be a private key/],
  ["no certificate of an authority", { ca: "none" }, /^Invalid body member ca: must be/],
  ["the key of another certificate", { key: second.privateKey }, /key: is not the private key/],
  ["an unknown member", { name: "a" }, /name/],
])("returns 400 for %s", async (_what, change, message) => {
  const { status, body } = await upload(change);
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
  expect(body.error.message).toMatch(message);
  expect(body.error.message).not.toContain("BEGIN");
});

it("returns 400 for a certificate that has expired, unless validation is skipped", async () => {
  world.clock.advance((await upload()).body.expiresAt - world.clock.now());
  expect((await upload()).body.error.message).toMatch(/cert: the certificate has expired/);
  expect((await upload({ skipValidation: true })).status).toBe(200);
});

it("checks the key even if validation is skipped", async () => {
  expect((await upload({ skipValidation: true, key: second.privateKey })).status).toBe(400);
});

it("deletes a certificate once", async () => {
  const { id } = (await upload()).body;
  const remove = () => world.call("DELETE", `${path}/${id}`);
  expect(await remove()).toMatchObject({ status: 200, body: {} });
  expect(await remove()).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  expect((await world.call("GET", `${path}/${id}`)).status).toBe(404);
});

it("takes certificates from a seed, with their ids and times, once", async () => {
  const expiresAt = Date.UTC(2100, 0, 1);
  const row = { id: "cert_1", cns: ["example.com"], autoRenew: true, expiresAt, createdAt: 1000 };
  for (let time = 0; time < 2; time++) await world.seed({ certificates: [{ team: "acme", ...row }] });
  expect((await list()).certs).toEqual([row]);
  expect((await world.control.snapshot()).certificates).toMatchObject([row]);
});

describe("an issued certificate", () => {
  const issue = async (cns: unknown, more: object = {}) => {
    const { status, body } = await world.call("POST", path, { body: { cns, ...more } });
    return { status, body, code: body.error?.code };
  };
  beforeEach(() =>
    world.seed({
      projects: [{ team: "acme", name: "web" }],
      domains: [
        { team: "acme", project: "web", name: "example.com", verified: true },
        { team: "acme", project: "web", name: "example.org" },
      ],
    }),
  );

  it("has names that the account has verified, for 90 days", async () => {
    const { body } = await issue(["example.com", "*.example.com", "WWW.example.com", "example.com"]);
    expect(body).toEqual({
      id: expect.stringMatching(/^cert_/),
      cns: ["example.com", "*.example.com", "www.example.com"],
      autoRenew: true,
      createdAt: world.clock.now(),
      expiresAt: world.clock.now() + 90 * 86_400_000,
    });
    expect((await list()).certs).toEqual([body]);
  });

  it.each([
    ["a domain that is not verified", ["example.com", "example.org"], 403, "forbidden"],
    ["a domain of nobody", ["notexample.com"], 403, "forbidden"],
    ["no domain", [], 400, "bad_request"],
    ["no list", undefined, 400, "bad_request"],
    ["a text that is no domain", ["a b"], 400, "bad_request"],
  ])("is refused for %s", async (_, cns, status, code) => {
    expect(await issue(cns)).toMatchObject({ status, code });
    expect((await list()).certs).toEqual([]);
  });

  it("is refused with an unknown member, and to an installation on selected projects", async () => {
    expect((await issue(["example.com"], { other: 1 })).status).toBe(400);
    await addIntegration(world, ["domain"]);
    const { token } = await installWithToken(world, { projects: ["web"] });
    const answer = await world.call("POST", path, { token, body: { cns: ["example.com"] } });
    expect([answer.status, answer.body.error.code]).toEqual([403, "forbidden"]);
  });
});
