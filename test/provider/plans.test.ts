import fc from "fast-check";
import { type RunningServer, startServer } from "../../server";
import { account, lasting } from "../support/programs/account";
import { deploymentsOf, edits, named } from "../support/programs/arbitrary";
import { Engine } from "../support/programs/engine";
import { expectPlanned } from "../support/programs/expect-planned";
import { isLong } from "../support/slices";
import { type Host, startHost } from "./host";
import { startPluginHost } from "./plugin-host";

/** Each is a program and an edit of it, through either host. */
const programs = Number(process.env.SLIPWAY_TEST_PROGRAMS ?? (isLong ? 500 : 3));
/** How old reads are after a write on the profile `hosted`, and how long promotions take, in milliseconds. */
const staleMs = Number(process.env.SLIPWAY_TEST_STALE_MS ?? 300);
const delayMs = Number(process.env.SLIPWAY_TEST_PROMOTION_MS ?? 600);
const seed = Number(process.env.SLIPWAY_TEST_SEED ?? 20260101);

const starts: Record<string, () => Promise<Host>> = { dynamic: startHost, plugin: startPluginHost };

/**
 * A new resource takes neither the name of a project of the stack nor, with `adopt`, what another resource has. A
 * sensitive variable is not created again without its value.
 */
const refusal =
  / belongs to \w+ ".*" of this stack| creates the sensitive variable \w+ again\. .* empty value/;

let server: RunningServer;
let runs = 0;

afterEach(() => server.close());

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
    /** A process of its own for each program, as each run has: what it knows of the one before is the state. */
    const begin = async (): Promise<Host> => {
      // Only the writes of the same run make its reads old.
      if (profile === "hosted") await server.control.setConsistency({ staleMs });
      const host = await starts[name]?.();
      if (!host) throw new Error("there is no such host");
      open.add(host);
      await host.configure({
        "slipway:apiUrl": server.url,
        "slipway:token": server.token,
        "slipway:team": "acme",
      });
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

        const [first, second] = await Promise.all([begin(), begin()]);
        const engine = new Engine(first);
        let current = before;
        for (const program of [before, after]) {
          if (program === after) engine.use(() => second);
          const plan = await engine.preview(program).catch((error: Error) => error);
          if (plan instanceof Error) {
            expect(plan.message).toMatch(refusal);
            counts.refused += 1;
            break;
          }
          expectPlanned(plan, await engine.up(program));
          counts.carriedOut += 1;
          expect(await engine.preview(program)).toMatchObject({ operations: {} });
          current = program;
        }
        // A refresh has a process of its own, as a preview that is refused ends its process.
        const third = await begin();
        engine.use(() => third);
        expect(await engine.refresh()).toEqual([]);
        expect(await engine.preview(current)).toMatchObject({ operations: {} });
        await engine.destroy();
        expect(lasting(await server.control.snapshot())).toEqual(untouched);
      })
      .afterEach(end);
    await fc.assert(property, {
      numRuns: programs,
      seed,
      // A smaller program that fails is looked for where there is time for it: the full length fails alike.
      endOnFailure: !isLong,
    });
    expect(counts.carriedOut).toBeGreaterThan(programs);
    if (isLong) expect(counts.refused).toBeGreaterThan(0);
  },
  3_600_000,
);
