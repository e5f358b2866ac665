import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  action,
  actionScripts,
  type Event,
  githubJob,
  gitlab,
  gitlabJob,
  workflow,
} from "../support/pipelines";
import { canary, type Stack, Workspace } from "../support/pulumi";
import { openRepositoryHost, type RepositoryHost } from "../support/repository-host";
import { root } from "../support/server";
import { inFull, isLong } from "../support/slices";

const run = promisify(execFile);

/** Each run of the CLI takes seconds: only at full length is every example run a second time, read and destroyed. */

/** A token that reaches every account of its user. */
const personalToken = `${canary}-personal`;

let world: Workspace;
beforeAll(async () => {
  // The examples are checked with the default type of variables.
  delete process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE;
  const colour = { team: "acme", project: "blue-green", target: "production", readyState: "READY" };
  world = await Workspace.start({
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

/** The examples follow the policies of the package. */
const policies = ["--policy-pack", join(root, "node_modules/slipway/policies")];

async function up(stack: Stack, env: Record<string, string> = {}): Promise<string[]> {
  const { errors, code, steps, violations } = await stack.up({ env, args: policies });
  expect(errors).toEqual([]);
  expect(violations).toEqual([]);
  expect(code).toBe(0);
  return steps.map(({ op, type, name }) => `${op} ${type} ${name}`).sort();
}

async function destroy(stack: Stack, env: Record<string, string> = {}): Promise<void> {
  const { errors, code } = await stack.destroy({ env });
  expect(errors).toEqual([]);
  expect(code).toBe(0);
}

/** Neither a second run nor a refresh finds a difference. */
async function stays(stack: Stack, env: Record<string, string> = {}): Promise<void> {
  expect(await up(stack, env)).toEqual([]);
  const { errors, code } = await stack.refresh({ env, args: ["--expect-no-changes"] });
  expect({ errors, code }).toEqual({ errors: [], code: 0 });
  expect(await up(stack, env)).toEqual([]);
}

/** @param left what there is once it is destroyed */
async function staysAndGoes(
  stack: Stack,
  left: () => Promise<unknown[]> = projectsOf,
  env: Record<string, string> = {},
): Promise<void> {
  if (!isLong) return;
  await stays(stack, env);
  await destroy(stack, env);
  expect(await left()).toEqual([]);
}

inFull("the example monorepo creates several projects of one repository", async () => {
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

inFull("the example blue-green changes the promotion alone when the colour changes", async () => {
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

inFull("the example static-site deploys and promotes a folder, and again when a file changes", async () => {
  const stack = await world.example("static-site");
  const of = async () => (await world.server.request("GET", "/v9/projects/static-site")).body;
  expect(await up(stack)).toEqual([
    "create Deployment site",
    "create Project static-site",
    "create Promotion live",
  ]);
  const first = (await of()).targets.production.id;
  expect((await stack.up()).output).not.toContain("Uploading");
  writeFileSync(join(stack.folder, "site/style.css"), "h1 { color: teal; }\n");
  const changed = await stack.up();
  expect(changed.errors).toEqual([]);
  expect(changed.output).toContain("Uploading files: 0 of 1.");
  expect(changed.steps.map(({ op, name }) => `${op} ${name}`).sort()).toEqual([
    "create-replacement site",
    "delete-replaced site",
    "replace site",
    "update live",
  ]);
  const { latestDeployments, targets } = await of();
  expect(latestDeployments.map(({ id }: { id: string }) => id)).toEqual([targets.production.id, first]);
  await staysAndGoes(stack);
});

it("the example rotation rotates, builds and promotes in one run", async () => {
  const stack = await world.example("rotation");
  const serving = async () =>
    (await world.server.request("GET", "/v9/projects/rotation")).body.targets.production.id;
  stack.configure({ period: "2026-01" });
  expect(await up(stack)).toEqual(
    ["Deployment app", "EnvVar api-key", "Project rotation", "Promotion live"].map(
      (made) => `create ${made}`,
    ),
  );
  const first = await serving();
  expect(await up(stack)).toEqual([]);
  stack.configure({ period: "2026-02" });
  expect(await up(stack)).toEqual([
    "create-replacement Deployment app",
    "delete-replaced Deployment app",
    "replace Deployment app",
    "update EnvVar api-key",
    "update Promotion live",
  ]);
  expect(await serving()).not.toBe(first);
  // By the revisions of the values that the server has recorded with each deployment.
  expect(await outdatedIn("rotation")).toEqual([]);
  const { body } = await world.server.request("GET", "/v9/projects/rotation/env");
  const value = { value: `${canary}-out-of-band` };
  await world.server.request("PATCH", `/v9/projects/rotation/env/${body.envs[0].id}`, value);
  expect(await outdatedIn("rotation")).toEqual([{ key: "API_KEY", change: "changed" }]);
  expect(await up(stack)).toEqual([]);
  if (isLong) expect((await stack.up({ args: ["--refresh"] })).errors).toEqual([]);
  await staysAndGoes(stack);
});

/** The variables of which production serves another value, as the dashboard shows them. */
async function outdatedIn(project: string): Promise<object[]> {
  const { url } = world.server;
  const headers = { "x-slipway-dashboard": "1", "content-type": "application/json" };
  const link = (await world.server.control("POST", "/dashboard")).body as { path: string };
  const code = link.path.replace("/#code=", "");
  const opened = await fetch(`${url}/_dashboard/open`, {
    method: "POST",
    headers,
    body: JSON.stringify({ code }),
  });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { accountId } = (await world.server.request("GET", `/v9/projects/${project}`)).body;
  const view = new URLSearchParams({ account: accountId, project });
  const answer = await fetch(`${url}/_dashboard/view/project?${view}`, { headers: { ...headers, cookie } });
  const shown = await answer.json();
  expect(shown).toMatchObject({ outdated: expect.anything() });
  return (shown as { outdated: object[] }).outdated;
}

inFull("the example previews gives a branch its domain and variables, and removes them", async () => {
  await world.server.request("POST", "/v10/projects", { name: "storefront" });
  const before = (await world.server.request("GET", "/v9/projects/storefront/domains")).body.domains;
  const stack = await world.example("previews");
  stack.configure({ branch: "feat/Checkout" });
  expect(await up(stack)).toEqual(["create EnvVars preview", "create ProjectDomain preview"]);
  const { domains } = (await world.server.request("GET", "/v9/projects/storefront/domains")).body;
  expect(domains).toContainEqual(
    expect.objectContaining({ name: "feat-checkout.preview.example.com", gitBranch: "feat/Checkout" }),
  );
  await stays(stack);
  await destroy(stack);
  const left = (await world.server.request("GET", "/v9/projects/storefront")).body;
  expect(left.env).toEqual([]);
  expect((await world.server.request("GET", "/v9/projects/storefront/domains")).body.domains).toEqual(before);
});

inFull("the example teams creates projects in two accounts", async () => {
  const stack = await world.example("teams");
  const env = { SLIPWAY_TOKEN: personalToken };
  expect(await up(stack, env)).toEqual(["create Project gateway", "create Project sandbox"]);
  expect(namesOf(await projectsOf())).toEqual(["gateway"]);
  expect(namesOf(await projectsOf(personalToken, ""))).toEqual(["sandbox"]);
  const both = async () => [...(await projectsOf()), ...(await projectsOf(personalToken, ""))];
  await staysAndGoes(stack, both, env);
});

describe("ci: the pipelines", () => {
  let host: RepositoryHost;
  beforeAll(async () => {
    host = await openRepositoryHost("github-token");
  });
  beforeEach(() => Object.assign(host, { comments: [], issues: [], writes: [] }));
  afterAll(() => host.close());

  /** A checkout of the example with a backend of its own. The packages that npm would install are there. */
  function checkOut(name: string): { folder: string; env: NodeJS.ProcessEnv } {
    const folder = join(world.folder, name);
    cpSync(join(root, "examples/ci"), folder, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const made of ["bin", "state"]) mkdirSync(join(folder, made));
    writeFileSync(join(folder, "bin/npm"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(folder, "event.json"), JSON.stringify({ pull_request: { number: 7 } }));
    const base = world.environment();
    const PATH = `${join(folder, "bin")}:${base.PATH}`;
    return {
      folder,
      env: {
        ...base,
        PATH,
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        RUNNER_TEMP: join(folder, "state"),
      },
    };
  }

  /** A checkout whose stack exists in the backend, as the guide asks for. */
  async function checkOutWithStack(name: string): Promise<ReturnType<typeof checkOut>> {
    const checkout = checkOut(name);
    const { folder: cwd, env } = checkout;
    await run("bash", ["-c", "npx pulumi stack init production"], { cwd, env });
    return checkout;
  }

  /** Runs scripts as a runner of GitHub does. */
  async function runScripts(
    scripts: ReturnType<typeof githubJob>,
    { folder, env: base }: ReturnType<typeof checkOut>,
  ): Promise<string> {
    let output = "";
    for (const { script, env } of scripts) {
      const done = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
        cwd: folder,
        env: {
          ...base,
          ...env,
          GITHUB_ACTIONS: "true",
          GITHUB_API_URL: host.url,
          GITHUB_REPOSITORY: "acme/infrastructure",
          GITHUB_EVENT_PATH: join(folder, "event.json"),
          GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
        },
      });
      output += done.stdout + done.stderr;
    }
    world.record(output);
    return output;
  }

  inFull("GitHub Actions: rehearses a pull request, deploys a push", async () => {
    const checkout = await checkOutWithStack("github");
    const on = (event: Event): Promise<string> => runScripts(githubJob(event, checkout.env), checkout);
    if (isLong) {
      for (let push = 1; push <= 2; push++) await on("pull_request");
      expect(host.comments.map(({ body }) => body)).toEqual([
        expect.stringMatching(/^<!-- slipway: production -->\n\*\*[\s\S]*project `web/),
      ]);
      expect(readFileSync(join(checkout.folder, "summary.md"), "utf8")).toContain("project `web");
      expect(await projectsOf()).toEqual([]);
    }
    await on("push");
    expect(namesOf(await projectsOf())).toEqual(["web"]);
  });

  inFull("GitHub Actions: keeps an issue while there is drift", async () => {
    const checkout = await checkOutWithStack("drift");
    const on = (event: Event): Promise<string> => runScripts(githubJob(event, checkout.env), checkout);
    await on("push");
    await on("schedule");
    expect(host.issues).toEqual([]);
    await world.server.request("PATCH", "/v9/projects/web", { framework: "astro" });
    await expect(on("schedule")).rejects.toMatchObject({ code: 3 });
    expect(host.issues).toEqual([
      expect.objectContaining({ body: expect.stringMatching(/framework[\s\S]*astro/) }),
    ]);
    await world.server.request("PATCH", "/v9/projects/web", { framework: "nextjs" });
    await on("schedule");
    expect(host.issues).toEqual([expect.objectContaining({ state: "closed" })]);
  });

  inFull("GitHub Actions: tests the program on the bundled server", async () => {
    const checkout = checkOut("test");
    const output = await runScripts(actionScripts({ command: "test" }, checkout.env), checkout);
    expect(output).toMatch(/slipway is listening on[\s\S]*3 created[\s\S]*3 deleted[\s\S]*is stopped/);
    expect(await projectsOf()).toEqual([]);
  });

  inFull(
    "GitLab CI: tests and rehearses a merge request, deploys, keeps an issue while there is drift",
    async () => {
      const { folder, env: base } = await checkOutWithStack("gitlab");
      const on = async (job: Parameters<typeof gitlabJob>[0]) => {
        const env = {
          ...base,
          GITLAB_CI: "true",
          GITHUB_ACTIONS: "",
          CI_API_V4_URL: host.url,
          CI_PROJECT_ID: "3",
          CI_MERGE_REQUEST_IID: "7",
          NOTE_TOKEN: "github-token",
        };
        const done = await run("bash", ["-eo", "pipefail", "-c", gitlabJob(job)], { cwd: folder, env });
        world.record(done.stdout + done.stderr);
      };
      await on("test");
      expect(await projectsOf()).toEqual([]);
      await on("rehearse");
      expect(host.comments).toHaveLength(1);
      expect(await projectsOf()).toEqual([]);
      await on("deploy");
      expect(namesOf(await projectsOf())).toEqual(["web"]);
      await world.server.request("PATCH", "/v9/projects/web", { framework: "astro" });
      await expect(on("drift")).rejects.toMatchObject({ code: 3 });
      expect(host.issues).toHaveLength(1);
    },
  );

  it("has only conditions that the test knows, and steps that do one thing", () => {
    for (const { uses, run: script, if: condition, with: given = {} } of workflow.jobs.pulumi.steps) {
      expect([uses, script].filter(Boolean)).toHaveLength(1);
      if (condition !== undefined)
        expect(condition).toMatch(/^github\.event_name == '(pull_request|push|schedule)'$/);
      for (const input of Object.keys(given)) expect(Object.keys(action.inputs)).toContain(input);
    }
    for (const { if: condition } of action.runs.steps) {
      if (condition !== undefined)
        expect(condition).toMatch(/^(always\(\) && )?inputs\.command == '(test|rehearse|deploy|drift)'$/);
    }
    for (const { rules } of [gitlab.test, gitlab.rehearse, gitlab.deploy, gitlab.drift])
      expect(rules).toHaveLength(1);
  });

  it("passes every credential that the guide names to the backends", () => {
    const guide = readFileSync(join(root, "docs/guides/ci.md"), "utf8");
    const [, table = ""] = /\n(\| backend [\s\S]*?)\n\n/.exec(guide) ?? [];
    const named = [...table.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(7);
    for (const name of named) {
      expect([name, workflow.jobs.pulumi.env?.[name]]).toEqual([
        name,
        expect.stringMatching(new RegExp(`^\\$\\{\\{ (vars|secrets)\\.${name} \\}\\}$`)),
      ]);
    }
  });
});

inFull("stages: the application's stack reads the platform's, in each stage", async () => {
  const [platform, app] = [await world.example("stages/platform"), await world.example("stages/app")];
  expect(await up(platform)).toEqual(["create Project web"]);
  app.configure({ domain: "stage.example.com", apiUrl: "https://api.example.com" });
  expect(await up(app)).toEqual(["create EnvVars settings", "create ProjectDomain domain"]);
  const [{ name } = { name: "" }] = await projectsOf();
  expect(name).toMatch(/^web-/);
  const { domains } = (await world.server.request("GET", `/v9/projects/${name}/domains`)).body;
  expect(domains).toContainEqual(expect.objectContaining({ name: "stage.example.com" }));
  if (isLong) await stays(app);
  await destroy(app);
  await staysAndGoes(platform);
});

inFull("the example testing passes its own test", async () => {
  const { stderr } = await run(process.execPath, [join(root, "node_modules/jest/bin/jest.js")], {
    cwd: join(root, "examples/testing"),
    env: world.environment(),
  });
  expect(stderr).toMatch(/Tests: +1 passed, 1 total/);
});
