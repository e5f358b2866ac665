import fc from "fast-check";
import { type RunningServer, startServer } from "../../server";
import { FakeCli } from "../support/fake-cli";
import { outsideValues } from "../support/outside-values";
import { account, lasting } from "../support/programs/account";
import { deploymentsOf, edits, named } from "../support/programs/arbitrary";
import { Engine } from "../support/programs/engine";
import { expectPlanned } from "../support/programs/expect-planned";
import { isLong } from "../support/slices";
import { type Host, startHost } from "./host";
import { inProcessHost } from "./in-process-host";
import { inProcessPluginHost } from "./in-process-plugin-host";
import { startPluginHost } from "./plugin-host";

/** Each is a program and an edit of it, through either host: how many of them, by where the hosts run. */
const given = process.env.SLIPWAY_TEST_PROGRAMS;
const programs = {
  "in this process": Number(given ?? (isLong ? 500 : 2)),
  /** A program takes some eight processes; kills and the real CLI have suites of their own. */
  "in processes of its own": Number(given ?? 40),
};
/** How old reads are after a write on the profile `hosted`, and how long promotions take, in milliseconds. */
const staleMs = Number(process.env.SLIPWAY_TEST_STALE_MS ?? 300);
const delayMs = Number(process.env.SLIPWAY_TEST_PROMOTION_MS ?? 600);
const seed = Number(process.env.SLIPWAY_TEST_SEED ?? 20260101);
/** Repeats one program of a seed, as a failure names it. */
const path = process.env.SLIPWAY_TEST_PATH;

const config = (start: string) => ({
  [`${start}apiUrl`]: server.url,
  [`${start}token`]: server.token,
  [`${start}team`]: "acme",
});
const starts = {
  "in this process": {
    dynamic: () => inProcessHost(config("slipway:")),
    plugin: () => inProcessPluginHost(config(""), cli),
  },
  "in processes of its own": { dynamic: configured(startHost), plugin: configured(startPluginHost) },
};
const locations = isLong
  ? (["in this process", "in processes of its own"] as const)
  : (["in this process"] as const);

function configured(start: () => Promise<Host>): () => Promise<Host> {
  return async () => {
    const host = await start();
    await host.configure(config("slipway:"));
    return host;
  };
}

/**
 * A new resource takes neither the name of a project of the stack nor, with `adopt`, what another resource has. A
 * sensitive variable is not created again without its value. A name with a CNAME record does not pass to a record of
 * another type.
 */
const refusal =
  / belongs to \w+ ".*" of this stack| only a deployment for production can serve production| sensitive variable \w+ (again\. .*|cannot be created with an) empty value| cannot exist beside /;

let server: RunningServer;
let cli: FakeCli;
let runs = 0;
const commands = process.env.PATH;

beforeAll(() => {
  Object.assign(process.env, outsideValues);
  cli = new FakeCli();
});
afterEach(() => server.close());
afterAll(() => cli.close());

describe.each(locations)("%s", (location) => {
  beforeAll(() => {
    if (location === "in this process") process.env.PATH = cli.path;
  });
  afterAll(() => {
    process.env.PATH = commands;
  });

  it.each([
    ["dynamic", "specification"],
    ["plugin", "specification"],
    ["dynamic", "hosted"],
    ["plugin", "hosted"],
  ] as const)(
    "the %s host does what it plans, is done when it is done, and leaves nothing behind on the profile %s",
    async (name, profile) => {
      server = await startServer({ seed: account, profile });
      await server.control.planBuilds({ buildMs: 0 });
      if (profile === "hosted") await server.control.planPromotions({ delayMs });
      const counts = { carriedOut: 0, refused: 0 };
      const open = new Set<Host>();
      /** A preview and an update have a process of their own each: what they know of the one before is the state. */
      const begin = async (): Promise<Host> => {
        // Only the writes of the same process make its reads old.
        if (profile === "hosted") await server.control.setConsistency({ staleMs });
        const host = await starts[location][name]();
        open.add(host);
        return host;
      };
      const end = async (): Promise<void> => {
        await Promise.all([...open].map((host) => host.close()));
        open.clear();
      };
      const property = fc
        .asyncProperty(edits, async (edit) => {
          const run = `r${runs++}`;
          const { before, after } = named(edit, run);
          await server.control.seed({
            deployments: named(deploymentsOf(edit), run).map(({ id, project }, at) => ({
              ...{ id, project, team: "acme", target: "production", readyState: "READY", createdAt: at },
            })),
          });
          const untouched = lasting(await server.control.snapshot());

          const engine = new Engine(await begin());
          const inNewProcess = async (): Promise<Engine> => {
            const host = await begin();
            engine.use(() => host);
            return engine;
          };
          let current = before;
          for (const program of [before, after]) {
            const plan = await (await inNewProcess()).preview(program).catch((error: Error) => error);
            if (plan instanceof Error) {
              expect(plan.message).toMatch(refusal);
              counts.refused += 1;
              break;
            }
            expectPlanned(plan, await (await inNewProcess()).up(program));
            counts.carriedOut += 1;
            expect(await (await inNewProcess()).preview(program)).toMatchObject({ operations: {} });
            current = program;
          }
          expect(await (await inNewProcess()).refresh()).toEqual([]);
          expect(await (await inNewProcess()).preview(current)).toMatchObject({ operations: {} });
          await engine.destroy();
          expect(lasting(await server.control.snapshot())).toEqual(untouched);
        })
        .afterEach(end);
      await fc.assert(property, {
        numRuns: programs[location],
        seed,
        ...(path !== undefined && { path }),
        // A smaller program that fails is looked for where there is time for it: the full length fails alike.
        endOnFailure: !isLong,
      });
      expect(counts.carriedOut).toBeGreaterThan(programs[location]);
      if (isLong && location === "in this process") expect(counts.refused).toBeGreaterThan(0);
    },
    3_600_000,
  );
});
