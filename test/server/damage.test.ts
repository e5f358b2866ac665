import type { Updateable } from "kysely";
import type { Database } from "../../server/store/tables";
import { someVariable, useVariables } from "../support/variables";
import { useTestServer } from "../support/world";

/** One row that was damaged takes nothing down but itself, and can be overwritten and deleted. */
const world = useTestServer();
const variables = useVariables(world);
const project = "/v9/projects/web";
let noted: unknown[];

beforeEach(() => {
  noted = [];
  jest.spyOn(world.services.log, "error").mockImplementation((about) => {
    noted.push((about as { id: unknown }).id);
  });
});

function damage<T extends "env_vars" | "projects" | "bypass_secrets" | "log_drains" | "integrations">(
  table: T,
  id: string,
  columns: Updateable<Database["env_vars"]> | Updateable<Database["projects"]> | Record<string, string>,
): Promise<unknown> {
  return world.services.store.write((tx) =>
    tx
      .updateTable(table as "env_vars")
      .set(columns as Updateable<Database["env_vars"]>)
      .where("id", "=", id)
      .execute(),
  );
}

describe.each(["plain", "encrypted"] as const)("a variable of type %s whose value is damaged", (type) => {
  let bad: string;
  const damagedData = { status: 500, body: { error: { code: "damaged_data" } } };

  beforeEach(async () => {
    await variables.add({ key: "GOOD" });
    ({ id: bad } = await variables.add({ key: "BAD", type }));
    await damage("env_vars", bad, { value: "00000000.bm90aGluZw==" });
  });

  it("stands empty in its place of a list, and in its project, and the log names it", async () => {
    const { status, body } = await variables.list({ decrypt: true });
    expect(status).toBe(200);
    expect(body.envs).toMatchObject([
      { id: bad, key: "BAD", value: "", decrypted: false },
      { key: "GOOD", value: someVariable.value, decrypted: true },
    ]);
    expect(noted).toContain(bad);
    expect((await variables.list()).status).toBe(200);
    const shown = await world.call("GET", project);
    expect(shown.body.env).toMatchObject([{ key: "GOOD" }, { key: "BAD", decrypted: false }]);
    expect((await world.call("GET", "/v9/projects")).body.projects).toHaveLength(1);
  });

  it("is refused with its id where its value is all that is asked for", async () => {
    expect(await variables.read(bad)).toMatchObject(damagedData);
    expect((await variables.read(bad)).body.error.message).toContain(bad);
    expect(noted).toContain(bad);
    expect(await world.call("GET", "/v3/env/pull/web/preview")).toMatchObject(damagedData);
    expect(
      await world.call("POST", `${project}/custom-environments`, {
        body: { slug: "qa", copyEnvVarsFrom: "preview" },
      }),
    ).toMatchObject(damagedData);
  });

  it("is edited without its value, and then still damaged", async () => {
    expect((await variables.edit(bad, { comment: "lost" })).body).toMatchObject({ comment: "lost" });
    expect(await variables.read(bad)).toMatchObject(damagedData);
  });

  it.each([
    ["an edit", () => variables.edit(bad, { value: "again" })],
    [
      "upsert",
      () =>
        variables.create({ ...someVariable, key: "BAD", type, value: "again" }, { query: { upsert: true } }),
    ],
  ])("is whole again after %s with a value", async (_, write) => {
    expect((await write()).status).toBeLessThan(300);
    expect((await variables.read(bad)).body.value).toBe("again");
  });

  it("is deleted", async () => {
    expect((await variables.remove(bad)).status).toBe(200);
    expect(await variables.keys()).toEqual(["GOOD"]);
  });
});

