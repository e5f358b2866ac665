import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../cli/rehearse/report";
import { canary, type Stack, Workspace } from "../support/pulumi";
import { comparable, Rehearsals } from "../support/rehearsal";
import { inFull, stepInFull } from "../support/slices";
import { step } from "../support/step";
import { until } from "../support/until";

let world: Workspace;
let rehearsals: Rehearsals;

beforeAll(async () => {
  const others = { team: "others", project: "theirs" };
  world = await Workspace.start({
    users: [{ username: "ada", email: "ada@example.com" }, { username: "eve" }],
    teams: [
      { slug: "acme", plan: "pro", members: [{ user: "ada", role: "OWNER" }] },
      { slug: "others", members: [{ user: "eve", role: "OWNER" }] },
    ],
    tokens: [{ token: "token-of-eve", user: "eve" }],
    projects: [
      { team: "others", name: "theirs" },
      { team: "acme", name: "unmanaged" },
      { team: "acme", name: "moving" },
    ],
    domains: [
      { ...others, name: "theirs.example", verified: true },
      { team: "acme", project: "unmanaged", name: "taken.vercel.app" },
    ],
    deployments: ["dpl_one", "dpl_two"].map((id, at) => ({
      ...{ id, team: "acme", project: "web", target: "production", readyState: "READY", createdAt: at + 1 },
    })),
  });
  // The seed of a workspace has the token of `ada`.
  await world.server.control("POST", "/seed", {
    tokens: [{ token: world.token, user: "ada", team: "acme" }],
  });
  const moving = await world.server.request("GET", "/v9/projects/moving");
  await world.server.control("POST", `/projects/${moving.body.id}/transfer`, { toTeam: "others" });
  rehearsals = await Rehearsals.of(world);
});
afterAll(async () => {
  await rehearsals.close();
  await world.stop();
});

