import { execFile } from "node:child_process";
import {
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
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { commands, groups } from "../../cli/commands";
import { withAccount } from "../../cli/core/account";
import { type Call, command, exitCodesOf, flagNameOf, flagsOf } from "../../cli/core/command";
import { programFor, withoutHelpCommand } from "../../cli/core/program";
import { ApiError } from "../../provider/client/errors";
import type { RunningServer } from "../../server";
import { type Result, slipwayHere } from "../support/cli";
import { built } from "../support/dist";
import { startServer } from "../support/profile";
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

const slipway = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Result> => {
  const account = { SLIPWAY_API_URL: server.url, SLIPWAY_TOKEN: server.token, SLIPWAY_TEAM: "acme" };
  return slipwayHere(args, { ...account, ...env });
};

const ask = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}${path}?slug=acme`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

describe("slipway", () => {
  it("lists its commands with their descriptions", async () => {
    const { code, stdout } = await slipway(["--help"]);
    expect(code).toBe(0);
    const lines = stdout.replace(/\n {10,}/g, " ");
    expect(lines).toContain(
      "Usage: slipway [options] [command]\n\nRuns a reference server of the Vercel API,",
    );
    for (const { name, load } of commands.filter(({ name }) => !name.includes(" "))) {
      expect(lines).toMatch(new RegExp(`^ {2}${name}\\b.* {2}${escaped(load().summary)}$`, "m"));
    }
    for (const [name, summary] of Object.entries(groups))
      expect(lines).toMatch(new RegExp(`^ {2}${name}\\b.* {2}${escaped(summary)}$`, "m"));
    expect((await slipway(["--version"])).stdout).toBe(`${version}\n`);
  });

  it.each([
    ["an unknown command", ["frob"], "unknown command 'frob'"],
    ["the help of an unknown command", ["frob", "--help"], "unknown command 'frob'"],
    ["an unknown subcommand of plugin", ["plugin", "frob", "-h"], "unknown command 'frob'"],
    ["an unknown flag", ["import", "--frob"], "unknown option '--frob'"],
    ["a flag without its value", ["import", "--out"], "argument missing"],
    ["a port that is none", ["demo", "--port", "x"], "Give a whole number, 0 to 65535."],
    ["a flag with an empty value", ["import", "--out", ""], "It is empty. Give a value, or leave it out."],
  ])("refuses %s, with exit code 2", async (_, args, reason) => {
    const { code, stdout, stderr } = await slipway(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^slipway: /);
    expect(stderr).toContain(reason);
  });

  it.each([
    [
      "command",
      ["imprt"],
      "unknown command 'imprt'. Did you mean import? slipway --help lists the commands.",
    ],
    ["command of a group", ["plugin", "instal"], "unknown command 'instal'. Did you mean install?"],
    ["flag", ["import", "--promotion"], "(Did you mean --promotions?)"],
  ])("suggests the %s that was meant", async (_, args, reason) => {
    const { code, stderr } = await slipway(args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });
});

it("a command gets its arguments and flags, and tells its exit code", async () => {
  const calls: Call[] = [];
  const declared = command({
    ...{ summary: "tries", description: "Tries.", examples: [], output: z.unknown() },
    arguments: [{ name: "what", isOptional: true, isRepeated: true, help: "what" }],
    flags: {
      allow: { value: "name", help: "several", isRepeated: true, default: [] as string[] },
      port: { value: "number", help: "port", default: 1, variable: "TRY_PORT", parse: Number },
      dryRun: { help: "changes nothing" },
    },
    run: (call) => {
      calls.push(call as unknown as Call);
      return 5;
    },
  });
  const codes: number[] = [];
  const run = (line: string) => {
    const args = withoutHelpCommand(line.split(" "));
    const entries = [{ name: "try it", heading: "Tries", load: () => declared }];
    const about = { description: "", version: "1", commands: entries, groups: { try: "tries" } };
    return programFor(args, { ...about, onExit: (code) => codes.push(code) }).parseAsync(args, {
      from: "user",
    });
  };
  process.env.TRY_PORT = "7";
  await run("try it a b --allow x --allow y --dry-run --json");
  await run("try it --port 3");
  delete process.env.TRY_PORT;
  expect(calls).toMatchObject([
    { args: ["a", "b"], json: true },
    { args: [], json: false },
  ]);
  expect(calls.map(({ flags }) => flags)).toEqual([
    { allow: ["x", "y"], port: 7, dryRun: true },
    { allow: [], port: 3 },
  ]);
  expect(codes).toEqual([5, 5]);
  expect(withoutHelpCommand(["help", "try", "it"])).toEqual(["try", "it", "--help"]);
});

describe("a refusal of the API", () => {
  const { SLIPWAY_TOKEN: before } = process.env;
  beforeEach(() => {
    process.env.SLIPWAY_TOKEN = "token";
  });
  afterEach(() => {
    if (before === undefined) delete process.env.SLIPWAY_TOKEN;
    else process.env.SLIPWAY_TOKEN = before;
  });

  it.each([
    [
      401,
      "forbidden",
      {},
      "Create a token in the account's settings, and set SLIPWAY_TOKEN. The bundled server has slipway-dev-token.",
    ],
    [403, "forbidden", {}, "Check that the token may read the account that SLIPWAY_TEAM selects."],
    [
      403,
      "forbidden",
      { detail: { isTokenInvalid: true } },
      "Create a token in the account's settings, and set SLIPWAY_TOKEN. The bundled server has slipway-dev-token.",
    ],
    [
      403,
      "forbidden",
      { detail: { needsSaml: true } },
      "The team requires single sign-on (SAML). Log in to the team with single sign-on, create an access token for it, and use this token.",
    ],
    [
      403,
      "integration_configuration_disabled",
      {},
      "The integration of the token is disabled. Its owner has to enable it again.",
    ],
    [404, "not_found", {}, "Check the name, and the account that SLIPWAY_TEAM selects."],
    [429, "rate_limited", { retryAfterMs: 1_500 }, "Run the command again in 2 s."],
    [429, "rate_limited", {}, "Run the command again later."],
  ])("with %i %s %j has a hint for a command without a stack", async (status, code, more, hint) => {
    const asked = { method: "GET", path: "/v9/projects" };
    const error = new ApiError({ asked, status, code, said: "No.", ...more });
    await expect(withAccount(() => Promise.reject(error))).rejects.toMatchObject({
      name: "UserError",
      message: `GET /v9/projects: ${status} ${code}: No. ${hint}`,
    });
  });
});

describe("the output of slipway", () => {
  /** Runs a line of the shell, in which $0 is the command. */
  const shell = (line: string, env: NodeJS.ProcessEnv = {}) => {
    const command = `"${process.execPath}" "${built("cli/main.js")}"`;
    return run("bash", ["-c", line.replaceAll("$0", command)], { env: { ...process.env, ...env } });
  };

  it.each(["version", "stop --help"])("of %s is told to be lost when the disk is full", async (command) => {
    await expect(shell(`$0 ${command} > /dev/full`)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^slipway: The output cannot be written \(ENOSPC[^\n]*\)\.\n$/),
    });
  });

  it("ends with its reader", async () => {
    const account = { SLIPWAY_API_URL: server.url, SLIPWAY_TOKEN: server.token, SLIPWAY_TEAM: "acme" };
    expect(await shell("$0 snapshot | true; exit $PIPESTATUS", account)).toEqual({ stdout: "", stderr: "" });
  });
});

describe.each(commands.map(({ name, load }) => ({ name, declared: load() })))(
  "slipway $name",
  ({ name, declared }) => {
    const examples = declared.examples.map(([line]) => line);

    it("has a help with its description, flags, examples and exit codes", async () => {
      const { code, stdout } = await slipway([...name.split(" "), "--help"]);
      expect(code).toBe(0);
      const text = stdout.replace(/\s+/g, " ");
      expect(text).toContain(`Usage: slipway ${name}`);
      for (const part of [declared.description, ...examples])
        expect(text).toContain(part.replace(/\s+/g, " "));
      for (const key of Object.keys(flagsOf(declared))) expect(text).toContain(flagNameOf(key));
      for (const [number, meaning] of Object.entries(exitCodesOf(declared)))
        expect(text).toContain(`${number} ${meaning}`);
    });

    it("is in the reference", () => {
      const page = readFileSync(join(root, "docs/cli.md"), "utf8");
      expect(page).toContain(`\n### \`slipway ${name}\`\n\n${declared.description}\n`);
      const schema = join(root, "docs/schemas", `${name.replaceAll(" ", "-")}.json`);
      expect(existsSync(schema)).toBe(declared.output !== undefined);
    });

    it("has examples of itself, with flags that it has", () => {
      const own = examples.filter((line) => line.includes(`slipway ${name}`));
      expect(own.length).toBeGreaterThan(0);
      const known = [...Object.keys(flagsOf(declared)).map(flagNameOf), "--help"];
      for (const line of own) {
        const [call = ""] = line.slice(line.indexOf(`slipway ${name}`)).split(" -- ");
        for (const [flag] of call.matchAll(/(?<=\s)--[a-z-]+/g)) expect(known).toContain(flag);
      }
    });
  },
);

