import path from "node:path";
import { countOf, noopProgram, noopProvider, type Size, slipwayProgram } from "./graphs.mts";
import { start } from "./process.mts";
import { openStacks, type Stack, type Step, type Took, steps } from "./pulumi.mts";
import { median } from "./report.mts";

const whole: Size = { projects: 50, variables: 5 };
const rounds = 5;
/** 10, 100 and 500 resources. */
const growing: Size[] = [1, 10, 50].map((projects) => ({ projects, variables: 8 }));
const growingRounds = 3;
const goal = 1.25;

type Times = Record<Step, Took[]>;

/** One way to make the graph, and what it took. */
interface Contender {
  name: string;
  stack: Stack;
  program: (size: Size) => string;
}

/**
 * Measures the provider beside no-op resources of the same graph, which is what the engine, the program and the
 * file backend cost by themselves. Rounds alternate, and each figure is the median of them.
 * @returns the tables, in Markdown
 */
export async function benchProvider(): Promise<string> {
  const main = path.join(import.meta.dirname, "../../dist/server/main.js");
  const server = await start([main, "serve", "--port", "0", "--data", "memory", "--log-level", "warn"]);
  const stacks = openStacks(noopProvider);
  try {
    const account = {
      SLIPWAY_API_URL: server.url.origin,
      SLIPWAY_TOKEN: "slipway-dev-token",
      SLIPWAY_TEAM: "acme",
    };
    const slipway = {
      name: "Slipway",
      stack: await stacks.make("slipway", account),
      program: slipwayProgram,
    };
    const noop = { name: "no-op", stack: await stacks.make("noop"), program: noopProgram };
    // Without checkpoints the backend writes the state once, at the end.
    const unsaved = {
      name: "no-op, saved once",
      stack: await stacks.make("unsaved", { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
      program: noopProgram,
    };
    const compared = await measure([slipway, noop], whole, rounds);
    const grown: [Size, Map<string, Times>][] = [];
    for (const size of growing)
      grown.push([size, await measure([slipway, noop, unsaved], size, growingRounds)]);
    return `${comparison(compared)}\n\n${growth(grown)}`;
  } finally {
    stacks.remove();
    await server.stop();
  }
}

async function measure(contenders: Contender[], size: Size, times: number): Promise<Map<string, Times>> {
  const taken = new Map<string, Times>(
    contenders.map(({ name }) => [name, { up: [], preview: [], refresh: [], destroy: [] }]),
  );
  for (const { stack, program } of contenders) stack.program(program(size));
  for (let round = 0; round < times; round++) {
    // Who comes first changes, so that neither always finds the caches warm.
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const { name, stack } of order) {
      const said: string[] = [];
      for (const step of steps) {
        const took = await stack.run(step);
        taken.get(name)?.[step].push(took);
        said.push(`${step} ${took.wall.toFixed(1)} s`);
      }
      console.error(
        `${countOf(size)} resources, round ${round + 1} of ${times}, ${name}: ${said.join(", ")}`,
      );
    }
  }
  return taken;
}

const middle = (taken: Map<string, Times>, name: string, step: Step, of: keyof Took): number =>
  median((taken.get(name)?.[step] ?? []).map((took) => took[of]));

function comparison(taken: Map<string, Times>): string {
  const lines = steps.map((step) => {
    const [slipway, noop] = [middle(taken, "Slipway", step, "wall"), middle(taken, "no-op", step, "wall")];
    const work = middle(taken, "Slipway", step, "work") / middle(taken, "no-op", step, "work");
    return `| ${step} | ${seconds(slipway)} | ${seconds(noop)} | ${(slipway / noop).toFixed(2)} | ≤ ${goal} | ${work.toFixed(2)} |`;
  });
  return [
    `${whole.projects} projects with ${whole.variables} variables and a domain each: ${countOf(whole)} resources.`,
    "",
    "| step | Slipway | no-op | ratio | goal | ratio of processor time |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

function growth(grown: [Size, Map<string, Times>][]): string {
  const lines = grown.flatMap(([size, taken]) =>
    steps.map((step) => {
      const [slipway, noop, unsaved] = ["Slipway", "no-op", "no-op, saved once"].map((name) =>
        middle(taken, name, step, "wall"),
      ) as [number, number, number];
      const shares = [slipway, unsaved, noop - unsaved, slipway - noop].map(seconds);
      return `| ${countOf(size)} | ${step} | ${shares.join(" | ")} |`;
    }),
  );
  return [
    "How that grows, and whose it is: the engine with the program, the file backend (what saving the state at every",
    "step adds), and the provider with its server.",
    "",
    "| resources | step | all | engine and program | file backend | Slipway |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

const seconds = (value: number): string => `${value.toFixed(2)} s`;
