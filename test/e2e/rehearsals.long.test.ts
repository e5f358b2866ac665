import fc from "fast-check";
import type { Report } from "../../cli/rehearse/report";
import { objectsFor, teamOf } from "../support/programs/account";
import { deploymentsOf, type Edit, edits, named } from "../support/programs/arbitrary";
import { withSecrets } from "../support/programs/declared-secrets";
import { declare, interpreter } from "../support/programs/interpreter";
import { type Program, together } from "../support/programs/program";
import { toYaml } from "../support/programs/yaml";
import { type Run, Workspace } from "../support/pulumi";
import { comparable, Rehearsals } from "../support/rehearsal";
import { inFull } from "../support/slices";

/** Random programs, rehearsed and then carried out: three in a stack cost little more than one. For the long run. */
const stacks = Number(process.env.SLIPWAY_TEST_PROGRAMS ?? 34);
const sets = fc.tuple(edits, edits, edits);
const hosts = ["dynamic", "plugin"] as const;

/** Otherwise it is a matter of time which steps come before one that fails. */
const deterministic = ["--parallel", "1", "--continue-on-error"];

let world: Workspace;
let rehearsals: Rehearsals;
let runs = 0;

beforeAll(async () => {
  world = await Workspace.start(objectsFor("ada"));
  await world.server.control("POST", "/seed", teamOf("ada"));
  await world.server.control("POST", "/builds", { buildMs: 0 });
  rehearsals = await Rehearsals.of(world);
});
afterAll(async () => {
  await rehearsals.close();
  await world.stop();
});

inFull.each(hosts)(
  "random programs of the %s host do what their rehearsal told",
  async (host) => {
    await fc.assert(
      fc.asyncProperty(sets, async (set) => {
        const name = `r${runs++}`;
        const all = set.map((edit, i) => named(waited(edit), `${name}x${i}`));
        // A deployment of a project that does not exist yet is at no service, so the copy cannot have it either.
        const built = set.flatMap(({ before }, i) =>
          named(deploymentsOf({ before, after: [] }), `${name}x${i}`),
        );
        const deployments = built.map(({ id, project }, at) => ({
          ...{ id, project, team: "acme", target: "production", readyState: "READY", createdAt: at },
        }));
        expect((await world.server.control("POST", "/seed", { deployments })).status).toBe(200);
        const isDynamic = host === "dynamic";
        const stack = await (isDynamic ? world.stack(name, interpreter) : world.yaml(name, ""));
        const write = (programs: Program[]): void => {
          const program = withSecrets(together(programs));
          if (isDynamic) declare(stack, program);
          else stack.yaml(toYaml(program, "acme"));
        };
        write(all.map(({ before }) => before));
        expect((await stack.up({ env: rehearsals.env })).errors).toEqual([]);
        write(all.map(({ after }) => after));
        const { report, stderr } = await rehearsals.rehearse(stack, {
          command: ["pulumi", "up", "--stack", "test", ...deterministic],
        });
        // A rehearsal that fails says why.
        if (report.exitCode !== 0 && report.refusals.length === 0) throw new Error(stderr);
        expect(report.exitCode === 0).toBe(report.refusals.length === 0);
        let run: Run | undefined;
        const done = await rehearsals.carryOut(stack, async () => {
          run = await stack.up({ preview: true, args: deterministic, env: rehearsals.env });
        });
        expect(run?.code).toBe(report.exitCode);
        // A refused check ends the run at once. Which one is the first, and what was done before, depends on the time.
        const ofCheck = / has a problem: /;
        if (report.refusals.some(({ message }) => ofCheck.test(message)))
          expect(run?.errors.join()).toMatch(ofCheck);
        else expect(told(done)).toEqual(told(report));
        write([]);
        await stack.destroy({ env: rehearsals.env });
      }),
      { numRuns: stacks, seed: host === "dynamic" ? 20260301 : 20260302, endOnFailure: true },
    );
  },
  7_200_000,
);

/**
 * A copy has only the newest deployments of a project, and tells of no others that go with it. It hides a text that is
 * secret anywhere, also where it is not.
 */
const told = (report: Pick<Report, "changes" | "aliases">): string[] =>
  comparable({
    ...report,
    changes: report.changes.filter(({ kind, isWithProject }) => kind !== "deployment" || !isWithProject),
  })
    .map((line) => line.replace(/\b(canary)?(one|two)\b|\b\d\d\.x\b|\bprj\b|\[secret\]/g, "*"))
    .sort();

/**
 * The same programs, in which no deployment is used before it is ready: that would depend on the time. YAML has no
 * property that is null.
 */
function waited(edit: Edit): Edit {
  const all = (program: Program): Program =>
    program.map((one) => {
      // Which variables there are to copy depends on the time, too.
      const { waitUntilReady: _, copyEnvVarsFrom: _copied, ...args } = one.args;
      const value = args.value ?? false;
      if (one.type === "EdgeConfigItem") return { ...one, args: { ...args, value } };
      return one.type === "Deployment" || one.type === "CustomEnvironment" ? { ...one, args } : one;
    });
  return { before: all(edit.before), after: all(edit.after) };
}
