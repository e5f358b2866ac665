import { useTestServer } from "../../support/world";

const world = useTestServer();
type Policy = "on" | "off" | "default";
const setPolicy = (policy: Policy, token?: string) =>
  world.call("PATCH", "/v2/teams/acme", {
    body: { sensitiveEnvironmentVariablePolicy: policy },
    ...(token === undefined ? {} : { token }),
  });
const add = async (body: object) => {
  const variable = { key: "K", value: "v", type: "encrypted", target: ["production"], ...body };
  const { status, body: answer } = await world.call("POST", "/v10/projects/web/env", { body: variable });
  return { status, code: answer.failed?.[0]?.error.code ?? answer.error?.code };
};

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

describe("the policy on sensitive variables", () => {
  it("is absent from a team until it is set, and then as it was set", async () => {
    const team = () => world.call("GET", "/v2/teams/acme");
    expect((await team()).body).not.toHaveProperty("sensitiveEnvironmentVariablePolicy");
    for (const policy of ["on", "off", "default"] as const) {
      expect(await setPolicy(policy)).toMatchObject({ status: 200 });
      expect((await team()).body.sensitiveEnvironmentVariablePolicy).toBe(policy);
    }
  });

  it.each(["off", "default"] as const)("allows every type while it is %s", async (policy) => {
    await setPolicy(policy);
    expect((await add({})).status).toBe(201);
  });

  it("refuses new readable variables for production and preview while it is on", async () => {
    await setPolicy("on");
    for (const target of [["production"], ["preview"], ["preview", "development"]])
      for (const type of ["plain", "encrypted"])
        expect(await add({ target, type })).toEqual({ status: 400, code: "BAD_REQUEST" });
    expect((await add({ type: "sensitive" })).status).toBe(201);
    expect((await add({ target: ["development"] })).status).toBe(201);
  });

  it("is not about system variables, whose values the service sets", async () => {
    await setPolicy("on");
    expect(await add({ key: "VERCEL_URL", value: "", type: "system" })).toMatchObject({ status: 201 });
  });

  it("is not about variables of custom environments alone", async () => {
    const path = "/v9/projects/web/custom-environments";
    const { id } = (await world.call("POST", path, { body: { slug: "staging" } })).body;
    await setPolicy("on");
    expect((await add({ target: ["preview"], customEnvironmentIds: [id] })).status).toBe(400);
    expect((await add({ target: [], customEnvironmentIds: [id] })).status).toBe(201);
  });

  it("lets older variables keep their type, and no others come to production", async () => {
    await add({ key: "OLD" });
    await add({ key: "LOCAL", target: ["development"] });
    await setPolicy("on");
    const { envs } = (await world.call("GET", "/v10/projects/web/env")).body;
    const edit = (key: string, body: object) => {
      const { id } = envs.find((one: { key: string }) => one.key === key);
      return world.call("PATCH", `/v9/projects/web/env/${id}`, { body });
    };
    expect((await edit("OLD", { value: "new" })).status).toBe(200);
    expect((await edit("LOCAL", { target: ["preview"] })).status).toBe(400);
    expect((await edit("LOCAL", { target: ["preview"], type: "sensitive", value: "v" })).status).toBe(200);
  });

  it("comes with a seed, and from the control plane", async () => {
    await world.seed({ teams: [{ slug: "acme", sensitiveEnvironmentVariablePolicy: "on" }] });
    expect((await add({})).status).toBe(400);
    await world.control.changeTeam("acme", { sensitiveEnvironmentVariablePolicy: "off" });
    expect((await add({})).status).toBe(201);
  });

  it.each(["MEMBER", "DEVELOPER", "VIEWER"] as const)("is not changed by a %s", async (role) => {
    expect((await setPolicy("on", await world.member(role))).status).toBe(403);
    expect((await add({})).status).toBe(201);
  });
});

it("a team gets another name", async () => {
  const { status, body } = await world.call("PATCH", "/v2/teams/acme", { body: { name: "Acme Inc" } });
  expect({ status, name: body.name, slug: body.slug }).toEqual({
    status: 200,
    name: "Acme Inc",
    slug: "acme",
  });
  expect((await world.call("PATCH", "/v2/teams/none", { body: {} })).status).toBe(403);
});
