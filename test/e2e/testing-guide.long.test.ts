import { execFile, execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { type Child, childEnvironment, runChild } from "../support/child";
import { startContainerEngine } from "../support/container-engine";
import { block, textOf } from "../support/pages";
import { Workspace } from "../support/pulumi";
import { root } from "../support/server";

/** The recipes of docs/guides/testing.md for containers and other test runners. */
const dockerfile = readFileSync(join(root, "examples/docker/Dockerfile"), "utf8");
const { organization } = JSON.parse(readFileSync(join(root, "publishing.json"), "utf8"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const image = `ghcr.io/${organization}/slipway:${version}`;
/** Those of the table of options. */
const variables: string[] = textOf("docs/server.md").match(/(?<=^\|.*`)SLIPWAY_\w+(?=`)/gm) ?? [];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-testing-guide-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("the service of GitHub Actions starts without accounts, and its steps add them", async () => {
  const { test } = parse(block("docs/guides/testing.md yaml 1")).jobs;
  const { slipway } = test.services;
  expect(slipway).toMatchObject({ image, ports: ["4000:4000"] });
  for (const name of Object.keys(slipway.env)) expect(variables).toContain(name);
  // The image has the file, and a health check that the service waits for.
  expect(dockerfile).toContain(`fs.writeFileSync('${slipway.env.SLIPWAY_SEED}', '{}')`);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);

  writeFileSync(join(folder, "empty.json"), "{}");
  writeFileSync(join(folder, "seed.json"), block("docs/guides/testing.md json 1"));
  const env = {
    ...slipway.env,
    SLIPWAY_SEED: join(folder, "empty.json"),
    SLIPWAY_CONTROL_TOKEN: "42",
    SLIPWAY_HOST: "0.0.0.0",
    SLIPWAY_PORT: "0",
    SLIPWAY_DATA: "memory",
  };
  const server: Child = runChild("server/command.ts", ["serve"], env);
  try {
    const [, port = ""] = await server.waitFor(/listening on http:\/\/0\.0\.0\.0:(\d+)/);
    const [, seed, run] = test.steps;
    const script = seed.run.replace("127.0.0.1:4000", `127.0.0.1:${port}`);
    execFileSync("bash", ["-e", "-c", script], { cwd: folder, env: { ...process.env, GITHUB_RUN_ID: "42" } });
    const answer = await fetch(`http://127.0.0.1:${port}/v9/projects?slug=${run.env.SLIPWAY_TEAM}`, {
      headers: { authorization: `Bearer ${run.env.SLIPWAY_TOKEN}` },
    });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ projects: [] })]);
  } finally {
    server.process.kill("SIGTERM");
    await server.exited;
  }
});

/** Runs the Pulumi CLI or installs packages that only these recipes need. */
const describeLong = process.env.SLIPWAY_TEST_LONG ? describe : describe.skip;
jest.setTimeout(600_000);

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const copy = (name: string, id: string): void => write(name, block(`docs/guides/testing.md ${id}`));

