import { withoutDefault } from "../support/domains";
import { killTree, killWithin } from "../support/process-tree";
import { type Run, type Stack, Workspace } from "../support/pulumi";
import { randomFrom } from "../support/random";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import { isLong } from "../support/slices";

/** How often each of them is killed: alternately during creates and during updates. */
const kills = isLong ? 30 : 2;
/** How many requests an update sends at least. */
const length = 5;
const random = randomFrom(7);

jest.setTimeout(isLong ? 3_600_000 : 300_000);

let world: Workspace;
let stack: Stack;
let proxy: RecordingProxy;

beforeAll(async () => {
  world = await Workspace.start();
  proxy = await openRecordingProxy(world.server.url);
  stack = await world.yaml("killed", "resources: {}\n");
});
afterAll(async () => {
  await proxy.close();
  await world.stop();
});

const env = () => ({ SLIPWAY_API_URL: proxy.url });

const program = (framework: string, round: number, adopt: boolean): string => `resources:
  web:
    type: slipway:Project
    properties: { adopt: ${adopt}, name: web, framework: ${framework} }
  www:
    type: slipway:ProjectDomain
    properties: { adopt: ${adopt}, project: "\${web.id}", name: www.example.com, gitBranch: next-${round} }
  one:
    type: slipway:EnvVar
    properties: { adopt: ${adopt}, project: "\${web.id}", key: ONE, value: canary-${round}, target: [production] }
  many:
    type: slipway:EnvVars
    properties: { adopt: ${adopt}, project: "\${web.id}", variables: { A: canary-a${round}, B: canary-b${round} } }
`;

/** The process to kill, given that of the CLI. */
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
  const begun = proxy.requests.length;
  let cli = 0;
  const pass = (passing: { number: number }): void => {
    if (passing.number === begun + number) strike(cli);
  };
  proxy[moment] = pass as never;
  try {
    const { code } = await stack.cli(["up", "--yes", "--skip-preview"], env(), true, (child) => {
      cli = child.pid ?? 0;
    });
    return code;
  } finally {
    proxy.before = () => undefined;
    proxy.after = proxy.answered = () => {};
    await proxy.idle();
  }
}

async function expectWhole(framework: string, round: number): Promise<void> {
  const request = async (path: string) => (await world.server.request("GET", path)).body;
  const { projects } = await request("/v9/projects");
  expect(projects).toEqual([expect.objectContaining({ name: "web", framework })]);
  const { domains } = await request("/v9/projects/web/domains");
  expect(withoutDefault(domains)).toEqual([
    expect.objectContaining({ name: "www.example.com", gitBranch: `next-${round}` }),
  ]);
  const { envs } = await request("/v9/projects/web/env");
  expect(envs.map(({ key }: { key: string }) => key).sort()).toEqual(["A", "B", "ONE"]);
  const again = await stack.up({ env: env() });
  expect([again.errors, again.steps]).toEqual([[], []]);
}

/** The documented steps after a lost run; there is nothing to free when the CLI came to its end. */
async function recover(text: string): Promise<Run> {
  stack.yaml(text);
  await stack.cli(["cancel", "--yes"]);
  return stack.up({ env: env(), args: ["--refresh"] });
}

// `e2e/killed.test.ts` kills the CLI in each run.
test.each(isLong ? Object.entries(victims) : Object.entries(victims).slice(-1))(
  `the %s is killed in the middle of an update ${kills} times, and the next one makes it whole`,
  async (_who, strike) => {
    for (let kill = 0; kill < kills; kill++) {
      const isNew = kill % 2 === 0;
      const adopt = isLong ? (kill >> 1) % 2 === 0 : true;
      const framework = isNew ? "nextjs" : "astro";
      stack.yaml(program(framework, kill, adopt));
      // When the last request is answered, nothing is left to be done.
      const at = 1 + Math.floor(random() * (length - 1));
      const moment = (["before", "after", "answered"] as const)[Math.floor(random() * 3)] ?? "after";
      const where = `kill ${kill}: request ${at}, ${moment}, adopt ${adopt}`;
      expect([where, await upStruckAt(at, moment, strike)]).not.toEqual([where, 0]);
      let run = await recover(program(framework, kill, adopt));
      if (run.code !== 0) {
        // Without leave to take over what the lost run had made, each message names it, and the way on.
        const said = run.errors.filter((error) => !/update failed/.test(error));
        expect([where, adopt, said.filter((error) => !/adopt: true/.test(error))]).toEqual([
          where,
          false,
          [],
        ]);
        run = await recover(program(framework, kill, true));
      }
      expect([where, run.code, run.errors]).toEqual([where, 0, []]);
      await expectWhole(framework, kill);
      if (!isNew) expect((await stack.destroy({ env: env() })).errors).toEqual([]);
    }
    expect((await world.server.request("GET", "/v9/projects")).body.projects).toEqual([]);
    expect(world.leaks()).toEqual([]);
  },
);
