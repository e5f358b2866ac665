import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { readInitFolder } from "../../../server/init/folder";
import type { InitStatus } from "../../../server/init/init";
import { isAlive } from "../../../server/process/processes";
import { provided } from "../../support/clean-machine";
import { built } from "../../support/dist";
import { block } from "../../support/pages";
import { pulumiPath } from "../../support/pulumi";
import { until } from "../../support/until";

/** `slipway serve --init`, with the real Pulumi CLI. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-init-test-"));
});
afterEach(() => {
  slipway("stop");
  rmSync(folder, { recursive: true, force: true });
});

/** Writes files below `init/`. */
function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, "init", name, ".."), { recursive: true });
    writeFileSync(join(folder, "init", name), text);
  }
}

/** The real CLI, with the language host of YAML. */
let path: string;
beforeAll(() => {
  path = [dirname(pulumiPath()), provided("yaml"), process.env.PATH].join(delimiter);
});

function slipway(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built("cli/main.js"), ...args], {
    cwd: folder,
    env: { ...process.env, PATH: path, SLIPWAY_PORT: "0", TMPDIR: folder, PULUMI_HOME: join(folder, "home") },
    encoding: "utf8",
  });
  const url = /listening on (\S+)/.exec(stdout)?.[1] ?? /^\s+address\s+(\S+)/m.exec(stderr)?.[1] ?? "";
  return { code: status, stdout, stderr, url };
}

const start = (...args: string[]) => slipway("serve", "--detach", "--init", "init", ...args);

async function ask(url: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(url, { headers: { authorization: "Bearer slipway-dev-token" } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const statusOf = async (url: string) => (await ask(`${url}/_init`)).body as unknown as InitStatus;

const seed = "projects: [{ team: acme, name: seeded }]\n";
const program = (properties: string): string => `name: first
runtime: yaml
plugins: { providers: [{ name: slipway, path: ${built("plugin")} }] }
resources:
  greeting: { type: slipway:EnvVar, properties: ${properties} }
`;
const greeting = "{ project: seeded, key: GREETING, value: canary-hello, type: plain, target: [preview] }";

it("starts with the folder and the command of the page", async () => {
  const files = [...block("docs/server.md text 1").matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name ?? "");
  expect(files).toHaveLength(3);
  write(Object.fromEntries(files.map((name) => [name, /Pulumi/.test(name) ? program(greeting) : seed])));
  const words = block("docs/server.md sh 2")
    .trim()
    .replace(/^npx slipway /, "")
    .split(" ");
  const { url } = slipway(...words);
  expect((await statusOf(url)).entries.map(({ name }) => name)).toEqual(["10-accounts.yaml", "20-platform"]);
  expect((await ask(`${url}/v9/projects/seeded/env?slug=acme`)).body.envs).toMatchObject([
    { key: "GREETING" },
  ]);
}, 60_000);

it("applies seeds and programs in the order of their names, and updates the programs at a later start", async () => {
  write({ "10-seed.yaml": seed, "20-stack/Pulumi.yaml": program(greeting), "README.md": "A note." });
  const first = start();
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("initializes with 20-stack") });
  expect(await statusOf(first.url)).toMatchObject({
    state: "done",
    entries: [
      { name: "10-seed.yaml", kind: "seed", state: "done" },
      { name: "20-stack", kind: "program", state: "done" },
    ],
  });
  expect((await ask(`${first.url}/_ready`)).status).toBe(200);
  const variables = (url: string) => ask(`${url}/v9/projects/seeded/env?slug=acme`);
  const created = (await variables(first.url)).body.envs as [{ id: string }];
  expect(created).toMatchObject([{ key: "GREETING" }]);
  slipway("stop");

  write({ "20-stack/Pulumi.yaml": program(greeting.replace("plain", "plain, comment: new")) });
  const second = start();
  expect(second.code).toBe(0);
  expect((await variables(second.url)).body.envs).toMatchObject([{ id: created[0].id, comment: "new" }]);
}, 120_000);

it("stops at an entry that fails, is then not ready, and continues to serve", async () => {
  write({
    "10-stack/Pulumi.yaml": program(greeting.replace("seeded", "missing")),
    "20-seed.yaml": seed,
  });
  const { code, stderr, url } = start("--data", "memory");
  expect(code).toBe(1);
  expect(stderr).toMatch(/10-stack of --init failed: pulumi up failed \(exit code \d+\)/);
  const status = await statusOf(url);
  expect(status).toMatchObject({ state: "failed", entries: [{ state: "failed" }, { state: "skipped" }] });
  expect(JSON.stringify(status)).not.toContain("canary");
  expect(await ask(`${url}/_ready`)).toMatchObject({
    status: 503,
    body: { status: "initialization failed" },
  });
  expect((await ask(`${url}/v9/projects?slug=acme`)).body.projects).toEqual([]);
}, 120_000);

it("ends a program that runs when the server stops, and removes its state", async () => {
  write({ "10-stack/Pulumi.yaml": program(greeting) });
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // A program that does not end by itself.
  writeFileSync(join(bin, "pulumi"), `#!/bin/sh\necho $$ > ${folder}/pid\nexec sleep 1000\n`);
  chmodSync(join(bin, "pulumi"), 0o755);
  const server = spawn(
    process.execPath,
    [built("cli/main.js"), "serve", "--init", "init", "--data", "memory", "--port", "0"],
    { cwd: folder, env: { ...process.env, TMPDIR: folder, PATH: [bin, process.env.PATH].join(delimiter) } },
  );
  const ended = new Promise((done) => server.once("close", done));
  await until("the program runs", async () => existsSync(join(folder, "pid")));
  expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^slipway-init-/));
  server.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/^slipway-init-/));
}, 60_000);

