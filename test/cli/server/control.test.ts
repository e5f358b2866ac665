import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duration } from "../../../cli/core/parse";
import { listNewest } from "../../../cli/server/control";
import type { RunningServer } from "../../../server";
import { runChild } from "../../support/child";
import { jsonOf, parseOutput, type Result, slipwayHere } from "../../support/cli";
import { startServer } from "../../support/profile";

let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await startServer({ controlToken: "control-token" });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-control-"));
});
afterEach(async () => {
  await server.control.reset();
  rmSync(folder, { recursive: true });
});
afterAll(() => server.close());

const run = (args: string[], env: NodeJS.ProcessEnv = {}, input?: string): Promise<Result> =>
  slipwayHere(
    args,
    { SLIPWAY_API_URL: server.url, SLIPWAY_CONTROL_TOKEN: "control-token", ...env },
    { cwd: folder, ...(input === undefined ? {} : { input }) },
  );

/** Runs a command that must succeed. */
async function done(args: string[], env?: NodeJS.ProcessEnv, input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, env, input);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** Runs a command that must fail. @returns standard error without the name of the program */
async function refused(args: string[], env?: NodeJS.ProcessEnv, input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, env, input);
  expect([code, stdout]).toEqual([1, ""]);
  return stderr.replace(/^slipway: /, "").trimEnd();
}

/** Runs a command line that is not valid. @returns the first line of standard error */
async function misused(args: string[]): Promise<string | undefined> {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, ""]);
  return stderr.replace(/^slipway: /, "").split("\n")[0];
}

