import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Child, runChild } from "../../support/child";
import { type Arrival, type Receiver, signed, useReceivers } from "../../support/receiver";
import { until } from "../../support/until";
import { TestServer } from "../../support/world";

// Processes of their own take their time to start on a busy machine.

const receiver = useReceivers();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "slipway-delivery-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const events = ["project.created", "project.removed"];
const told = ({ body }: Arrival): string => `${body.type} ${body.payload.project.name}`;

/** The delivered events, without repetitions. */
const inOrder = (arrivals: Arrival[]): string[] => [...new Set(arrivals.map(told))];

/** Every event came with one id and the same bytes, signed. */
function expectIntact(arrivals: Arrival[], secret: string): void {
  const bytes = new Map<string, string>();
  for (const arrival of arrivals) {
    expect(arrival.headers["x-vercel-signature"]).toBe(signed(arrival.raw, secret));
    expect(arrival.raw).toBe(bytes.get(told(arrival)) ?? arrival.raw);
    bytes.set(told(arrival), arrival.raw);
  }
}

describe("a server that ends while events wait", () => {
  const world = new TestServer();
  let hook: Receiver;
  let secret: string;

  const create = (name: string) => world.call("POST", "/v10/projects", { body: { name } });

  beforeEach(async () => {
    hook = await receiver();
    await world.open(folder);
    const { body } = await world.call("POST", "/v1/webhooks", { body: { url: hook.url, events } });
    secret = body.secret;
  });
  afterEach(() => world.close());

  //
  test("ends what is under way, and delivers everything after its next start", async () => {
    hook.react = () => "hang";
    await create("a");
    await create("b");
    await hook.waitFor(1);
    await world.close();
    expect(hook.arrived).toHaveLength(1);
    hook.react = () => 200;
    await world.open(folder);
    expect((await hook.waitForAccepted(2)).map(told)).toEqual(["project.created a", "project.created b"]);
    expectIntact(hook.arrived, secret);
  });

  //
  test("counts the 24 hours from the first attempt, before its end as well", async () => {
    hook.react = ({ body }) => (body.payload.project.name === "poison" ? 500 : 200);
    await create("poison");
    await hook.waitFor(1);
    await create("next");
    await world.advance(23 * 60 * 60 * 1000);
    await hook.waitFor(2);
    await world.close();
    await world.open(folder);
    await world.advance(60 * 60 * 1000);
    expect((await hook.waitForAccepted(1)).map(told)).toEqual(["project.created next"]);
  });
});

describe("a server that is killed", () => {
  let children: Child[];
  let url: string;

  beforeEach(() => {
    children = [];
  });
  afterEach(async () => {
    for (const child of children) child.process.kill("SIGKILL");
    await Promise.all(children.map(({ exited }) => exited));
  });

  async function start(flags: string[] = []): Promise<Child> {
    const settings = { SLIPWAY_PORT: "0", SLIPWAY_DATA: folder };
    const child = runChild("server/command.ts", ["serve", ...flags], settings);
    children.push(child);
    [, url = ""] = await child.waitFor(/^slipway is listening on (\S+)$/m);
    return child;
  }

  async function kill(child: Child): Promise<void> {
    child.process.kill("SIGKILL");
    await child.exited;
  }

  async function call(method: string, at: string, body?: object) {
    const response = await fetch(`${url}${at}?slug=acme`, {
      method,
      headers: { authorization: "Bearer slipway-dev-token", "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  //
  test("between a commit and its delivery loses no event, and keeps their order", async () => {
    const hook = await receiver();
    hook.react = () => "hang";
    const first = await start();
    const { secret } = (await call("POST", "/v1/webhooks", { url: hook.url, events })).body;
    for (const name of ["a", "b", "c"]) {
      expect((await call("POST", "/v10/projects", { name })).status).toBe(200);
    }
    expect((await call("DELETE", "/v9/projects/a")).status).toBe(204);
    await hook.waitFor(1);
    await kill(first);
    expect(hook.accepted).toEqual([]);
    hook.react = () => 200;
    await start();
    const accepted = await hook.waitForAccepted(4);
    expect(accepted.map(told)).toEqual([
      "project.created a",
      "project.created b",
      "project.created c",
      "project.removed a",
    ]);
    expectIntact(hook.arrived, secret);
  });

  // EV-01, EV-03, EV-05, X-85
  test("tells an integration of projects and of its own removal, in order", async () => {
    const hook = await receiver();
    hook.react = () => "hang";
    const seed = path.join(folder, "seed.json");
    const cron = { clientId: "oac_cron", clientSecret: "cron-secret", slug: "cron", owner: "dev" };
    writeFileSync(
      seed,
      JSON.stringify({
        users: [{ username: "dev" }],
        teams: [{ slug: "acme", members: [{ user: "dev", role: "OWNER" }] }],
        tokens: [{ token: "slipway-dev-token", user: "dev" }],
        integrations: [
          { ...cron, redirectUrl: "http://127.0.0.1:9/", webhookUrl: hook.url, scopes: ["project"] },
        ],
        installations: [{ id: "icfg_cron", integration: "cron", team: "acme", installedBy: "dev" }],
      }),
    );
    const first = await start(["--seed", seed]);
    expect((await call("POST", "/v10/projects", { name: "a" })).status).toBe(200);
    expect((await call("DELETE", "/v9/projects/a")).status).toBe(204);
    expect((await call("DELETE", "/v1/integrations/configuration/icfg_cron")).status).toBe(204);
    await hook.waitFor(1);
    await kill(first);
    hook.react = () => 200;
    await start();
    const accepted = await hook.waitForAccepted(3);
    expect(accepted.map(({ body }) => body.type)).toEqual([
      "project.created",
      "project.removed",
      "integration-configuration.removed",
    ]);
    for (const { raw, headers } of accepted) {
      expect(headers["x-vercel-signature"]).toBe(signed(raw, "cron-secret"));
    }
  });

  //
  test("again and again, while it writes and delivers, loses no event of a change that it acknowledged", async () => {
    const hook = await receiver();
    let child = await start();
    const { secret } = (await call("POST", "/v1/webhooks", { url: hook.url, events })).body;
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const writing = (async () => {
        for (let at = 0; ; at++) {
          const name = `p-${round}-${at}`;
          const answer = await call("POST", "/v10/projects", { name }).catch(() => undefined);
          if (answer?.status !== 200) return;
          acknowledged.push(`project.created ${name}`);
        }
      })();
      const before = hook.accepted.length;
      await until(
        "some events of this round came",
        () => hook.accepted.length > before + 5 + round || undefined,
      );
      await kill(child);
      await writing;
      child = await start();
    }
    await until("everything came", () => {
      const came = new Set(hook.accepted.map(told));
      return acknowledged.every((one) => came.has(one)) || undefined;
    });
    // Writes that were not acknowledged may have been delivered too.
    const came = inOrder(hook.accepted).filter((one) => acknowledged.includes(one));
    expect(came).toEqual(acknowledged);
    expectIntact(hook.arrived, secret);
  });
});
