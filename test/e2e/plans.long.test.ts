import fc from "fast-check";
import type { Snapshot } from "../../server/control/routes/snapshot";
import { lasting, objectsFor, teamOf } from "../support/programs/account";
import { deploymentsOf, edits, named } from "../support/programs/arbitrary";
import { expectPlanned } from "../support/programs/expect-planned";
import { declare, interpreter } from "../support/programs/interpreter";
import { together } from "../support/programs/program";
import type { Operation, Plan } from "../support/programs/run";
import { type Run, Workspace } from "../support/pulumi";

/**
 * Stacks, each of three programs with an edit of each: beside one another they cost little more than one.
 * `test/provider/plans.test.ts` has many more programs, without the CLI.
 */
const stacks = process.env.SLIPWAY_TEST_LONG ? 17 : 1;
const sets = fc.tuple(edits, edits, edits);

let world: Workspace;
let runs = 0;

beforeAll(async () => {
  world = await Workspace.start(objectsFor("ada"));
  await world.server.control("POST", "/seed", teamOf("ada"));
  await world.server.control("POST", "/builds", { buildMs: 0 });
});
afterAll(() => world.stop());

it("an update of random programs does what its preview planned, and a destroy leaves nothing behind", async () => {
  await fc.assert(
    fc.asyncProperty(sets, async (set) => {
      const run = `r${runs++}`;
      const all = set.map((edit, i) => named(edit, `${run}x${i}`));
      const built = set.flatMap((edit, i) => named(deploymentsOf(edit), `${run}x${i}`));
      const deployments = built.map(({ id, project }, at) => ({
        ...{ id, project, team: "acme", target: "production", readyState: "READY", createdAt: at },
      }));
      const seeded = await world.server.control("POST", "/seed", { deployments });
      expect(seeded.status).toBe(200);
      const untouched = await snapshot();

      const stack = await world.stack(run, interpreter);
      declare(stack, together(all.map(({ before }) => before)));
      done(await stack.up());
      declare(stack, together(all.map(({ after }) => after)));
      const planned = await stack.preview();
      if (planned.code === 0) {
        const taken = done(await stack.up());
        for (const i of all.keys()) expectPlanned(planOf(planned, i), planOf(taken, i));
      } else {
        // A new resource takes neither the name of a project of the stack nor, with `adopt`, what another one has.
        expect(planned.errors.join()).toMatch(/ belongs to \w+ ".*" of this stack/);
        declare(stack, together(all.map(({ before }) => before)));
      }
      done(await stack.preview({ args: ["--refresh", "--expect-no-changes"] }));
      done(await stack.destroy());
      expect(await stack.resources()).toEqual([]);
      expect(await snapshot()).toEqual(untouched);
    }),
    { numRuns: stacks, seed: 20260102, endOnFailure: true },
  );
}, 7_200_000);

const snapshot = async () => lasting((await world.server.control("GET", "/snapshot")).body as Snapshot);

function done(run: Run): Run {
  if (run.code !== 0) throw new Error(run.output);
  return run;
}

/** The steps of a run for the resources of one of the programs. */
function planOf({ steps, uncertain }: Run, program: number): Plan {
  const ours = (name: string) => name.startsWith(`p${program}-`);
  const operations: Record<string, Operation> = {};
  for (const name of steps.map((step) => step.name).filter(ours)) {
    operations[name] = operationOf(steps.filter((step) => step.name === name).map(({ op }) => op));
  }
  return { operations, uncertain: new Set(uncertain.filter(ours)) };
}

function operationOf(ops: string[]): Operation {
  if (ops.includes("create-replacement")) return "replace";
  // The resource was deleted together with one that it depends on, and is not created again.
  if (ops.includes("delete-replaced")) return "delete";
  const [op] = ops;
  if (op === "create" || op === "update" || op === "delete") return op;
  throw new Error(`the engine did ${ops.join(", ")}`);
}
