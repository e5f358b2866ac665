import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { built } from "../support/dist";
import { byProfile } from "../support/profile";
import { type Run, type Stack, Workspace } from "../support/pulumi";
import { isLong } from "../support/slices";
import { until } from "../support/until";

/** Each case is a run of the CLI: only in the long run are all of them tried. */
const slice = <T>(cases: T[]): T[] => cases.filter((_, at) => isLong || at % 6 === 0);

let world: Workspace;

beforeAll(async () => {
  world = await Workspace.start({
    projects: [
      { team: "acme", name: "taken" },
      { team: "acme", name: "other" },
    ],
    domains: [{ team: "acme", project: "other", name: "held.example.com" }],
    env: [
      { team: "acme", project: "other", key: "KNOWN", value: "v", type: "plain", target: ["production"] },
    ],
    deployments: [
      { id: "dpl_foreign", team: "acme", project: "taken", target: "production", readyState: "READY" },
      { id: "dpl_broken", team: "acme", project: "other", target: "production", readyState: "ERROR" },
    ],
  });
});
afterAll(() => world.stop());

/** One message beside Pulumi's own last word, no stack trace, and what the reader needs to know. */
function expectOneDiagnostic(run: Run, says: (string | RegExp)[]) {
  const errors = run.errors.filter((text) => !/^(error: )?(preview|update|destroy) failed$/.test(text));
  expect(errors).toHaveLength(1);
  for (const part of says) expect(errors[0]).toMatch(new RegExp(part));
  expect(run.output).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(run.output).not.toContain("UnhandledPromiseRejection");
  expect(run.code).not.toBe(0);
}

describe("a preview of invalid input fails with one error", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await world.stack("local");
  });

  const project = `new Project("web", { name: "web" })`;

  it.each<[string, string, (string | RegExp)[]]>(
    slice([
      [
        "a framework that is no text",
        `new Project("web", { framework: 5 as never });`,
        ["framework", "string"],
      ],
      [
        "a protection that there is not",
        `new Project("web", { ssoProtection: { deploymentType: "everything" as never } });`,
        ["ssoProtection.deploymentType", "all_except_custom_domains"],
      ],
      ["an empty name", `new Project("web", { name: "" });`, ["name"]],
      ["an invalid name", `new Project("web", { name: "Not Valid" });`, ["name"]],
      [
        "an invalid redirect status",
        `new ProjectDomain("www", { project: ${project}.id, name: "www.example.com", redirect: "example.com", redirectStatusCode: 303 as never });`,
        ["redirectStatusCode", "308"],
      ],
      [
        "both a branch and a redirect",
        `new ProjectDomain("www", { project: ${project}.id, name: "www.example.com", redirect: "example.com", gitBranch: "next" });`,
        ["gitBranch", "redirect"],
      ],
      ["an empty domain name", `new ProjectDomain("www", { project: ${project}.id, name: "" });`, ["name"]],
      [
        "an empty key",
        `new EnvVar("key", { project: ${project}.id, key: "", value: "v", target: ["production"] });`,
        ["key"],
      ],
      [
        "a branch on a variable that is not for previews",
        `new EnvVar("key", { project: ${project}.id, key: "KEY", value: "v", target: ["production"], gitBranch: "next" });`,
        ["gitBranch", "preview"],
      ],
      [
        "paused together with automatic domains",
        `new Project("web", { paused: true, autoAssignCustomDomains: true });`,
        ["paused", "autoAssignCustomDomains"],
      ],
      [
        "a second promotion of a project",
        // Its id comes after the program's last line.
        `const { id } = Project.get("there", "taken");
       for (const name of ["live", "again"]) new Promotion(name, { project: id, deployment: "dpl_foreign" });`,
        ["again", "live", "one promotion"],
      ],
      [
        "an unknown input",
        `new Project("web", { frameWork: "nextjs" } as never);`,
        ["frameWork", "Did you mean framework"],
      ],
    ]),
  )("%s", async (_name, program, says) => {
    stack.program(program);
    expectOneDiagnostic(await stack.preview(), says);
    expect(await stack.resources()).toEqual([]);
  });

  it("a missing token", async () => {
    stack.program(`${project};`);
    const run = await stack.preview({ env: { SLIPWAY_TOKEN: undefined } });
    expectOneDiagnostic(run, ["SLIPWAY_TOKEN", "slipway:token"]);
  });

  it("an invalid address", async () => {
    stack.program(`${project};`);
    const run = await stack.preview({ env: { SLIPWAY_API_URL: "nowhere" } });
    expectOneDiagnostic(run, ["SLIPWAY_API_URL", "slipway:apiUrl"]);
  });
});

