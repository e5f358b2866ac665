import type { differences } from "../../server/platform/profile";
import { TestServer, useTestServer } from "../support/world";

/** The answers of the profile `hosted` where it differs from the specification, by the id of the difference. */

const world = useTestServer("memory", { profile: "hosted" });
let id: string;
beforeEach(async () => {
  id = (await world.call("POST", "/v10/projects", { body: { name: "web" } })).body.id;
});

const variable = { key: "A", value: "v", type: "encrypted", target: ["production"] };

const rows: Record<keyof typeof differences, () => Promise<void>> = {
  async "unknown-token"() {
    expect(await world.call("GET", "/v9/projects", { token: "unknown" })).toMatchObject({
      status: 403,
      body: { error: { code: "forbidden", message: "Not authorized", invalidToken: true } },
    });
    expect(await world.call("GET", "/v9/projects", { token: null })).toMatchObject({
      status: 403,
      body: { error: { code: "forbidden", missingToken: true } },
    });
  },
  async "existing-variable"() {
    await world.call("POST", "/v10/projects/web/env", { body: variable });
    expect(await world.call("POST", "/v10/projects/web/env", { body: variable })).toMatchObject({
      status: 400,
      body: { error: { code: "ENV_CONFLICT" } },
    });
  },
  async "existing-domain"() {
    const add = () => world.call("POST", "/v10/projects/web/domains", { body: { name: "example.com" } });
    await add();
    expect(await add()).toMatchObject({
      status: 409,
      body: { error: { code: "domain_already_in_use", projectId: id, domain: { name: "example.com" } } },
    });
  },
  async "domain-verified-at-once"() {
    await world.seed({
      teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }],
      projects: [{ team: "beta", name: "other" }],
      domains: [{ team: "beta", project: "other", name: "example.org" }],
    });
    const add = async (name: string) =>
      (await world.call("POST", "/v10/projects/web/domains", { body: { name } })).body.verified;
    expect(await add("www.example.com")).toBe(true);
    expect(await add("www.example.org")).toBe(false);
  },
  async "preview-promotion"() {
    const [preview] = await world.control.deploy({ team: "acme", project: "web", target: "preview" });
    expect(await world.call("POST", `/v10/projects/${id}/promote/${preview}`)).toMatchObject({ status: 409 });
  },
  async "late-promotion"() {
    const built = { team: "acme", project: "web", target: "production", readySubstate: "STAGED" } as const;
    const [staged] = await world.control.deploy(built);
    const serving = async () => (await world.call("GET", "/v9/projects/web")).body.targets.production?.id;
    expect((await world.call("POST", `/v10/projects/${id}/promote/${staged}`)).status).toBe(201);
    expect(await serving()).toBeUndefined();
    await world.advance(2_000);
    expect(await serving()).toBe(staged);
  },
  async "values-in-lists"() {
    await world.call("POST", "/v10/projects/web/env", { body: variable });
    const { envs } = (await world.call("GET", "/v9/projects/web/env", { query: { decrypt: "true" } })).body;
    expect(envs).toMatchObject([{ decrypted: false }]);
    expect(envs[0].value).not.toBe("v");
    const before = await world.call("GET", "/v8/projects/web/env", { query: { decrypt: "true" } });
    expect(before.body.envs).toMatchObject([{ decrypted: true, value: "v" }]);
    const one = await world.call("GET", `/v1/projects/web/env/${envs[0].id}`);
    expect(one.body.value).toBe("v");
  },
  async "unset-members-of-variables"() {
    const created = await world.call("POST", "/v10/projects/web/env", { body: variable });
    expect(created.body.created).not.toHaveProperty("comment");
    const { id: key } = created.body.created;
    const unset = { comment: "", customEnvironmentIds: [] };
    expect((await world.call("GET", "/v9/projects/web/env")).body.envs).toMatchObject([unset]);
    expect((await world.call("GET", `/v1/projects/web/env/${key}`)).body).toMatchObject(unset);
    expect((await world.call("GET", "/v9/projects/web")).body.env).toMatchObject([unset]);
    const edit = await world.call("PATCH", `/v9/projects/web/env/${key}`, { body: { comment: "why" } });
    expect(edit.body).toMatchObject({ ...unset, comment: "why" });
  },
  async "project-defaults"() {
    const defaults = {
      ssoProtection: { deploymentType: "prod_deployment_urls_and_all_previews" },
      skewProtectionMaxAge: 43_200,
      enableAffectedProjectsDeployments: true,
    };
    expect((await world.call("GET", "/v9/projects/web")).body).toMatchObject(defaults);
  },
  async "name-of-rate-limit"() {
    const limited = new TestServer();
    await limited.open("memory", { profile: "hosted", rateLimits: true });
    const verify = () => limited.call("POST", "/v9/projects/web/domains/example.com/verify");
    for (let count = 0; count < 100; count += 1) await verify();
    const { status, body } = await verify();
    const reset = limited.clock.now() + 60_000;
    await limited.close();
    expect({ status, error: body.error }).toEqual({
      status: 429,
      error: {
        code: "domain-verify",
        message: expect.any(String),
        limit: { total: 100, remaining: 0, reset },
      },
    });
  },
  async "public-source"() {
    const change = await world.call("PATCH", "/v9/projects/web", { body: { publicSource: true } });
    expect(change).toMatchObject({ status: 200, body: { publicSource: null } });
  },
};

it.each(Object.entries(rows))("the profile hosted differs from the specification: %s", (_, check) => check());

it("says its profile in /_health", async () => {
  expect((await world.call("GET", "/_health")).body).toMatchObject({ profile: "hosted" });
});