/** Runs a program of Node.js in the folder. @returns both outputs @throws Error with both outputs if it fails */
async function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const run = promisify(execFile);
  const settings = { cwd: folder, env: childEnvironment({ NO_COLOR: "1", ...env }) };
  const { stdout, stderr } = await run(process.execPath, args, settings).catch((error) => {
    throw new Error(`${args.join(" ")}:\n${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

/** Compiles all tests of the folder, strictly, without output. @param types the packages with the global types */
async function compile(types: string): Promise<void> {
  const options = `--noEmit --strict --skipLibCheck --module nodenext --target es2023 --types ${types}`;
  const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  await runNode([join(root, "node_modules/typescript/bin/tsc"), ...options.split(" "), ...tests]);
}

/** A program that runs in the process of its test, and reads from the server there. */
const lookUpTest = `
import { automation } from "@pulumi/pulumi";
import { getProject } from "slipway";
import { useServer } from "slipway/testing";

const server = useServer({ processEnv: true, seed: { projects: [{ team: "acme", name: "web" }] } });

it("finds the project", async () => {
  const program = async () => ({ name: (await getProject({ project: "web" })).name });
  const project = { projectName: "web", stackName: "test", program };
  const stack = await automation.LocalWorkspace.createStack(project, { envVars: server.pulumiEnv });
  const { outputs } = await stack.up();
  expect(outputs.name?.value).toBe("web");
});
`;

/** A test for Vitest with global hooks. */
const globalsTest = `
import { useServer } from "slipway/testing";

describe("a group", () => {
  const server = useServer();
  it.each([1, 2])("is reset before test %i", async () => {
    await server.request("POST", "/v10/projects", { name: "web" });
  });
});
`;

/** A container that ends at once. */
const brokenContainerTest = `
import { startContainer } from "slipway/testing";
import { GenericContainer, Wait } from "testcontainers";
import { expect, it } from "vitest";

it("shows the log of the container", async () => {
  const seed = { projects: [{ team: "nobody", name: "web" }] };
  const start = startContainer(
    { GenericContainer, Wait },
    { image: "${image}", seed, configure: (container) => container.withLabels({ test: "broken" }) },
  );
  await expect(start).rejects.toThrow(/has not started: [^]*nobody/);
}, 60_000);
`;

describeLong("with the packages of the clone", () => {
  beforeEach(() => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    write("package.json", JSON.stringify({ private: true, type: "module" }));
  });

  /** Runs a test with the configuration of the example. */
  async function runJest(name: string): Promise<string> {
    copyFileSync(join(root, "examples/testing/jest.config.js"), join(folder, "jest.config.js"));
    const world = await Workspace.start();
    try {
      const { PATH } = world.environment();
      return await runNode([join(root, "node_modules/jest/bin/jest.js"), name], { PATH });
    } finally {
      await world.stop();
    }
  }

  it("the recipe for Jest passes", async () => {
    copy("stack.test.ts", "typescript 1");
    await compile("node,jest");
    expect(await runJest("stack.test.ts")).toMatch(/Tests: +1 passed, 1 total/);
  });

  it("an inline program in Jest looks up objects with processEnv", async () => {
    write("look-up.test.ts", lookUpTest);
    expect(await runJest("look-up.test.ts")).toMatch(/Tests: +1 passed, 1 total/);
  });

  it("the recipe for the built-in test runner passes", async () => {
    copy("api.test.ts", "typescript 3");
    await compile("node");
    expect(await runNode(["--test", "--test-reporter=tap"])).toMatch(/^# pass 1$/m);
  });
});

describeLong("with packages of npm", () => {
  const install = (...packages: string[]): void => {
    write("package.json", JSON.stringify({ private: true, type: "module" }));
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], { cwd: folder });
    const slipway = join(folder, "node_modules/slipway");
    mkdirSync(dirname(slipway), { recursive: true });
    symlinkSync(root, slipway);
  };
  const runVitest = (args: string[] = [], env?: NodeJS.ProcessEnv): Promise<string> =>
    runNode([join(folder, "node_modules/vitest/vitest.mjs"), "run", "--no-color", ...args], env);

  it("the recipes for Vitest and MSW pass", async () => {
    install("vitest@5.1.1", "msw@3.0.5", "@types/node@24");
    copy("vitest.test.ts", "typescript 2");
    copy("msw.test.ts", "typescript 4");
    await compile("node");
    expect(await runVitest()).toMatch(/Tests +2 passed \(2\)/);
    write("globals.test.ts", globalsTest);
    expect(await runVitest(["--globals", "globals.test.ts"])).toMatch(/Tests +2 passed \(2\)/);
  });

  it("the recipe for Testcontainers has the types of its library, and passes with podman", async () => {
    install("vitest@5.1.1", "testcontainers@12.2.0", "@types/node@24");
    copy("container.test.ts", "typescript 5");
    write("broken.test.ts", brokenContainerTest);
    await compile("node");

    mkdirSync(join(folder, "podman"));
    const engine = await startContainerEngine(join(folder, "podman"), image);
    try {
      expect(await runVitest([], engine.env)).toMatch(/Tests +2 passed \(2\)/);
      expect(await engine.containers()).toBe("");
    } finally {
      await engine.stop();
    }
  });
});
