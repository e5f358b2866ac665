import { withoutDefault } from "../support/domains";
import { killTree } from "../support/process-tree";
import { type Run, type Stack, Workspace } from "../support/pulumi";
import { randomFrom } from "../support/random";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import { isLong } from "../support/slices";

/** How often an update is killed; a round kills one that makes things and one that changes them. */
const kills = isLong ? 50 : 2;
/** How many requests the two updates send at least. */
const lengths = [16, 20];
const random = randomFrom(5);

jest.setTimeout(isLong ? 3_600_000 : 300_000);

/** The project takes them along when it is deleted. */
const deployments = ["dpl_one", "dpl_two"].map((id, at) => ({
  ...{ id, team: "acme", project: "web", createdAt: at + 1 },
  ...({ target: "production", readyState: "READY" } as const),
}));

let world: Workspace;
let stack: Stack;
let proxy: RecordingProxy;

beforeAll(async () => {
  world = await Workspace.start({ deployments });
  proxy = await openRecordingProxy(world.server.url);
  stack = await world.stack("killed");
});
afterAll(async () => {
  await proxy.close();
  await world.stop();
});

const env = () => ({ SLIPWAY_API_URL: proxy.url });

interface Goal {
  program(adopt: boolean): string;
  /** The objects that the server then has. */
  project: object;
  bypass: number;
  domains: string[];
  variables: string[];
}

const first: Goal = {
  program: (adopt) => `
    const adopt = ${adopt};
    const web = new Project("web", {
      adopt, framework: "nextjs", passwordProtection: { deploymentType: "all", password: "canary-password" },
      protectionBypass: { ci: {} }, dataCache: { disabled: true },
    });
    for (const name of ["example.com", "www.example.com"]) new ProjectDomain(name, { adopt, project: web.id, name });
    for (const key of ["A", "B", "C"]) {
      new EnvVar(key, { adopt, project: web.id, key, value: "canary-" + key, target: ["production"] });
    }
    new EnvVars("more", {
      adopt, project: web.id, target: ["preview"], variables: { D: "canary-d", E: "canary-e" },
    });
    new Promotion("live", { project: web.id, deployment: "dpl_one" });
  `,
  project: { framework: "nextjs", dataCache: { userDisabled: true } },
  bypass: 1,
  domains: ["example.com", "www.example.com"],
  variables: ["A", "B", "C", "D", "E"],
};

/** From the first: some things change, some go, some come, and one is replaced. */
const second: Goal = {
  program: (adopt) => `
    const adopt = ${adopt};
    const web = new Project("web", {
      adopt, framework: "astro", protectionBypass: { ci: { rotation: "2" }, more: {} }, paused: true,
    });
    for (const name of ["example.com", "docs.example.com"]) new ProjectDomain(name, { adopt, project: web.id, name });
    for (const key of ["A", "B", "F"]) {
      const type = key === "A" ? "sensitive" : "encrypted";
      new EnvVar(key, { adopt, project: web.id, key, type, value: "canary-" + key + "-2", target: ["production"] });
    }
    new EnvVars("more", {
      adopt, project: web.id, target: ["preview"], variables: { D: "canary-d2", G: "canary-g" },
    });
    new Promotion("live", { project: web.id, deployment: "dpl_two" });
  `,
  project: { framework: "astro", dataCache: { userDisabled: false }, paused: true, passwordProtection: null },
  bypass: 2,
  domains: ["docs.example.com", "example.com"],
  variables: ["A", "B", "D", "F", "G"],
};

/** Runs `up`, and kills it with all its processes at one of its requests. @returns what it printed */
async function upKilledAt(number: number, moment: "before" | "after" | "answered"): Promise<string> {
  const begun = proxy.requests.length;
  let pid = 0;
  const strike = (passing: { number: number }): void => {
    if (passing.number === begun + number) killTree(pid);
  };
  proxy[moment] = strike as never;
  try {
    const args = ["up", "--yes", "--skip-preview"];
    const { output } = await stack.cli(args, env(), true, (child) => {
      pid = child.pid ?? 0;
    });
    return output;
  } finally {
    proxy.before = () => undefined;
    proxy.after = proxy.answered = () => {};
    await proxy.idle();
  }
}

