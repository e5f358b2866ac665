import { execFile } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { awkwardValues } from "../support/awkward-values";
import { built } from "../support/dist";
import { canary, type Stack, Workspace } from "../support/pulumi";
import { inFull } from "../support/slices";

const run = promisify(execFile);

let world: Workspace;
beforeEach(async () => {
  world = await Workspace.start({
    projects: [
      {
        team: "acme",
        name: "web",
        framework: "nextjs",
        buildCommand: "npm run build",
        gitForkProtection: false,
        trustedIps: {
          deploymentType: "all",
          addresses: [{ value: "10.0.0.0/8", note: "office" }],
          protectionMode: "additional",
        },
      },
      { team: "acme", name: "docs" },
    ],
    domains: [
      { team: "acme", project: "web", name: "example.com" },
      {
        team: "acme",
        project: "web",
        name: "www.example.com",
        redirect: "example.com",
        redirectStatusCode: 308,
      },
    ],
    env: [
      {
        key: "PLAIN",
        value: `${canary} 'quoted'\nlines\n`,
        type: "plain",
        target: ["preview"],
        comment: "why",
      },
      { key: "PLAIN", value: `${canary}-2`, type: "encrypted", target: ["production"] },
      { key: "HIDDEN", value: `${canary}-3`, type: "sensitive", target: ["production", "preview"] },
    ].map((variable) => ({ team: "acme", project: "web", ...variable })),
    deployments: [
      { id: "dpl_1", team: "acme", project: "web", target: "production", readyState: "READY", createdAt: 1 },
    ],
  });
});
afterEach(() => world.stop());

/** A custom environment that a domain and a variable are for, which no seed makes. */
async function addEnvironment(): Promise<void> {
  const { server } = world;
  const staging = { slug: "staging", branchMatcher: { type: "startsWith", pattern: "release/" } };
  const { body } = await server.request("POST", "/v9/projects/web/custom-environments", staging);
  const domain = { name: "staging.example.com", customEnvironmentId: body.id };
  await server.request("POST", "/v10/projects/web/domains", domain);
  const variable = { key: "STAGE", value: canary, type: "plain", customEnvironmentIds: [body.id] };
  await server.request("POST", "/v10/projects/web/env", variable);
}

const slipway = (...args: string[]) => slipwayAs(world.environment(), ...args);
const slipwayAs = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  run(process.execPath, [built("cli/main.js"), ...args], { env });

