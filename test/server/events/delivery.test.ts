import { redeliver } from "../../../server/events/delivery-store";
import { accountShare } from "../../../server/events/lease-store";
import { type Arrival, type Reaction, type Receiver, signed, useReceivers } from "../../support/receiver";
import { until } from "../../support/until";
import { useTestServer } from "../../support/world";

// Long enough for a busy machine.
const longMs = 30_000;
const options = { receiverTimeMs: longMs };
const world = useTestServer("memory", options);
const receiver = useReceivers();

const hour = 60 * 60 * 1000;

/** Subscribes a receiver. @returns the webhook with its secret */
async function subscribe(to: Receiver, events = ["project.created", "project.removed"], more: object = {}) {
  const { body } = await world.call("POST", "/v1/webhooks", { body: { url: to.url, events, ...more } });
  return body as { id: string; secret: string };
}

const createProject = async (name: string): Promise<string> =>
  (await world.call("POST", "/v10/projects", { body: { name } })).body.id;
const names = (arrivals: Arrival[]): string[] => arrivals.map(({ body }) => body.payload.project.name);

const deliveries = () =>
  world.services.store.read((tx) => tx.selectFrom("deliveries").selectAll().orderBy("position").execute());
const receivers = () => world.services.store.read((tx) => tx.selectFrom("receivers").selectAll().execute());
/** Waits until so many attempts were made and noted. */
const attempts = (count: number) =>
  until(`${count} attempts were noted`, async () =>
    (await deliveries()).reduce((sum, row) => sum + row.attempts, 0) >= count ? true : undefined,
  );

test("receivers that hang delay no other account", async () => {
  const hanging = await receiver();
  hanging.react = () => "hang";
  const teams = ["slow", "slower"];
  for (const team of teams) {
    const token = await world.team(team, { plan: "pro" });
    const asTeam = { token, team };
    const body = { url: hanging.url, events: ["project.created"] };
    for (let at = 0; at < 20; at++) await world.call("POST", "/v1/webhooks", { ...asTeam, body });
    await world.call("POST", "/v10/projects", { ...asTeam, body: { name: "web" } });
  }
  await hanging.waitFor(2 * accountShare);
  const hook = await receiver();
  await subscribe(hook);
  await createProject("web");
  await hook.waitForAccepted(1);
  expect(hanging.arrived).toHaveLength(2 * accountShare);
});

test("each receiver of an account is served, whatever its share", async () => {
  const hook = await receiver();
  for (let at = 0; at < 20; at++) await subscribe(hook);
  await createProject("web");
  await hook.waitForAccepted(20);
});