describe("slipway import", () => {
  it("describes its arguments, options and files in its help", async () => {
    const { code, stdout } = await slipway(["import", "--help"]);
    expect(code).toBe(0);
    for (const said of [
      /Reads the projects, environments, domains, variables, shared variables, DNS records, deployment protection exceptions, firewall bypasses, firewall configurations, redirect lists, routes, feature flags, segments, SDK keys, access groups, microfrontend groups, installation projects, Edge Configs, Blob stores, webhooks and log drains of an account, or those in the state of Terraform or @pulumiverse\/vercel\. Writes a TypeScript program that declares them, and files that import them into a stack\. Changes nothing in the account\./,
      /SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select the account\./,
      /projects by id or name, or single environments/,
      /project\/KEY\/preview\/branch/,
      /--out <folder> +folder for the files \(default: "\."\)/,
      /--promotions +also declares the deployment that serves production/,
      /--force +overwrites existing files/,
      /secrets\.sh +sets the values of variables in the stack's configuration; contains secrets/,
      /Exit codes: 0 success, 1 failure, 2 invalid usage\./,
    ])
      expect(stdout.replace(/\s+/g, " ")).toMatch(said);
  });

  it("writes its files to the given folder and prints the next steps", async () => {
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
      `slipway: reading web\nslipway: note: The default domains of projects, such as web.vercel.app, were left out, because the service gives them to the projects.\nslipway: wrote ${["index.ts", "import.json", "secrets.sh"].map((name) => join(folder, name)).join(", ")} for 1 resource\n`,
    ]);
    expect(stdout).toContain(`import "${join(folder, "index.ts")}";`);
    expect(stdout).toContain(
      `pulumi import --file ${join(folder, "import.json")} --generate-code=false --yes`,
    );
    // A value that is too long for one line is split.
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

  it("overwrites files only with --force", async () => {
    await ask("POST", "/v10/projects", { name: "web" });
    const [program, importFile] = [join(folder, "index.ts"), join(folder, "import.json")];
    writeFileSync(program, "mine");
    const hint = "Choose another folder with --out, or overwrite with --force.";
    expect(await slipway(["import", "--out", folder])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `slipway: ${program} exists already. ${hint}\n`,
    });
    writeFileSync(importFile, "mine");
    expect((await slipway(["import", "--out", folder])).stderr).toBe(
      `slipway: ${program}, ${importFile} exist already. ${hint}\n`,
    );
    expect(readFileSync(program, "utf8")).toBe("mine");
    expect((await slipway(["import", "--out", folder, "--force"])).code).toBe(0);
    expect(readFileSync(program, "utf8")).toContain('new Project("web"');
  });

  it("keeps its secrets for its owner, also in a file that others could read before", async () => {
    await ask("POST", "/v10/projects", { name: "web" });
    const paths = ["import.json", "secrets.sh"].map((name) => join(folder, name));
    for (const path of paths) writeFileSync(path, "", { mode: 0o644 });
    await slipway(["import", "--out", folder, "--force"]);
    expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("reports a failure with a hint on one line and writes no files", async () => {
    const fails = async (args: string[], env?: NodeJS.ProcessEnv) => {
      const { code, stderr } = await slipway(["import", "--out", join(folder, "out"), ...args], env);
      expect([code, existsSync(join(folder, "out"))]).toEqual([1, false]);
      return stderr;
    };
    expect(await fails([])).toBe(
      "slipway: The account has nothing to import. Check that SLIPWAY_TEAM names the right team.\n",
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

  it("names a folder that cannot be written", async () => {
    await ask("POST", "/v10/projects", { name: "web" });
    writeFileSync(join(folder, "file"), "");
    const { code, stderr } = await slipway(["import", "--out", join(folder, "file")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /\nslipway: \S+index\.ts cannot be written \([^\n]*\)\. Choose another folder with --out\.\n$/,
    );
  });

  it("quotes the folder for the shell and prints notes about omitted settings", async () => {
    await ask("POST", "/v10/projects", { name: "web" });
    await ask("PATCH", "/v1/projects/web/protection-bypass", { generate: {} });
    const { stdout, stderr } = await slipway(["import", "--out", join(folder, "it's")]);
    expect(stderr).toContain("\nslipway: note: Project web: its protection bypass secrets are not managed");
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

  it("replaces the installed plugin of the same version in PULUMI_HOME and prints its folder", async () => {
    const target = join(folder, `plugins/resource-slipway-v${version}`);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "old"), "");
    expect((await install(folder)).stdout).toBe(`${target}\n`);
    expect(readdirSync(target).sort()).toEqual(
      ["LICENSES.txt", "package.json", "pulumi-resource-slipway", "pulumi-resource-slipway.cmd"].sort(),
    );
    expect(readdirSync(join(folder, "plugins"))).toEqual([`resource-slipway-v${version}`]);
  });

  it("keeps the plugin of an archive, which contains Node.js", async () => {
    const target = join(folder, `plugins/resource-slipway-v${version}`);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "pulumi-resource-slipway"), "\x7fELF");
    expect((await install(folder)).stdout).toBe(`${target}\n`);
    expect(readdirSync(target)).toEqual(["pulumi-resource-slipway"]);
  });

  it.each([
    ["a file in its place", () => folder],
    ["a file system without folders", () => "/proc/none"],
  ])("names a folder in which it cannot install the plugin: %s", async (_, home) => {
    writeFileSync(join(folder, "plugins"), "");
    await expect(install(home())).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^slipway: The plugin cannot be installed in \S+ \([^\n]*\)\. Set PULUMI_HOME to another folder\.\n$/,
      ),
    });
  });
});