it("ends a run that outlived its server before it runs again, and keeps the server's secrets from programs", async () => {
  write({ "10-stack/Pulumi.yaml": program(greeting), "20-seed.yaml": seed });
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // The first run does not end by itself, and ignores that its server does.
  const script = `#!/bin/sh
env > ${folder}/env
if [ ! -e ${folder}/pid ]; then echo $$ > ${folder}/pid; while :; do sleep 1; done; fi
grep -q "^State:.*[RSD] (" /proc/$(cat ${folder}/pid)/status 2>/dev/null && exit 3
exit 0
`;
  writeFileSync(join(bin, "pulumi"), script);
  chmodSync(join(bin, "pulumi"), 0o755);
  const known = path;
  path = [bin, path].join(delimiter);
  const server = spawn(process.execPath, [built("cli/main.js"), "serve", "--init", "init", "--port", "0"], {
    cwd: folder,
    env: { ...process.env, PATH: path, SLIPWAY_KEY: "ab".repeat(32) },
  });
  const ended = new Promise((done) => server.once("close", done));
  await until("the program runs", async () => existsSync(join(folder, "pid")));
  server.kill("SIGKILL");
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  process.env.SLIPWAY_KEY = "ab".repeat(32);
  const { code, stderr, url } = start();
  delete process.env.SLIPWAY_KEY;
  path = known;
  expect(`${code} ${stderr}`).toMatch(/^0/);
  expect((await statusOf(url)).entries.map(({ state }) => state)).toEqual(["done", "done"]);
  expect(isAlive(pid)).toBe(false);
  expect(readFileSync(join(folder, "env"), "utf8")).not.toMatch(/^SLIPWAY_(KEY|CONTROL_TOKEN)=./m);
  await ended;
}, 60_000);

it("says that the CLI is missing", async () => {
  write({ "10-stack/Pulumi.yaml": program(greeting) });
  const known = path;
  path = "/nowhere";
  const { code, stderr } = start("--data", "memory");
  path = known;
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The Pulumi CLI is not on PATH"),
  });
}, 60_000);

it("refuses PostgreSQL, whose servers would all apply the folder", () => {
  write({ "10-seed.yaml": seed });
  const { code, stderr } = slipway("serve", "--init", "init", "--data", "postgres://u:secret@127.0.0.1:1/d");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/--init works with --data in a folder or in memory/),
  });
});

it.each([
  ["an empty folder", { ".hidden": "" }, /has no seed file and no Pulumi program\. Put seed files/],
  ["a file of another kind", { "10-run.sh": "" }, /10-run\.sh is no seed file/],
  ["a folder without a program", { "10-stack/index.ts": "" }, /10-stack has no Pulumi\.yaml/],
  [
    "a program itself",
    { "Pulumi.yaml": "name: x" },
    /is a Pulumi program\. Give the folder that contains it/,
  ],
  ["a seed with a mistake", { "10-seed.yaml": "projects: [{ nam: x }]" }, /10-seed\.yaml:1: /],
])("refuses %s before the server starts", (_, files: Record<string, string>, reason) => {
  write(files);
  expect(() => readInitFolder(join(folder, "init"))).toThrow(reason);
});

it("refuses a folder that does not exist", () => {
  expect(() => readInitFolder(join(folder, "none"))).toThrow(/none of --init cannot be read \(ENOENT/);
});
