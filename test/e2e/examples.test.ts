import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { canary, type Stack, World } from "../support/pulumi";
import { root } from "../support/server";

const run = promisify(execFile);

/** Each run of the CLI takes seconds: only at full length is every example run a second time, and destroyed. */
const long = process.env.SLIPWAY_TEST_LONG !== undefined;

/** A token that reaches every account of its user. */
const personalToken = `${canary}-personal`;

let world: World;
beforeAll(async () => {
  const colour = { team: "acme", project: "blue-green", readyState: "READY" };
  world = await World.start({
    deployments: [
      { ...colour, id: "dpl_blue", gitBranch: "blue", createdAt: 1 },
      { ...colour, id: "dpl_green", gitBranch: "green", createdAt: 2 },
    ],
  });
});
beforeEach(async () => {
  await world.server.control("POST", "/reset");
  await world.server.control("POST", "/seed", { tokens: [{ token: personalToken, user: "ada" }] });
});
afterAll(() => world.stop());

async function projectsOf(token = world.token, query = "?slug=acme"): Promise<{ name: string }[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${world.server.url}/v9/projects${query}`, { headers });
  return ((await response.json()) as { projects: { name: string }[] }).projects;
}
const namesOf = (projects: { name: string }[]): string[] => projects.map(({ name }) => name).sort();

async function up(stack: Stack, env: Record<string, string> = {}): Promise<string[]> {
  const { errors, code, steps } = await stack.up({ env });
  expect(errors).toEqual([]);
  expect(code).toBe(0);
  return steps.map(({ op, type, name }) => `${op} ${type} ${name}`).sort();
}

async function destroy(stack: Stack, env: Record<string, string> = {}): Promise<void> {
  const { errors, code } = await stack.destroy({ env });
  expect(errors).toEqual([]);
  expect(code).toBe(0);
}

/** @param left what there is once it is destroyed */
async function staysAndGoes(
  stack: Stack,
  left: () => Promise<unknown[]> = projectsOf,
  env: Record<string, string> = {},
): Promise<void> {
  if (!long) return;
  expect(await up(stack, env)).toEqual([]);
  await destroy(stack, env);
  expect(await left()).toEqual([]);
}

it("monorepo: several projects of one repository", async () => {
  const stack = await world.example("monorepo");
  expect(await up(stack)).toEqual(
    ["EnvVars api", "EnvVars docs", "EnvVars shop", "Project api", "Project docs", "Project shop"].map(
      (made) => `create ${made}`,
    ),
  );
  expect(await projectsOf()).toContainEqual(
    expect.objectContaining({ name: "shop", rootDirectory: "apps/shop", framework: "nextjs" }),
  );
  await staysAndGoes(stack);
});

it("blue-green: another colour comes to serve, and nothing else changes", async () => {
  const stack = await world.example("blue-green");
  const serving = async () =>
    (await world.server.request("GET", "/v9/projects/blue-green")).body.targets.production.id;
  expect(await up(stack)).toEqual(["create Project blue-green", "create Promotion live"]);
  expect(await serving()).toBe("dpl_blue");
  stack.configure({ live: "green" });
  expect(await up(stack)).toEqual(["update Promotion live"]);
  expect(await serving()).toBe("dpl_green");
  await staysAndGoes(stack);
});

it("previews: a branch has its domain and variables, and leaves nothing behind", async () => {
  await world.server.request("POST", "/v10/projects", { name: "storefront" });
  const before = (await world.server.request("GET", "/v9/projects/storefront/domains")).body.domains;
  const stack = await world.example("previews");
  stack.configure({ branch: "feat/Checkout" });
  expect(await up(stack)).toEqual(["create EnvVars preview", "create ProjectDomain preview"]);
  const { domains } = (await world.server.request("GET", "/v9/projects/storefront/domains")).body;
  expect(domains).toContainEqual(
    expect.objectContaining({ name: "feat-checkout.preview.example.com", gitBranch: "feat/Checkout" }),
  );
  await destroy(stack);
  const left = (await world.server.request("GET", "/v9/projects/storefront")).body;
  expect(left.env).toEqual([]);
  expect((await world.server.request("GET", "/v9/projects/storefront/domains")).body.domains).toEqual(before);
});

it("teams: two accounts in one stack", async () => {
  const stack = await world.example("teams");
  const env = { SLIPWAY_TOKEN: personalToken };
  expect(await up(stack, env)).toEqual(["create Project gateway", "create Project sandbox"]);
  expect(namesOf(await projectsOf())).toEqual(["gateway"]);
  expect(namesOf(await projectsOf(personalToken, ""))).toEqual(["sandbox"]);
  const both = async () => [...(await projectsOf()), ...(await projectsOf(personalToken, ""))];
  await staysAndGoes(stack, both, env);
});

describe("ci: the workflow", () => {
  interface Step {
    name?: string;
    uses?: string;
    run?: string;
    if?: string;
  }
  const { jobs, env: settings } = parse(readFileSync(join(root, "examples/ci/workflow.yml"), "utf8")) as {
    jobs: { pulumi: { steps: Step[] } };
    env: Record<string, string>;
  };

  it("previews a pull request, deploys a push, and finds drift at night", async () => {
    const stack = await world.example("ci");
    const base = world.environment();
    // What the repository's settings hold.
    const known = (name = ""): string => base[name] ?? "";
    const env = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ (?:vars|secrets)\.(\w+) \}\}/g, (_, name: string) => known(name)),
      ]),
    );
    const summary = join(stack.folder, "summary.md");
    const on = async (event: string): Promise<string> => {
      let output = "";
      for (const { run: script, if: condition } of jobs.pulumi.steps) {
        // It needs a registry.
        if (script === undefined || script === "npm ci") continue;
        if (condition !== undefined && condition !== `github.event_name == '${event}'`) continue;
        const done = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
          cwd: stack.folder,
          env: { ...base, ...env, GITHUB_STEP_SUMMARY: summary },
        });
        output += done.stdout + done.stderr;
      }
      world.record(output);
      return output;
    };

    if (long) {
      await on("pull_request");
      expect(readFileSync(summary, "utf8")).toContain("slipway:Project: (create)");
      expect(await projectsOf()).toEqual([]);
    }
    await on("push");
    expect(namesOf(await projectsOf())).toEqual(["web"]);
    if (long) {
      await world.server.request("PATCH", "/v9/projects/web", { framework: "astro" });
      await expect(on("schedule")).rejects.toMatchObject({
        code: expect.any(Number),
        stdout: expect.stringMatching(/framework[\s\S]*astro/),
      });
    }
  });

  it("names conditions that the test knows, and each step does something", () => {
    for (const { uses, run: script, if: condition } of jobs.pulumi.steps) {
      expect([uses, script].filter(Boolean)).toHaveLength(1);
      if (condition !== undefined)
        expect(condition).toMatch(/^github\.event_name == '(pull_request|push|schedule)'$/);
    }
  });
});

it("testing: a user's test of a stack passes", async () => {
  const { stderr } = await run(process.execPath, [join(root, "node_modules/jest/bin/jest.js")], {
    cwd: join(root, "examples/testing"),
    env: world.environment(),
  });
  expect(stderr).toMatch(/Tests: +1 passed, 1 total/);
});
