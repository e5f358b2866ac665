import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { type Child, runChild } from "../support/child";
import { askKeeper, type Keeper, startKeeper } from "../support/postgres/keeper-client";
import { until } from "../support/until";

const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;
/** How often the server is killed. */
const kills = isLong ? 30 : 3;
const writers = 6;

jest.setTimeout(isLong ? 900_000 : 180_000);

let folder: string;
let agent: Agent;
let child: Child | undefined;
let url: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "slipway-kill-"));
  agent = new Agent({ connections: writers });
});
afterEach(async () => {
  await kill();
  await agent.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  child = runChild("server/command.ts", ["serve", "--port", "0", "--log-level", "silent"], {
    SLIPWAY_DATA: data,
    ...(data.startsWith("postgres:") ? { SLIPWAY_KEY: "00".repeat(32) } : {}),
  });
  url = (await child.waitFor(/listening on (\S+)/))[1] ?? "";
}

async function kill(): Promise<void> {
  child?.process.kill("SIGKILL");
  await child?.exited;
}

/** @returns status and body; undefined when no whole answer came */
async function send(method: "GET" | "POST" | "PATCH" | "DELETE", target: string, body?: unknown) {
  try {
    const response = await request(`${url}${target}${target.includes("?") ? "&" : "?"}slug=acme`, {
      dispatcher: agent,
      method,
      headers: { authorization: "Bearer slipway-dev-token", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what it is follows from the request
    const answer: any = await response.body.json();
    return { status: response.statusCode, body: answer };
  } catch {
    return undefined;
  }
}

/** What a variable holds; null: it is not there. */
type Value = string | null;

/**
 * Writes variables of a project of its own, one after the other, and keeps in mind what has to be there: for what
 * was acknowledged its last value, for what was not the value before or after.
 */
class Writer {
  readonly expected = new Map<string, { id: string; value: Value; orElse?: Value }>();
  acknowledged = 0;
  /** Answers that no server that is whole gives. */
  readonly surprises: unknown[] = [];
  private count = 0;

  constructor(readonly project: string) {}

  /** Until it gets no answer. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) if (!(await this.step())) return;
  }

  private step(): Promise<boolean> {
    const known = [...this.expected].filter(([, { value }]) => value !== null);
    const [key, held] = known[(this.count * 7) % Math.max(known.length, 1)] ?? [];
    this.count += 1;
    if (key !== undefined && held && this.count % 3 === 0) return this.edit(key, held.id);
    if (key !== undefined && held && this.count % 5 === 0) return this.remove(key, held.id);
    return this.create(`KEY_${this.count}`);
  }

  private async create(key: string): Promise<boolean> {
    const value = `value-${this.count}`;
    this.expected.set(key, { id: "", value: null, orElse: value });
    const answer = await send("POST", `/v10/projects/${this.project}/env`, {
      key,
      value,
      type: "plain",
      target: ["production"],
    });
    return this.settle(answer, 201, key, { id: answer?.body.created?.id, value });
  }

  private async edit(key: string, id: string): Promise<boolean> {
    const value = `edited-${this.count}`;
    this.doubt(key, value);
    const answer = await send("PATCH", `/v9/projects/${this.project}/env/${id}`, { value });
    return this.settle(answer, 200, key, { id, value });
  }

  private async remove(key: string, id: string): Promise<boolean> {
    this.doubt(key, null);
    const answer = await send("DELETE", `/v9/projects/${this.project}/env/${id}`);
    return this.settle(answer, 200, key, { id, value: null });
  }

  private doubt(key: string, orElse: Value): void {
    const before = this.expected.get(key);
    if (before) this.expected.set(key, { ...before, orElse });
  }

  private settle(
    answer: Awaited<ReturnType<typeof send>>,
    success: number,
    key: string,
    now: { id: string; value: Value },
  ): boolean {
    if (answer === undefined || answer.status >= 500) return false;
    if (answer.status !== success) this.surprises.push([key, answer.status, answer.body]);
    this.expected.set(key, now);
    this.acknowledged += 1;
    return true;
  }

  /** @returns what is not as it has to be; what was in doubt is then known */
  async check(): Promise<string[]> {
    const answer = await send("GET", `/v9/projects/${this.project}/env?decrypt=true`);
    if (answer?.status !== 200) return [`${this.project} is answered ${answer?.status}`];
    const envs: { id: string; key: string; value: string }[] = answer.body.envs;
    const found = new Map(envs.map((env) => [env.key, env]));
    const wrong: string[] = [];
    for (const [key, { id, value, orElse }] of this.expected) {
      const there = found.get(key);
      const actual = there?.value ?? null;
      if (actual !== value && actual !== (orElse === undefined ? value : orElse)) {
        wrong.push(`${this.project} ${key} is ${actual}, not ${value}`);
      }
      this.expected.set(key, { id: there?.id ?? id, value: actual });
    }
    for (const key of found.keys()) if (!this.expected.has(key)) wrong.push(`${this.project} has ${key}`);
    return [...wrong, ...this.surprises.map((surprise) => JSON.stringify(surprise))];
  }
}

/** Kills whatever `strike` kills while all write, again and again, and sees after each time what is there. */
async function endure(strike: (round: number) => Promise<void>): Promise<Writer[]> {
  const all = Array.from({ length: writers }, (_, n) => new Writer(`project-${n}`));
  await start();
  for (const { project } of all) {
    const made = await send("POST", "/v10/projects", { name: project });
    expect(made?.status).toBe(200);
  }
  for (let round = 0; round < kills; round++) {
    const goal = all.map(({ acknowledged }) => acknowledged + 5 + ((round * 13) % 40));
    let over = false;
    const running = Promise.all(all.map((writer) => writer.run(() => over)));
    const isThere = () => all.some(({ acknowledged }, n) => acknowledged >= (goal[n] ?? 0)) || undefined;
    await Promise.race([until("enough was written", isThere, 60_000), running]);
    await sleep(Math.random() * 20);
    await strike(round);
    over = true;
    await running;
    const wrong = (await Promise.all(all.map((writer) => writer.check()))).flat();
    expect(wrong).toEqual([]);
  }
  return all;
}

async function restart(): Promise<void> {
  await kill();
  await start();
}

describe("a server that is killed while clients write", () => {
  it("has every write that it acknowledged, over its own file", async () => {
    data = path.join(folder, "data");
    const all = await endure(restart);
    expect(Math.min(...all.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(kills);
  });
});

describe("over PostgreSQL that does not forget", () => {
  let keeper: Keeper;

  beforeEach(async () => {
    keeper = await startKeeper({ durable: true });
    data = await askKeeper(keeper.socket, "start");
  });
  afterEach(async () => {
    await kill();
    await keeper.stop();
  });

  it("a server that is killed while clients write has every write that it acknowledged", async () => {
    const all = await endure(restart);
    expect(Math.min(...all.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(kills);
  });

  it("a server whose database is killed lives on, and has every write that it acknowledged", async () => {
    const all = await endure(async () => {
      await askKeeper(keeper.socket, "crash");
      await until("the server has its database again", async () => {
        const ready = await send("GET", "/_ready");
        return ready?.status === 200 || undefined;
      });
      expect(child?.process.exitCode).toBeNull();
    });
    expect(Math.min(...all.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(kills);
  });
});
