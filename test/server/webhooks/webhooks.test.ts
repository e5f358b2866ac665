import { useTestServer } from "../../support/world";

const world = useTestServer();
const url = "http://127.0.0.1:9/hook";

const create = (body: object, options: object = {}) =>
  world.call("POST", "/v1/webhooks", { body, ...options });
const list = async (): Promise<{ id: string }[]> => (await world.call("GET", "/v1/webhooks")).body;

describe("webhooks of an account", () => {
  //
  test("a webhook shows its secret once, in the answer that makes it", async () => {
    const { status, body } = await create({ url, events: ["project.created"] });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^account_hook_[A-Za-z0-9]{16}$/),
      url,
      events: ["project.created"],
      ownerId: expect.stringMatching(/^team_/),
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      secret: expect.stringMatching(/^.{24,}$/),
    });
    const { secret, ...shown } = body;
    expect((await world.call("GET", `/v1/webhooks/${body.id}`)).body).toEqual(shown);
    expect(await list()).toEqual([shown]);
  });

  test("the secret is kept sealed", async () => {
    const { body } = await create({ url, events: ["project.created"] });
    const rows = await world.services.store.read((tx) => tx.selectFrom("webhooks").selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(body.secret);
  });

  test("a webhook can be limited to projects, and found by them", async () => {
    const { body: web } = await world.call("POST", "/v10/projects", { body: { name: "web" } });
    const { body: all } = await create({ url, events: ["project.removed"] });
    const { body: some } = await create({ url, events: ["project.removed"], projectIds: [web.id] });
    expect(some.projectIds).toEqual([web.id]);
    const found = async (projectId: string) =>
      (await world.call("GET", "/v1/webhooks", { query: { projectId } })).body.map(
        ({ id }: { id: string }) => id,
      );
    expect((await found(web.id)).sort()).toEqual([all.id, some.id].sort());
    expect(await found("prj_other")).toEqual([all.id]);
  });

  test.each([
    "ai-gateway.balance-depleted",
    "botid.anomaly",
    "comment.reaction-added",
    "deployment.checkrun.start",
    "firewall.attack",
    "observability.anomaly",
    "flag.segment.updated",
    "function.removal-required",
    "marketplace.member.changed",
    "message.mentioned",
    "thread.unresolved",
  ])("a webhook can subscribe to %s, which newer clients name", async (event) => {
    expect(await create({ url, events: [event] })).toMatchObject({ status: 200, body: { events: [event] } });
  });

  test("a webhook can subscribe to all events that the document names, each a word of the API", async () => {
    const { paths } = (await world.app.inject("/openapi.json")).json();
    const { schema } = paths["/v1/webhooks"].post.requestBody.content["application/json"];
    const events: string[] = schema.properties.events.items.enum;
    for (const event of events) expect(event).toMatch(/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+$/);
    expect(await create({ url, events })).toMatchObject({ status: 200, body: { events } });
  });

  test("a webhook that is deleted is gone", async () => {
    const { body } = await create({ url, events: ["project.created"] });
    expect((await world.call("DELETE", `/v1/webhooks/${body.id}`)).status).toBe(204);
    expect((await world.call("GET", `/v1/webhooks/${body.id}`)).status).toBe(404);
    expect((await world.call("DELETE", `/v1/webhooks/${body.id}`)).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  test.each([
    ["no url", { events: ["project.created"] }],
    ["a url of another kind", { url: "ftp://127.0.0.1/", events: ["project.created"] }],
    ["a url that is none", { url: "hook", events: ["project.created"] }],
    ["no events", { url, events: [] }],
    ["an event that there is not", { url, events: ["project.create"] }],
    ["an unknown member", { url, events: ["project.created"], secret: "mine" }],
    ["an empty list of projects", { url, events: ["project.created"], projectIds: [] }],
    ["a project that the account has not", { url, events: ["project.created"], projectIds: ["prj_no"] }],
  ])("%s is refused with 400", async (_, body) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("bad_request");
    expect(await list()).toEqual([]);
  });

  test("an account has at most 20 webhooks, also when several are made at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 23 }, () => create({ url, events: ["project.created"] })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
    expect((await create({ url, events: ["project.created"] }, { team: null })).status).toBe(200);
    const [first] = await list();
    await world.call("DELETE", `/v1/webhooks/${first?.id}`);
    expect((await create({ url, events: ["project.created"] })).status).toBe(200);
  });

  test("webhooks are listed with the newest first, with each event and project once", async () => {
    const { body: web } = await world.call("POST", "/v10/projects", { body: { name: "web" } });
    const twice = ["project.removed", "project.created", "project.removed"];
    const { body: older } = await create({ url, events: twice, projectIds: [web.id, web.id] });
    world.clock.advance(1);
    const { body: newer } = await create({ url, events: ["project.created"] });
    expect(await list()).toMatchObject([
      { id: newer.id },
      { id: older.id, events: ["project.removed", "project.created"], projectIds: [web.id] },
    ]);
  });

  test("another account's webhook is not found", async () => {
    const token = await world.team("globex");
    const { body } = await create({ url, events: ["project.created"] });
    const foreign = { token, team: "globex" };
    expect((await world.call("GET", `/v1/webhooks/${body.id}`, foreign)).status).toBe(404);
    expect((await world.call("DELETE", `/v1/webhooks/${body.id}`, foreign)).status).toBe(404);
    expect((await world.call("GET", "/v1/webhooks", foreign)).body).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  test("who may only read makes and deletes no webhook", async () => {
    const { body } = await create({ url, events: ["project.created"] });
    const token = await world.member("VIEWER");
    expect((await create({ url, events: ["project.created"] }, { token })).status).toBe(403);
    expect((await world.call("DELETE", `/v1/webhooks/${body.id}`, { token })).status).toBe(403);
    expect((await world.call("GET", "/v1/webhooks", { token })).status).toBe(200);
  });
});
