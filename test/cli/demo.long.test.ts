import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { built } from "../support/dist";
import { until } from "../support/until";

let folder: string;
let project: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-demo-"));
  project = join(folder, "project");
  mkdirSync(project);
});
afterEach(() => {
  spawnSync(process.execPath, [built("cli/main.js"), "stop"], { cwd: project, env: environment() });
  rmSync(folder, { recursive: true });
});

const environment = (): NodeJS.ProcessEnv => ({
  PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`,
  PULUMI_HOME: join(folder, "home"),
});

/** Puts a Pulumi CLI on PATH that runs a script for `up`, and succeeds otherwise. */
function pulumi(up: string, version = "v3.276.0"): void {
  const script = `case "$1" in\nversion) echo ${version} ;;\nup)\n${up}\n;;\nesac\n`;
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}`);
  chmodSync(join(folder, "pulumi"), 0o755);
  writeFileSync(join(folder, "pulumi-language-yaml"), "");
}

async function demo(onStart: (pid: number) => Promise<unknown> = async () => {}, env = {}) {
  const child = spawn(process.execPath, [built("cli/main.js"), "demo"], {
    cwd: project,
    env: { ...environment(), SLIPWAY_PORT: "0", ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  await onStart(child.pid ?? 0);
  return { code: await ended, stdout, stderr };
}

function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Opens a session of the dashboard by the link that a run printed. */
async function open(stdout: string): Promise<number> {
  const [, url, code] = /^The dashboard is at (http\S+)\/#code=(\w+)$/m.exec(stdout) ?? [];
  const response = await fetch(`${url}/_dashboard/open`, {
    method: "POST",
    headers: { "x-slipway-dashboard": "1", "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  return response.status;
}

describe("slipway demo", () => {
  const stop = `node "${built("cli/main.js")}" stop`;
  const goesOn = `slipway: the server continues in the background; ${stop} stops it\n`;

  it("says why the Pulumi CLI fails", async () => {
    writeFileSync(join(folder, "pulumi"), "#!/bin/sh\necho 'no such version' >&2\nexit 1\n", { mode: 0o755 });
    const { code, stderr } = await demo();
    expect([code, stderr]).toEqual([1, "slipway: pulumi version failed:\nno such version\n"]);
  });

  it("refuses a Pulumi CLI that Slipway does not support, before it writes anything", async () => {
    pulumi("exit 0", "v3.253.0");
    const { code, stderr } = await demo();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^slipway: The Pulumi CLI on PATH has the version 3\.253\.0\. .* 3\.254\.0 or later/,
      ),
    ]);
    expect(readdirSync(project)).toEqual([]);
  });

  it("installs the plugin before it starts a server, and says when it cannot", async () => {
    pulumi("exit 0");
    writeFileSync(join(folder, "file"), "");
    const { code, stderr } = await demo(undefined, { PULUMI_HOME: join(folder, "file/home") });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("slipway: The plugin cannot be installed in "),
    ]);
    expect(readdirSync(project)).toEqual([]);
  });

  it("takes the port of SLIPWAY_PORT", async () => {
    pulumi("exit 0");
    const { code, stderr } = await demo(undefined, { SLIPWAY_PORT: "none" });
    expect([code, stderr]).toEqual([2, expect.stringContaining("SLIPWAY_PORT")]);
  });

  it.each([
    [
      "npx slipway",
      () => link(join(project, "node_modules/slipway"), join(built("cli/main.js"), "../../..")),
    ],
    ["slipway", () => link(join(folder, "slipway"), built("cli/main.js"))],
  ])("names the command as %s where that is this package", async (name, install) => {
    install();
    pulumi("exit 0");
    expect((await demo()).stdout).toContain(`\n  ${name} stop\n`);
  });

  it("prints a new link in each run, and says what goes on when pulumi up fails", async () => {
    pulumi(`mkdir -p .slipway/state/.pulumi/locks/organization/slipway-demo/dev
      touch .slipway/state/.pulumi/locks/organization/slipway-demo/dev/1.json
      exit 1`);
    const failed = await demo();
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(goesOn)]);
    expect(failed.stderr).toMatch(
      /\nslipway: pulumi up failed: see above\. The stack is locked\.[^\n]*\n.*\n {2}pulumi cancel dev --yes\n$/,
    );
    expect(await open(failed.stdout)).toBe(200);

    // The stack of another program.
    pulumi('echo "stack: $PULUMI_STACK"');
    const repeated = await demo(undefined, { PULUMI_STACK: "other" });
    expect([repeated.code, repeated.stderr]).toEqual([0, expect.not.stringContaining("goes on")]);
    expect(repeated.stdout).toMatch(/^stack: $/m);
    expect(repeated.stdout).toContain("\n  unset PULUMI_STACK\n");
    expect(statSync(join(project, ".slipway/passphrase")).mode & 0o777).toBe(0o600);
    expect(await open(repeated.stdout)).toBe(200);
  });

  it("needs the language host of its program before it writes anything", async () => {
    pulumi("exit 0");
    rmSync(join(folder, "pulumi-language-yaml"));
    const { code, stderr } = await demo();
    expect([code, stderr]).toEqual([1, expect.stringContaining("has no language host for YAML")]);
    expect(readdirSync(project)).toEqual([]);
    mkdirSync(join(folder, "home/plugins/language-yaml-v1.30.0"), { recursive: true });
    expect((await demo()).code).toBe(0);
  });

  it("ends pulumi up when it is interrupted, and says what goes on", async () => {
    const mark = join(folder, "running");
    pulumi(`touch ${mark}; exec sleep 60`);
    const { code, stderr } = await demo(async (pid) => {
      await until("it runs", () => existsSync(mark) || undefined);
      process.kill(pid, "SIGINT");
    });
    expect([code, stderr]).toEqual([130, expect.stringContaining(`${goesOn}slipway: interrupted\n`)]);
  });
});