describe("the help", () => {
  const about = { description: "", version: "1", commands, groups, onExit: () => {} };
  const named = commands.map(({ name }) => name);

  beforeEach(() => {
    process.env.COLUMNS = "60";
  });
  afterEach(() => {
    delete process.env.COLUMNS;
  });

  it("lists the commands under headings", () => {
    const text = programFor([], about).helpInformation();
    const headings = [...new Set(commands.map(({ heading }) => heading))];
    expect(headings.length).toBeGreaterThan(2);
    for (const heading of headings) expect(text).toMatch(new RegExp(`^${heading}:$`, "m"));
    expect(text).toMatch(/^Server:\n {2}serve /m);
    expect(text).toMatch(/^ {2}dns /m);
  });

  it.each(["", ...named])("of slipway %s fits a narrow terminal, except command lines to copy", (name) => {
    const words = name.split(" ").filter(Boolean);
    const program = programFor(words, about);
    const made = words.reduce(
      (parent, word) => parent.commands.find((child) => child.name() === word) ?? parent,
      program,
    );
    let text = "";
    made.configureOutput({ ...made.configureOutput(), writeOut: (part) => (text += part) });
    made.outputHelp();
    const long = text.split("\n").filter((line) => line.length > 60 && /^\S|\S {2,}\S|^ {6}\S+ /.test(line));
    expect(long).toEqual([]);
  });
});
