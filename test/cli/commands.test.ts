import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type RunningServer, startServer } from "../../server";
import { runChild } from "../support/child";
import { built } from "../support/dist";
import { root } from "../support/server";

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-cli-"));
});
afterEach(async () => {
  await server.control.reset();
  rmSync(folder, { recursive: true });
});
afterAll(() => server.close());

async function slipway(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const account = { SLIPWAY_API_URL: server.url, SLIPWAY_TOKEN: server.token, SLIPWAY_TEAM: "acme" };
  const child = runChild("cli/command.ts", args, { ...account, ...env });
  return { code: await child.exited, ...child.output() };
}

const ask = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}${path}?slug=acme`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
};

describe("slipway", () => {
  it("lists its commands, and what each is for", async () => {
    const { code, stdout } = await slipway(["--help"]);
    expect(code).toBe(0);
    expect(stdout.replace(/\n {10,}/g, " ")).toMatch(
      /^Usage: slipway .*Projects, domains, variables and promotions.*\n {2}serve +runs the reference API until it is stopped; see slipway serve --help\n {2}stop +stops the server that slipway serve --detach started in this folder\n {2}import .* writes a program and an import file for the projects of an account\n {2}plugin +the plugin for programs in YAML, Python, Go and others\n/s,
    );
    expect((await slipway(["--version"])).stdout).toBe(`${version}\n`);
  });

  it.each([
    ["a command that it does not have", ["frob"], "unknown command 'frob'"],
    ["the help of a command that it does not have", ["frob", "--help"], "unknown command 'frob'"],
    ["a command below plugin that it does not have", ["plugin", "frob", "-h"], "unknown command 'frob'"],
    ["a flag that it does not have", ["import", "--frob"], "unknown option '--frob'"],
    ["a flag without its value", ["import", "--out"], "argument missing"],
  ])("refuses %s, with exit code 2", async (_, args, reason) => {
    const { code, stdout, stderr } = await slipway(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
  });
});

describe("slipway import", () => {
  it("says what it reads, takes and writes", async () => {
    const { code, stdout } = await slipway(["import", "--help"]);
    expect(code).toBe(0);
    for (const said of [
      /Reads the projects, domains and variables of an account\. Writes a TypeScript program that declares them and the files that import them into a stack, and changes nothing\./,
      /SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM\./,
      /projects by id or name; or single domains/,
      /project\/KEY\/preview\/branch/,
      /--out <folder> +folder for the files \(default: "\."\)/,
      /--promotions +also declares which deployment serves production/,
      /--force +overwrites files that exist/,
      /secrets\.sh +puts the values of variables into the stack's configuration; holds secrets/,
      /Exit codes: 0 done, 1 failed, 2 used wrongly\./,
    ])
      expect(stdout.replace(/\s+/g, " ")).toMatch(said);
  });

  it("writes its files where it is called, and tells what to do with them", async () => {
    const settings = { buildCommand: "a ".repeat(50), framework: "nextjs" };
    const addresses = Array.from({ length: 3 }, (_, i) => ({ value: `10.0.${i}.0/24`, note: "one of ours" }));
    await server.control.changeTeam("acme", { plan: "enterprise" });
    await ask("POST", "/v10/projects", { name: "web", ...settings });
    await ask("PATCH", "/v9/projects/web", {
      trustedIps: { deploymentType: "all", addresses, protectionMode: "additional" },
    });
    const { code, stdout, stderr } = await slipway(["import", "--out", folder]);
    expect([code, stderr]).toEqual([
      0,
      `slipway: reading web\nslipway: wrote ${["index.ts", "import.json", "secrets.sh"].map((name) => join(folder, name)).join(", ")} for 1 resource\n`,
    ]);
    expect(stdout).toContain(`import "${join(folder, "index.ts")}";`);
    expect(stdout).toContain(
      `pulumi import --file ${join(folder, "import.json")} --generate-code=false --yes`,
    );
    // What is too long for one line stands in several.
    expect(readFileSync(join(folder, "index.ts"), "utf8")).toContain(`  trustedIps: {
    deploymentType: "all",
    addresses: [
      { value: "10.0.0.0/24", note: "one of ours" },
      { value: "10.0.1.0/24", note: "one of ours" },
      { value: "10.0.2.0/24", note: "one of ours" },
    ],
    protectionMode: "additional",
  },
