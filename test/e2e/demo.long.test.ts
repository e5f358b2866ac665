import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { built } from "../support/dist";
import { hasHcl } from "../support/languages";
import { byProfile } from "../support/profile";
import { type Stack, Workspace } from "../support/pulumi";
import { root } from "../support/server";

/** First steps without a clone: the demo, and the templates of `pulumi new`. */
const setup = join(root, "scripts/install.mjs");
const provided = (what: string): string =>
  execFileSync(process.execPath, [setup, `--print-${what}`], { encoding: "utf8" }).trim();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-demo-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** In a folder of its own. */
function run(program: string, args: string[], env: NodeJS.ProcessEnv) {
  const own = Object.entries(process.env).filter(([name]) => !/^(SLIPWAY|PULUMI)_/.test(name));
  return spawnSync(program, args, {
    cwd: join(folder, "project"),
    env: {
      ...Object.fromEntries(own),
      PULUMI_HOME: join(folder, "home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...env,
    },
    encoding: "utf8",
  });
}

function slipway(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = run(process.execPath, [built("cli/main.js"), ...args], env);
  return { status, stdout, stderr };
}

function shell(script: string, env: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = run("/bin/sh", ["-e", "-c", script], env);
  return { status, output: stdout + stderr };
}

describe("slipway demo", () => {
  beforeEach(() => mkdirSync(join(folder, "project")));

  it("starts a server and a program in an empty folder, and continues there when it is repeated", async () => {
    const PATH = [join(provided("pulumi"), ".."), provided("yaml"), process.env.PATH].join(delimiter);
    try {
      const first = slipway(["demo", "--port", "0"], { PATH });
      expect([first.status, first.status === 0 ? "" : first.stderr + first.stdout]).toEqual([0, ""]);
      const [, url = ""] = /^The dashboard is at (http:\S+?)\/#code=\w+$/m.exec(first.stdout) ?? [];
      for (const name of ["web", "greeting", "domain"])
        expect(first.stdout).toMatch(new RegExp(` ${name} created`));
      const answer = await fetch(`${url}/v9/projects/web?slug=acme`, {
        headers: { authorization: "Bearer slipway-dev-token" },
      });
      expect(await answer.json()).toMatchObject({ name: "web", framework: "nextjs" });
      expect(readdirSync(join(folder, "project")).sort()).toEqual([
        ".slipway",
        "Pulumi.dev.yaml",
        "Pulumi.yaml",
      ]);

      const program = join(folder, "project/Pulumi.yaml");
      writeFileSync(program, readFileSync(program, "utf8").replace("framework: nextjs", "framework: astro"));
      const second = slipway(["demo", "--port", "0"], { PATH });
      expect([second.status, second.stderr]).toEqual([
        0,
        expect.stringContaining(`the server is at ${url}\n`),
      ]);
      expect(second.stdout).toMatch(/^The dashboard is at http:\S+\/#code=\w+$/m);
      expect(second.stdout).toMatch(/ 1 updated\n +3 unchanged/);

      // The commands that it prints, as they are copied.
      const commands = second.stdout.match(/^ {2}(export|pulumi|curl|npx|slipway|node) .*$/gm) ?? [];
      expect(commands).toHaveLength(6);
      const npx = `npx() { shift; "${process.execPath}" "${built("cli/main.js")}" "$@"; }`;
      const { status, output } = shell([npx, ...commands].join("\n"), {
        PATH,
        PULUMI_SKIP_CONFIRMATIONS: "true",
      });
      expect([status, output]).toEqual([
        0,
        expect.stringMatching(/framework: "vite" => "astro"[\s\S]+4 deleted[\s\S]+is stopped\.$/m),
      ]);
    } finally {
      slipway(["stop"]);
    }
  });

  it("says how to install the Pulumi CLI where it is missing, and leaves the folder empty", () => {
    const { status, stderr } = slipway(["demo"], { PATH: folder });
    expect([status, stderr]).toEqual([1, expect.stringContaining("slipway: The Pulumi CLI is not on PATH.")]);
    expect(stderr).toContain("brew install pulumi/tap/pulumi");
    expect(readdirSync(join(folder, "project"))).toEqual([]);
  });

  it("refuses a folder with other files", () => {
    writeFileSync(join(folder, "project/Pulumi.yaml"), "name: mine\nruntime: yaml\n");
    const { status, stderr } = slipway(["demo"], { PATH: folder });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^slipway: This folder is not empty\./)]);
    expect(existsSync(join(folder, "project/.slipway"))).toBe(false);
  });

  it("refuses variables that name another API", () => {
    const { status, stderr } = slipway(["demo"], { SLIPWAY_TOKEN: "mine" });
    expect([status, stderr]).toEqual([
      1,
      "slipway: The demo runs on its own server. Unset SLIPWAY_TOKEN, then try again.\n",
    ]);
  });
});

describe("the template", () => {
  let world: Workspace;
  beforeAll(async () => {
    world = await Workspace.start();
  });
  afterAll(() => world.stop());

  const templates = ["slipway-typescript", "slipway-yaml", ...(hasHcl ? ["slipway-hcl"] : [])];

  it.each(templates)("%s becomes a project that runs", async (name) => {
    const stack: Stack = await world.yaml(name, "resources: {}\n");
    const template = join(root, "templates", name);
    const args = [
      "new",
      template,
      "--generate-only",
      "--yes",
      "--force",
      "--name",
      name,
      "--description",
      "Mine",
    ];
    const created = await stack.cli(args);
    expect([created.code, created.code === 0 ? "" : created.output]).toEqual([0, ""]);
    const manifest = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
    expect(manifest).toMatch(new RegExp(`^name: ${name}\\ndescription: Mine\\n`));
    if (name === "slipway-typescript")
      symlinkSync(join(root, "node_modules"), join(stack.folder, "node_modules"));
    const PULUMI_HOME = join(folder, "home");
    mkdirSync(join(folder, "project"));
    expect(slipway(["plugin", "install"]).status).toBe(0);
    const env = { PULUMI_HOME, PULUMI_STACK: "test" };
    const up = await stack.up({ env });
    expect([up.errors, up.steps.map((step) => `${step.op} ${step.name}`).sort()]).toEqual([
      [],
      ["create domain", "create greeting", "create web"],
    ]);
    expect(await stack.outputs()).toMatchObject({ challenges: byProfile([{ type: "TXT" }], []) });
    expect((await stack.destroy({ env })).errors).toEqual([]);
  });
});
