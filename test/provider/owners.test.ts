import { type RunningServer, startServer } from "../../server";
import { FakeCli } from "../support/fake-cli";
import { account } from "../support/programs/account";
import { Author } from "../support/programs/author";
import { Engine } from "../support/programs/engine";
import { runLifetime, type TestStack } from "../support/programs/lifetime";
import { objectsOf } from "../support/programs/owners";
import type { Host } from "./host";
import { isolatedHost } from "./isolated-host";
import { isolatedPluginHost } from "./isolated-plugin-host";

const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;
/** Each is a program with edits of it, through either host; the number is its seed. */
const programs = isLong ? 500 : 6;
const edits = 5;

let server: RunningServer;
let cli: FakeCli;
const path = process.env.PATH;

beforeAll(async () => {
  server = await startServer({ seed: account });
  cli = new FakeCli();
  process.env.PATH = cli.path;
});
afterAll(async () => {
  process.env.PATH = path;
  cli.close();
  await server.close();
});

const config = (start: string) => ({
  [`${start}apiUrl`]: server.url,
  [`${start}token`]: server.token,
  [`${start}team`]: "acme",
});
const hosts = {
  dynamic: () => isolatedHost(config("slipway:")),
  plugin: () => isolatedPluginHost(config(""), cli),
};

describe.each(["dynamic", "plugin"] as const)("through the %s host", (name) => {
  /** What became of all runs. */
  const counts = { done: 0, refused: 0, adopted: 0, recovered: 0 };
  let ran = 0;

  it.each(Array.from({ length: programs }, (_, i) => i))(
    "random edits of a program lose nothing, share nothing and leave nothing behind (seed %i)",
    async (seed) => {
      await server.control.reset();
      await server.control.seed(account);
      const warnings = jest.spyOn(console, "error").mockImplementation(() => {});
      try {
        await runLifetime(new Author(seed), edits, await stackOf(hosts[name]), counts);
        ran += 1;
      } finally {
        warnings.mockRestore();
      }
    },
    isLong ? 600_000 : 120_000,
  );

  // The programs would prove little if all of them were refused, or none recovered. Not for a test that ran alone.
  afterAll(() => {
    if (ran < programs) return;
    for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(Math.floor(programs / 4));
  });
});

/** A stack under an engine of ours, with a process for each provider. */
async function stackOf(host: () => Promise<Host>): Promise<TestStack> {
  const engine = new Engine(await host());
  return {
    get state() {
      return engine.state;
    },
    async begin() {
      const [usual, own] = [await host(), await host()];
      engine.use((provider) => (provider === undefined ? usual : own));
    },
    preview: (program) => engine.preview(program),
    up: (program, targets) => engine.up(program, targets),
    refresh: () => engine.refresh(),
    async expectDone(program) {
      expect(await engine.refresh()).toEqual([]);
      expect((await engine.preview(program)).operations).toEqual({});
    },
    objects: there,
    request,
  };
}

const there = async () => objectsOf(await server.control.snapshot());

/** A request behind the program's back, which may be refused. */
async function request(path: string, body: object): Promise<number> {
  const answer = await fetch(`${server.url}${path}?slug=acme`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}
