import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { type Child, runChild } from "../support/child";
import { block, textOf } from "../support/pages";
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

it("the Testcontainers recipe names the image, its port and its variables", () => {
  const text = block("docs/guides/testing.md typescript 3");
  expect(text).toContain(`new GenericContainer("${image}")`);
  for (const [name] of text.matchAll(/SLIPWAY_\w+/g)) expect(variables).toContain(name);
  for (const [, port] of text.matchAll(/(?:withExposedPorts|getMappedPort)\((\d+)\)/g)) {
    expect(dockerfile).toContain(`EXPOSE ${port}\n`);
  }
});

/** Installs packages that only these recipes need. */
const describeLong = process.env.SLIPWAY_TEST_LONG ? describe : describe.skip;
jest.setTimeout(600_000);

describeLong("with packages of npm", () => {
  const install = (...packages: string[]): void => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], { cwd: folder });
    const slipway = join(folder, "node_modules/slipway");
    mkdirSync(dirname(slipway), { recursive: true });
    symlinkSync(root, slipway);
  };

  it("the recipes for Vitest and MSW pass", () => {
    install("vitest@5.1.1", "msw@3.0.5");
    writeFileSync(join(folder, "vitest.test.ts"), block("docs/guides/testing.md typescript 1"));
    writeFileSync(join(folder, "msw.test.ts"), block("docs/guides/testing.md typescript 2"));
    const vitest = join(folder, "node_modules/vitest/vitest.mjs");
    const output = execFileSync(process.execPath, [vitest, "run", "--no-color"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(output).toMatch(/Tests +2 passed \(2\)/);
  });

  it("the recipe for Testcontainers has the types of its library", () => {
    install("testcontainers@12.2.0", "@types/node@24");
    writeFileSync(join(folder, "container.ts"), block("docs/guides/testing.md typescript 3"));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options =
      "--noEmit --strict --skipLibCheck --module nodenext --target es2023 --types node container.ts";
    execFileSync(process.execPath, [tsc, ...options.split(" ")], { cwd: folder, stdio: "pipe" });
  });
});
