import { type RunningServer, startServer } from "../../server";
import { FakeCli } from "../support/fake-cli";
import { account } from "../support/programs/account";
import { Engine } from "../support/programs/engine";
import { Author, type ByHand } from "../support/programs/moves";
import { Owners, objectsOf } from "../support/programs/owners";
import { toCode } from "../support/programs/program";
import type { Host } from "./host";
import { isolatedHost } from "./isolated-host";
import { isolatedPluginHost } from "./isolated-plugin-host";

const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;
/** Each is a program with edits of it, through either host; the number is its seed. */
const programs = isLong ? 500 : 8;
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
  const counts = { done: 0, refused: 0, adopted: 0, mended: 0 };

  it.each(Array.from({ length: programs }, (_, i) => i))(
    "a program that is edited over and over loses nothing, shares nothing and leaves nothing behind (seed %i)",
    async (seed) => {
      await server.control.reset();
      await server.control.seed(account);
      const warnings = jest.spyOn(console, "error").mockImplementation(() => {});
      const story: string[] = [];
      try {
        await life(hosts[name], new Author(seed), story, counts);
      } catch (error) {
        const message = error instanceof Error ? error.message : error;
        throw new Error(`${message}\nseed ${seed}\n${story.join("\n")}`);
      } finally {
        warnings.mockRestore();
      }
    },
    isLong ? 600_000 : 120_000,
  );

  it("has carried out, refused, adopted and mended", () => {
    for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(programs / 4);
  });
});

async function life(
  host: () => Promise<Host>,
  author: Author,
  story: string[],
  counts: Record<"done" | "refused" | "adopted" | "mended", number>,
): Promise<void> {
  const engine = new Engine(await host());
  const owners = new Owners();
  owners.add(await there());
  let isWhole = await run([]);
  for (let i = 0; i < edits; i++) {
    if (!isWhole && author.chance(0.5)) await mend();
    isWhole = await run(author.edit(engine.state));
  }
  await mend();
  author.program = [];
  if (!(await run([], false))) throw new Error("what is there cannot be destroyed");
  counts.adopted += owners.adoptions;

  /** @returns whether all of the program was carried out */
  async function run(byHand: ByHand[], isToFail = true): Promise<boolean> {
    engine.use(await processes());
    for (const { path, body } of byHand) {
      const answer = await request(path, body);
      story.push(`// by hand: ${path} ${JSON.stringify(body)}: ${answer}`);
    }
    owners.add(await there());
    const program = structuredClone(isToFail ? author.failing() : author.program);
    const targets = isToFail ? author.targets(program, engine.state) : undefined;
    story.push(`// up${targets ? ` --target ${[...targets].join(" ")}` : ""}`, toCode(program));
    const error = await engine.up(program, targets).then(() => undefined, String);
    if (error !== undefined) story.push(`// ${error}`);
    story.push(`// state: ${engine.state.map(({ name, id }) => `${name} ${id}`).join(", ")}`);
    if (error !== undefined && /TypeError|ReferenceError|RangeError/.test(error)) throw new Error(error);
    counts[error === undefined ? "done" : "refused"] += 1;
    owners.check(engine.state, await there());
    if (error !== undefined || targets) return false;
    const declared = program.map(({ name }) => name).sort();
    expect(engine.state.map(({ name }) => name).sort()).toEqual(declared);
    engine.use(await processes());
    expect(await engine.refresh()).toEqual([]);
    expect((await engine.preview(program)).operations).toEqual({});
    return true;
  }

  /** The processes of a run, one for each provider. */
  async function processes(): Promise<(provider: string | undefined) => Host> {
    const [usual, own] = [await host(), await host()];
    return (provider) => (provider === undefined ? usual : own);
  }

  /** Goes back to what the state has, which always is to be had. */
  async function mend(): Promise<void> {
    engine.use(await processes());
    await engine.refresh();
    author.goBack(engine.state);
    if (!(await run([], false))) throw new Error("what the state has cannot be carried out");
    counts.mended += 1;
  }
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
