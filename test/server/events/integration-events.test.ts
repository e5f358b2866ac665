import { type Receiver, signed, useReceivers } from "../../support/receiver";
import { until } from "../../support/until";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const receiver = useReceivers();

const hour = 60 * 60 * 1000;
const secret = "cron-secret";
const id = "icfg_cron";

let hook: Receiver;

/** Installs an integration with a webhook URL on `acme`, by a member who can leave. */
async function install(more: object = {}): Promise<void> {
  hook = await receiver();
  await world.member("MEMBER");
  await world.seed({
    integrations: [
      {
        clientId: "oac_cron",
        clientSecret: secret,
        slug: "cron",
        owner: "dev",
        redirectUrl: "http://127.0.0.1:9/callback",
        webhookUrl: hook.url,
        scopes: ["project"],
      },
    ],
    installations: [{ id, integration: "cron", team: "acme", installedBy: "member-of-acme", ...more }],
  });
}

const disable = () => world.control.removeMember("acme", "member-of-acme");
const ask = async (path: string, body: object = {}): Promise<void> => {
  const answer = await world.askControl("POST", path, body);
  expect(answer).toMatchObject({ status: 200 });
};
const enable = () => ask(`/installations/${id}/enable`);
const remove = async () => {
  const { status } = await world.call("DELETE", `/v1/integrations/configuration/${id}`);
  expect(status).toBe(204);
};
const confirmScopes = async () => {
  await ask("/integrations/cron/scopes", { scopes: ["project", "user"] });
  await ask(`/installations/${id}/confirm-scopes`);
};

const createProject = async (name: string): Promise<string> =>
  (await world.call("POST", "/v10/projects", { body: { name } })).body.id;
const rename = (from: string, name: string) =>
  world.call("PATCH", `/v9/projects/${from}`, { body: { name } });
const types = (): string[] => hook.accepted.map(({ body }) => body.type);

/** Waits until nothing is on its way: the receivers rest, or wait for the clock. */
const settled = () =>
  until("nothing is due", async () => {
    const due = await world.services.store.read((tx) =>
      tx
        .selectFrom("receivers")
        .select("id")
        .where("next_attempt_at", "<=", world.clock.now())
        .executeTakeFirst(),
    );
    return due === undefined ? true : undefined;
  });

describe("an enabled installation", () => {
  beforeEach(() => install());

  // EV-01, EV-03
  test("hears of projects that were created and removed", async () => {
    const project = await createProject("web");
    await world.call("DELETE", "/v9/projects/web");
    const [created, removed] = await hook.waitForAccepted(2);
    expect(created?.body).toMatchObject({
      type: "project.created",
      payload: { project: { id: project, name: "web" } },
    });
    expect(removed?.body).toMatchObject({
      type: "project.removed",
      payload: { project: { id: project, name: "web" } },
    });
  });

  //
  test("its events are signed with the integration's client secret", async () => {
    await createProject("web");
    const [arrival] = await hook.waitForAccepted(1);
    expect(arrival?.headers["x-vercel-signature"]).toBe(signed(arrival?.raw ?? "", secret));
  });

  // EV-05
  test("hears of its own removal, although nothing of it is left", async () => {
    await hook.stop();
    await remove();
    expect((await world.call("GET", `/v1/integrations/configuration/${id}`)).status).toBe(404);
    await settled();
    await hook.start();
    await world.advance(hour);
    const [arrival] = await hook.waitForAccepted(1);
    expect(arrival?.body).toMatchObject({
      type: "integration-configuration.removed",
      payload: { configuration: { id } },
    });
    expect(arrival?.headers["x-vercel-signature"]).toBe(signed(arrival?.raw ?? "", secret));
  });

  // EV-09
  test("is still sent what happened before its removal", async () => {
    await createProject("web");
    await hook.waitForAccepted(1);
    await hook.stop();
    await rename("web", "web-2");
    await remove();
    await settled();
    await hook.start();
    await world.advance(hour);
    await hook.waitForAccepted(3);
    expect(types()).toEqual(["project.created", "project.renamed", "integration-configuration.removed"]);
  });

  // EV-07
  test("hears of a scope change once it is confirmed, and not before", async () => {
    await ask("/integrations/cron/scopes", { scopes: ["project", "user"] });
    await createProject("web");
    await hook.waitForAccepted(1);
    await ask(`/installations/${id}/confirm-scopes`);
    await hook.waitForAccepted(2);
    expect(types()).toEqual(["project.created", "integration-configuration.scope-change-confirmed"]);
    expect(hook.accepted[1]?.body.payload.configuration).toEqual({
      id,
      scopes: ["read-write:project", "read-write:user"],
    });
  });

  //
  test("another integration hears nothing of it", async () => {
    const other = await receiver();
    await world.seed({
      integrations: [
        {
          clientId: "oac_other",
          clientSecret: "s",
          slug: "other",
          owner: "dev",
          redirectUrl: "http://127.0.0.1:9/callback",
          webhookUrl: other.url,
          scopes: ["project"],
        },
      ],
      installations: [{ integration: "other", team: "acme", installedBy: "dev" }],
    });
    await remove();
    await hook.waitForAccepted(1);
    await createProject("web");
    const [first] = await other.waitForAccepted(1);
    expect(first?.body.type).toBe("project.created");
  });
});