/** The documented steps after a lost run. */
async function recover(goal: Goal, adopt: boolean): Promise<Run> {
  stack.program(goal.program(adopt));
  await stack.cli(["cancel", "--yes"]);
  return stack.up({ env: env(), args: ["--refresh"] });
}

async function expectWhole(goal: Goal): Promise<void> {
  const request = async (path: string) => (await world.server.request("GET", path)).body;
  const { projects } = await request("/v9/projects");
  expect(projects.map(({ name }: { name: string }) => name)).toEqual(["web"]);
  const web = await request("/v9/projects/web");
  expect(web).toMatchObject(goal.project);
  expect(Object.keys(web.protectionBypass)).toHaveLength(goal.bypass);
  const { domains } = await request("/v9/projects/web/domains");
  expect(
    withoutDefault(domains)
      .map(({ name }: { name: string }) => name)
      .sort(),
  ).toEqual(goal.domains);
  const { envs } = await request("/v9/projects/web/env");
  expect(envs.map(({ key }: { key: string }) => key).sort()).toEqual(goal.variables);
  // A later run goes on in spite of creates that were cut off; a refresh forgets them.
  const forget = ["--skip-preview", "--clear-pending-creates"];
  const refreshed = await stack.cli(["refresh", "--yes", "--expect-no-changes", ...forget], env());
  expect([refreshed.code, refreshed.output]).toEqual([0, expect.anything()]);
  const { deployment } = JSON.parse(await stack.exportText());
  expect(deployment.pending_operations ?? []).toEqual([]);
  const recorded = deployment.resources.filter(({ type }: { type: string }) => !type.startsWith("pulumi:"));
  const ids = recorded.flatMap(({ type, id }: { type: string; id: string }) =>
    type.endsWith(":EnvVar") ? [id.slice(id.indexOf("/") + 1)] : [],
  );
  const more = recorded.find(({ type }: { type: string }) => type.endsWith(":EnvVars")).outputs.records;
  for (const { id } of Object.values(more) as { id: string }[]) ids.push(id);
  expect(ids.sort()).toEqual(envs.map(({ id }: { id: string }) => id).sort());
}

async function destroy(): Promise<void> {
  expect((await stack.destroy({ env: env() })).errors).toEqual([]);
  await world.server.control("POST", "/seed", { deployments });
}

/** Runs an update that nobody kills. @returns how many requests it sends */
async function complete(goal: Goal): Promise<number> {
  const begun = proxy.requests.length;
  stack.program(goal.program(false));
  expect((await stack.up({ env: env() })).errors).toEqual([]);
  const count = proxy.requests.length - begun;
  await expectWhole(goal);
  return count;
}

test(`an update that is killed ${kills} times does nothing twice and is made whole by the next one`, async () => {
  if (isLong) {
    expect(await complete(first)).toBeGreaterThanOrEqual(lengths[0] ?? 0);
    expect(await complete(second)).toBeGreaterThanOrEqual(lengths[1] ?? 0);
    await destroy();
  }
  const moments = ["before", "after", "answered"] as const;
  const endings = { converged: 0, stopped: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const goal = kill % 2 === 0 ? first : second;
    const adopt = (kill >> 1) % 2 === 1;
    const at = 1 + Math.floor(random() * (lengths[kill % 2] ?? 1));
    const moment = moments[Math.floor(random() * moments.length)] ?? "after";
    const where = `kill ${kill}: request ${at}, ${moment}, adopt ${adopt}`;
    stack.program(goal.program(adopt));
    await upKilledAt(at, moment);
    const run = await recover(goal, adopt);
    if (run.code === 0) endings.converged++;
    else {
      endings.stopped++;
      // Without leave to take over what the lost run had made, each message names it, and the way on.
      expect([where, adopt && run.output]).toEqual([where, false]);
      const said = run.errors.filter((error) => !/update failed/.test(error));
      expect([where, said.length > 0 || run.output]).toEqual([where, true]);
      expect([where, said.filter((error) => !/adopt: true/.test(error))]).toEqual([where, []]);
      const { code, output } = await recover(goal, true);
      expect([where, code, output]).toEqual([where, 0, output]);
    }
    await expectWhole(goal);
    if (goal === second && kill < kills - 1) await destroy();
  }
  if (isLong) expect(Math.min(endings.converged, endings.stopped)).toBeGreaterThan(3);
  expect(world.leaks()).toEqual([]);
});