it("slipway import takes an account into a stack without a change, and the stack manages it from then on", async () => {
  await addEnvironment();
  const stack = await world.stack("imported");
  const folder = join(world.folder, "imported");
  rmSync(join(folder, "index.ts"));
  const { stdout, stderr } = await slipway("import", "--promotions", "--out", folder);
  expect(stderr).toContain("EnvVar web-HIDDEN: its value cannot be read");
  expect(stdout).toContain("pulumi import --file");
  for (const file of ["import.json", "secrets.sh"]) {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
  const program = readFileSync(join(folder, "index.ts"), "utf8");
  expect(program).not.toContain(canary);
  expect(program).toContain('const webStaging = new CustomEnvironment("web-staging", {');
  expect(program).toContain("customEnvironmentId: webStaging.environmentId,");
  expect(program).toContain("customEnvironmentIds: [webStaging.environmentId],");

  await run("sh", ["secrets.sh"], { cwd: folder, env: world.environment() });
  const before = await stateOfServer();
  const args = ["import", "--file", "import.json", "--generate-code=false", "--yes"];
  const { code, output } = await stack.cli(args);
  expect([code, output]).toEqual([0, expect.any(String)]);
  const preview = await stack.preview({ args: ["--expect-no-changes"] });
  expect(preview.errors).toEqual([]);
  expect(preview.steps).toEqual([]);
  expect(preview.code).toBe(0);
  expect((await stack.up()).steps).toEqual([]);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  expect(await stateOfServer()).toEqual(before);

  expect((await stack.destroy()).code).toBe(0);
  expect((await world.server.request("GET", "/v9/projects")).body.projects).toEqual([]);
});

async function stateOfServer(): Promise<unknown> {
  return (await world.server.request("GET", "/v9/projects/web")).body;
}

inFull("the printed steps of slipway import delete nothing in a project that has a program", async () => {
  const stack = await world.stack("grown");
  stack.program(`new Project("own", { name: "own" });`);
  expect((await stack.up()).errors).toEqual([]);
  await world.server.request("POST", "/v10/projects", { name: "shop", framework: "nextjs" });
  await world.server.request("POST", "/v10/projects/shop/domains", { name: "shop.example.com" });
  const variable = { key: "KEY", value: `${canary}-4`, type: "encrypted", target: ["production"] };
  await world.server.request("POST", "/v10/projects/shop/env", variable);
  const there = async () =>
    Promise.all(
      ["own", "shop", "shop/domains", "shop/env"].map(async (path) => {
        const { status, body } = await world.server.request("GET", `/v9/projects/${path}`);
        return [status, body];
      }),
    );
  const before = await there();

  const cli = [process.execPath, built("cli/main.js")];
  const inFolder = { cwd: stack.folder, env: world.environment() };
  const { stdout } = await run(
    cli[0] as string,
    [...cli.slice(1), "import", "shop", "--out", "imported"],
    inFolder,
  );
  const steps = [...stdout.matchAll(/^ {2}(\S.*)$/gm)].map(([, step = ""]) => step);
  const [declare = "", ...commands] = steps;
  expect(declare).toMatch(/^import "\.\/.*";$/);
  expect(commands).toHaveLength(5);
  const follow = (command: string) => run("sh", ["-c", command], inFolder);

  // A user who forgets the first step is stopped by the check, and loses nothing by going on either.
  const [secrets = "", take = "", check = "", release = "", clean = ""] = commands;
  for (const command of [secrets, take]) await follow(command);
  expect(await there()).toEqual(before);
  await expect(follow(check)).rejects.toMatchObject({ code: expect.any(Number) });
  await expect(follow(release)).rejects.toMatchObject({ code: expect.any(Number) });
  expect(await there()).toEqual(before);

  const program = join(stack.folder, "index.ts");
  writeFileSync(program, `${readFileSync(program, "utf8")}\n${declare}\n`);
  for (const command of [check, release, clean]) {
    await follow(command);
    expect(await there()).toEqual(before);
  }
  expect((await stack.preview({ args: ["--expect-no-changes"] })).steps).toEqual([]);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
});

/** Imports the account with the steps that the command prints. */
async function importInto(stack: Stack, isPlugin: boolean): Promise<void> {
  const inFolder = { cwd: stack.folder, env: world.environment() };
  const cli = [built("cli/main.js"), "import", "--out", ".", ...(isPlugin ? ["--plugin"] : ["--force"])];
  await run(process.execPath, cli, inFolder);
  await run("sh", ["secrets.sh"], inFolder);
  const code = isPlugin ? "--out=generated" : "--generate-code=false";
  const { code: exitCode, output } = await stack.cli(["import", "--file", "import.json", code, "--yes"]);
  expect([exitCode, output]).toEqual([0, expect.any(String)]);
}

inFull.each(["dynamic", "plugin"])(
  "the import of the %s host keeps every byte of every value",
  async (host) => {
    const { body } = await world.server.request("GET", "/v9/projects");
    for (const { id } of body.projects) await world.server.request("DELETE", `/v9/projects/${id}`);
    await world.server.request("POST", "/v10/projects", { name: "pulumi" });
    const variables = awkwardValues.map((value, at) => ({
      ...{ key: `K${at}`, value, type: at % 2 === 0 ? "plain" : "encrypted", target: ["production"] },
    }));
    const made = await world.server.request("POST", "/v10/projects/pulumi/env", variables);
    expect(made.body.failed).toEqual([]);
    const isPlugin = host === "plugin";
    const stack = await (isPlugin ? world.yaml("awkward", "") : world.stack("awkward"));
    await importInto(stack, isPlugin);
    if (isPlugin) {
      const generated = readFileSync(join(stack.folder, "generated"), "utf8");
      stack.yaml(generated.replace(/config:(imported-[\w-]+)/g, (_, key) => `\${${key}}`));
    }
    const preview = await stack.preview({ args: ["--expect-no-changes"] });
    expect([preview.errors, preview.steps, preview.code]).toEqual([[], [], 0]);
  },
);