//
test("an installation that sees selected projects hears of these, and not of what comes and goes", async () => {
  await createProject("web");
  await createProject("api");
  await install({ projects: ["web"] });
  await createProject("new");
  await rename("api", "api-2");
  await rename("web", "web-2");
  await world.call("DELETE", "/v9/projects/web-2");
  await settled();
  expect(types()).toEqual(["project.renamed"]);
  expect(hook.accepted[0]?.body.payload.project.name).toBe("web-2");
});

//
test("an installation that sees selected projects hears of what is about no project", async () => {
  await createProject("web");
  await createProject("api");
  await install({ projects: ["web"] });
  await world.control.deploy({ team: "acme", project: "not-there-yet" }, { team: "acme", project: "api" });
  await settled();
  expect(hook.accepted.map(({ body }) => [body.type, body.payload.deployment.name])).toEqual([
    ["deployment.created", "not-there-yet"],
    ["deployment.succeeded", "not-there-yet"],
  ]);
});

// X-87, AU-26
test.each<[string, string[], string[]]>([
  ["no scope for variables", ["project"], []],
  ["the scope for its own ones", ["project", "project-env-vars"], ["OWN"]],
  ["the scope for all of them", ["project", "global-project-env-vars"], ["ANYBODYS", "OWN"]],
])("an installation with %s hears of these variables alone", async (_scopes, scopes, heard) => {
  await install({ scopes: ["project", "project-env-vars"], token: "token-of-cron" });
  await createProject("web");
  const add = async (key: string, token?: string): Promise<string> => {
    const body = { key, value: "v", type: "plain", target: ["preview"] };
    return (await world.call("POST", "/v10/projects/web/env", { body, ...(token ? { token } : {}) })).body
      .created.id;
  };
  const keys = new Map([
    [await add("ANYBODYS"), "ANYBODYS"],
    [await add("OWN", "token-of-cron"), "OWN"],
  ]);
  await ask("/integrations/cron/scopes", { scopes });
  await world.askControl("POST", `/installations/${id}/confirm-scopes`);
  await settled();
  hook.accepted.length = 0;
  for (const variable of keys.keys()) {
    await world.call("PATCH", `/v9/projects/web/env/${variable}`, { body: { comment: "changed" } });
  }
  await rename("web", "web-2");
  await until("the rename has come", () => types().includes("project.renamed") || undefined);
  const ids = hook.accepted.flatMap(({ body }) => body.payload.envVarId ?? []);
  expect(ids.map((variable) => keys.get(variable))).toEqual(heard);
});

describe("a disabled installation", () => {
  beforeEach(async () => {
    await install();
    await createProject("web");
    await hook.waitForAccepted(1);
    hook.accepted.length = 0;
    await disable();
  });

  // EV-02, EV-04
  test("still hears of projects that were created and removed", async () => {
    await createProject("api");
    await world.call("DELETE", "/v9/projects/api");
    await hook.waitForAccepted(2);
    expect(types()).toEqual(["project.created", "project.removed"]);
  });

  // EV-06
  test("still hears of its removal", async () => {
    await remove();
    await hook.waitForAccepted(1);
    expect(types()).toEqual(["integration-configuration.removed"]);
  });

  // EV-06
  test("hears of its removal when the 30 days are over", async () => {
    await world.advance(30 * 24 * hour);
    await hook.waitForAccepted(1);
    expect(types()).toEqual(["integration-configuration.removed"]);
  });

  // EV-09, X-86
  test("gets every other event after its re-activation, in order", async () => {
    await rename("web", "web-2");
    await createProject("api");
    await rename("web-2", "web-3");
    await hook.waitForAccepted(1);
    await settled();
    expect(types()).toEqual(["project.created"]);
    await world.advance(48 * hour);
    await settled();
    expect(types()).toEqual(["project.created"]);
    await enable();
    await hook.waitForAccepted(3);
    await rename("web-3", "web-4");
    const arrivals = await hook.waitForAccepted(4);
    expect(types()).toEqual(["project.created", "project.renamed", "project.renamed", "project.renamed"]);
    expect(arrivals.slice(1).map(({ body }) => body.payload.project.name)).toEqual([
      "web-2",
      "web-3",
      "web-4",
    ]);
  });

  // EV-08, X-86
  test("gets a confirmed scope change after its re-activation", async () => {
    await confirmScopes();
    await createProject("api");
    await hook.waitForAccepted(1);
    await settled();
    expect(types()).toEqual(["project.created"]);
    await enable();
    await hook.waitForAccepted(2);
    expect(types()).toEqual(["project.created", "integration-configuration.scope-change-confirmed"]);
  });

  // EV-09
  test("is not sent what was held for it when it is removed instead", async () => {
    await rename("web", "web-2");
    await remove();
    await hook.waitForAccepted(1);
    await settled();
    await world.advance(48 * hour);
    await settled();
    expect(types()).toEqual(["integration-configuration.removed"]);
  });
});

// EV-09
test("an event that failed before the installation was disabled waits, and what goes out goes on", async () => {
  await install();
  await createProject("web");
  await hook.waitForAccepted(1);
  hook.react = ({ body }) => (body.type === "project.renamed" ? 500 : 200);
  await rename("web", "web-2");
  await hook.waitFor(2);
  await settled();
  await disable();
  await createProject("api");
  await world.advance(hour);
  await hook.waitForAccepted(2);
  await settled();
  hook.react = () => 200;
  await world.advance(hour);
  await settled();
  expect(types()).toEqual(["project.created", "project.created"]);
  await enable();
  await hook.waitForAccepted(3);
  expect(types()).toEqual(["project.created", "project.created", "project.renamed"]);
});
