import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engine } from "../../support/engine";
import { TestServer, useTestServer } from "../../support/world";

const project = "/v9/projects/web";
const variables = "/v10/projects/web/env";

describe("a lenient server", () => {
  const world = useTestServer("memory", { lenient: true });
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await world.call(method, path, { body });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };
  const get = async (path: string) => (await world.call("GET", path)).body;

  it("keeps what a project is created with, and answers it wherever the project is", async () => {
    const newer = { colour: "green", limits: { cpu: 2, tags: ["a", null] } };
    const created = await send("POST", "/v10/projects", { name: "web", ...newer });
    expect(created).toMatchObject({ name: "web", ...newer });
    expect(await get(project)).toMatchObject(newer);
    expect((await get("/v9/projects")).projects[0]).toMatchObject(newer);
    expect(await send("PATCH", project, { directoryListing: true })).toMatchObject(newer);
  });

  it("takes over what an update sends again, and keeps the rest", async () => {
    await send("POST", "/v10/projects", { name: "web", colour: "green", size: 1 });
    expect(await send("PATCH", project, { colour: null })).toMatchObject({ colour: null, size: 1 });
    expect(await get(project)).toMatchObject({ colour: null, size: 1 });
  });

  it("keeps a member inside of a known one for as long as that is not sent again", async () => {
    await send("POST", "/v10/projects", { name: "web" });
    const gitComments = { onCommit: true, onPullRequest: false };
    const sent = { gitComments: { ...gitComments, onRelease: true } };
    expect((await send("PATCH", project, sent)).gitComments).toEqual(sent.gitComments);
    expect((await get(project)).gitComments).toEqual(sent.gitComments);
    expect((await send("PATCH", project, { gitComments })).gitComments).toEqual(gitComments);
  });

  it("keeps a member inside of an item of a list", async () => {
    await send("POST", "/v10/projects", { name: "web" });
    const optionsAllowlist = { paths: [{ value: "/a" }, { value: "/b", note: "why" }] };
    expect((await send("PATCH", project, { optionsAllowlist })).optionsAllowlist).toEqual(optionsAllowlist);
    expect((await get(project)).optionsAllowlist).toEqual(optionsAllowlist);
  });

  it("is not held up by a body of a great many members", async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));
    expect((await send("POST", "/v10/projects", { name: "web", ...many(2_000) })).m1999).toBe(1_999);
    const variable = { value: "v", type: "plain", target: ["preview"] };
    const { created } = await send("POST", variables, [
      { ...variable, key: "MANY", ...many(2_000) },
      { ...variable, key: "FEW", m0: 1 },
    ]);
    expect(created.map(({ m0 }: { m0: number }) => m0)).toEqual([0, 1]);
  });

  it("keeps and shows none of a sensitive variable, which may be a secret", async () => {
    await send("POST", "/v10/projects", { name: "web" });
    const variable = { value: "v", target: ["production"], rotationKey: "hush" };
    const { created } = await send("POST", variables, {
      key: "HIDDEN",
      type: "sensitive",
      ...variable,
    });
    expect(JSON.stringify(created)).not.toContain("hush");
    const plain = (await send("POST", variables, { key: "SHOWN", type: "plain", ...variable })).created;
    expect(plain.rotationKey).toBe("hush");
    await send("PATCH", `${project}/env/${plain.id}`, { type: "sensitive", value: "w" });
    for (const path of [`${project}/env`, `${project}/env/${created.id}`, project])
      expect(JSON.stringify(await get(path))).not.toContain("hush");
    await send("PATCH", `${project}/env/${created.id}`, { comment: "rotated", rotationKey: "hush" });
    expect(await get(`${project}/env`).then(JSON.stringify)).not.toContain("hush");
    const rows = await world.services.store.read((tx) =>
      tx.selectFrom("unknown_members").selectAll().execute(),
    );
    expect(rows.map(({ owner }) => owner)).toEqual([]);
  });

  it("refuses unknown members of more than 64 KiB of one object, however many requests bring them", async () => {
    await send("POST", "/v10/projects", { name: "web", first: "x".repeat(40_000) });
    const { status, body } = await world.call("PATCH", project, { body: { second: "x".repeat(40_000) } });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("are too large")]);
    expect(await get(project)).not.toHaveProperty("second");
  });

  it("keeps those of variables, one by one in a batch, in a project's list and beside its creation", async () => {
    const variable = (key: string, more: object = {}) => ({
      key,
      value: "v",
      type: "plain",
      target: ["preview"],
      ...more,
    });
    await send("POST", "/v10/projects", {
      name: "web",
      environmentVariables: [variable("A", { rotation: 1 }), variable("B")],
    });
    const one = await send("POST", variables, variable("C", { rotation: 3 }));
    expect(one.created.rotation).toBe(3);
    const two = await send("POST", variables, [
      variable("A"),
      variable("D", { rotation: 4 }),
      variable("F", { rotation: 5, target: "nowhere" }),
      variable("E"),
    ]);
    expect(two.failed).toMatchObject([
      { error: { code: "ENV_CONFLICT" } },
      { error: { code: "bad_request", key: "F" } },
    ]);
    expect(two.created.map(({ key, rotation }: Record<string, unknown>) => [key, rotation])).toEqual([
      ["D", 4],
      ["E", undefined],
    ]);
    const { envs } = await get(`${project}/env`);
    const kept = Object.fromEntries(
      envs.map(({ key, rotation }: Record<string, unknown>) => [key, rotation]),
    );
    expect(kept).toEqual({ A: 1, B: undefined, C: 3, D: 4, E: undefined });
    const inProject = (await get(project)).env.find(({ key }: { key: string }) => key === "D");
    expect(inProject.rotation).toBe(4);
    expect(await send("PATCH", `${project}/env/${inProject.id}`, { rotation: 5 })).toMatchObject({
      rotation: 5,
    });
  });

  it("keeps those of a domain until it is removed", async () => {
    await send("POST", "/v10/projects", { name: "web" });
    const domain = { name: "www.example.com", edge: { tier: "fast" } };
    expect((await send("POST", `${project}/domains`, domain)).edge).toEqual(domain.edge);
    expect((await get(`${project}/domains/www.example.com`)).edge).toEqual(domain.edge);
    expect((await get(`${project}/domains`)).domains[0].edge).toEqual(domain.edge);
    await world.call("DELETE", `${project}/domains/www.example.com`);
    expect(await send("POST", `${project}/domains`, { name: domain.name })).not.toHaveProperty("edge");
  });

  it("keeps those of a custom environment and of a webhook", async () => {
    const { id: projectId } = await send("POST", "/v10/projects", { name: "web" });
    await send("POST", `${project}/custom-environments`, { slug: "staging", owner: "ada" });
    expect((await get(`${project}/custom-environments`)).environments[0].owner).toBe("ada");
    expect((await get(project)).customEnvironments[0].owner).toBe("ada");
    const hook = { url: "https://example.com/hook", events: ["project.created"], projectIds: [projectId] };
    const { id } = await send("POST", "/v1/webhooks", { ...hook, retries: 3 });
    expect(await get(`/v1/webhooks/${id}`)).toMatchObject({ retries: 3 });
  });

  it("lets nobody set by sending it what an answer states by itself", async () => {
    const { id } = await send("POST", "/v10/projects", {
      name: "web",
      id: "prj_mine",
      paused: true,
      link: { type: "github" },
    });
    expect(id).not.toBe("prj_mine");
    const answered = await get(project);
    expect(answered).toMatchObject({ id, paused: false });
    expect(answered).not.toHaveProperty("link");
  });

  it("shows nobody what belongs to another object by naming its id in a map of one's own", async () => {
    const { id } = await send("POST", "/v10/projects", { name: "web", colour: "green" });
    await send("POST", "/v10/projects", { name: "mine" });
    const domain = await send("POST", `${project}/domains`, { name: "example.com", shade: "dark" });
    const { name, createdAt } = domain;

    const place = { id, projectId: id, name, createdAt: String(createdAt) };
    const deployment = await send("POST", "/v13/deployments", { name: "mine", meta: place });
    expect(deployment.meta).toEqual(place);
    const { id: _, ...ofDomain } = place;
    const another = await send("POST", "/v13/deployments", { name: "mine", meta: ofDomain });
    expect((await get(`/v13/deployments/${another.id}`)).meta).toEqual(ofDomain);

    const drain = { url: "https://example.com", sources: ["edge"], deliveryFormat: "json" };
    const headers = { id };
    expect((await send("POST", "/v1/log-drains", { ...drain, headers })).headers).toEqual(headers);

    const variable = { key: "id", value: id, type: "plain", target: ["production"] };
    await send("POST", "/v9/projects/mine/env", variable);
    expect(await get("/v3/env/pull/mine/production")).toEqual({ env: { id } });
  });

  it("refuses what does not fit beside an unknown member as ever", async () => {
    const { status, body } = await world.call("POST", "/v10/projects", {
      body: { name: "web", colour: 1, framework: "none" },
    });
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
    expect(body.error.message).toMatch(/framework/);
    expect((await get("/v9/projects")).projects).toEqual([]);
  });

  it("takes a name that every object has, and refuses what is nested without end", async () => {
    const named = await world.call("POST", "/v10/projects", {
      body: '{"name":"web","constructor":{"prototype":1}}',
    });
    expect(named.body.constructor).toEqual({ prototype: 1 });
    const deep = `{"name":"deep","x":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    expect((await world.call("POST", "/v10/projects", { body: deep })).status).toBe(400);
  });

  it("keeps nothing readable of a value in its store", async () => {
    await send("POST", "/v10/projects", { name: "web", newToken: "a-secret-of-a-newer-client" });
    const rows = await world.services.store.read((tx) =>
      tx.selectFrom("unknown_members").selectAll().execute(),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("a-secret-of-a-newer-client");
  });

  it("logs each unknown member once", async () => {
    const warn = jest.spyOn(world.services.log, "warn");
    await send("POST", "/v10/projects", { name: "web", colour: 1 });
    await send("POST", "/v10/projects", {
      name: "shop",
      colour: 2,
      environmentVariables: [{ key: "A", value: "v", target: "preview", x: 1 }],
    });
    await send("PATCH", project, { ["long".repeat(1000)]: 1 });
    expect(warn.mock.calls.map(([about]) => about)).toEqual([
      { method: "POST", path: "/v10/projects", member: "colour" },
      { method: "POST", path: "/v10/projects", member: "environmentVariables.*.x" },
      { method: "PATCH", path: "/v9/projects/:idOrName", member: "long".repeat(50) },
    ]);
  });

  it("logs no more than a thousand of them, since clients choose their names", async () => {
    const warn = jest.spyOn(world.services.log, "warn");
    const members = Array.from({ length: 1_001 }, (_, index) => [`member${index}`, 1]);
    await send("POST", "/v10/projects", { name: "web", ...Object.fromEntries(members) });
    expect(warn).toHaveBeenCalledTimes(1_000);
  });
});

describe("a server that is not lenient", () => {
  const world = useTestServer();

  it.each([
    ["POST", "/v10/projects", { name: "shop", colour: 1 }, "colour"],
    [
      "PATCH",
      project,
      { gitComments: { onCommit: true, onPullRequest: true, onRelease: true } },
      "onRelease",
    ],
    ["POST", `${project}/domains`, { name: "www.example.com", edge: 1 }, "edge"],
  ])("refuses %s %s with a member that no description knows", async (method, path, body, member) => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    const { status, body: answer } = await world.call(method, path, { body });
    expect(status).toBe(400);
    expect(answer.error.message).toContain(member);
  });
});

if (engine === "sqlite") {
  describe("a lenient server that starts again", () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "slipway-lenient-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const start = async (): Promise<TestServer> => {
      const server = new TestServer();
      await server.open(folder, { lenient: true });
      return server;
    };
    const ownersIn = async ({ services }: TestServer): Promise<string[]> => {
      const rows = await services.store.read((tx) =>
        tx.selectFrom("unknown_members").select("owner").orderBy("owner").execute(),
      );
      return rows.map(({ owner }) => owner);
    };

    it("forgets what belonged to objects that are gone", async () => {
      const first = await start();
      for (const name of ["stays", "goes"]) {
        await first.call("POST", "/v10/projects", { body: { name, colour: 1 } });
        await first.call("POST", `/v10/projects/${name}/domains`, {
          body: { name: `${name}.example.com`, edge: 1 },
        });
      }
      await first.call("DELETE", "/v9/projects/goes");
      await first.close();
      const second = await start();
      expect(await ownersIn(second)).toHaveLength(2);
      expect((await second.call("GET", "/v9/projects/stays")).body.colour).toBe(1);
      expect((await second.call("GET", "/v9/projects/stays/domains/stays.example.com")).body.edge).toBe(1);
      await second.close();
    });

    it("keeps what belongs to objects that are there, of every kind", async () => {
      const first = await start();
      const add = async (path: string, given: object) => {
        const { status, body } = await first.call("POST", path, { body: { ...given, newer: 1 } });
        expect([path, status < 300]).toEqual([path, true]);
        return body;
      };
      const variable = { key: "A", value: "v", target: ["preview"], type: "plain" };
      const hook = { url: "https://hooks.example.com/", events: ["project.created"] };
      const url = "https://drain.example.com/";
      await add("/v10/projects", { name: "web" });
      await add("/v10/projects/web/env", variable);
      await add("/v10/projects/web/domains", { name: "www.example.com" });
      await add(`${project}/custom-environments`, { slug: "staging" });
      await add("/v1/webhooks", hook);
      await add("/v1/log-drains", { name: "all", url, deliveryFormat: "json", sources: ["lambda"] });
      const edge = await add("/v1/edge-config", { slug: "flags" });
      await add(`/v1/edge-config/${edge.id}/token`, { label: "reader" });
      const owners = await ownersIn(first);
      expect(owners.length).toBe(8);
      await first.close();
      const second = await start();
      expect(await ownersIn(second)).toEqual(owners);
      await second.close();
    });
  });
}