`);
  });

  it("overwrites nothing unless it is told to", async () => {
    await ask("POST", "/v10/projects", { name: "web" });
    const [program, importFile] = [join(folder, "index.ts"), join(folder, "import.json")];
    writeFileSync(program, "mine");
    const way = "Give another folder with --out, or overwrite with --force.";
    expect(await slipway(["import", "--out", folder])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `slipway: ${program} exists. ${way}\n`,
    });
    writeFileSync(importFile, "mine");
    expect((await slipway(["import", "--out", folder])).stderr).toBe(
      `slipway: ${program}, ${importFile} exist. ${way}\n`,
    );
    expect(readFileSync(program, "utf8")).toBe("mine");
    expect((await slipway(["import", "--out", folder, "--force"])).code).toBe(0);
    expect(readFileSync(program, "utf8")).toContain('new Project("web"');
  });

  it("fails in one line, with the way out, and writes nothing", async () => {
    const fails = async (args: string[], env?: NodeJS.ProcessEnv) => {
      const { code, stderr } = await slipway(["import", "--out", join(folder, "out"), ...args], env);
      expect([code, existsSync(join(folder, "out"))]).toEqual([1, false]);
      return stderr;
    };
    expect(await fails([])).toBe(
      "slipway: There is nothing to import in this account. Check SLIPWAY_TEAM, which names the team.\n",
    );
    expect(await fails([], { SLIPWAY_TOKEN: "" })).toMatch(
      /^slipway: No access token is given\. Set SLIPWAY_TOKEN[^\n]*\n$/,
    );
    expect(await fails(["nope"])).toMatch(/^slipway: reading nope\n|^slipway: [^\n]*404 not_found[^\n]*\n$/);
    expect(await fails([], { SLIPWAY_API_URL: "nowhere" })).toMatch(
      /^slipway: [^\n]*SLIPWAY_API_URL[^\n]*\n$/,
    );
    expect(await fails([], { SLIPWAY_API_URL: "http://127.0.0.1:9" })).toMatch(
      /^slipway: [^\n]*out of reach[^\n]*\n$/,
    );
  });

  it("says which folder cannot be written", async () => {
    await ask("POST", "/v10/projects", { name: "web" });
    writeFileSync(join(folder, "file"), "");
    const { code, stderr } = await slipway(["import", "--out", join(folder, "file")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /\nslipway: \S+index\.ts cannot be written \([^\n]*\)\. Give another folder with --out\.\n$/,
    );
  });

  it("quotes a folder for the shell, and notes what it leaves out", async () => {
    await ask("POST", "/v10/projects", { name: "web" });
    await ask("PATCH", "/v1/projects/web/protection-bypass", { generate: {} });
    const { stdout, stderr } = await slipway(["import", "--out", join(folder, "it's")]);
    expect(stderr).toContain("\nslipway: note: Project web: its protection bypass secrets are left alone");
    const [, command = ""] = /^ {2}(rm .*)$/m.exec(stdout) ?? [];
    await run("sh", ["-c", command]);
    expect(readdirSync(join(folder, "it's"))).toEqual(["index.ts"]);
  });
});

describe("slipway plugin install", () => {
  const install = (home: string) =>
    run(process.execPath, [built("cli/main.js"), "plugin", "install"], {
      env: { ...process.env, PULUMI_HOME: home },
    });

  it("puts the plugin below PULUMI_HOME, in the place of one of the same version, and says where", async () => {
    const target = join(folder, `plugins/resource-slipway-v${version}`);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "old"), "");
    expect((await install(folder)).stdout).toBe(`${target}\n`);
    expect(readdirSync(target).sort()).toEqual(
      ["LICENSES.txt", "package.json", "pulumi-resource-slipway", "schema.json"].sort(),
    );
    expect(readdirSync(join(folder, "plugins"))).toEqual([`resource-slipway-v${version}`]);
  });

  it("says in one line where it cannot be installed", async () => {
    writeFileSync(join(folder, "plugins"), "");
    await expect(install(folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^slipway: The plugin cannot be installed in \S+ \([^\n]*\)\. Name another folder in PULUMI_HOME\.\n$/,
      ),
    });
  });
});
