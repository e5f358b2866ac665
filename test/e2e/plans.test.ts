import fc from "fast-check";
import type { Snapshot } from "../../server/control/snapshot";
import { account, lasting } from "../support/programs/account";
import { deploymentsOf, edits, named } from "../support/programs/arbitrary";
import type { Operation, Plan } from "../support/programs/engine";
import { honest } from "../support/programs/honest";
import { declare, interpreter } from "../support/programs/interpreter";
import type { Program } from "../support/programs/program";
import { type Run, type Stack, World } from "../support/pulumi";

/** Each is a program and an edit of it. `test/provider/plans.test.ts` has many more, without the CLI. */
const programs = process.env.SLIPWAY_TEST_LONG ? 50 : 2;

let world: World;
let runs = 0;

beforeAll(async () => {
  const { gitProviders, projects, domains } = account;
  world = await World.start({ gitProviders, projects, domains });
});
afterAll(() => world.stop());

it("plans what it does, is done when it is done, and leaves nothing behind", async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (edit) => {
      const run = `r${runs++}`;
      const { before, after } = named(edit, run);
      const deployments = named(deploymentsOf(edit), run).map(({ id, project }, at) => ({
        ...{ id, project, team: "acme", target: "production", readyState: "READY", createdAt: at },
      }));
      expect((await world.server.control("POST", "/seed", { deployments })).status).toBeLessThan(300);
      const untouched = await snapshot();

      const stack = await world.stack(run, interpreter);
      await bring(stack, before);
      await bring(stack, after);
      done(await stack.refresh({ args: ["--expect-no-changes"] }));
      expect(planOf(done(await stack.preview())).operations).toEqual({});
      done(await stack.destroy());
      expect(await stack.resources()).toEqual([]);
      expect(await snapshot()).toEqual(untouched);
    }),
    { numRuns: programs, seed: Number(process.env.SEED ?? 20260102), endOnFailure: true },
  );
}, 7_200_000);

it("gives away no secret", async () => {
  expect(await world.leaks()).toEqual([]);
});

async function bring(stack: Stack, program: Program): Promise<void> {
  declare(stack, program);
  const planned = planOf(done(await stack.preview()));
  honest(planned, planOf(done(await stack.up())));
}

const snapshot = async () => lasting((await world.server.control("GET", "/snapshot")).body as Snapshot);

function done(run: Run): Run {
  if (run.code !== 0) throw new Error(run.output);
  return run;
}

/** The steps of a run, one for each resource. */
function planOf({ steps, uncertain }: Run): Plan {
  const operations: Record<string, Operation> = {};
  for (const name of new Set(steps.map((step) => step.name))) {
    const ops = steps.filter((step) => step.name === name).map(({ op }) => op);
    operations[name] = operationOf(ops);
  }
  return { operations, uncertain: new Set(uncertain) };
}

function operationOf(ops: string[]): Operation {
  if (ops.includes("create-replacement")) return "replace";
  // What went together with what it depends on, and does not come back.
  if (ops.includes("delete-replaced")) return "delete";
  const [op] = ops;
  if (op === "create" || op === "update" || op === "delete") return op;
  throw new Error(`the engine did ${ops.join(", ")}`);
}