describe("a project whose settings are damaged", () => {
  let id: string;

  beforeEach(async () => {
    await world.call("POST", "/v10/projects", { body: { name: "other", framework: "nextjs" } });
    await world.call("PATCH", project, { body: { framework: "nextjs" } });
    ({ id } = (await world.call("GET", project)).body);
    await damage("projects", id, { settings: '{"framework":' });
  });

  it("stands in its place of a list with the usual settings, and the log names it", async () => {
    const { body } = await world.call("GET", "/v9/projects");
    expect(body.projects).toMatchObject([
      { id, framework: null },
      { name: "other", framework: "nextjs" },
    ]);
    expect(noted).toEqual([id]);
  });

  it("is refused with its id when it is asked for alone, until an update overwrites them", async () => {
    expect(await world.call("GET", project)).toMatchObject({
      status: 500,
      body: { error: { code: "damaged_data", message: expect.stringContaining(id) } },
    });
    expect((await world.call("PATCH", project, { body: {} })).status).toBe(200);
    expect(await world.call("GET", project)).toMatchObject({ status: 200, body: { framework: null } });
  });

  it("takes a deployment, is paused, and is deleted", async () => {
    await world.control.deploy({ team: "acme", project: "web", target: "production", readyState: "READY" });
    expect((await world.call("POST", `/v1/projects/${id}/pause`)).status).toBe(200);
    expect((await world.call("DELETE", project)).status).toBe(204);
  });
});

it("a project keeps its other bypass secrets, and a password can be set again", async () => {
  const secrets = ["a".repeat(32), "b".repeat(32)];
  const bypass = `/v1/projects/web/protection-bypass`;
  for (const secret of secrets) await world.call("PATCH", bypass, { body: { generate: { secret } } });
  const rows = await world.services.store.read((tx) =>
    tx.selectFrom("bypass_secrets").select("id").orderBy("created_at").orderBy("id").execute(),
  );
  const [first] = rows;
  await damage("bypass_secrets", first?.id ?? "", { secret: "nothing" });
  const shown = (await world.call("GET", project)).body.protectionBypass;
  expect(Object.keys(shown)).toHaveLength(1);
  const lost = secrets.find((secret) => !(secret in shown));
  const revoked = await world.call("PATCH", bypass, {
    body: { revoke: { secret: lost, regenerate: false } },
  });
  expect(revoked.status).toBe(200);
  const { id } = (await world.call("GET", project)).body;
  await damage("projects", id, { password: "nothing" });
  const passwordProtection = { deploymentType: "all", password: "secret" };
  expect((await world.call("PATCH", project, { body: { passwordProtection } })).status).toBe(200);
});

it("a log drain is shown without its headers, and is deleted", async () => {
  const drains = "/v1/log-drains";
  const add = (name: string) =>
    world.call("POST", drains, {
      body: {
        name,
        url: "http://127.0.0.1:9/",
        deliveryFormat: "json",
        sources: ["static"],
        headers: { "x-token": "secret" },
      },
    });
  const { id } = (await add("bad")).body;
  const lost = (await add("lost")).body;
  await add("good");
  const { settings } = await world.services.store.read((tx) =>
    tx.selectFrom("log_drains").select("settings").where("id", "=", id).executeTakeFirstOrThrow(),
  );
  await damage("log_drains", id, {
    settings: JSON.stringify({ ...JSON.parse(settings), headers: "nothing" }),
  });
  await damage("log_drains", lost.id, { settings: "{" });
  const { status, body } = await world.call("GET", drains);
  expect(status).toBe(200);
  expect(body.map(({ name, headers }: { name: string; headers?: object }) => [name, headers]).sort()).toEqual(
    [
      ["", undefined],
      ["bad", undefined],
      ["good", { "x-token": "secret" }],
    ],
  );
  expect(noted.sort()).toEqual([id, lost.id].sort());
  // Requests are logged to those that can be read.
  expect((await world.call("GET", project)).status).toBe(200);
  for (const gone of [id, lost.id])
    expect((await world.call("DELETE", `${drains}/${gone}`)).status).toBe(204);
});

it("an integration whose client secret is damaged is named to who exchanges a code", async () => {
  await world.seed({
    users: [{ username: "maker" }],
    integrations: [
      {
        slug: "cron",
        owner: "maker",
        clientSecret: "secret",
        redirectUrl: "https://cron.example.com/",
        scopes: [],
      },
    ],
  });
  const { id } = await world.services.store.read((tx) =>
    tx.selectFrom("integrations").select("id").executeTakeFirstOrThrow(),
  );
  await damage("integrations", id, { client_secret: "nothing" });
  const answer = await world.call("POST", "/v2/oauth/access_token", {
    token: null,
    team: null,
    body: { client_id: id, client_secret: "secret", code: "code", redirect_uri: "https://cron.example.com/" },
  });
  expect([answer.status, answer.body.error.code]).toEqual([500, "damaged_data"]);
  expect(noted).toContain(id);
});
