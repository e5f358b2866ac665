import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engine } from "../../support/engine";
import { type Answer, TestServer } from "../../support/world";

/**
 * One account sends large batches, and another one lists large projects. A third account must not wait for them. The
 * tests count answers and compare their order, because a time would depend on the machine.
 */

const folder = mkdtempSync(path.join(tmpdir(), "slipway-fairness-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const world = new TestServer();
afterEach(() => world.close());

let opened = 0;
/** A store that several connections read. On PostgreSQL, `memory` is a database. */
const place = (): string => (engine === "postgres" ? "memory" : path.join(folder, String(opened++)));

const batchSize = 300;
const variables = (round: number): object[] =>
  Array.from({ length: batchSize }, (_, at) => ({
    key: `KEY_${at}`,
    value: `value of round ${round}`,
    type: "encrypted",
    target: ["preview"],
  }));

async function open(data: string): Promise<void> {
  await world.open(data, { strict: false });
  await world.seed({
    users: [{ username: "ada" }, { username: "bob" }],
    teams: [
      { slug: "lists", members: [{ user: "ada", role: "OWNER" }] },
      { slug: "third", members: [{ user: "bob", role: "OWNER" }] },
    ],
    tokens: [
      { token: "ada-token-0000000000", user: "ada" },
      { token: "bob-token-0000000000", user: "bob" },
    ],
    projects: [
      { team: "acme", name: "web" },
      { team: "third", name: "small" },
      ...Array.from({ length: 8 }, (_, at) => ({ team: "lists", name: `large-${at}` })),
    ],
  });
  for (let at = 0; at < 8; at++) await succeed(writeBatch(0, `large-${at}`, ofLists));
}

const ofLists = { team: "lists", token: "ada-token-0000000000" };
const ofThird = { team: "third", token: "bob-token-0000000000" };

const writeBatch = (round: number, project = "web", caller = {}): Promise<Answer> =>
  world.call("POST", `/v10/projects/${project}/env?upsert=true`, { ...caller, body: variables(round) });
const list = (): Promise<Answer> => world.call("GET", "/v9/projects?limit=100", ofLists);
const get = (): Promise<Answer> => world.call("GET", "/v9/projects/small", ofThird);

async function succeed(request: Promise<Answer>): Promise<void> {
  const { status, body } = await request;
  expect({ status, error: body?.error }).toEqual({ status: status < 300 ? status : 200, error: undefined });
}

/** Sends many expensive requests at once. @returns how many were answered, and the end of all */
function attack(requests: (() => Promise<Answer>)[]): { answered: () => number; end: Promise<unknown> } {
  let answered = 0;
  const end = Promise.all(
    requests.map(async (request) => {
      await succeed(request());
      answered += 1;
    }),
  );
  return { answered: () => answered, end };
}

/** How many requests of the third account are answered, one after the other, until the attack ends. */
async function countDuring(end: Promise<unknown>, request: () => Promise<Answer>): Promise<number> {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  let count = 0;
  for (; !isOver; count++) await succeed(request());
  await over;
  return count;
}

/**
 * How often a short request must be answered while many expensive ones are. If the server blocked, one or two would be.
 * From PostgreSQL, the rows of all lists arrive at the same time, and each turn of the event loop reads some of each. A
 * short request takes some turns, so it is answered about once while a list is.
 */
const leastDuring = (requests: readonly unknown[], lists: boolean): number =>
  engine === "postgres" && lists ? requests.length / 4 : 2 * requests.length;

const attacks: [string, (() => Promise<Answer>)[]][] = [
  ["batches of variables", Array.from({ length: 12 }, (_, round) => () => writeBatch(round))],
  ["lists of large projects", Array.from({ length: 12 }, () => list)],
  ["both", Array.from({ length: 16 }, (_, round) => (round % 2 ? list : () => writeBatch(round)))],
];

describe("while accounts send many expensive requests", () => {
  it.each(attacks)("another account is answered many times, during %s", async (kind, requests) => {
    await open(place());
    const { end } = attack(requests);
    const count = await countDuring(end, get);
    expect(count).toBeGreaterThan(leastDuring(requests, kind.startsWith("lists")));
  });

  it.each(attacks)(
    "a write of another account is answered among the first, during %s",
    async (_, requests) => {
      await open(place());
      const { answered, end } = attack(requests);
      await new Promise((next) => setImmediate(next));
      await succeed(world.call("PATCH", "/v9/projects/small", { ...ofThird, body: { framework: "astro" } }));
      expect(answered()).toBeLessThan(requests.length / 2);
      await end;
    },
  );

  it.each(attacks)("the server says that it lives and is ready, during %s", async (kind, requests) => {
    await open(place());
    const { end } = attack(requests);
    const probe = (): Promise<Answer> => world.call("GET", "/_ready", { token: null, team: null });
    expect(await countDuring(end, probe)).toBeGreaterThan(leastDuring(requests, kind.startsWith("lists")));
  });
});

it("in memory, short reads of another account do not wait for long ones", async () => {
  await open("memory");
  const requests = Array.from({ length: 12 }, () => list);
  const { end } = attack(requests);
  expect(await countDuring(end, get)).toBeGreaterThan(leastDuring(requests, true));
});
