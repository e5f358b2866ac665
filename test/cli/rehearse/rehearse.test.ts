import { createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { UserError } from "../../../cli/core/errors";
import { readSource, teamNames } from "../../../cli/rehearse/account";
import { startCopy } from "../../../cli/rehearse/copy";
import { encryption } from "../../../cli/rehearse/encrypt";
import { refusalsIn } from "../../../cli/rehearse/events";
import type { Folder } from "../../../cli/rehearse/folder";
import { refuseOldPackage, refuseOtherResources } from "../../../cli/rehearse/home";
import { toMarkdown } from "../../../cli/rehearse/markdown";
import type { Processes } from "../../../cli/rehearse/process";
import {
  commandLineFor,
  type PulumiCommand,
  parseCommand,
  shownCommand,
} from "../../../cli/rehearse/pulumi-command";
import { type Change, meets, type Report, reportShape } from "../../../cli/rehearse/report";
import { copyStack, resourcesIn, type StackCopySource } from "../../../cli/rehearse/stack";
import { summarize } from "../../../cli/rehearse/summary";
import { toTerminal } from "../../../cli/rehearse/terminal";
import { settingsFrom } from "../../../provider/client/config";
import type { RunningServer } from "../../../server";
import { awkwardValues } from "../../support/awkward-values";
import { runChild } from "../../support/child";
import { startServer } from "../../support/profile";
import { until } from "../../support/until";

const change = (given: Partial<Change>): Change => ({
  effect: "create",
  kind: "variable",
  name: "KEY (preview)",
  project: "web",
  id: "prj_web/1",
  resource: "key",
  isProduction: false,
  isWithProject: false,
  leavesProduction: false,
  fields: [],
  ...given,
});

type Found = Pick<Report, "changes" | "aliases" | "refusals" | "exitCode">;
const nothing: Found = { changes: [], aliases: [], refusals: [], exitCode: 0 };

describe("the summary", () => {
  const production = change({ effect: "delete", kind: "domain", name: "www.acme.com", isProduction: true });
  const move = { alias: "www.acme.com", project: "web", from: "dpl_1", to: "dpl_2" };
  const refusal = { resource: "taken", message: "POST /v10/projects: 409 conflict: a project has the name." };

  it.each<[string, Partial<Found>, string, string?]>([
    ["nothing", {}, "Changes nothing."],
    ["a preview", {}, "A preview changes nothing: rehearse pulumi up.", "preview"],
    ["a creation", { changes: [change({})] }, "Creates the variable KEY (preview) of project web."],
    [
      "a deleted production domain among many changes",
      { changes: [change({}), change({ effect: "replace" }), production] },
      "Deletes the production domain www.acme.com of project web, and makes 2 other changes.",
    ],
    [
      "a deleted project with a production domain",
      {
        changes: [
          change({ effect: "delete", kind: "project", name: "web", isProduction: true }),
          { ...production, isWithProject: true },
        ],
      },
      "Deletes the project web with the production domain www.acme.com.",
    ],
    [
      "names that move, and a change",
      { changes: [change({ effect: "change" })], aliases: [move, { ...move, alias: "acme.com" }] },
      "Moves 2 names of web to another deployment, and makes 1 other change.",
    ],
    [
      "an alias that leads nowhere any more, and a change",
      { changes: [change({ effect: "change" })], aliases: [{ ...move, to: null }] },
      "Takes www.acme.com of web offline, and makes 1 other change.",
    ],
    [
      "a refusal",
      { refusals: [refusal], exitCode: 1 },
      "The command fails: taken: POST /v10/projects: 409 conflict: a project has the name.",
    ],
    [
      "a deletion before a refusal",
      { changes: [production], refusals: [refusal], exitCode: 1 },
      "Deletes the production domain www.acme.com of project web. The command fails: taken: POST /v10/projects: 409 conflict: a project has the name.",
    ],
    [
      "a deletion, and names that move",
      { changes: [production], aliases: [move, { ...move, alias: "acme.com" }] },
      "Deletes the production domain www.acme.com of project web, and makes 1 other change.",
    ],
    [
      "deleted domains of several projects",
      { changes: [production, { ...production, name: "www.shop.com", project: "shop" }] },
      "Deletes the production domains www.acme.com, www.shop.com of projects web, shop.",
    ],
    [
      "a variable of production, and a project that serves nothing",
      {
        changes: [
          change({ effect: "change", kind: "project", name: "api" }),
          change({ effect: "change", name: "KEY (production)", isProduction: true }),
        ],
      },
      "Changes the production variable KEY (production) of project web, and makes 1 other change.",
    ],
    [
      "names of more projects than a sentence lists",
      { aliases: ["a", "b", "c", "d", "e"].map((project) => ({ ...move, alias: project, project })) },
      "Moves 5 names of a, b, c and 2 more to another deployment.",
    ],
    [
      "a first promotion",
      { aliases: [{ ...move, from: null }] },
      "Points www.acme.com of web to a deployment for the first time.",
    ],
    [
      "the exception of a program",
      {
        refusals: [
          { resource: null, message: "Running program 'a' failed with an unhandled exception:\nError: boom" },
        ],
        exitCode: 1,
      },
      "The command fails: Running program 'a' failed with an unhandled exception: Error: boom",
    ],
    [
      "refusals after a change",
      { changes: [change({ effect: "change" })], refusals: [refusal, refusal], exitCode: 1 },
      "The command fails, after 1 change: taken: POST /v10/projects: 409 conflict: a project has the name. (and 1 more)",
    ],
    ["a failure without a refusal", { exitCode: 1 }, "The command fails: see its output."],
  ])("of %s says the most important thing first", (_, found, expected, operation = "up") => {
    expect(summarize({ ...nothing, ...found }, operation)).toBe(expected);
  });
});

describe("the report", () => {
  const report: Report = {
    ...{ version: 1, command: "pulumi up", source: "https://api.example.com", stack: "dev", exitCode: 0 },
    snapshot: null,
    summary: "Changes <web>.",
    changes: [
      change({
        ...{ effect: "change", kind: "project", name: "web", project: "web", isProduction: true },
        fields: [
          { field: "buildCommand", before: null, after: "a | `b`\nc" },
          { field: "bypassSecrets", isSecret: true },
        ],
      }),
    ],
    aliases: [{ alias: "web.vercel.app", project: "web", from: "dpl_1", to: "dpl_2" }],
    events: [{ type: "project.created", count: 1, deliveries: 2 }],
    refusals: [{ resource: "taken", message: "It is *taken*." }],
    unknown: ["whether it rains"],
    allowed: [],
    real: [],
  };

  it("is Markdown for a comment, with names that are no markup", () => {
    expect(reportShape.parse(report)).toEqual(report);
    const text = toMarkdown(report);
    expect(text.split("\n")[0]).toBe("**Changes \\<web\\>.**");
    expect(text).toContain("| change | project `web` |");
    expect(text).toContain("- `taken`: It is \\*taken\\*.");
    expect(text).toContain("`buildCommand`: not set → `\"a ¦ 'b'\\nc\"`");
    expect(text).toContain("`bypassSecrets`: changed (secret)");
    expect(text).toContain("`web.vercel.app`: `dpl_1` → `dpl_2`");
    expect(text).toContain("`project.created`: 1, to 2 receivers");
    expect(text).toContain("- whether it rains");
  });

  it("shows control characters in names instead of writing them", () => {
    const name = "a\u001b[31m\u202eb";
    const changes = [change({ effect: "change", kind: "project", name, resource: name })];
    const text = toMarkdown({ ...report, changes, summary: name, unknown: [name] });
    expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
    expect(text).toContain("project `a\\u{1b}[31m\\u{202e}b`");
  });

  it("tells of production and of aliases, and lists apart what is deleted with its project", () => {
    const deleted = { effect: "delete", isProduction: true, resource: "www" } as const;
    const changes = [
      change({ ...deleted, kind: "domain", name: "a.com" }),
      change({ ...deleted, kind: "domain", name: "b.com", project: "shop", isWithProject: true }),
      change({ effect: "change", kind: "domain", name: "c.com", isProduction: true, leavesProduction: true }),
      change({ effect: "change", kind: "project", name: "api", isProduction: true, leavesProduction: true }),
    ];
    const alias = { alias: "new.vercel.app", project: "web", from: null, to: "dpl_1" };
    const aliases = [alias, { ...alias, alias: "old.vercel.app", from: "dpl_1", to: null }];
    const events = [{ type: "project.created", count: 2, deliveries: 1 }];
    const text = toMarkdown({ ...report, changes, aliases, events });
    expect(text).toContain(
      [
        "|---|---|---|---|---|",
        "| delete | production domain `a.com` | `web` | `www` |  |",
        "| change | production domain `c.com`, which leaves production | `web` | `key` |  |",
        "| change | project `api`, whose production goes offline | `web` | `key` |  |",
        "",
      ].join("\n"),
    );
    expect(text).toContain("Deleted with their projects: 1</summary>\n\n- domain `b.com` of `shop`\n");
    expect(text).toContain("- `new.vercel.app`: new → `dpl_1`\n- `old.vercel.app`: `dpl_1` → gone\n");
    expect(text).toContain("`project.created`: 2, to 1 receiver\n");
  });

  it("names the snapshot at its end, with its time if it has one", () => {
    const endOf = (copiedAt: number | null) =>
      toMarkdown({ ...report, snapshot: { file: "account.json", copiedAt } })
        .split("\n")
        .at(-2);
    expect(endOf(Date.UTC(2026, 0, 2))).toContain(
      "on a copy of `https://api.example.com`, from the snapshot `account.json` of 2026-01-02T00:00:00Z. Nothing",
    );
    expect(endOf(null)).toContain("from the snapshot `account.json`. Nothing");
  });

  it("names what was allowed to change for real, and what did", () => {
    const real = [{ effect: "create" as const, type: "aws:s3:Bucket", resource: "logs" }];
    const text = toMarkdown({ ...report, allowed: ["aws"], real });
    expect(text).toContain(
      "Changed for real, outside of the copy (allowed: `aws`):\n\n- create `logs` (`aws:s3:Bucket`)",
    );
    expect(text).not.toContain("Nothing was changed");
    expect(toMarkdown({ ...report, allowed: ["hooks"] })).toContain("Allowed to run for real: `hooks`.");
  });

  it("is text at a terminal, with the summary once and no markup", () => {
    const changes = [
      ...report.changes,
      change({ effect: "delete", kind: "domain", name: "a.com", isProduction: true, resource: "www" }),
      change({ effect: "delete", kind: "domain", name: "b.com", project: "shop", isWithProject: true }),
    ];
    const text = toTerminal({ ...report, changes });
    expect(text).toBe(`Changes <web>.

  change   project web (key)
             buildCommand: not set → "a | \`b\`\\nc"
             bypassSecrets: changed (secret)
  delete   production domain a.com of web (www)

Deleted with their projects:
  domain b.com of shop

The command fails:
  taken: It is *taken*.

Aliases:
  web.vercel.app: dpl_1 → dpl_2

Events:
  project.created: 1, to 2 receivers

Not known:
  whether it rains

Rehearsed: pulumi up with the stack dev on a copy of https://api.example.com. Nothing was changed there.
`);
  });

  it("escapes what would control a terminal", () => {
    const changes = [change({ name: "\u001b[2Jweb" })];
    expect(toTerminal({ ...report, changes })).not.toContain("\u001b[2J");
  });

  it("fits a comment, however much changes", () => {
    const changes = Array.from({ length: 5_000 }, (_, at) =>
      change({ ...report.changes[0], name: `project-${at}` }),
    );
    const text = toMarkdown({ ...report, changes });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain("…and 4950 more.");
  });

  it("meets a condition of --fail-on by what it has", () => {
    expect(
      ["create", "change", "delete", "move", "refusal", "unknown"].filter((one) =>
        meets(report, one as "move"),
      ),
    ).toEqual(["change", "move", "refusal", "unknown"]);
  });

  it("meets `move` by an alias that leads nowhere any more, and not by a new one", () => {
    const alias = (from: string | null, to: string | null) => ({
      ...report,
      aliases: [{ alias: "web.vercel.app", project: "web", from, to }],
    });
    expect([meets(alias("dpl_1", null), "move"), meets(alias(null, "dpl_1"), "move")]).toEqual([true, false]);
  });
});

describe("the command", () => {
  const copy = { stack: "dev", configFile: "/tmp/c.yaml", eventLog: "/tmp/e.json" };
  const tail = ["--stack", "dev", "--config-file", "/tmp/c.yaml", "--event-log", "/tmp/e.json"];

  it.each([
    ["pulumi up", ["pulumi", "up", ...tail, "--yes"], undefined],
    ["pulumi up -y -sorg/web/dev", ["pulumi", "up", "-y", ...tail], "org/web/dev"],
    ["npx pulumi --stack=dev destroy --yes", ["npx", "pulumi", "destroy", "--yes", ...tail], "dev"],
    [
      "pulumi --color never -v 3 up",
      ["pulumi", "--color", "never", "-v", "3", "up", ...tail, "--yes"],
      undefined,
    ],
    ["pulumi preview --stack dev --config-file a.yaml", ["pulumi", "preview", ...tail], "dev"],
    [
      "pulumi up --event-log mine.json --target **::web",
      ["pulumi", "up", "--target", "**::web", ...tail, "--yes"],
      undefined,
    ],
    ["pulumi destroy --remove -s dev", ["pulumi", "destroy", ...tail, "--yes"], "dev"],
    ["pulumi update -s dev", ["pulumi", "update", ...tail, "--yes"], "dev"],
    ["pulumi pre", ["pulumi", "pre", ...tail], undefined],
    ["pulumi dn --event-log=mine.json", ["pulumi", "dn", ...tail, "--yes"], undefined],
    ["pulumi preview --save-plan plan.json", ["pulumi", "preview", ...tail], undefined],
    ["pulumi preview --import-file=found.json --diff", ["pulumi", "preview", "--diff", ...tail], undefined],
  ])("%s runs with the stack of the copy", (line, words, stack) => {
    const parsed = parseCommand(line.split(" "), {});
    expect([commandLineFor(parsed, copy), parsed.stack]).toEqual([words, stack]);
  });

  it("finds the stack in the environment, and the folder by --cwd", () => {
    const parsed = parseCommand(["pulumi", "-C", "/program", "up"], { PULUMI_STACK: "production" });
    expect(parsed).toMatchObject({ stack: "production", folder: "/program", rest: ["-C", "/program", "up"] });
    const given = ["pulumi", "up", "--cwd=/program", "--config-file", "a.yaml", "--stack", "dev"];
    expect(parseCommand(given, { PULUMI_STACK: "production" })).toMatchObject({
      ...{ stack: "dev", configFile: "/program/a.yaml" },
    });
    expect(parseCommand(["pulumi", "up"], { PULUMI_STACK: "" }).stack).toBeUndefined();
  });

  it.each(["-yC /program -s dev", "-yC/program -sdev", "-fyC /program -ys dev", "-dys dev -QeC /program"])(
    "finds the stack and the folder in combined short flags: %s",
    (flags) => {
      const parsed = parseCommand(["pulumi", "up", ...flags.split(" ")], {});
      expect(parsed).toMatchObject({ stack: "dev", folder: "/program" });
      expect(parsed.rest).toEqual(expect.arrayContaining(["up", "-y", "-C", "/program"]));
      expect(parsed.rest.join(" ")).not.toMatch(/-s|dev/);
    },
  );

  it.each([
    [[], "No command is given"],
    [["npm", "run", "deploy"], "only commands of the Pulumi CLI"],
    [["pulumi", "import"], "pulumi import cannot be rehearsed"],
    [["pulumi", "--yes"], "has no operation"],
    [["pulumi", "up", "--remote-git-branch", "main"], "leave out --remote"],
    [["pulumi", "up", "--remote"], "leave out --remote"],
    [["pulumi", "up", "--yes", "https://example.com/program"], "it would run another program"],
    [["pulumi", "up", "--client", "127.0.0.1:1"], "leave out --client"],
  ])("%j is refused", (words, message) => {
    expect(() => parseCommand(words, {})).toThrow(message);
  });

  it.each([
    [["rehearse", "--", "ls"], "A rehearsal runs only commands of the Pulumi CLI."],
    [["rehearse"], "missing required argument 'command'"],
    [["rehearse", "--json", "--", "pulumi", "up"], "argument '--' is invalid. It is not a value."],
    [["rehearse", "--report", "--json", "a.json", "--", "pulumi", "up"], "argument '--json' is invalid."],
    [
      ["rehearse", "--fail-on", "delete,everything", "--", "pulumi", "up"],
      "everything is unknown. Choose one of create",
    ],
  ])("slipway %j ends with code 2 and a hint", async (args, message) => {
    const child = runChild("cli/command.ts", args);
    expect([await child.exited, child.output().stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

it.each([
  ["-c key=canary", "-c key=…"],
  ["--config key=canary", "--config key=…"],
  ["--config=a:b=canary", "--config=a:b=…"],
  ["-ckey=canary", "-ckey=…"],
  ["-yc key=canary", "-yc key=…"],
  ["-yckey=canary", "-yckey=…"],
  ["--target a=b", "--target a=b"],
])("shows the command pulumi up %s without the values of configuration", (words, shown) => {
  expect(shownCommand(["pulumi", "up", ...words.split(" ")])).toBe(`pulumi up ${shown}`);
});

describe("the file of a report", () => {
  it("is not one file for both forms", async () => {
    const child = runChild("cli/command.ts", [
      ...["rehearse", "--report", "./r.md", "--json", "r.md", "--", "pulumi", "up"],
    ]);
    expect([await child.exited, child.output().stderr]).toEqual([
      2,
      expect.stringContaining("--report and --json name one file. Give each its own."),
    ]);
  });

  it.each(["--report", "--json"])("of %s is checked before the run", async (flag) => {
    const child = runChild("cli/command.ts", ["rehearse", flag, "/nowhere/file", "--", "pulumi", "up"], {
      PATH: "/nowhere",
    });
    expect([await child.exited, child.output().stderr]).toEqual([
      1,
      expect.stringMatching(
        /^slipway: \/nowhere\/file cannot be written \(ENOENT[^\n]*\)\. Choose another file\.\n$/,
      ),
    ]);
  });
});

it("says what to do when the Pulumi CLI cannot be started", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-nowhere-"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: web\nruntime: yaml");
  const args = ["rehearse", "--", "pulumi", "up", "--cwd", folder];
  const child = runChild("cli/command.ts", args, { PATH: folder });
  expect([await child.exited, child.output().stderr]).toEqual([
    1,
    expect.stringContaining("slipway: pulumi cannot be run (spawn pulumi ENOENT). Install the Pulumi CLI"),
  ]);
  rmSync(folder, { recursive: true });
});

it("leaves no report of an earlier run when it fails", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-report-"));
  const files = [join(folder, "report.md"), join(folder, "report.json")] as const;
  for (const file of files) writeFileSync(file, "of an earlier run");
  const args = ["rehearse", "--report", files[0], "--json", files[1], "--", "pulumi", "up", "--cwd", folder];
  const child = runChild("cli/command.ts", args);
  expect([await child.exited, child.output().stderr]).toEqual([1, expect.stringContaining("No Pulumi.yaml")]);
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(["", ""]);
  rmSync(folder, { recursive: true });
});

describe("the file of --snapshot", () => {
  const config = new Map([["slipway:apiUrl", { value: "https://api.example.com", secret: false }]]);
  const stack = { name: "dev", project: "web", state: {}, references: [], resources: [], config };
  const whole = { copyOf: "https://api.example.com/", users: [{ id: "user_1" }] };
  let folder: string;
  const read = (text: string) => {
    const file = join(folder, "account.json");
    writeFileSync(file, text);
    return readSource(stack, folder, file);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is of the address of the stack, and has the time of its copy if it says so", async () => {
    const snapshot = { file: join(folder, "account.json"), copiedAt: null };
    expect(await read(JSON.stringify(whole))).toMatchObject({ user: "user_1", account: {}, snapshot });
    expect(await read(JSON.stringify({ ...whole, copyOf: undefined }))).toMatchObject({ snapshot });
    expect(await read(JSON.stringify({ ...whole, copiedAt: 5 }))).toMatchObject({
      snapshot: { ...snapshot, copiedAt: 5 },
    });
    await expect(read(JSON.stringify({ ...whole, copyOf: "https://other.example.com" }))).rejects.toThrow(
      "account.json is a snapshot of https://other.example.com, and the stack is for https://api.example.com. If the stack",
    );
  });

  it("is of its first team, by the user of an owner", async () => {
    const members = ["MEMBER", "OWNER"].map((role) => ({ user: `user_${role}`, role }));
    const source = await read(JSON.stringify({ ...whole, teams: [{ id: "team_1", slug: "acme", members }] }));
    expect(source).toMatchObject({ user: "user_OWNER", account: { team: "team_1" } });
    expect(teamNames(source)).toEqual(["team_1", "acme"]);
  });

  it.each([
    ["", /account\.json is empty\. Write one with slipway snapshot\.$/],
    [
      '{ "users": [{ "id": "secret',
      /account\.json is incomplete or damaged\. Write one with slipway snapshot\.$/,
    ],
    ["a: [secret", /account\.json is incomplete or damaged\. Write one with slipway snapshot\.$/],
    ["[]", /account\.json is not a snapshot\. Write one with slipway snapshot\.$/],
    ['{ "teams": {} }', /account\.json is not a snapshot\. Write one with slipway snapshot\.$/],
    ["{}", /The snapshot \S+account\.json has no user\. Write one with slipway snapshot\.$/],
  ])("is refused with a hint if it is %j", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("is refused with a hint if a row of it is none of an account", async () => {
    const source = await read(JSON.stringify({ ...whole, users: [{ id: "user_1", username: 5 }] }));
    await expect(startCopy(source.document, source)).rejects.toThrow(
      /account\.json is not a snapshot: users\[0\]\.username: [^\n]*\. Write one with slipway snapshot\.$/,
    );
  });

  it("is refused with a hint if it is missing", async () => {
    await expect(readSource(stack, folder, join(folder, "none.json"))).rejects.toThrow(
      /none\.json cannot be read \(ENOENT[^\n]*\)\. Write one with slipway snapshot\.$/,
    );
  });
});

describe("the copy of a Slipway server", () => {
  let server: RunningServer;
  beforeAll(async () => {
    const tokens = [{ token: "bound-token-000000000000", user: "dev", team: "acme" }];
    server = await startServer({ profile: "hosted", seed: { tokens } });
  });
  afterAll(() => server.close());

  async function copyOf(settings: Record<string, string>) {
    const config = new Map(
      Object.entries({ "slipway:apiUrl": server.url, ...settings }).map(([key, value]) => [
        key,
        { value, secret: false },
      ]),
    );
    const stack = { name: "dev", project: "web", state: {}, references: [], resources: [], config };
    const source = await readSource(stack, mkdtempSync(join(tmpdir(), "slipway-test-")), undefined);
    return { source, copy: await startCopy(source.document, source) };
  }

  it("has the profile of the server", async () => {
    const { copy } = await copyOf({ "slipway:token": server.token, "slipway:team": "acme" });
    expect(await (await fetch(`${copy.url}/_health`)).json()).toMatchObject({ profile: "hosted" });
    await copy.close();
  });

  it("has the team of a token that selects one, and its token selects the team too", async () => {
    const { source, copy } = await copyOf({ "slipway:token": "bound-token-000000000000" });
    expect(teamNames(source)[1]).toBe("acme");
    const headers = { authorization: `Bearer ${copy.token}` };
    const { user } = (await (await fetch(`${copy.url}/v2/user`, { headers })).json()) as {
      user: { defaultTeamId: string };
    };
    expect(user.defaultTeamId).toBe(source.account.team);
    const rehearsal = { copy: copy.url, token: copy.token, source: server.url, team: teamNames(source) };
    const settings = (isTeamOfToken: boolean) =>
      settingsFrom(() => undefined, {
        SLIPWAY_API_URL: server.url,
        SLIPWAY_TOKEN: "bound-token-000000000000",
        SLIPWAY_REHEARSAL: JSON.stringify({ ...rehearsal, apiUrl: server.url, isTeamOfToken }),
      });
    expect(settings(source.isTeamOfToken ?? false)).toMatchObject({ sentTo: copy.url, team: undefined });
    expect(() => settings(false)).toThrow("A rehearsal only has a copy of the team acme");
    await copy.close();
  });
});

describe("the copy of rows that conflict", () => {
  const document = {
    copyOf: "https://api.example.com",
    users: [{ id: "user_1", username: "ada" }],
    teams: [{ id: "team_1", slug: "acme", members: [{ user: "user_1", role: "OWNER" }] }],
    projects: [{ team: "team_1", id: "prj_1", name: "web" }],
  };
  const source = { apiUrl: document.copyOf, account: { team: "team_1" }, user: "user_1", snapshot: null };

  it("leaves them out, and says why", async () => {
    const domain = { team: "team_1", project: "prj_1", name: "acme.example", verified: true, createdAt: 1 };
    const copy = await startCopy(
      {
        ...document,
        domains: [domain, { ...domain, project: "prj_none", name: "other.example" }],
        projectMembers: [{ team: "team_1", project: "prj_1", user: "user_none", role: "ADMIN" }],
      },
      source,
    );
    expect(copy.leftOut).toEqual([
      'domains[1].project: "acme" has no project "prj_none"',
      'projectMembers[0].user: "user_none" is not a member of the team',
    ]);
    await copy.close();
  });

  it("fails with a message if the account itself cannot be copied", async () => {
    const members = [{ user: "user_none", role: "OWNER" }];
    const teams = [{ ...document.teams[0], members }];
    const failed = startCopy({ ...document, teams }, source);
    await expect(failed).rejects.toThrow(UserError);
    await expect(failed).rejects.toThrow(
      'The account cannot be copied: teams[0].members[0].user: there is no user "user_none". Write a snapshot',
    );
  });
});

it("the copy publishes the TXT records that resources of type DomainVerification wait for, and no others", async () => {
  const names = ["other.acme.example", "www.acme.example", "docs.acme.example"];
  const domains = names.map((name) => ({ team: "team_1", project: "prj_1", name, verified: false }));
  const document = {
    copyOf: "https://api.example.com",
    users: [{ id: "user_1", username: "ada" }],
    teams: [{ id: "team_1", slug: "acme", members: [{ user: "user_1", role: "OWNER" }] }],
    projects: [{ team: "team_1", id: "prj_1", name: "web" }],
    domains,
  };
  const copy = await startCopy(document, {
    ...{ apiUrl: document.copyOf, account: { team: "team_1" }, user: "user_1" },
    snapshot: { file: "account.json" },
  });
  const verify = async (name: string, type: string): Promise<number> => {
    const headers = { authorization: `Bearer ${copy.token}`, "x-slipway-resource": `${type} it` };
    const path = `/v9/projects/prj_1/domains/${name}/verify`;
    return (await fetch(`${copy.url}${path}?teamId=team_1`, { method: "POST", headers })).status;
  };
  try {
    const [other = "", ...waiting] = names;
    expect(await verify(other, "ProjectDomain")).toBe(400);
    for (const name of waiting) expect(await verify(name, "DomainVerification")).toBe(400);
    // Both records have the same name.
    const published = () => copy.control.snapshot().then(({ dns }) => dns.length === 2 || undefined);
    await until("the records are published", published);
    expect(copy.assumedRecords.map(({ domain, name }) => [domain, name]).sort()).toEqual(
      waiting.map((name) => [name, "_vercel.acme.example"]).sort(),
    );
    for (const name of waiting) expect(await verify(name, "DomainVerification")).toBe(200);
    expect((await copy.refused()).map(({ path }) => path)).toEqual(
      names.map((name) => `/v9/projects/prj_1/domains/${name}/verify`),
    );
  } finally {
    await copy.close();
  }
});

it("reads a deployment for its id in state, configuration or a file of the program, but in no package", async () => {
  const ids = Array.from({ length: 15 }, (_, at) => `dpl_${String(at).padStart(2, "0")}`);
  const server = await startServer({
    seed: {
      projects: [{ team: "acme", name: "web" }],
      deployments: ids.map((id, at) => ({
        team: "acme",
        project: "web",
        id,
        readyState: "ERROR",
        createdAt: at + 1,
      })),
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
  try {
    for (const path of ["src", "node_modules/some"]) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, "src/index.ts"), 'new Promotion("live", { deployment: "dpl_00" });');
    writeFileSync(join(folder, "node_modules/some/index.js"), "dpl_03");
    const config = new Map(
      Object.entries({
        "slipway:apiUrl": server.url,
        "slipway:token": server.token,
        "slipway:team": "acme",
        "web:deployment": "dpl_01",
      }).map(([key, value]) => [key, { value, secret: false }]),
    );
    const live = {
      urn: "urn:live",
      type: "slipway:index:Promotion",
      id: "prj_1",
      custom: true,
      inputs: {},
      marked: [],
    };
    const resources = [{ ...live, outputs: { deployment: "dpl_02" } }];
    const stack = { name: "dev", project: "web", state: {}, references: [], resources, config };
    const { document } = await readSource(stack, folder, undefined);
    const read = (document.deployments as { id: string }[]).map(({ id }) => id).sort();
    expect(read.slice(0, 3)).toEqual(ids.slice(0, 3));
    expect(read).not.toContain("dpl_03");
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

it("opens the secrets of a state, and omits those that are encrypted", () => {
  const secret = (more: object) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ...more,
  });
  const resource = { urn: "urn:pulumi:dev::web::slipway:index:EnvVar::a", type: "slipway:index:EnvVar" };
  const inputs = { value: secret({ plaintext: '"text"' }), list: [{ a: secret({ plaintext: "[1]" }) }] };
  const outputs = { value: secret({ ciphertext: "v1:x" }), key: "A" };
  expect(
    resourcesIn({ resources: [{ ...resource, id: "i", custom: true, inputs, outputs }, resource] }),
  ).toEqual([
    {
      ...resource,
      id: "i",
      custom: true,
      inputs: { value: "text", list: [{ a: [1] }] },
      outputs: { key: "A" },
      marked: ["value", "list"],
    },
    { ...resource, id: "", custom: false, inputs: {}, outputs: {}, marked: [] },
  ]);
  expect(resourcesIn(undefined)).toEqual([]);
});

describe("a stack with resources of other providers", () => {
  it("is refused, unless they are allowed or exist in the state alone", () => {
    const own = [
      "slipway:index:Project",
      "pulumi-nodejs:dynamic/slipway:Project",
      "pulumi:providers:aws",
      "random:index/randomId:RandomId",
    ];
    expect(() => refuseOtherResources(own, [])).not.toThrow();
    expect(() => refuseOtherResources([...own, "aws:s3/bucket:Bucket"], [])).toThrow("--allow aws");
    expect(() => refuseOtherResources([...own, "aws:s3/bucket:Bucket"], ["aws"])).not.toThrow();
    expect(() => refuseOtherResources(["pulumi-nodejs:dynamic:Resource"], [])).toThrow(
      "--allow pulumi-nodejs",
    );
  });
});

it("refuses a package without support for rehearsals, also in a folder above the program", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
  const found = join(folder, "node_modules/slipway");
  const program = join(folder, "program");
  for (const path of [join(found, "dist/provider/client"), program]) mkdirSync(path, { recursive: true });
  expect(() => refuseOldPackage(program)).not.toThrow();
  writeFileSync(join(found, "package.json"), "{}");
  expect(() => refuseOldPackage(program)).toThrow(`${found}, which does not support rehearsals`);
  writeFileSync(join(found, "dist/provider/client/rehearsal.js"), "");
  expect(() => refuseOldPackage(program)).not.toThrow();
  rmSync(folder, { recursive: true });
});

/** A key takes half a second of work. */
const keys = new Map<string, Buffer>();

/** The text of a secret that was encrypted as the Pulumi CLI does. */
function decrypted(secret: string, passphrase: string, salt: string): string {
  const key =
    keys.get(passphrase) ?? pbkdf2Sync(passphrase, Buffer.from(salt, "base64"), 1_000_000, 32, "sha256");
  keys.set(passphrase, key);
  const [version, nonce = "", text = ""] = secret.split(":");
  expect(version).toBe("v1");
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  decipher.setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(0, -16), undefined, "utf8");
}

it("encrypts secrets as the Pulumi CLI does", async () => {
  const salt = randomBytes(8).toString("base64");
  const encrypt = await encryption("passphrase", `v1:${salt}:v1:nonce:check`);
  expect(decrypted(encrypt("a secret"), "passphrase", salt)).toBe("a secret");
});

/** Copies a stack with a CLI that only creates the file of a stack. */
async function copied(folder: string, config: StackCopySource["config"], salt: string) {
  const cli = {
    async output(words: string[]) {
      const cwd = words[words.indexOf("--cwd") + 1] ?? "";
      if (words.includes("init"))
        writeFileSync(join(cwd, "Pulumi.dev.yaml"), `encryptionsalt: v1:${salt}:v1:nonce:check\n`);
      return "";
    },
  } as unknown as Processes;
  const source = { name: "dev", project: "web", state: {}, references: [], resources: [], config };
  const files = { folder: () => folder } as unknown as Folder;
  const command = { start: ["pulumi"], folder } as unknown as PulumiCommand;
  const options = { files, home: folder, binaries: "", allowed: [], replaced: {} };
  return copyStack(cli, command, source, options);
}

it("copies every secret of the configuration to the byte", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
  const salt = randomBytes(8).toString("base64");
  const config = new Map(awkwardValues.map((value, at) => [`web:v${at}`, { value, secret: true }]));
  const { configFile, env } = await copied(folder, config, salt);
  const written = parse(readFileSync(configFile, "utf8")) as { config: Record<string, { secure: string }> };
  const opened = Object.values(written.config).map(({ secure }) =>
    decrypted(secure, env.PULUMI_CONFIG_PASSPHRASE ?? "", salt),
  );
  expect(opened).toEqual(awkwardValues);
  rmSync(folder, { recursive: true });
});

describe("the command of a rehearsal gets", () => {
  const given = [
    ...["PULUMI_CREDENTIALS_PATH", "PULUMI_CREDENTIAL_STORE", "PULUMI_DEBUG_GRPC", "PULUMI_ACCESS_TOKEN"],
    ...["PULUMI_STACK", "PULUMI_CONFIG_PASSPHRASE_FILE"],
  ];
  beforeEach(() => {
    for (const name of given) process.env[name] = "of the user";
  });
  afterEach(() => {
    for (const name of given) delete process.env[name];
  });

  it("no variable that leads it to files, a stack or a backend of the user", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
    const { env } = await copied(folder, new Map(), randomBytes(8).toString("base64"));
    expect(given.filter((name) => env[name] !== undefined)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

it("reads the errors and violations of an event log, each once and without colours and traces", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
  const file = join(folder, "events.json");
  const error = (message: string, urn?: string) => ({ diagnosticEvent: { message, severity: "error", urn } });
  const violation = (enforcementLevel: string) => ({
    policyEvent: {
      ...{ resourceUrn: "urn:pulumi:dev::web::slipway:index:Project::web", enforcementLevel },
      ...{ message: "Projects protect their previews.\n", color: "never", severity: "medium" },
      ...{ policyName: "previews-protected", policyPackName: "slipway" },
    },
  });
  const lines = [
    error("<{%fg 1%}>It is taken.<{%reset%}>\n", "urn:pulumi:dev::web::slipway:index:Project::taken"),
    error("It is taken.", "urn:pulumi:dev::web::slipway:index:Project::taken"),
    error("Boom\n    at file:1:2", "urn:pulumi:dev::web::pulumi:pulumi:Stack::web-dev"),
    error("update failed"),
    { diagnosticEvent: { message: "a warning", severity: "warning" } },
    violation("mandatory"),
    violation("advisory"),
  ];
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"diagnostic`);
  expect(refusalsIn(file)).toEqual([
    { resource: "taken", message: "It is taken." },
    { resource: null, message: "Boom" },
    { resource: "web", message: "policy slipway/previews-protected: Projects protect their previews." },
  ]);
  expect(refusalsIn(join(folder, "none.json"))).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(readdirSync(tmpdir())).not.toContain(folder);
});

describe("the provider in a rehearsal", () => {
  const source = "https://api.example.com";
  const rehearsal = { copy: "http://127.0.0.1:5000", token: "of-the-copy", source, apiUrl: source, team: [] };
  const environment = (given: object) => ({
    SLIPWAY_REHEARSAL: JSON.stringify({ ...rehearsal, ...given }),
    SLIPWAY_API_URL: rehearsal.copy,
    SLIPWAY_TOKEN: rehearsal.token,
  });

  it("keeps the address of the account, and sends to the copy with the token of the copy", () => {
    const explicit = (key: string) => (key === "slipway:provider.token" ? "real" : undefined);
    expect(settingsFrom(explicit, environment({}))).toMatchObject({
      ...{ apiUrl: source, sentTo: rehearsal.copy, token: rehearsal.token },
    });
  });

  it("takes the address of the stack's configuration where the user has set no variable", () => {
    const config = (key: string) => (key === "slipway:apiUrl" ? `${source}/` : undefined);
    expect(settingsFrom(config, environment({ apiUrl: undefined }))).toMatchObject({ apiUrl: source });
  });

  it("takes the address of the copy, which a program finds in its environment, for that of the account", () => {
    const explicit = (key: string) => (key === "slipway:provider.apiUrl" ? rehearsal.copy : undefined);
    expect(settingsFrom(explicit, environment({}))).toMatchObject({ apiUrl: source, sentTo: rehearsal.copy });
  });

  it("refuses every other address", () => {
    const other = (key: string) =>
      key === "slipway:provider.apiUrl" ? "https://other.example.com" : undefined;
    expect(() => settingsFrom(other, environment({}))).toThrow(
      /only has a copy of https:\/\/api\.example\.com,/,
    );
    expect(() => settingsFrom(() => undefined, environment({ apiUrl: undefined }))).toThrow("sends nothing");
    expect(() =>
      settingsFrom(() => undefined, { ...environment({}), SLIPWAY_API_URL: "https://mapped.example.com" }),
    ).toThrow("this provider for https://mapped.example.com sends nothing");
    expect(() => settingsFrom(() => undefined, { SLIPWAY_REHEARSAL: "{}" })).toThrow();
  });

  it("refuses every other account", () => {
    const account = (given: string[], team?: string) =>
      settingsFrom(() => undefined, { ...environment({ team: given }), SLIPWAY_TEAM: team });
    const acme = ["team_acme", "acme"];
    expect([account([]).team, account(acme, "acme").team, account(acme, "team_acme").team]).toEqual([
      undefined,
      "acme",
      "team_acme",
    ]);
    expect(() => account(acme, "beta")).toThrow(
      "a copy of the team acme, so this provider for the team beta sends nothing",
    );
    expect(() => account(acme)).toThrow("so this provider for the personal account sends nothing");
    expect(() => account([], "beta")).toThrow("a copy of the personal account,");
  });
});