describe("an update that the server refuses fails with one error, and changes no existing object", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await world.stack("remote");
  });

  it.each<[string, string, (string | RegExp)[]]>(
    slice([
      ["a name already taken", `new Project("web", { name: "taken" });`, ["taken", "adopt"]],
      [
        "a domain on another project",
        `const web = new Project("web", { name: "web" }); new ProjectDomain("d", { project: web.id, name: "held.example.com" });`,
        ["held\\.example\\.com", "409"],
      ],
      [
        "a variable that exists",
        `new EnvVar("known", { project: "other", key: "KNOWN", value: "new", type: "plain", target: ["production"] });`,
        ["KNOWN", "adopt"],
      ],
      [
        "an unknown deployment",
        `new Promotion("live", { project: "other", deployment: "dpl_unknown" });`,
        ["dpl_unknown"],
      ],
      [
        "a deployment of another project",
        `new Promotion("live", { project: "other", deployment: "dpl_foreign" });`,
        ["dpl_foreign"],
      ],
      [
        "a deployment that failed",
        `new Promotion("live", { project: "other", deployment: "dpl_broken" });`,
        ["dpl_broken", "READY"],
      ],
      [
        "an unknown project",
        `new EnvVar("v", { project: "nobody", key: "K", value: "v", target: ["production"] });`,
        ["nobody"],
      ],
    ]),
  )("%s", async (_name, program, says) => {
    stack.program(program);
    expectOneDiagnostic(await stack.up(), says);
    expect((await stack.resources()).filter(({ type }) => !type.endsWith(":Project"))).toEqual([]);
    expect((await stack.destroy()).code).toBe(0);
  });

  it("a wrong token", async () => {
    stack.program(`new Project("web", { name: "web" });`);
    const run = await stack.up({ env: { SLIPWAY_TOKEN: "canary-wrong" } });
    expectOneDiagnostic(run, [byProfile("401", "403"), "SLIPWAY_TOKEN"]);
    expect(await stack.resources()).toEqual([]);
  });

  it("an unknown team", async () => {
    stack.program(`new Project("web", { name: "web" });`);
    const run = await stack.up({ env: { SLIPWAY_TEAM: "nobody" } });
    expectOneDiagnostic(run, ["team", "SLIPWAY_TEAM"]);
    expect(await stack.resources()).toEqual([]);
  });

  it("a server that is not running", async () => {
    stack.program(`new Project("web", { name: "web" });`);
    const run = await stack.up({ env: { SLIPWAY_API_URL: "http://127.0.0.1:9" } });
    expectOneDiagnostic(run, ["http://127\\.0\\.0\\.1:9", "SLIPWAY_API_URL"]);
    expect(await stack.resources()).toEqual([]);
  });

  afterEach(async () => {
    const { body } = await world.server.request("GET", "/v9/projects");
    expect(body.projects.map(({ name }: { name: string }) => name).sort()).toEqual(["other", "taken"]);
    expect(
      (await world.server.request("GET", "/v9/projects/other/env?decrypt=true")).body.envs,
    ).toMatchObject([{ key: "KNOWN", value: "v" }]);
  });
});

describe("slipway serve refuses in one sentence", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-serve-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const seed = (text: string) => {
    writeFileSync(join(folder, "seed.yaml"), text);
    return ["--seed", join(folder, "seed.yaml")];
  };

  it("a port in use", async () => {
    const listener = createServer().listen(0, "127.0.0.1");
    await until("it listens", () => listener.address() ?? undefined);
    const { port } = listener.address() as AddressInfo;
    const run = await serve(["--port", String(port), "--data", "memory"]);
    listener.close();
    expectOneSentence(run, [String(port), "--port|SLIPWAY_PORT"]);
  });

  it("a seed file that is not there", async () => {
    expectOneSentence(await serve(["--seed", join(folder, "none.yaml"), "--data", "memory"]), [
      "none\\.yaml",
    ]);
  });

  it("a seed file that cannot be read as YAML", async () => {
    expectOneSentence(await serve([...seed("users: [{"), "--data", "memory"]), ["seed\\.yaml"]);
  });

  it("a seed file with an unknown member", async () => {
    expectOneSentence(await serve([...seed("userz: []"), "--data", "memory"]), ["seed\\.yaml", "userz"]);
  });

  it("a data folder that cannot be written", async () => {
    // A file in the way stops even root, whom permissions do not.
    writeFileSync(join(folder, "file"), "");
    expectOneSentence(await serve(["--data", join(folder, "file", "data")]), [
      "file/data",
      "--data|SLIPWAY_DATA",
    ]);
  });

  function expectOneSentence({ code, output }: { code: number; output: string }, says: string[]) {
    for (const part of says) expect(output).toMatch(new RegExp(part));
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(code).not.toBe(0);
  }

  function serve(args: string[]) {
    return new Promise<{ code: number; output: string }>((done) => {
      const child = spawn(process.execPath, [built("server/main.js"), "serve", "--port", "0", ...args], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      child.stdout.on("data", (text) => {
        output += text;
        // It was not to start at all; let the expectations say so.
        if (output.includes("listening")) child.kill("SIGTERM");
      });
      child.stderr.on("data", (text) => {
        output += text;
      });
      child.on("close", (code) => done({ code: code ?? 1, output }));
    });
  }
});