const change = async (method: string, path: string, body?: object) => {
  const answer = await world.server.request(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
};

const told = ({ changes }: Report) =>
  changes.map(({ effect, kind, name, resource }) => `${effect} ${kind} ${name} (${resource})`).sort();

const key = (value: string) =>
  `new EnvVar("key", { project: web.id, key: "KEY", value: "${canary}-${value}", type: "sensitive", target: ["production"] });`;

/** Their values are in the report too, where they are no secrets. */
const ordinary = `
  for (const [name, value] of Object.entries({ MODE: "production", SITE: "www.acme.example" }))
    new EnvVar(name, { project: web.id, key: name, value, type: "plain", target: ["production"] });
`;

const first = `
  const web = new Project("web", { name: "web", framework: "nextjs" });
  new ProjectDomain("www", { project: web.id, name: "www.acme.example" });
  ${key("before")}
  new EnvVar("moved", { project: web.id, key: "MOVED", value: "${canary}-moved", target: ["preview"] });
  new Promotion("live", { project: web.id, deployment: "dpl_one" });
  ${ordinary}
`;

const second = `
  const web = new Project("web", { name: "web", framework: "astro" });
  const api = new Project("api", { name: "api" });
  ${key("after")}
  new EnvVar("moved", { project: api.id, key: "MOVED", value: "${canary}-moved", target: ["preview"] });
  new Promotion("live", { project: web.id, deployment: "dpl_two" });
  new Deployment("site", { project: api.id, directory: "site" });
  new ProjectDomain("claimed", { project: api.id, name: "www.theirs.example" });
  ${ordinary}
`;

it("a rehearsal tells what up then does, and touches neither the account nor the stack", async () => {
  const stack = await world.stack("rehearsed");
  mkdirSync(join(stack.folder, "site"));
  stack.file("site/index.html", "hello");
  await step("the stack and the account differ", async () => {
    stack.program(first);
    expect((await stack.up({ env: rehearsals.env })).errors).toEqual([]);
    await change("PATCH", "/v9/projects/web", { buildCommand: "drift" });
    await change("POST", "/v1/webhooks", { url: "http://127.0.0.1:9/hook", events: ["project.created"] });
  });

  let report: Report;
  await step("the report names each change", async () => {
    stack.program(second);
    const limited = { method: "GET", kind: "status", status: 429, retryAfter: 1, times: 3 };
    await world.server.control("POST", "/faults", { ...limited, path: "/v9/projects" });
    const run = await rehearsals.rehearse(stack, { args: ["--fail-on", "delete,refusal"] });
    const { body } = await world.server.control("GET", "/requests?status=429");
    expect(body.requests).toHaveLength(3);
    expect(run.stderr).toContain("rehearsing on a copy of");
    ({ report } = run);
    expect(report.refusals).toEqual([]);
    expect(told(report)).toEqual([
      "change project web (web)",
      "change variable KEY (production) (key)",
      expect.stringMatching(/^create deployment dpl_\w+ \(site\)$/),
      "create domain www.theirs.example (claimed)",
      "create project api (api)",
      "delete domain www.acme.example (www)",
      "replace variable MOVED (preview) (moved)",
    ]);
    expect(report).toMatchObject({
      summary: "Deletes the production domain www.acme.example of project web, and makes 7 other changes.",
      exitCode: 0,
      source: rehearsals.proxy.url,
      stack: "test",
      refusals: [],
    });
    expect(run.code).toBe(3);
    const fieldsOf = (name: string) => report.changes.find((one) => one.name === name)?.fields;
    expect(fieldsOf("web")).toEqual([{ field: "framework", before: "nextjs", after: "astro" }]);
    expect(fieldsOf("KEY (production)")).toEqual([{ field: "value", isSecret: true }]);
    expect(report.aliases).toContainEqual({
      ...{ alias: "web.vercel.app", project: "web", from: "dpl_one", to: "dpl_two" },
    });
    expect(report.events).toContainEqual({ type: "project.created", count: 1, deliveries: 1 });
    expect(report.unknown).toEqual([
      "whether another account has the domain www.theirs.example",
      "whether the deployment builds: the copy builds nothing",
    ]);
    expect(run.markdown).toMatch(/^\*\*Deletes the production domain www\.acme\.example of project web/);
  });

  await step("up does exactly that", async () => {
    const done = await rehearsals.carryOut(stack, async () => {
      expect((await stack.up({ env: rehearsals.env })).errors).toEqual([]);
    });
    expect(comparable(done)).toEqual(comparable(report));
  });

  await stepInFull("a refusal names its resource, and the command fails as for real", async () => {
    stack.program(`${second}
      new ProjectDomain("taken", { project: api.id, name: "taken.vercel.app" });`);
    const run = await rehearsals.rehearse(stack, {
      command: ["pulumi", "up", "--stack=test", "--skip-preview"],
    });
    expect(run.report.refusals.map(({ resource }) => resource)).toContain("taken");
    expect(run.report.refusals.find(({ resource }) => resource === "taken")?.message).toContain("unmanaged");
    expect(run.report.summary).toMatch(/^The command fails/);
    const real = await stack.up({ env: rehearsals.env });
    expect([run.code, run.report.exitCode]).toEqual([real.code, real.code]);
  });
});

inFull("starts the CLI as the command does, which npx finds in the program's folder alone", async () => {
  const stack = await world.stack("npx", `new Project("by-npx", { name: "by-npx" });`);
  const { code, report } = await rehearsals.rehearse(stack, {
    command: ["npx", "pulumi", "up", "--stack", "test", "--skip-preview"],
    // Of the environment of the user. Where npm runs the tests, it is the folder of the tests.
    env: { npm_config_local_prefix: undefined, npm_config_offline: "true" },
  });
  expect([code, told(report)]).toEqual([0, ["create project by-npx (by-npx)"]]);
});

const yaml = (resources: string) => `
config: { account: { type: string } }
resources:
  platform: { type: pulumi:pulumi:StackReference, properties: { name: organization/platform/test } }
  provider:
    type: pulumi:providers:slipway
    properties: { apiUrl: "\${account}", token: "${canary}-placeholder", team: acme }
${resources}`;

inFull("copies configuration, secrets and explicit providers of a program in YAML", async () => {
  const stack = await world.yaml("yaml", "");
  const withToken = (text: string) => stack.yaml(text.replace(`${canary}-placeholder`, world.token));
  await step("the stack has a project by an explicit provider, and refers to another stack", async () => {
    const platform = await world.yaml("platform", "outputs: { framework: astro }");
    expect((await platform.up({ env: rehearsals.env })).errors).toEqual([]);
    stack.configure({ account: rehearsals.proxy.url });
    withToken(
      yaml(
        `  site: { type: slipway:Project, properties: { name: site }, options: { provider: "\${provider}" } }`,
      ),
    );
    expect((await stack.up({ env: rehearsals.env })).errors).toEqual([]);
  });
  await step("its requests go to the copy", async () => {
    withToken(
      yaml(
        `  site: { type: slipway:Project, properties: { name: site, framework: "\${platform.outputs.framework}" }, options: { provider: "\${provider}" } }`,
      ),
    );
    const { report, code } = await rehearsals.rehearse(stack, {
      command: ["pulumi", "up", "-s", "test", "--skip-preview"],
    });
    expect([code, told(report)]).toEqual([0, ["change project site (site)"]]);
    expect(report.summary).toBe("Changes the project site.");
  });
  await step("a provider of another address sends nothing", async () => {
    stack.configure({ account: world.server.url });
    const { report, code } = await rehearsals.rehearse(stack);
    expect(code).not.toBe(0);
    expect(report.refusals.map(({ message }) => message).join()).toContain("A rehearsal only has a copy of");
    expect(report.changes).toEqual([]);
  });
});

const providers = {
  second: { envVarMappings: { SECOND_TOKEN: "SLIPWAY_TOKEN" } },
  elsewhere: { envVarMappings: { OTHER_URL: "SLIPWAY_API_URL" } },
  others: { envVarMappings: { OTHER_TEAM: "SLIPWAY_TEAM" } },
};
const programs = {
  dynamic: (stack: Stack, name: keyof typeof providers) =>
    stack.program(`
      const provider = new Provider("${name}", {}, ${JSON.stringify(providers[name])});
      new Project("${name}", { name: "${name}-dynamic" }, { provider });`),
  plugin: (stack: Stack, name: keyof typeof providers) =>
    stack.yaml(`
resources:
  ${name}: { type: "pulumi:providers:slipway", options: ${JSON.stringify(providers[name])} }
  web: { type: slipway:Project, properties: { name: ${name}-plugin }, options: { provider: "\${${name}}" } }
`),
};

inFull.each(["dynamic", "plugin"] as const)(
  "a %s provider of another account is refused, and another token is told",
  async (host) => {
    const name = `providers-${host}`;
    const stack = host === "dynamic" ? await world.stack(name) : await world.yaml(name, "");
    const env = {
      SECOND_TOKEN: `${canary}-second-token`,
      OTHER_URL: world.server.url,
      OTHER_TEAM: "others",
    };
    programs[host](stack, "second");
    const { code, report } = await rehearsals.rehearse(stack, { env });
    expect([code, told(report)]).toEqual([
      0,
      [`create project second-${host} (${host === "dynamic" ? "second" : "web"})`],
    ]);
    expect(report.unknown).toEqual([
      "whether the access token of the provider second is for this account: the copy got the rehearsal's token instead",
    ]);
    for (const [other, account] of [
      ["elsewhere", world.server.url],
      ["others", "the team others"],
    ] as const) {
      programs[host](stack, other);
      const refused = await rehearsals.rehearse(stack, { env });
      expect(refused.report.refusals.map(({ message }) => message).join()).toContain(
        `so this provider for ${account} sends nothing`,
      );
      expect([refused.code === 0, refused.report.changes]).toEqual([false, []]);
    }
  },
);

inFull("leaves no server and no folder when it is interrupted or killed", async () => {
  const stack = await world.stack("interrupted");
  stack.program(`
    const slow = new Project("slow", { name: "slow" });
    new ProjectDomain("late", { project: slow.id, name: "late.example" });
    await new Promise((done) => setTimeout(done, 600_000));
  `);
  const before = await rehearsals.untouched(stack);
  const folders = () => readdirSync(rehearsals.temporary).filter((name) => name.startsWith("slipway-"));
  const begin = async () => {
    const child = rehearsals.start(stack, []);
    const end = rehearsals.ended(child);
    const folder = await until(
      "the command runs",
      () => {
        const [name] = folders().filter((one) => one.includes(String(child.pid)));
        const log = name && join(rehearsals.temporary, name, "log/events.json");
        return log && existsSync(log) && readFileSync(log, "utf8").includes("slow") ? name : undefined;
      },
      60_000,
    );
    return { child, end, folder };
  };
  const pulumiOf = (folder: string): number[] =>
    readdirSync("/proc").flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words.some((word) => word.includes(folder)) ? [Number(pid)] : [];
      } catch {
        return [];
      }
    });

  await step("SIGINT", async () => {
    const { child, end } = await begin();
    child.kill("SIGINT");
    const { code, stderr } = await end;
    expect([code, stderr]).toEqual([
      130,
      expect.stringContaining("interrupted. The account and the stack are"),
    ]);
    expect(folders()).toEqual([]);
  });
  await step("the reader of its output ends", async () => {
    const { child, end } = await begin();
    child.stdout?.destroy();
    expect((await end).code).toBe(137);
    expect(folders()).toEqual([]);
  });
  await step("SIGKILL of the command", async () => {
    const { end, folder } = await begin();
    for (const pid of pulumiOf(folder)) process.kill(pid, "SIGKILL");
    expect((await end).code).toBe(137);
    expect(folders()).toEqual([]);
  });
  await step("SIGKILL of itself, and the next run", async () => {
    const { child, end, folder } = await begin();
    const orphans = pulumiOf(folder);
    child.kill("SIGKILL");
    for (const pid of orphans) process.kill(pid, "SIGKILL");
    await end;
    expect(folders()).toEqual([folder]);
    expect(leaksIn(join(rehearsals.temporary, folder))).toEqual([]);
    const { end: next, child: second } = await begin();
    expect(folders()).not.toContain(folder);
    second.kill("SIGTERM");
    await next;
    expect(folders()).toEqual([]);
  });
  expect(await rehearsals.untouched(stack)).toEqual(before);
});

/** The files of a folder with a secret in clear. */
const leaksIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return leaksIn(path);
    return entry.isFile() && readFileSync(path, "utf8").includes(canary) ? [path] : [];
  });

inFull("refuses what could change something for real", async () => {
  const stack = await world.stack("refused");
  stack.program(`new Project("refused", { name: "refused" });`);
  const refused = async (command: string[], expected: number, env: NodeJS.ProcessEnv = {}) => {
    const { code, stderr } = await rehearsals.ended(rehearsals.start(stack, [], command, env));
    expect(code).toBe(expected);
    return stderr;
  };
  expect(await refused(["npm", "run", "deploy"], 2)).toContain(
    "A rehearsal runs only commands of the Pulumi CLI",
  );
  expect(await refused(["pulumi", "stack", "rm", "test"], 2)).toContain("pulumi stack cannot be rehearsed");
  const bin = join(world.folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "pulumi-resource-aws"), "", { mode: 0o755 });
  const PATH = `${bin}:${world.environment().PATH}`;
  expect(await refused(["pulumi", "up", "-s", "test"], 1, { PATH })).toContain("add --allow aws");
  expect(await refused(["pulumi", "up", "-s", "unknown"], 1)).toContain("The stack cannot be read");
});
