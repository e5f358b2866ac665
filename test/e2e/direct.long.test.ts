import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { built } from "../support/dist";
import { canary, type Stack, Workspace } from "../support/pulumi";
import { inFull } from "../support/slices";

let world: Workspace;
let stack: Stack;
let home = "";
beforeAll(async () => {
  world = await Workspace.start();
  home = join(world.folder, "home");
  const env = { ...world.environment(), PULUMI_HOME: home };
  execFileSync(process.execPath, [built("cli/main.js"), "plugin", "install"], { env });
  stack = await world.stack("direct");
  await world.server.request("POST", "/v10/projects", { name: "web" });
  await world.server.request("POST", "/v10/projects/web/domains", { name: "records.test" });
  const colleague = { email: "colleague@example.org", role: "CONTRIBUTOR" };
  await world.server.request("POST", "/v2/teams/acme/members", colleague);
  const config = { id: "ecfg_direct", team: "acme", slug: "direct" };
  await world.server.control("POST", "/seed", { edgeConfigs: [config] });
});
afterAll(() => world.stop());

/** Runs `pulumi do`, without a state. @returns what it printed */
async function direct(type: string, command: string, ...args: string[]): Promise<string> {
  const flags = command === "list" ? [] : ["--stateless", ...(command === "read" ? [] : ["--yes"])];
  const call = ["do", `slipway:${type}`, command, ...flags, ...args];
  const { code, output, stdout } = await stack.cli(call, { PULUMI_HOME: home });
  if (code !== 0) throw new Error(output);
  // The progress of other commands is on standard error.
  return command === "list" ? stdout : output;
}

interface Listed {
  id: string;
  name: string;
}

const listOf = async (type: string, ...filters: string[]): Promise<Listed[]> =>
  JSON.parse(await direct(type, "list", ...filters)) as Listed[];

interface Subject {
  /** The flags of a create. */
  create: string[];
  /** Inputs that are no flags, in Pulumi's own language. */
  file?: string;
  /** The name in the list. */
  name: string;
  filters?: string[];
  /** The flags of a patch, and what a read shows then. */
  patch: [flags: string[], shown: RegExp];
}

const inWeb = ["--project", "web"];
const subjects: Record<string, Subject> = {
  Project: {
    create: ["--name", "docs", "--build-command", "make"],
    name: "docs",
    filters: ["--search", "doc"],
    patch: [["--build-command", "make all"], /"make all"/],
  },
  EnvVar: {
    create: [...inWeb, "--key", "KEY", "--value", `${canary}-direct`],
    file: 'target = ["preview"]',
    name: "KEY",
    filters: inWeb,
    patch: [["--comment", "rotated"], /"rotated"/],
  },
  ProjectDomain: {
    create: [...inWeb, "--name", "www.example.com"],
    name: "www.example.com",
    filters: inWeb,
    patch: [["--git-branch", "next"], /"next"/],
  },
  CustomEnvironment: {
    create: [...inWeb, "--slug", "staging"],
    name: "staging",
    filters: inWeb,
    patch: [["--description", "before release"], /"before release"/],
  },
  FirewallBypass: {
    create: [...inWeb, "--domain", "*", "--source-ip", "192.0.2.1"],
    name: "* 192.0.2.1",
    filters: inWeb,
    patch: [["--note", "the office"], /"the office"/],
  },
  AttackChallengeMode: {
    create: ["--project", "web", "--enabled"],
    name: "web attack challenge mode",
    filters: inWeb,
    patch: [["--active-until", "4102444800000"], /4102444800000/],
  },
  RollingRelease: {
    create: ["--project", "web", "--advancement-type", "automatic"],
    file: "stages = [{ targetPercentage = 10, duration = 5 }, { targetPercentage = 100 }]",
    name: "web rolling release",
    filters: inWeb,
    patch: [["--stages", '[{"targetPercentage":20,"duration":5},{"targetPercentage":100}]'], /20/],
  },
  DnsRecord: {
    create: ["--domain", "records.test", "--name", "www", "--value", "192.0.2.1"],
    file: 'type = "A"',
    name: "www.records.test A",
    filters: ["--domain", "records.test"],
    patch: [["--value", "192.0.2.2"], /"192\.0\.2\.2"/],
  },
  LogDrain: {
    create: [
      "--name",
      "audit",
      "--endpoint",
      "http://127.0.0.1:9/logs",
      "--secret",
      `${canary}-of-the-direct-drain-secret`,
    ],
    name: "audit",
    patch: [["--name", "audit-log"], /"audit-log"/],
  },
  TraceDrain: {
    create: ["--name", "traces", "--endpoint", "http://127.0.0.1:9/v1/traces"],
    name: "traces",
    patch: [["--delivery-format", "proto"], /"proto"/],
  },
  AuditLogDrain: {
    create: ["--name", "events", "--endpoint", "http://127.0.0.1:9/events"],
    name: "events",
    patch: [["--compression", "gzip"], /"gzip"/],
  },
  SharedEnvVar: {
    create: ["--key", "SHARED", "--value", `${canary}-shared`],
    file: 'target = ["preview"]',
    name: "SHARED",
    patch: [["--comment", "rotated"], /"rotated"/],
  },
  TeamMember: {
    create: ["--email", "ada@example.org"],
    file: 'role = "VIEWER"',
    name: "ada@example.org",
    patch: [["--adopt=true"], /"VIEWER"/],
  },
  ProjectMember: {
    create: [...inWeb, "--email", "colleague@example.org"],
    file: 'role = "PROJECT_VIEWER"',
    filters: inWeb,
    name: "colleague@example.org",
    patch: [["--adopt=true"], /"PROJECT_VIEWER"/],
  },
  FeatureFlag: {
    create: [...inWeb, "--slug", "checkout", "--kind", "string"],
    file: 'variants = [{ id = "control", value = "a" }]',
    name: "checkout",
    filters: inWeb,
    patch: [["--description", "why"], /"why"/],
  },
  FeatureFlagSegment: {
    create: [...inWeb, "--slug", "staff", "--label", "Staff"],
    name: "staff",
    filters: inWeb,
    patch: [["--hint", "user-email"], /"user-email"/],
  },
  EdgeConfig: {
    create: ["--slug", "flags"],
    file: 'schema = { type = "object" }',
    name: "flags",
    patch: [["--slug", "features"], /"features"/],
  },
  EdgeConfigItem: {
    create: ["--edge-config-id", "ecfg_direct", "--key", "banner"],
    file: 'value = { text = "hello", list = [2, 1] }',
    name: "banner",
    filters: ["--edge-config-id", "ecfg_direct"],
    patch: [["--description", "why"], /"why"/],
  },
};