describe("what a webhook gets", () => {
  //
  test("an event has id, type, createdAt, region and payload, with the team and the user", async () => {
    const hook = await receiver();
    await subscribe(hook);
    const project = await createProject("web");
    const [arrival] = await hook.waitFor(1);
    const { body: user } = await world.call("GET", "/v2/user");
    const { body: team } = await world.call("GET", "/v2/teams/acme");
    const [event] = await world.control.events();
    expect(arrival?.body).toEqual({
      id: event?.id,
      type: "project.created",
      createdAt: world.clock.now(),
      region: null,
      payload: { team: { id: team.id }, user: { id: user.user.id }, project: { id: project, name: "web" } },
    });
    expect(arrival?.headers["content-type"]).toBe("application/json");
  });

  //
  test("team.id is null for a personal account", async () => {
    const hook = await receiver();
    const personal = { team: null };
    await world.call("POST", "/v1/webhooks", {
      ...personal,
      body: { url: hook.url, events: ["project.created"] },
    });
    await world.call("POST", "/v10/projects", { ...personal, body: { name: "mine" } });
    const [arrival] = await hook.waitFor(1);
    expect(arrival?.body.payload.team).toEqual({ id: null });
  });

  //
  test("an event is signed over its bytes with the webhook's secret", async () => {
    const hook = await receiver();
    const { secret } = await subscribe(hook);
    await createProject("web");
    const [arrival] = await hook.waitFor(1);
    expect(arrival?.headers["x-vercel-signature"]).toBe(signed(arrival?.raw ?? "", secret));
  });

  //
  test("a variable's event does not tell its value", async () => {
    const hook = await receiver();
    await subscribe(hook, ["project.env-variable.created"]);
    const project = await createProject("web");
    const { body } = await world.call("POST", `/v10/projects/${project}/env`, {
      body: { key: "K", value: "never-shown", type: "plain", target: ["preview"] },
    });
    const [arrival] = await hook.waitFor(1);
    expect(arrival?.body.payload).toMatchObject({ projectId: project, envVarId: body.created.id });
    expect(arrival?.raw).not.toContain("never-shown");
  });

  //
  test("it gets the events that it subscribed to, of its projects, and no others", async () => {
    const [removals, ofOne, all] = [await receiver(), await receiver(), await receiver()];
    const web = await createProject("web");
    await subscribe(removals, ["project.removed"]);
    await subscribe(ofOne, ["project.removed"], { projectIds: [web] });
    await subscribe(all);
    await createProject("api");
    await world.call("DELETE", "/v9/projects/api");
    await world.call("DELETE", "/v9/projects/web");
    expect(names(await all.waitFor(3))).toEqual(["api", "api", "web"]);
    expect(names(await removals.waitFor(2))).toEqual(["api", "web"]);
    expect(names(await ofOne.waitFor(1))).toEqual(["web"]);
    expect(await deliveries()).toHaveLength(6);
  });

  //
  test("it gets no event about the account if it is limited to projects", async () => {
    const [ofOne, all] = [await receiver(), await receiver()];
    const web = await createProject("web");
    await subscribe(ofOne, ["domain.created", "project.removed"], { projectIds: [web] });
    await subscribe(all, ["domain.created", "project.removed"]);
    await world.call("POST", "/v10/projects/web/domains", { body: { name: "example.com" } });
    await world.call("DELETE", "/v9/projects/web");
    expect((await all.waitFor(2)).map(({ body }) => body.type)).toEqual([
      "domain.created",
      "project.removed",
    ]);
    expect((await ofOne.waitFor(1)).map(({ body }) => body.type)).toEqual(["project.removed"]);
  });

  //
  test("a refused change emits nothing", async () => {
    const hook = await receiver();
    await createProject("web");
    await subscribe(hook);
    expect((await world.call("POST", "/v10/projects", { body: { name: "web" } })).status).toBe(409);
    expect((await world.call("DELETE", "/v9/projects/api")).status).toBe(404);
    expect(await deliveries()).toEqual([]);
  });

  test("another account's events do not reach it", async () => {
    const hook = await receiver();
    await subscribe(hook);
    const token = await world.team("globex");
    await world.call("POST", "/v10/projects", { token, team: "globex", body: { name: "theirs" } });
    await createProject("ours");
    expect(names(await hook.waitFor(1))).toEqual(["ours"]);
    expect(await deliveries()).toHaveLength(1);
  });

  test("what happened before a webhook was deleted still goes out", async () => {
    const hook = await receiver();
    await hook.stop();
    const { id } = await subscribe(hook);
    await createProject("web");
    await attempts(1);
    await world.call("DELETE", `/v1/webhooks/${id}`);
    await createProject("api");
    await hook.start();
    await world.advance(hour);
    expect(names(await hook.waitFor(1))).toEqual(["web"]);
    expect(await deliveries()).toHaveLength(1);
  });
});

/** An event that fails twice, and two that come after it. */
async function failTwice(reaction: Reaction): Promise<void> {
  const hook = await receiver();
  await subscribe(hook);
  hook.react = () => reaction;
  await createProject("first");
  await attempts(1);
  await createProject("second");
  await createProject("third");
  await world.advance(hour);
  await attempts(2);
  hook.react = () => 200;
  await world.advance(hour);
  const accepted = await hook.waitForAccepted(3);
  expect(names(accepted)).toEqual(["first", "second", "third"]);
  const first = hook.arrived.filter(({ body }) => body.payload.project.name === "first");
  expect(first).toHaveLength(3);
  expect(new Set(first.map(({ raw }) => raw)).size).toBe(1);
  expect(new Set(hook.arrived.map(({ body }) => body.id)).size).toBe(3);
}

