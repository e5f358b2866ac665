import { type Gate, openGate } from "../support/gate";
import { killTree, killWithin } from "../support/process-tree";
import { type Stack, World } from "../support/pulumi";
import { randomFrom } from "../support/random";

const isLong = process.env.SLIPWAY_TEST_LONG !== undefined;
/** How often each of them is killed. */
const kills = isLong ? 15 : 1;
/** How many requests an update sends at least. */
const length = 5;
const random = randomFrom(7);

jest.setTimeout(isLong ? 3_600_000 : 300_000);

let world: World;
let stack: Stack;
let gate: Gate;

beforeAll(async () => {
  world = await World.start();
  gate = await openGate(world.server.url);
  stack = await world.yaml("killed", program("nextjs", 0));
});
afterAll(async () => {
  await gate.close();
  await world.stop();
});

const env = () => ({ SLIPWAY_API_URL: gate.url });

/** Every run changes each of these in place: what a lost run has made and never recorded is for `pulumi import`. */
const program = (framework: string, round: number): string => `resources:
  web:
    type: slipway:Project
    properties: { name: web, framework: ${framework} }
  www:
    type: slipway:ProjectDomain
    properties: { project: "\${web.id}", name: www.example.com, gitBranch: next-${round} }
  one:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: ONE, value: canary-${round}, target: [production] }
  many:
    type: slipway:EnvVars
    properties: { project: "\${web.id}", variables: { A: canary-a${round}, B: canary-b${round} } }
`;

/** Who is killed, given the process of the CLI. */
const victims: Record<string, (cli: number) => void> = {
  CLI: killTree,
  plugin: (cli) => killWithin(cli, "pulumi-resource-slipway"),
};

/** Runs `up`, and strikes at one of its requests. */
async function upStruckAt(
  number: number,
  moment: "before" | "after" | "answered",
  strike: (cli: number) => void,
): Promise<number> {
  const begun = gate.passed.length;
  let cli = 0;
  const pass = (passing: { number: number }): void => {
    if (passing.number === begun + number) strike(cli);
  };
  gate[moment] = pass as never;
  try {
    const { code } = await stack.cli(["up", "--yes", "--skip-preview"], env(), true, (child) => {
      cli = child.pid ?? 0;
    });
    return code;
  } finally {
    gate.before = () => undefined;
    gate.after = gate.answered = () => {};
    await gate.idle();
  }
}

async function expectWhole(framework: string, round: number): Promise<void> {
  const request = async (path: string) => (await world.server.request("GET", path)).body;
  const { projects } = await request("/v9/projects");
  expect(projects).toEqual([expect.objectContaining({ name: "web", framework })]);
  const { domains } = await request("/v9/projects/web/domains");
  expect(domains).toEqual([expect.objectContaining({ name: "www.example.com", gitBranch: `next-${round}` })]);
  const { envs } = await request("/v9/projects/web/env");
  expect(envs.map(({ key }: { key: string }) => key).sort()).toEqual(["A", "B", "ONE"]);
  const again = await stack.up({ env: env() });
  expect([again.errors, again.steps]).toEqual([[], []]);
}

test.each(Object.entries(victims))(
  `the %s is killed in the middle of an update ${kills} times, and the next one makes it whole`,
  async (_who, strike) => {
    stack.yaml(program("astro", kills));
    expect((await stack.up({ env: env() })).errors).toEqual([]);
    for (let kill = 0; kill < kills; kill++) {
      const framework = kill % 2 === 0 ? "nextjs" : "astro";
      stack.yaml(program(framework, kill));
      // When the last request is answered, nothing is left to be done.
      const at = 1 + Math.floor(random() * (length - 1));
      const moment = (["before", "after", "answered"] as const)[Math.floor(random() * 3)] ?? "after";
      const where = `kill ${kill}: request ${at}, ${moment}`;
      expect([where, await upStruckAt(at, moment, strike)]).not.toEqual([where, 0]);
      // As docs/guides/lost-run.md has it; there is nothing to free when the CLI itself came to its end.
      await stack.cli(["cancel", "--yes"]);
      const run = await stack.up({ env: env() });
      expect([where, run.code, run.errors]).toEqual([where, 0, []]);
      await expectWhole(framework, kill);
    }
    expect((await stack.destroy({ env: env() })).errors).toEqual([]);
    expect((await world.server.request("GET", "/v9/projects")).body.projects).toEqual([]);
    expect(await world.leaks()).toEqual([]);
  },
);