/** Of the others, a run that is not the long one tests only the list: `provider/plugin/list`. */
const always = ["Project", "EnvVar"];
describe.each(Object.keys(subjects))("%s", (type) => {
  (always.includes(type) ? it : inFull)("is created, listed, read, patched and deleted by pulumi do", () =>
    goThrough(type),
  );
});

async function goThrough(type: string): Promise<void> {
  const { create, file, name, filters = [], patch } = subjects[type] as Subject;
  const before = await listOf(type, ...filters);
  if (file !== undefined) stack.file("inputs.pp", file);
  const fromFile = file === undefined ? [] : ["--input", "pcl", "--input-file", "inputs.pp"];
  expect(await direct(type, "create", ...create, ...fromFile)).toContain("+ 1 created");
  const listMade = async () =>
    (await listOf(type, ...filters)).filter(({ id }) => !before.some((other) => other.id === id));
  const made = await listMade();
  expect(made).toEqual([{ id: expect.any(String), name }]);
  const [flags, shown] = patch;
  expect(await direct(type, "patch", ...flags, made[0]?.id ?? "")).toContain("~ 1 updated");
  // A changed DNS record has another id on the hosted API.
  const [{ id } = { id: "" }] = await listMade();
  expect(await direct(type, "read", id)).toMatch(shown);
  expect(await direct(type, "delete", id)).toContain("- 1 deleted");
  expect(await listOf(type, ...filters)).toEqual(before);
}

it("pulumi do refuses to patch what only a replacement can change", async () => {
  stack.file("inputs.pp", 'events = ["project.created"]');
  await direct("Webhook", "create", "--url", "https://a.test", "--input", "pcl", "--input-file", "inputs.pp");
  const [{ id } = { id: "" }] = await listOf("Webhook");
  await expect(direct("Webhook", "patch", "--url", "https://b.test", id)).rejects.toThrow(
    /only a replacement can change url, so nothing was changed/,
  );
  expect(await listOf("Webhook")).toEqual([{ id, name: "https://a.test" }]);
  await direct("Webhook", "delete", id);
  expect(await listOf("Webhook")).toEqual([]);
});

inFull("pulumi do deploys a folder, and lists the deployment with filters", async () => {
  mkdirSync(join(stack.folder, "site"));
  stack.file("site/index.html", "hello");
  await direct("Deployment", "create", ...inWeb, "--directory", "./site");
  const [made] = await listOf("Deployment", ...inWeb, "--target", "preview", "--ready-state", "READY");
  expect(await direct("Deployment", "read", made?.id ?? "")).toMatch(/"READY"/);
  expect(await listOf("Deployment", ...inWeb, "--target", "production")).toEqual([]);
});

it("pulumi do lists a page, or as many as it is asked for", async () => {
  for (let i = 0; i < 3; i++) await world.server.request("POST", "/v10/projects", { name: `one-of-${i}` });
  expect(await listOf("Project", "--count", "2", "--search", "one-of")).toHaveLength(2);
  expect(await listOf("Project", "--all", "--search", "one-of")).toHaveLength(3);
});