async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}${path}?slug=acme`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

const seedProject = (name = "web") => server.control.seed({ projects: [{ team: "acme", name }] });

it.each([
  ["state save", "..", []],
  ["state load", ".", ["--yes"]],
  ["state rm", "..", []],
  ["dns set", "..", ["a"]],
])("slipway %s refuses the name %s, of which a URL keeps nothing", async (command, name, flags) => {
  expect(await refused([...command.split(" "), name, ...flags])).toBe(
    `"${name}" is not a valid name. Give one with a letter or a digit.`,
  );
});

describe("the server of a command", () => {
  const record = (url: string) => {
    mkdirSync(join(folder, ".slipway"));
    writeFileSync(
      join(folder, ".slipway/server.json"),
      JSON.stringify({ pid: 1, url, controlToken: "control-token" }),
    );
  };
  const unset = { SLIPWAY_API_URL: "", SLIPWAY_CONTROL_TOKEN: "" };

  it("is the one that was started in this folder", async () => {
    record(server.url);
    expect(await done(["clock"], unset)).toMatch(/^\d{4}-/);
  });

  it("gets the token of npm run up", async () => {
    mkdirSync(join(folder, ".slipway"));
    writeFileSync(join(folder, ".slipway/control-token"), "control-token\n");
    expect(await done(["clock"], { SLIPWAY_CONTROL_TOKEN: "" })).toMatch(/^\d{4}-/);
  });

  it("does not get the token of another address", async () => {
    record("http://127.0.0.1:9");
    expect(await refused(["clock"], { SLIPWAY_CONTROL_TOKEN: "" })).toBe(
      `No control token is known for ${server.url}. Run the command in the folder of slipway serve --detach, without SLIPWAY_API_URL, or set SLIPWAY_CONTROL_TOKEN to the token of that server.`,
    );
  });

  it("is not the usual port in a folder without one", async () => {
    expect(await refused(["logs", "--follow"], unset)).toBe(
      "No server was started in this folder. Start one with slipway serve --detach, or set SLIPWAY_API_URL and SLIPWAY_CONTROL_TOKEN for another server.",
    );
  });

  it("is unknown while the record of this folder is damaged", async () => {
    mkdirSync(join(folder, ".slipway"));
    for (const text of ["garbage", "[]", "{}"]) {
      writeFileSync(join(folder, ".slipway/server.json"), text);
      expect(await refused(["status"], unset)).toBe(
        ".slipway/server.json is damaged. Run slipway stop, which names the process to end.",
      );
    }
  });

  it("is refused over plain http:// to other machines", async () => {
    expect(await refused(["clock"], { SLIPWAY_API_URL: "http://192.0.2.1:4000" })).toBe(
      "The control token is not sent over plain http:// to 192.0.2.1:4000. Use https:// in SLIPWAY_API_URL.",
    );
  });

  it("is named when its address, its token or its control plane is wrong", async () => {
    expect(await refused(["clock"], { SLIPWAY_API_URL: "nowhere" })).toBe(
      "SLIPWAY_API_URL is not an http:// or https:// address.",
    );
    expect(await refused(["clock"], { SLIPWAY_API_URL: "http://me:secret@127.0.0.1:9" })).toBe(
      "SLIPWAY_API_URL has a user name or a password. Remove them.",
    );
    expect(await refused(["clock"], { SLIPWAY_API_URL: "http://127.0.0.1:9" })).toMatch(
      /^No server answers at http:\/\/127\.0\.0\.1:9 \(\S.*\)\. Start one with slipway serve --detach/,
    );
    expect(await refused(["clock"], { SLIPWAY_CONTROL_TOKEN: "other" })).toBe(
      `${server.url} refuses the control token. Set SLIPWAY_CONTROL_TOKEN to that of the server.`,
    );
    const other = createServer((_, response) => response.writeHead(404).end("nothing"));
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await refused(["clock"], { SLIPWAY_API_URL: url })).toBe(
      `POST /_control/clock: 404. ${url} is not a Slipway server with a control plane.`,
    );
    expect(await run(["status"], { SLIPWAY_API_URL: url })).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("another program answers at this address"),
    });
    other.close();
  });
});

describe("slipway logs", () => {
  beforeEach(async () => {
    await api("POST", "/v10/projects", { name: "web" });
    await api("POST", "/v10/projects", { name: "web" });
    await api("GET", "/v9/projects/none");
  });

  it("shows the last requests, oldest first", async () => {
    const lines = (await done(["logs"])).trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^\d{4}-\S+Z {2}200 {2}POST {3}\/v10\/projects {2}[\d.]+ ms$/),
      expect.stringMatching(/ {2}409 {2}POST {3}\/v10\/projects {2}conflict {2}/),
      expect.stringMatching(/ {2}404 {2}GET {4}\/v9\/projects\/none {2}not_found {2}/),
    ]);
    expect((await done(["logs", "--limit", "1"])).trimEnd().split("\n")).toEqual([
      expect.stringContaining("/v9/projects/none"),
    ]);
  });

  it("shows why requests were refused", async () => {
    const lines = (await done(["logs", "--refused", "--method", "post"])).trimEnd().split("\n");
    expect(lines).toEqual([expect.stringContaining("conflict"), '    Project "web" already exists.']);
  });

  it("filters by path, status and code", async () => {
    for (const filter of [
      ["--path", "/v9/*"],
      ["--status", "404"],
      ["--code", "not_found"],
    ])
      expect(await done(["logs", ...filter])).toMatch(/^[^\n]*\/v9\/projects\/none[^\n]*\n$/);
    expect((await run(["logs", "--status", "42"])).code).toBe(2);
    expect((await run(["logs", "--path", "v9"])).code).toBe(2);
  });

  it("does not count what a resource looks up in vain as refused", async () => {
    const headers = { authorization: `Bearer ${server.token}`, "x-slipway-resource": "Project web" };
    await fetch(`${server.url}/v9/projects/absent?slug=acme`, { headers });
    expect(await done(["logs", "--path", "/v9/projects/absent"])).toContain("404");
    expect(await done(["logs", "--refused", "--path", "/v9/projects/absent"])).toBe("");
    expect(await done(["logs", "--refused", "--path", "/v9/projects/none"])).toContain("404");
  });

  it("counts dropped requests, and changes that a resource sent in vain, as refused", async () => {
    const headers = { authorization: `Bearer ${server.token}`, "x-slipway-resource": "Project web" };
    const absent = `${server.url}/v9/projects/absent?slug=acme`;
    await fetch(absent, { method: "DELETE", headers });
    await server.control.addFaults({ kind: "drop-before", path: "/v9/projects/absent" });
    await expect(fetch(absent, { headers })).rejects.toThrow();
    expect(await done(["logs", "--refused", "--path", "/v9/projects/absent"])).toMatch(
      /^\S+ {2}404 {2}DELETE \/v9\/projects\/absent {2}not_found {2}.* {2}Project web\n {4}\S.*\n\S+ {2}dropped {2}GET {4}\/v9\/projects\/absent {2}/,
    );
  });

  it("prints JSON lines that follow the schema", async () => {
    const lines = (await done(["logs", "--json"])).trimEnd().split("\n");
    expect(lines.map((line) => parseOutput("logs", line))).toMatchObject([
      { status: 200 },
      { status: 409, code: "conflict" },
      { status: 404 },
    ]);
  });

  it("follows requests until it is stopped", async () => {
    const child = runChild("cli/command.ts", ["logs", "--follow", "--refused", "--limit", "1"], {
      SLIPWAY_API_URL: server.url,
      SLIPWAY_CONTROL_TOKEN: "control-token",
    });
    await child.waitFor(/projects\/none/);
    await api("GET", "/v9/projects/web");
    await api("GET", "/v9/projects/later");
    await child.waitFor(/projects\/later/);
    child.process.kill("SIGINT");
    await child.exited;
    expect(child.output().stdout).not.toContain("projects/web ");
  });
});

it("a list of the control plane is read page by page, newest first, up to a limit or an entry", async () => {
  for (let at = 0; at < 125; at++) await api("GET", "/v9/projects/none");
  const target = { url: server.url, token: "control-token" };
  const read = async (options: object) =>
    (await listNewest<{ sequence: number }>("requests", {}, { ...options, target })).map(
      ({ sequence }) => sequence,
    );
  const all = await read({});
  const [newest = 0] = all;
  expect(all).toEqual(Array.from({ length: all.length }, (_, at) => newest - at));
  expect(all.length).toBeGreaterThanOrEqual(125);
  expect(await read({ limit: 110 })).toEqual(all.slice(0, 110));
  const isPast = ({ sequence }: { sequence: number }) => sequence <= newest - 120;
  expect(await read({ isPast })).toEqual(all.slice(0, 120));
  const isWanted = ({ sequence }: { sequence: number }) => sequence % 2 === 0;
  expect(await read({ isWanted, limit: 60 })).toEqual(all.filter((one) => one % 2 === 0).slice(0, 60));
});

describe("slipway logs --follow", () => {
  it("says that the server stopped, whose record is gone then", async () => {
    const stopping = await startServer({ controlToken: "control-token" });
    const record = join(folder, ".slipway/server.json");
    mkdirSync(join(folder, ".slipway"));
    writeFileSync(record, JSON.stringify({ pid: 1, url: stopping.url, controlToken: "control-token" }));
    const child = runChild("cli/command.ts", ["logs", "--follow"], {}, { cwd: folder });
    await fetch(`${stopping.url}/v9/projects`);
    await child.waitFor(/v9\/projects/);
    rmSync(record);
    await stopping.close();
    expect([await child.exited, child.output().stderr]).toEqual([1, "slipway: The server stopped.\n"]);
  });
});

describe("slipway deploy", () => {
  it("adds a production deployment that serves", async () => {
    await seedProject();
    const made = jsonOf("deploy", {
      stdout: await done(["deploy", "web", "--production", "--branch", "main", "--json"]),
    });
    expect(made).toMatchObject({ project: "web", target: "production", readyState: "READY" });
    const { projects } = await server.control.snapshot();
    expect(projects[0]).toMatchObject({ productionDeploymentId: made.id });
    expect(await done(["deploy", "web", "--state", "ERROR", "--id", "dpl_1", "--sha", "abc"])).toMatch(
      /^dpl_1 {2}preview {2}ERROR {2}https:\/\/\S+\n$/,
    );
  });

  it("names what it does not find, and what was meant", async () => {
    await seedProject();
    expect(await refused(["deploy", "wbe"])).toBe(
      "There is no project wbe. Did you mean web? Create it first. To add a deployment before its project, use slipway seed.",
    );
    expect(await refused(["deploy", "web", "--team", "acm"])).toBe(
      "There is no team acm. Did you mean acme?",
    );
    const { code, stderr } = await run(["deploy", "web", "--state", "REDY"]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "Choose one of READY, ERROR, CANCELED, QUEUED, INITIALIZING, BUILDING. Did you mean READY?",
    );
  });

  it("refuses the id of a deployment, and leaves that as it is", async () => {
    await seedProject("web");
    await seedProject("docs");
    await done(["deploy", "web", "--production", "--id", "dpl_1", "--branch", "main"]);
    const before = await server.control.snapshot();
    for (const project of ["docs", "web"])
      expect(await refused(["deploy", project, "--id", "dpl_1", "--state", "ERROR"])).toBe(
        "dpl_1 exists in project web. Choose another id, or leave out --id for a new one.",
      );
    expect((await server.control.snapshot()).deployments).toEqual(before.deployments);
  });

  it("finds a project by its id, and the account by the id of a team or the name of a user", async () => {
    await server.control.seed({
      projects: [
        { team: "acme", id: "prj_web", name: "web" },
        { user: "dev", name: "web" },
      ],
    });
    const { accounts } = await server.control.snapshot();
    const [team, user] = ["acme", "dev"].map((name) => accounts.find(({ slug }) => slug === name)?.id ?? "");
    await done(["deploy", "prj_web", "--id", "dpl_id", "--branch", "fix", "--sha", "a".repeat(40)]);
    await done(["deploy", "web", "--id", "dpl_team"], { SLIPWAY_TEAM: team });
    const own = await done(["deploy", "web", "--team", "dev", "--json"]);
    expect(jsonOf("deploy", { stdout: own })).toMatchObject({ accountId: user, project: "web" });
    const { deployments } = await api("GET", "/v6/deployments");
    expect(deployments).toMatchObject([
      { uid: "dpl_team", name: "web" },
      { uid: "dpl_id", meta: { githubCommitRef: "fix", githubCommitSha: "a".repeat(40) } },
    ]);
  });

  it("asks for the team when several accounts have the project", async () => {
    await seedProject();
    await server.control.seed({
      teams: [{ slug: "other", members: [{ user: "dev", role: "OWNER" }] }],
      projects: [{ team: "other", name: "web" }],
    });
    expect(await refused(["deploy", "web"])).toBe(
      "Several accounts have a project web: acme, other. Choose one with --team.",
    );
    await done(["deploy", "web"], { SLIPWAY_TEAM: "other" });
  });
});

describe("slipway seed", () => {
  it("applies a file or standard input", async () => {
    const file = join(folder, "seed.yaml");
    writeFileSync(file, "projects: [{ team: acme, name: web }]\ndns: []\n");
    expect(await done(["seed", file])).toBe(`applied ${file}: projects 1; dns 0\n`);
    expect(await done(["seed", file])).toBe(`applied ${file}: projects 0 of 1, the others exist; dns 0\n`);
    const json = await done(["seed", "-", "--json"], {}, "projects: [{ team: acme, name: docs }]");
    expect(jsonOf("seed", { stdout: json })).toEqual({
      entries: { projects: 1 },
      added: { projects: 1 },
    });
    const { projects } = await server.control.snapshot();
    expect(projects.map(({ name }) => name).sort()).toEqual(["docs", "web"]);
  });

  it("names the rows that contradict each other, and adds nothing", async () => {
    const of = "team: acme, project: twice, key: A, type: plain";
    const seed = `projects: [{ team: acme, name: twice }]
