import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../support/server";
import { until } from "../support/until";

const { pinnedVersion }: { pinnedVersion: string } = require("../../scripts/setup/pulumi.mjs");

/** The one that set-up would otherwise start itself again with. */
const node = join(root, "node_modules/node/bin/node");
const setup = join(root, "scripts/install.mjs");

const parts = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

let folder: string;
let home: string;
let bin: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-setup-"));
  home = join(folder, "home");
  bin = join(folder, "bin");
  mkdirSync(bin);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("set-up", () => {
  it("installs, compiles and prints nothing when there is nothing to do", async () => {
    const stamps = () =>
      ["dist/.built-from", "dist/server/main.js", "node_modules/.package-lock.json"].map(
        (file) => statSync(join(root, file)).mtimeMs,
      );
    const before = stamps();
    const { code, stdout, stderr } = await run([], process.env);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(stamps()).toEqual(before);
  });

  it("has npx find the command of this package", () => {
    const { status, stdout } = spawnSync(join(root, "node_modules/.bin/slipway"), ["--version"], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  it("takes a complete Pulumi CLI in PULUMI_HOME before any other", async () => {
    standardPulumi("3.260.0");
    const pinned = join(home, "versions", pinnedVersion, "bin");
    for (const part of parts) script(pinned, part, "exit 0");
    const { stdout } = await run(["--print-pulumi"]);
    expect(stdout.trim()).toBe(join(pinned, "pulumi"));
  });

  it.each(["v3.254.0", "3.276.0", "v3.300.1"])("takes a Pulumi CLI %s that is on PATH", async (version) => {
    standardPulumi(version);
    const { stdout } = await run(["--print-pulumi"]);
    expect(stdout.trim()).toBe(join(bin, "pulumi"));
  });

  it.each(["v3.253.9", "v4.0.0", "nonsense"])("does not take a Pulumi CLI %s", async (version) => {
    standardPulumi(version);
    const { code, stderr } = await run(["--print-pulumi"]);
    expect(code).toBe(1);
    expect(stderr).toContain(">=3.254.0 <4");
  });

  it("lists three ways to get a Pulumi CLI when none works, and leaves nothing behind", async () => {
    const { code, stderr } = await run(["--print-pulumi"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/1\. install Pulumi[\s\S]*2\. let this machine reach[\s\S]*3\. install Go/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(readdirSync(join(home, "versions"))).toEqual([]);
  });

  it("names PULUMI_HOME where the home directory cannot be written", async () => {
    const { PULUMI_HOME: _, ...env } = isolatedEnvironment();
    writeFileSync(join(folder, ".pulumi"), "");
    const { code, stderr } = await run(["--print-pulumi"], env);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/\.pulumi.*\. Set PULUMI_HOME to a folder that you can write to\.\n$/),
    ]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("does not build with a Go that is too old", async () => {
    fakeGo({ version: "go1.25.11" });
    const { code, stderr } = await run(["--print-pulumi"]);
    expect(code).toBe(1);
    expect(stderr).toContain("this is Go 1.25.11");
  });

  it("builds the Pulumi CLI with Go where the download is out of reach", async () => {
    fakeGo();
    const { code, stdout } = await run(["--print-pulumi"]);
    const built = join(home, "versions", pinnedVersion, "bin");
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: join(built, "pulumi") });
    expect(readdirSync(built).sort()).toEqual(parts);
    expect(readdirSync(join(home, "versions"))).toEqual([pinnedVersion]);
  });

  it("completes a Pulumi CLI in PULUMI_HOME that lacks its language host", async () => {
    script(join(home, "versions", pinnedVersion, "bin"), "pulumi", "exit 0");
    fakeGo();
    const { code } = await run(["--print-pulumi"]);
    expect(code).toBe(0);
    expect(readdirSync(join(home, "versions", pinnedVersion, "bin")).sort()).toEqual(parts);
  });

  it("builds once when two set-ups run at once", async () => {
    fakeGo();
    const runs = await Promise.all([run(["--print-pulumi"]), run(["--print-pulumi"])]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(builds()).toEqual(["pulumi", "pulumi-language-nodejs"]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "leaves nothing half-built when %s interrupts it",
    async (signal) => {
      fakeGo({ hang: true });
      const child = spawn(node, [setup, "--print-pulumi"], {
        env: isolatedEnvironment(),
        stdio: "ignore",
      });
      await until("the build is under way", () => builds().length > 0 || undefined);
      child.kill(signal);
      expect(await exitCode(child)).toBe(signal === "SIGINT" ? 130 : 143);
      expect(readdirSync(join(home, "versions"))).toEqual([]);
    },
  );

  it("clears away what a killed set-up left behind, and works again", async () => {
    fakeGo({ hang: true });
    const child = spawn(node, [setup, "--print-pulumi"], {
      env: isolatedEnvironment(),
      stdio: "ignore",
    });
    await until("the build is under way", () => builds().length > 0 || undefined);
    child.kill("SIGKILL");
    await exitCode(child);
    expect(readdirSync(join(home, "versions"))).not.toEqual([]);
    fakeGo();
    expect((await run(["--print-pulumi"])).code).toBe(0);
    expect(readdirSync(join(home, "versions"))).toEqual([pinnedVersion]);
  });
});

describe("every command", () => {
  const scripts = Object.entries(
    (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> })
      .scripts,
  )
    // npm runs prepack by itself, which is the build.
    .filter(([name, line]) => name !== "prepack" && /^node scripts\//.test(line))
    .map(([name, line]): [string, string] => [name, /scripts\/\S+/.exec(line)?.[0] ?? ""]);

  it.each(scripts)("%s explains itself with --help and does nothing", async (name, file) => {
    const { code, stdout, stderr } = await run(["--help"], isolatedEnvironment(), join(root, file));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`npm (run )?${name.split(":")[0]}`));
    expect(existsSync(home)).toBe(false);
  });
});

/** No Pulumi, no Go, nothing but what a test puts into `bin`, and a vendor that refuses. */
function isolatedEnvironment(): NodeJS.ProcessEnv {
  return {
    HOME: folder,
    PATH: bin,
    PULUMI_HOME: home,
    NODE_USE_ENV_PROXY: "1",
    HTTPS_PROXY: "http://127.0.0.1:9",
    HTTP_PROXY: "http://127.0.0.1:9",
  };
}

function run(args: string[], env = isolatedEnvironment(), file = setup) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(node, [file, ...args], { env }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const exitCode = (child: ChildProcess) => new Promise<number | null>((done) => child.once("close", done));

function standardPulumi(version: string) {
  for (const part of parts) script(bin, part, "exit 0");
  script(bin, "pulumi", `echo ${version}`);
}

/** A Go that writes down what it builds, and can stop half-way. */
function fakeGo({ version = "go1.26.0", hang = false } = {}) {
  const sdk = join(folder, "sdk");
  script(join(sdk, "nodejs/dist"), "pulumi-resource-pulumi-nodejs", "exit 0");
  // The patches of set-up to the language hosts.
  writeFileSync(join(sdk, "main.go"), "\t\tpulumirpc.RegisterLanguageRuntimeServer(srv, host)\n");
  mkdirSync(join(sdk, "codegen/nodejs"), { recursive: true });
  writeFileSync(join(sdk, "codegen/nodejs/gen.go"), "\treturn path.Dir(filepath.ToSlash(rel))\n");
  script(
    bin,
    "go",
    `
case "$1" in
  env) echo ${version} ;;
  list) echo ${sdk} ;;
  build)
    while [ "$1" != -o ]; do shift; done
    echo "$2" >> ${join(folder, "builds")}
    echo partial > "$2"
    ${hang ? "exec /bin/sleep 60" : `/bin/sleep 0.3; echo 'exit 0' > "$2"; /bin/chmod 755 "$2"`} ;;
esac`,
  );
}

const builds = () =>
  existsSync(join(folder, "builds"))
    ? readFileSync(join(folder, "builds"), "utf8")
        .trim()
        .split("\n")
        .map((path) => path.slice(dirname(path).length + 1))
    : [];

function script(into: string, name: string, text: string) {
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(into, name), 0o755);
}