describe("a receiver that does not take an event", () => {
  const failing: [string, Reaction][] = [
    ["answers 500", 500],
    ["answers 404", 404],
    ["redirects", 307],
    ["breaks the connection", "break"],
  ];

  //
  test.each(failing)("that %s gets it again, with the same bytes, before what came after", (_, reaction) =>
    failTwice(reaction),
  );

  //
  test("that is away gets everything in order when it is back", async () => {
    const hook = await receiver();
    const { secret } = await subscribe(hook);
    await hook.stop();
    for (const name of ["a", "b", "c", "d"]) await createProject(name);
    await attempts(1);
    await hook.start();
    await world.advance(hour);
    expect(names(await hook.waitForAccepted(4))).toEqual(["a", "b", "c", "d"]);
    for (const { raw, headers } of hook.accepted)
      expect(headers["x-vercel-signature"]).toBe(signed(raw, secret));
  });

  //
  test("is tried again after pauses that grow up to an hour, and not before", async () => {
    const hook = await receiver();
    hook.react = () => 500;
    await subscribe(hook);
    await createProject("web");
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt++) {
      await attempts(attempt);
      const next = (await receivers())[0]?.next_attempt_at ?? 0;
      pauses.push(next - world.clock.now());
      await world.advance(next - world.clock.now() - 1);
      expect(hook.arrived).toHaveLength(attempt);
      await world.advance(1);
    }
    for (const [index, pause] of pauses.entries()) {
      const longest = Math.min(5_000 * 2 ** index, hour);
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThanOrEqual(longest);
    }
  });

  //
  test("is not tried again sooner because of a later event", async () => {
    const hook = await receiver();
    hook.react = () => 500;
    await subscribe(hook);
    await createProject("first");
    await attempts(1);
    const [waiting] = await receivers();
    await createProject("second");
    expect(await receivers()).toEqual([{ ...waiting, position: 2 }]);
  });

  //
  test("holds up no other", async () => {
    const [slow, quick] = [await receiver(), await receiver()];
    slow.react = () => "hang";
    await subscribe(slow);
    await subscribe(quick);
    for (const name of ["a", "b", "c"]) await createProject(name);
    expect(names(await quick.waitForAccepted(3))).toEqual(["a", "b", "c"]);
    expect(slow.accepted).toEqual([]);
  });

  //
  test("for 24 hours loses the event, and the next one follows", async () => {
    const hook = await receiver();
    hook.react = ({ body }) => (body.payload.project.name === "poison" ? 500 : 200);
    await subscribe(hook);
    await createProject("poison");
    await attempts(1);
    await createProject("next");
    await world.advance(24 * hour - 1);
    await attempts(2);
    expect(names(hook.arrived)).toEqual(["poison", "poison"]);
    await world.advance(1);
    expect(names(await hook.waitForAccepted(1))).toEqual(["next"]);
    await attempts(4);
    expect(names(hook.arrived)).toEqual(["poison", "poison", "poison", "next"]);
    expect(await deliveries()).toMatchObject([
      { state: "dead", attempts: 3, last_error: "the receiver answered 500" },
      { state: "delivered", attempts: 1, last_error: null },
    ]);
    expect(await world.control.events()).toMatchObject([
      { deliveries: [{ url: hook.url, state: "delivered", attempts: 1, lastError: null }] },
      { deliveries: [{ url: hook.url, state: "dead", attempts: 3, lastError: "the receiver answered 500" }] },
    ]);
    await world.advance(48 * hour);
    await createProject("after");
    expect(names(await hook.waitForAccepted(2))).toEqual(["next", "after"]);
  });
});

test("an event that is redelivered is retried from its first attempt, for another 24 hours", async () => {
  const hook = await receiver();
  hook.react = () => 500;
  await subscribe(hook);
  await createProject("web");
  await attempts(1);
  await world.advance(24 * hour);
  await attempts(2);
  const [dead] = await deliveries();
  expect(dead).toMatchObject({ state: "dead", attempts: 2 });
  await world.services.store.write((tx) => redeliver(tx, dead?.event_id ?? "", dead?.receiver_id ?? ""));
  await world.advance(1);
  await until("it was attempted again", async () => (await deliveries())[0]?.attempts === 1 || undefined);
  // The worker may have been quicker than the clock.
  const [again] = await deliveries();
  expect(again?.state).toBe("waiting");
  expect(again?.first_attempt_at).toBeGreaterThanOrEqual(world.clock.now() - 1);
  hook.react = () => 200;
  await world.advance(hour);
  await hook.waitForAccepted(1);
});

describe("a receiver that does not answer", () => {
  beforeAll(() => {
    options.receiverTimeMs = 2_000;
  });
  afterAll(() => {
    options.receiverTimeMs = longMs;
  });

  //
  test("in time gets the event again, with the same bytes, before what came after", () => failTwice("hang"));
});

describe("many receivers", () => {
  //
  test("more of them than are sent to at the same time get everything, each in order", async () => {
    const hook = await receiver();
    for (const team of ["acme", null]) {
      for (let at = 0; at < 20; at++) {
        const body = { url: `${hook.url}/${team}/${at}`, events: ["project.created"] };
        await world.call("POST", "/v1/webhooks", { team, body });
      }
    }
    const created = ["a", "b", "c", "d", "e"];
    for (const name of created) {
      await world.call("POST", "/v10/projects", { team: "acme", body: { name } });
      await world.call("POST", "/v10/projects", { team: null, body: { name } });
    }
    const byPath = new Map<string, string[]>();
    for (const { path, body } of await hook.waitForAccepted(200)) {
      byPath.set(path, [...(byPath.get(path) ?? []), body.payload.project.name]);
    }
    expect([...byPath.values()]).toEqual(Array.from({ length: 40 }, () => created));
  });
});