env: [{ ${of}, value: secret-1, target: [production] }, { ${of}, value: secret-2, target: [production, preview] }]`;
    expect(await refused(["seed", "-"], {}, seed)).toMatch(
      /env\[1\]: env\[0\] describes the same, with other/,
    );
    expect((await server.control.snapshot()).projects.map(({ name }) => name)).not.toContain("twice");
  });

  it("refuses what is no seed, and quotes no value", async () => {
    expect(await refused(["seed", "missing.yaml"])).toMatch(
      /^The seed file missing\.yaml cannot be read \(ENOENT/,
    );
    expect(await refused(["seed", "-"], {}, "[secret")).toMatch(
      /^- is not valid YAML: [^\n]*line 1[^\n:]*\.$/,
    );
    const aliases = ["a", "b", "c", "d", "e"].map((name, i, all) => {
      const item = i === 0 ? "secret" : `*${all[i - 1]}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => item).join(", ")}]`;
    });
    expect(await refused(["seed", "-"], {}, aliases.join("\n"))).toMatch(
      /^- is not valid YAML: Excessive alias count[^\n]*$/,
    );
    expect(await refused(["seed", "-"], {}, " \n")).toBe("Standard input is empty.");
    expect(await refused(["seed", "-"], {}, "secret")).toBe(
      "- is not a seed file: it must have lists such as projects and teams.",
    );
    expect(await refused(["seed", "-"], {}, "project: []")).toMatch(/^[^/]*project/);
  });
});

it.each([[["deploy", ""]], [["dns", "set", "", "y"]], [["backup", ""]], [["import", ""]]])(
  "refuses the empty argument of %j",
  async (args) => {
    expect(await misused(args)).toMatch(/It is empty\. Give a value, or leave it out\.$/);
  },
);

describe("slipway reset", () => {
  it("resets the server when it is confirmed", async () => {
    await seedProject();
    expect(await refused(["reset"])).toBe("Nothing was changed. Confirm with --yes.");
    expect((await server.control.snapshot()).projects).toHaveLength(1);
    expect(jsonOf("reset", { stdout: await done(["reset", "--yes", "--json"]) })).toEqual({
      url: server.url,
    });
    expect((await server.control.snapshot()).projects).toEqual([]);
    expect(await done(["reset", "-y"])).toBe(
      `the server at ${server.url} is as it was after its first start\n`,
    );
  });
});

describe("slipway dns", () => {
  const name = "_vercel.example.com";
  const records = async () => (await server.control.snapshot()).dns;

  it("sets and removes the TXT records of a name", async () => {
    expect(await done(["dns", "set", "_Vercel.example.com.", "a", "b"])).toBe(
      `${name} TXT "a"\n${name} TXT "b"\n`,
    );
    expect(jsonOf("dns set", { stdout: await done(["dns", "set", name, "a", "c", "--json"]) })).toEqual({
      name,
      type: "TXT",
      values: ["a", "c"],
    });
    expect(await done(["dns", "rm", name, "a"])).toBe(`${name} TXT "c"\n`);
    expect(await records()).toMatchObject([{ name, value: "c" }]);
    expect(jsonOf("dns rm", { stdout: await done(["dns", "rm", name, "--json"]) })).toEqual({
      name,
      type: "TXT",
      values: [],
    });
    expect(await records()).toEqual([]);
  });

  it("sets and removes where the requests of a name go, each type by itself", async () => {
    const [www, target] = ["www.example.com", "cname.slipway.app"];
    await done(["dns", "set", www, "text"]);
    expect(await done(["dns", "set", "--type", "CNAME", www, `${target}.`])).toBe(`${www} CNAME ${target}\n`);
    expect(await done(["dns", "set", "--type", "A", www, "192.0.2.1", "192.0.2.2"])).toBe(
      `${www} A 192.0.2.1\n${www} A 192.0.2.2\n`,
    );
    expect(await refused(["dns", "set", "--type", "A", www, "nowhere"])).toMatch(/must be an IPv4 address/);
    expect(await refused(["dns", "set", "--type", "CNAME", www, "a.test", "b.test"])).toMatch(
      /a name has one CNAME record/,
    );
    expect(await done(["dns", "rm", "--type", "A", www])).toBe(`${www} has no A records now\n`);
    expect(await records()).toEqual([
      { name: www, type: "CNAME", value: target },
      { name: www, type: "TXT", value: "text" },
    ]);
    expect(await refused(["dns", "rm", "--type", "A", www])).toMatch(/^www\.example\.com has no A records\./);
  });

  it("names records that do not exist", async () => {
    await done(["dns", "set", name, "value"]);
    expect(await refused(["dns", "rm", "_vercl.example.com"])).toBe(
      `_vercl.example.com has no TXT records. Did you mean ${name}?`,
    );
    expect(await refused(["dns", "rm", name, "valve"])).toBe(
      `${name} has no record "valve". Did you mean value?`,
    );
    expect(await refused(["dns", "set", "not a name", "x"])).toMatch(/must be a domain name/);
    expect((await run(["dns", "set", name])).code).toBe(2);
  });
});

describe("slipway clock", () => {
  it("advances the clock by a duration", async () => {
    const before = jsonOf<{ now: number }>("clock", { stdout: await done(["clock", "--json"]) });
    const after = jsonOf<{ now: number }>("clock", { stdout: await done(["clock", "+1d2h", "--json"]) });
    expect(after).toMatchObject({ advancedMs: 26 * 3_600_000 });
    expect(after.now - before.now).toBeGreaterThanOrEqual(26 * 3_600_000);
    expect(await done(["clock", "500ms"])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
  });

  it.each([
    ["500ms", 500],
    ["1m30s", 90_000],
    ["2w1d", 15 * 86_400_000],
    ["1h1h", 7_200_000],
  ])("takes %s as %d ms", (text, ms) => {
    expect(duration(text)).toBe(ms);
  });

  it("refuses what is not a duration", async () => {
    expect(await misused(["clock", "+1 day"])).toBe(
      "+1 day is not a duration. Give a duration, such as 30d, 1h30m, 45s or 500ms.",
    );
  });

  it.each([[["-30d"]], [["--json", "-30d"]], [["-30d", "--json"]], [["--", "-30d"]]])(
    "does not go back with %j",
    async (args) => {
      expect(await misused(["clock", ...args])).toBe(
        "The clock only goes forward. Advance it with: slipway clock +30d",
      );
    },
  );

  it("advances by ten years at most", async () => {
    expect(await misused(["clock", "+100000d"])).toBe(
      "+100000d is too long: the clock advances by at most ten years at once.",
    );
    await expect(server.control.advanceClock(1e13)).rejects.toThrow(
      "Invalid body member advanceMs: must be at most ten years.",
    );
  });

  it("suggests the flag that was meant", async () => {
    expect(await misused(["clock", "--jsn"])).toBe("unknown option '--jsn'");
  });
});

describe("slipway events and mail", () => {
  it("show what happened, newest first", async () => {
    await seedProject();
    await api("POST", "/v1/webhooks", { url: "http://127.0.0.1:9/", events: ["deployment.created"] });
    await done(["deploy", "web"]);
    await done(["clock", "+1s"]);
    const { events } = jsonOf<{ events: { type: string; deliveries: unknown[] }[] }>("events", {
      stdout: await done(["events", "--json"]),
    });
    expect(events.find(({ type }) => type === "deployment.created")?.deliveries).toHaveLength(1);
    expect(await done(["events", "--type", "deployment.created"])).toMatch(
      /^\S+Z {2}deployment\.created {2}acme {2}web {2}dpl_\w+ {2}\w+\n$/,
    );
    expect((await done(["events", "--account", "acme"])).split("\n").length).toBeGreaterThan(2);
    expect(await refused(["events", "--account", "acne"])).toMatch(
      /^There is no account acne\. Did you mean acme\? The accounts are .*\bdev\b/,
    );
    jsonOf("mail", { stdout: await done(["mail", "--json"]) });
    expect((await run(["events", "--limit", "0"])).code).toBe(2);
  });

  it.each([
    [["events", "--type", "project.renamed"], "events"],
    [["mail", "--to", "nobody@example.com"], "mail"],
  ])("says that it found nothing: %j", async (args, kind) => {
    expect(await run(args)).toMatchObject({
      code: 0,
      stdout: "",
      stderr: `slipway: The server has no such ${kind}.\n`,
    });
    expect(await done([...args, "--json"])).toContain("[]");
  });

  it("names the types of events, and the one that was meant", async () => {
    expect(await refused(["events", "--type", "deployment.promotd"])).toMatch(
      /^No event has the type "deployment\.promotd"\. Did you mean deployment\.promoted\?$/,
    );
    expect(await refused(["events", "--type", "nope"])).toMatch(
      /"nope"\. Choose one of deployment\.canceled, .*project\.rolling-release\.started\.$/,
    );
  });

  it("show the mail of an address", async () => {
    await seedProject();
    const [project] = (await server.control.snapshot()).projects;
    await server.control.seed({ users: [{ username: "bob", email: "bob@example.com" }] });
    await server.control.seed({
      integrations: [
        {
          clientId: "oac_1",
          clientSecret: "s",
          slug: "checks",
          owner: "dev",
          redirectUrl: "http://127.0.0.1:9/",
          scopes: ["read:project"],
        },
      ],
      installations: [
        { id: "icfg_1", integration: "checks", team: "acme", installedBy: "dev", scopes: ["read:project"] },
      ],
    });
    await server.control.requestScopes("checks", "read-write:project");
    const { mail } = jsonOf<{ mail: { to: string }[] }>("mail", {
      stdout: await done(["mail", "--to", "dev@example.com", "--json"]),
    });
    expect(project).toBeDefined();
    expect(mail.every(({ to }) => to === "dev@example.com")).toBe(true);
    expect(mail.length).toBeGreaterThan(0);
    expect(await done(["mail", "--limit", "1"])).toMatch(/^\S+Z {2}dev@example\.com {2}\S[^\n]*\n {4}/);
  });
});

describe("slipway fault", () => {
  const status = async (path: string) =>
    (await fetch(`${server.url}${path}?slug=acme`, { headers: { authorization: `Bearer ${server.token}` } }))
      .status;

  it("adds a fault, which clear removes", async () => {
    const line = [
      "fault",
      "add",
      "status",
      "/v9/projects",
      "--status",
      "429",
      "--retry-after",
      "1",
      "--times",
      "2",
    ];
    const added = jsonOf("fault add", { stdout: await done([...line, "--json"]) });
    expect(added).toEqual({
      id: expect.any(Number),
      requests: "any /v9/projects",
      kind: "status",
      path: "/v9/projects",
      status: 429,
      retryAfter: 1,
      times: 2,
      met: 0,
      skip: 0,
      delayMs: 0,
    });
    expect(await status("/v9/projects")).toBe(429);
    expect(jsonOf("fault list", { stdout: await done(["fault", "list", "--json"]) })).toEqual([
      { ...(added as object), met: 1 },
    ]);
    expect(await done(["fault", "list"])).toMatch(
      /^\d+ {2}status 429 {2}any \/v9\/projects {2}used 1 of 2\n$/,
    );
    expect(jsonOf("fault clear", { stdout: await done(["fault", "clear", "--json"]) })).toEqual({
      cleared: true,
    });
    expect(await status("/v9/projects")).toBe(200);
    expect(await done(["fault", "clear"])).toBe("no faults remain\n");
    expect(await run(["fault", "list"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "slipway: No faults remain. Add one with slipway fault add.\n",
    });
    expect(
      await done([
        "fault",
        "add",
        "delay",
        "/v9/projects",
        "--delay",
        "10ms",
        "--skip",
        "1",
        "--method",
        "get",
      ]),
    ).toMatch(/^\d+ {2}delay 10 ms {2}GET \/v9\/projects, after 1 {2}used 0 of 1\n$/);
  });

  it("meets a share of the requests of a resource", async () => {
    const line = ["fault", "add", "slow", "/v9/projects", "--rate", "0.07", "--seed", "7", "--delay", "10ms"];
    const more = ["--jitter", "5ms", "--resource", "EnvVar"];
    expect(jsonOf("fault add", { stdout: await done([...line, ...more, "--json"]) })).toMatchObject({
      ...{ kind: "slow", path: "/v9/projects", skip: 0, times: null, rate: 0.07, seed: 7 },
      ...{ delayMs: 10, jitterMs: 5, resource: "EnvVar" },
    });
    expect(await done([...line, ...more])).toMatch(
      /^\d+ {2}slow 10 to 15 ms {2}7 % of any \/v9\/projects by EnvVar {2}used 0 times\n$/,
    );
  });

  it("meets the requests of an operation, or about an account", async () => {
    const add = ["fault", "add", "status"];
    const added = await done([...add, "createProject", "--json"]);
    expect(jsonOf("fault add", { stdout: added })).toMatchObject({
      ...{ kind: "status", operation: "createProject", skip: 0, times: 1 },
    });
    expect(await api("POST", "/v10/projects", { name: "web" })).toMatchObject({
      error: { code: "internal_server_error" },
    });
    expect(await done([...add, "--account", "acme"])).toMatch(
      /^\d+ {2}status 503 {2}any request of acme {2}used 0 of 1\n$/,
    );
    expect(await status("/v9/projects")).toBe(503);
    expect(await refused([...add, "creteProject"])).toContain("Do you mean createProject?");
  });

  it("limits a fault to a method, and lets requests pass first", async () => {
    const line = ["fault", "add", "status", "/v9/projects", "--method", "get", "--skip", "1"];
    const added = await done([...line, "--code", "busy", "--message", "Try later.", "--json"]);
    expect(jsonOf("fault add", { stdout: added })).toMatchObject({
      ...{ kind: "status", path: "/v9/projects", method: "GET", skip: 1, times: 1 },
      ...{ code: "busy", message: "Try later." },
    });
    await api("GET", "/v9/projects");
    expect(await api("GET", "/v9/projects")).toMatchObject({
      error: { code: "busy", message: "Try later." },
    });
    expect(await status("/v9/projects")).toBe(200);
  });

  it.each([
    [["delay", "/x"], "Give the time with --delay, such as 5s."],
    [["drop-after", "/x", "--status", "500"], "--status is only for faults of kind status."],
    [["slow", "/x"], "Give the time with --delay, such as 5s."],
    [
      ["drop-after", "/x", "--delay", "5s"],
      "--delay and --jitter are only for faults of the kinds delay and slow.",
    ],
    [["status", "/x", "--seed", "5"], "--seed is only for --rate and --jitter."],
    [
      ["status", "/x", "--rate", "2"],
      "option '--rate <share>' argument '2' is invalid. Give a number above 0, at most 1.",
    ],
    [["status", "v9/projects"], "The path v9/projects must begin with /, such as /v9/projects."],
    [
      ["delay", "/x", "--delay", "11m"],
      "option '--delay <duration>' argument '11m' is invalid. Give at most 10m.",
    ],
    [["status", "/x", "--resource", "webhook"], "There is no resource webhook. Did you mean Webhook?"],
    [["status"], "Say which requests: a path, an operation, --account or --resource."],
    [
      ["status", "/v9/projects?limit=1"],
      "Leave out the query of /v9/projects?limit=1: a fault is for a path.",
    ],
    [
      ["status", "/_control/x"],
      "/_control/x is a path of the server itself. Faults can only be added to paths of the API.",
    ],
    [
      ["status", "/docs"],
      "/docs is a path of the server itself. Faults can only be added to paths of the API.",
    ],
    [
      ["status", "/x", "--method", "FOO"],
      "option '--method <method>' argument 'FOO' is invalid. Choose one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.",
    ],
    [
      ["status", "/x", "--times", "99999999999999999999"],
      "option '--times <number>' argument '99999999999999999999' is invalid. Give a whole number, 1 to 9007199254740991.",
    ],
  ])("refuses %j", async (args, reason) => {
    expect(await misused(["fault", "add", ...args])).toBe(reason);
  });

  it("suggests the kind that was meant", async () => {
    const { code, stderr } = await run(["fault", "add", "statsu", "/x"]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "Choose one of status, delay, slow, malformed, drop-before, drop-after. Did you mean status?",
    );
  });
});

describe("slipway status", () => {
  it("shows the running server", async () => {
    expect(jsonOf("status", { stdout: await done(["status", "--json"]) })).toMatchObject({
      url: server.url,
      state: "running",
      controlPlane: "open",
      pid: null,
    });
    const text = await done(["status"]);
    expect(text).toMatch(/^server +http\S+\nstate +running\nversion +\S+\ncontrol plane +open\nclock /);
    const [, code] = /^dashboard +http\S+#code=(\w+)$/m.exec(text) ?? [];
    const opened = await fetch(`${server.url}/_dashboard/open`, {
      method: "POST",
      headers: { "x-slipway-dashboard": "1", "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    expect(opened.status).toBe(200);
    expect(await done(["status"], { SLIPWAY_CONTROL_TOKEN: "other" })).toContain("control plane  refused");
    expect(await done(["status"], { SLIPWAY_CONTROL_TOKEN: "" })).toContain("control plane  no token");
  });

  it("tells the process of its folder only while that process is the server", async () => {
    const { instance } = (await (await fetch(`${server.url}/_health`)).json()) as { instance: string };
    const record = { pid: 4711, url: server.url, controlToken: "control-token", data: "/of/the/server" };
    const unset = { SLIPWAY_API_URL: "", SLIPWAY_CONTROL_TOKEN: "" };
    mkdirSync(join(folder, ".slipway"));
    for (const [of, pid] of [
      [instance, 4711],
      ["another", null],
    ]) {
      writeFileSync(join(folder, ".slipway/server.json"), JSON.stringify({ ...record, instance: of }));
      const stdout = await done(["status", "--json"], unset);
      expect(jsonOf("status", { stdout })).toMatchObject({
        pid,
        data: "/of/the/server",
        controlPlane: "open",
      });
    }
  });

  it("does not take a server that this folder did not start for its own", async () => {
    const environment = {
      SLIPWAY_API_URL: "",
      SLIPWAY_CONTROL_TOKEN: "",
      SLIPWAY_PORT: new URL(server.url).port,
    };
    const { code, stdout } = await run(["status", "--json"], environment);
    expect(code).toBe(3);
    expect(jsonOf("status", { stdout })).toMatchObject({ url: server.url, state: "other" });
    expect((await run(["status"], environment)).stdout).toContain(
      "slipway serve --detach started no server in this folder; to use the one at this address, set SLIPWAY_API_URL",
    );
  });

  it("exits with 3 when no server answers", async () => {
    const { code, stdout } = await run(["status", "--json"], { SLIPWAY_API_URL: "http://127.0.0.1:9" });
    expect(code).toBe(3);
    expect(jsonOf("status", { stdout })).toMatchObject({
      state: "stopped",
      version: null,
      controlPlane: null,
    });
    expect((await run(["status"], { SLIPWAY_API_URL: "http://127.0.0.1:9" })).stdout).toBe(
      "server  http://127.0.0.1:9\nstate   does not answer\n",
    );
  });
});
