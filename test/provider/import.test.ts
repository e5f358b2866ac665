import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Discovered } from "../../cli/import/declare";
import { discover as discoverAll } from "../../cli/import/discover";
import { importFiles, pluginFiles } from "../../cli/import/files";
import type { Plain } from "../../provider/core/values";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { projectDomain } from "../../provider/resources/project-domain";
import { byProfile } from "../support/profile";
import { type Harness, quietStep, recordStack, startHarness } from "./stack";

const aboutDefaultDomains =
  "The default domains of projects, such as web.vercel.app, were left out, because the service gives them to the projects.";

/** Discovers without the note about default domains, which each import of a project has. */
async function discover(...args: Parameters<typeof discoverAll>): ReturnType<typeof discoverAll> {
  const { found, notes } = await discoverAll(...args);
  return { found, notes: notes.filter((note) => !note.startsWith("The default domains of projects")) };
}

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = await make("web", { framework: "nextjs", publicSource: true });
});
afterEach(() => w.close());

const make = async (name: string, settings: object = {}): Promise<string> =>
  ((await w.curl("POST", "/v10/projects", { name, ...settings })) as Plain).id as string;
const variable = (body: object): Promise<unknown> =>
  w.curl("POST", `/v10/projects/${web}/env`, { type: "encrypted", target: ["production"], ...body });
/** The settings that a new project has on the profile `hosted`. */
const newProjects = {
  enableAffectedProjectsDeployments: true,
  skewProtectionMaxAge: 43_200,
  ssoProtection: { deploymentType: "prod_deployment_urls_and_all_previews" },
};
const domain = (name: string): Promise<unknown> => w.curl("POST", `/v10/projects/${web}/domains`, { name });

/** A resource in the import file. */
const imported = (
  found: readonly Discovered[],
  name: string,
): { inputs: Plain; outputs: Plain; id: string } =>
  JSON.parse(importFiles(found).importFile).resources.find((one: { name: string }) => one.name === name);

it("writes a program with the settings that differ from the defaults, without secret values", async () => {
  await w.curl("PATCH", `/v9/projects/${web}`, { ssoProtection: { deploymentType: "preview" } });
  await domain("example.com");
  await variable({ key: "A", value: "canary-1" });
  await variable({ key: "B", value: "canary-2", target: ["preview"], gitBranch: "next/x" });
  await variable({ key: "B", value: "canary-3", comment: 'say "hi"' });
  await variable({ key: "C", value: "canary-4", type: "sensitive" });
  const { found, notes } = await discover(w.client);
  expect(importFiles(found).program).toBe(`import * as pulumi from "@pulumi/pulumi";
import { EnvVar, Project, ProjectDomain } from "slipway";

// The values of the variables, by the name of the resource.
const values = new pulumi.Config()
  .requireSecretObject<Record<string, string>>("imported-353053");

const web = new Project("web", {
  name: "web",
  framework: "nextjs",
${byProfile("", "  enableAffectedProjectsDeployments: true,\n")}  nodeVersion: "22.x",
${byProfile("", "  skewProtectionMaxAge: 43200,\n")}  ssoProtection: { deploymentType: "preview" },
});

new ProjectDomain("example.com", {
  project: web.id,
  name: "example.com",
});

new EnvVar("web-A", {
  project: web.id,
  key: "A",
  value: values.apply((all) => all["web-A"]),
  type: "encrypted",
  target: ["production"],
});

new EnvVar("web-B-production", {
  project: web.id,
  key: "B",
  value: values.apply((all) => all["web-B-production"]),
  type: "encrypted",
  target: ["production"],
  comment: "say \\"hi\\"",
});

new EnvVar("web-B-preview-next-x", {
  project: web.id,
  key: "B",
  value: values.apply((all) => all["web-B-preview-next-x"]),
  type: "encrypted",
  target: ["preview"],
  gitBranch: "next/x",
});

// The value cannot be read, so it is not managed. To set it, declare it here and remove ignoreChanges.
new EnvVar("web-C", {
  project: web.id,
  key: "C",
  value: "",
  type: "sensitive",
  target: ["production"],
}, { ignoreChanges: ["value"] });
`);
  expect(notes).toEqual([expect.stringMatching(/^EnvVar web-C: its value cannot be read/)]);
});

it("records each resource as the owner of its object, so that no other resource adopts it", async () => {
  await variable({ key: "A", value: "canary-1" });
  const { found } = await discover(w.client);
  const [one, other] = [imported(found, "web-A"), imported(found, "web")];
  const others = [
    { type: "EnvVar", name: "web-A", outputs: one.outputs },
    { type: "Project", name: "web", outputs: other.outputs },
  ];
  const heir = w.stack(envVar);
  heir.use(w.another());
  recordStack(others);
  const declared = { project: web, key: "A", value: "canary-1", target: ["production"], adopt: true };
  await expect(heir.up(declared)).rejects.toThrow(/belongs to EnvVar "web-A" of this stack/);
  expect(one.outputs.at).not.toBe(other.outputs.at);
  // Its own state stays what it is.
  const { inputs, outputs, id } = one;
  const state = { ...outputs, value: "canary-1", __provider: undefined };
  const diff = await envVar.diff(w.runOf(w.another()), id, state, {
    ...inputs,
    value: "canary-1",
    __provider: undefined,
  });
  expect(diff.changes).toEqual([]);
});

it("marks values as secrets for the engine and quotes them for the shell", async () => {
  await variable({ key: "A", value: "it's\ncanary" });
  const { found } = await discover(w.client);
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: '"it\'s\\ncanary"',
  };
  const { inputs, outputs } = imported(found, "web-A");
  expect([inputs.value, outputs.value]).toEqual([secret, secret]);
  expect(outputs).toMatchObject({ projectId: web, at: expect.any(String) });
  expect([inputs.__provider, outputs.__provider]).toEqual(
    Array(2).fill("module.exports=require('slipway/dynamic').env"),
  );
  expect(importFiles(found).secrets).toContain(
    `printf '%s\\n' '{"web-A":"it'\\''s\\ncanary"}' | pulumi config set --secret -- imported-7d8bcb\n`,
  );
});

it.each([
  ["pulumi", ""],
  ["npx", "pulumi\n"],
])("sets the configuration by the %s that is on PATH", async (command, first) => {
  await variable({ key: "A", value: "it's one's\ncanary" });
  const { found } = await discover(w.client);
  const folder = mkdtempSync(join(tmpdir(), "slipway-path-"));
  try {
    writeFileSync(join(folder, command), `#!/bin/sh\nprintf '%s\\n' "$@"\n/bin/cat\n`, { mode: 0o755 });
    const said = execFileSync("/bin/sh", ["-c", importFiles(found).secrets], { env: { PATH: folder } });
    expect(String(said)).toBe(
      `${first}config\nset\n--secret\n--\nimported-7d8bcb\n{"web-A":"it's one's\\ncanary"}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("declares the DNS records of the account's domains, each with the parts of its type", async () => {
  await domain("www.example.com");
  const path = "/v2/domains/example.com/records";
  const made = async (body: object): Promise<string> =>
    `example.com/${((await w.curl("POST", path, body)) as Plain).uid}`;
  const srv = { priority: 1, weight: 2, port: 3, target: "a.test." };
  const ids = [
    await made({ name: "docs", type: "CNAME", value: "a.test", ttl: 300, comment: "why" }),
    await made({ name: "", type: "MX", value: "a.test", mxPriority: 10 }),
    await made({ name: "_s._tcp", type: "SRV", srv }),
  ];
  const { found } = await discover(w.client);
  const records = found.filter(({ type }) => type === "DnsRecord");
  expect(records.map(({ id, name, inputs }) => ({ id, name, inputs }))).toEqual([
    {
      id: ids[0],
      name: "docs.example.com-CNAME",
      inputs: {
        domain: "example.com",
        name: "docs",
        type: "CNAME",
        value: "a.test.",
        ttl: 300,
        comment: "why",
      },
    },
    {
      id: ids[1],
      name: "example.com-MX",
      inputs: { domain: "example.com", name: "", type: "MX", value: "a.test.", mxPriority: 10 },
    },
    {
      id: ids[2],
      name: "_s._tcp.example.com-SRV",
      inputs: { domain: "example.com", name: "_s._tcp", type: "SRV", srv },
    },
  ]);
  const selected = await discover(w.client, { selection: [ids[1] ?? ""] });
  expect(selected.found.map(({ type, id }) => [type, id])).toEqual([["DnsRecord", ids[1]]]);
  expect(importFiles(selected.found).program).toContain('import { DnsRecord } from "slipway";');
});

it("declares the firewall of a project that has rules", async () => {
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  const path = `/v1/security/firewall/config?projectId=${projectId}`;
  await w.curl("PUT", path, { firewallEnabled: true });
  expect((await discover(w.client)).found.filter(({ type }) => type === "FirewallConfig")).toEqual([]);
  const ip = { hostname: "*", ip: "192.0.2.1", action: "deny" };
  await w.curl("PUT", path, { firewallEnabled: true, ips: [ip] });
  const { found } = await discover(w.client);
  expect(found.filter(({ type }) => type === "FirewallConfig")).toMatchObject([
    { name: "web-firewall", id: `${projectId}/firewall`, inputs: { ipRules: [ip] } },
  ]);
});

it("declares one of several routes and Blob stores with the same name, with a note about the others", async () => {
  const routes = `/v1/projects/${web}/routes`;
  for (const src of ["/a", "/b"]) {
    const { version } = await w.curl("POST", routes, { route: { name: "blog", route: { src, dest: "/c" } } });
    const { id } = version as unknown as Plain;
    await w.curl("POST", `${routes}/versions`, { id, action: "promote" });
  }
  for (const region of ["fra1", "arn1"])
    await w.curl("POST", "/v1/storage/stores/blob", { name: "images", region });
  const { found, notes } = await discover(w.client);
  expect(found).toMatchObject([
    { type: "Project" },
    { name: "web-route-blog", inputs: { route: { src: "/a" } } },
    { name: "images", inputs: { region: "fra1" } },
  ]);
  expect(notes).toEqual([
    expect.stringMatching(
      /^ProjectRoute web-route-blog-2 \(prj_.* was left out, because web-route-blog has the same name/,
    ),
    expect.stringMatching(/^BlobStore images-2 \(store_.* was left out, because images has the same name/),
  ]);
});

it("declares the firewall bypasses of projects", async () => {
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  const path = `/v1/security/firewall/bypass?projectId=${projectId}`;
  await w.curl("POST", path, { projectScope: true, sourceIp: "192.0.2.0/24", note: "office" });
  const { found } = await discover(w.client);
  expect(found.filter(({ type }) => type === "FirewallBypass")).toMatchObject([
    {
      id: `${projectId}/*/192.0.2.0/24`,
      name: "web-bypass-192.0.2.0-24",
      inputs: { domain: "*", sourceIp: "192.0.2.0/24", note: "office" },
    },
  ]);
  expect(importFiles(found).program).toContain('new FirewallBypass("web-bypass-192.0.2.0-24", {');
});

it("declares the exceptions of aliases from the protection of projects", async () => {
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  const alias = "docs-web.vercel.app";
  await w.server.control.seed({
    deployments: [{ id: "dpl_docs", team: "acme", project: "web" }],
    aliases: [{ team: "acme", alias, deployment: "dpl_docs" }],
    protectionExceptions: [
      { team: "acme", project: "web", alias },
      { team: "acme", project: "web", alias, scope: "email_invite", key: "grace@example.org" },
    ],
  });
  const { found } = await discover(w.client);
  expect(found.filter(({ type }) => type === "DeploymentProtectionException")).toMatchObject([
    { id: `${projectId}/${alias}`, name: `web-exception-${alias}`, inputs: { alias } },
  ]);
});

it("declares the attack challenge mode of the projects in which it is enabled", async () => {
  await make("quiet");
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  const attackModeActiveUntil = Date.UTC(2100, 0, 1);
  const body = { projectId, attackModeEnabled: true, attackModeActiveUntil };
  await w.curl("POST", "/v1/security/attack-mode", body);
  const { found } = await discover(w.client);
  expect(found.filter(({ type }) => type === "AttackChallengeMode")).toMatchObject([
    {
      id: projectId,
      name: "web-attack-challenge",
      inputs: { enabled: true, activeUntil: attackModeActiveUntil },
    },
  ]);
  expect(importFiles(found).program).toContain('new AttackChallengeMode("web-attack-challenge", {');
});

it("declares the rolling releases of the projects in which they are enabled", async () => {
  await make("quiet");
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  const stages = [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }];
  const body = { enabled: true, advancementType: "automatic", stages };
  await w.curl("PATCH", "/v1/projects/web/rolling-release/config", body);
  const { found } = await discover(w.client);
  expect(found.filter(({ type }) => type === "RollingRelease")).toMatchObject([
    { id: projectId, name: "web-rolling-release", inputs: { advancementType: "automatic", stages } },
  ]);
});

it("declares log drains with their headers as secrets, and leaves out other drains", async () => {
  const { id: web } = (await w.curl("GET", "/v9/projects/web")) as Plain;
  const logs = { projects: "some", projectIds: [web], schemas: { log: { version: "v1" } } };
  const delivery = { type: "http", endpoint: "https://logs.test/", encoding: "json" };
  const headers = { authorization: "Bearer canary" };
  const body = { ...logs, name: "Audit (all)", delivery: { ...delivery, headers, secret: "canary" } };
  const { id } = (await w.curl("POST", "/v1/drains", body)) as Plain;
  const get = w.client.get.bind(w.client);
  jest.spyOn(w.client, "get").mockImplementation(async (path, shape, query) => {
    const answer = await get(path, shape, query);
    if (path !== "/v1/drains") return answer;
    const { drains } = answer as { drains: Plain[] };
    return {
      drains: [...drains, { ...drains[0], id: "d_1", name: "traces", schemas: { trace: {} } }],
    } as never;
  });
  const { found, notes } = await discover(w.client);
  const [drain] = found.filter(({ type }) => type === "LogDrain");
  expect(drain).toMatchObject({ id, name: "Audit-all" });
  expect(drain?.inputs).toEqual({
    name: "Audit (all)",
    endpoint: "https://logs.test/",
    projectIds: [web],
    headers,
  });
  expect(notes).toEqual([
    "The drain traces (d_1) was left out, because Slipway cannot manage it.",
    "LogDrain Audit (all): its secret cannot be read, so it stays as it is until you set it.",
  ]);
  const { program, importFile, secrets } = importFiles(found);
  expect(program).toContain("projectIds: [web.id]");
  expect(program).toContain(
    'headers: { authorization: values.apply((all) => all["Audit-all.headers.authorization"]) }',
  );
  expect(program).not.toContain("canary");
  const [imported] = JSON.parse(importFile).resources.filter((one: Plain) => one.id === id);
  expect(imported.inputs.headers).toHaveProperty("plaintext", JSON.stringify(headers));
  expect(secrets).toContain("Bearer canary");
  expect(pluginFiles(found).importFile).toContain("config:imported-Audit-all-headers-authorization");
});

it("declares webhooks, and keeps the addresses of receivers out of the program", async () => {
  const url = "https://hooks.example.com/services/canary-path";
  await w.curl("POST", "/v1/webhooks", { url, events: ["deployment.created"] });
  const { found, notes } = await discover(w.client);
  const { program, secrets } = importFiles(found);
  expect(program).toContain('new Webhook("hooks.example.com"');
  expect(program).not.toContain("canary-path");
  expect(secrets).toContain(`"hooks.example.com.url":"${url}"`);
  expect(notes.join()).toContain("its signing key cannot be read");
});

it("declares the members of the team where they are asked for", async () => {
  await w.curl("POST", "/v2/teams/acme/members", { email: "ada@example.org", role: "VIEWER" });
  const membersOf = async (options: object) =>
    (await discover(w.client, options)).found
      .filter(({ type }) => type === "TeamMember")
      .map(({ name, inputs }) => [name, inputs]);
  const ada = ["ada@example.org", { email: "ada@example.org", role: "VIEWER" }];
  const dev = ["dev@example.com", { email: "dev@example.com", role: "OWNER" }];
  expect(await membersOf({})).toEqual([]);
  expect(await membersOf({ members: true })).toEqual([dev, ada]);
  expect(await membersOf({ selection: ["ada@example.org"] })).toEqual([ada]);
});

it("declares the members of projects where members are asked for", async () => {
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  await w.curl("POST", "/v1/projects/web/members", { email: "dev@example.com", role: "ADMIN" });
  const membersOf = async (options: object) =>
    (await discover(w.client, options)).found.filter(({ type }) => type === "ProjectMember");
  expect(await membersOf({})).toEqual([]);
  expect(await membersOf({ members: true })).toMatchObject([
    {
      id: expect.stringMatching(`^${projectId}/`),
      name: "web-dev@example.com",
      inputs: { email: "dev@example.com", role: "ADMIN" },
    },
  ]);
});

it("declares microfrontend groups with their projects, and notes one without default application", async () => {
  const project = async (name: string) => (await w.curl("POST", "/v10/projects", { name })).id as unknown;
  const [shell, docs] = [await project("shell"), await project("docs")];
  const { newMicrofrontendsGroup: shop } = (await w.curl("POST", "/v1/microfrontends/group", {
    groupName: "shop",
    defaultApp: { projectId: shell },
    otherApplications: [{ projectId: docs, defaultRoute: "/docs" }],
  })) as { newMicrofrontendsGroup?: { id: string } };
  await w.curl("PATCH", "/v1/teams/acme/microfrontends", { newMicrofrontendsGroupName: "empty" });
  const { found, notes } = await discover(w.client);
  const groups = found.filter(({ type }) => type.startsWith("Microfrontend"));
  expect(groups.map(({ type, name, inputs }) => [type, name, inputs])).toEqual([
    ["MicrofrontendGroup", "shop", { name: "shop", defaultAppProjectId: shell }],
    [
      "MicrofrontendGroupMembership",
      "shop-docs",
      { project: docs, microfrontendGroupId: shop?.id, defaultRoute: "/docs" },
    ],
  ]);
  expect(notes).toContain("The microfrontend group empty was left out: it has no default application.");
});

it("declares feature flags with their segments and SDK keys", async () => {
  const flags = "/v1/projects/web/feature-flags";
  await w.curl("PUT", `${flags}/flags`, { slug: "beta", kind: "boolean", environments: {} });
  await w.curl("PATCH", `${flags}/flags/beta`, { state: "archived" });
  const data = { exclude: { user: { id: [{ value: "1" }] } } };
  await w.curl("PUT", `${flags}/segments`, { slug: "staff", label: "Staff", hint: "", data });
  await w.curl("PUT", `${flags}/sdk-keys`, { sdkKeyType: "client", environment: "preview" });
  const { found, notes } = await discover(w.client);
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  const { program } = importFiles(found.filter(({ type }) => type.startsWith("FeatureFlag")));
  expect(program).toBe(`import { FeatureFlag, FeatureFlagSdkKey, FeatureFlagSegment } from "slipway";

new FeatureFlag("web-beta", {
  project: "${projectId}",
  slug: "beta",
  kind: "boolean",
  variants: [
    { id: "off", value: false, label: "Off" },
    { id: "on", value: true, label: "On" },
  ],
  archived: true,
});

new FeatureFlagSegment("web-staff", {
  project: "${projectId}",
  slug: "staff",
  label: "Staff",
  exclude: { user: { id: ["1"] } },
});

new FeatureFlagSdkKey("web-preview-client", {
  project: "${projectId}",
  environment: "preview",
  type: "client",
});
`);
  expect(notes).toEqual([
    "FeatureFlagSdkKey web-preview-client: its value cannot be read, so its outputs are null.",
  ]);
});

it("declares Edge Configs with their items", async () => {
  const items = { banner: { text: "hello" }, none: null };
  const { id } = await w.curl("POST", "/v1/edge-config", { slug: "flags", items });
  await w.curl("POST", `/v1/edge-config/${id}/schema`, { definition: { type: "object" } });
  await w.curl("POST", `/v1/edge-config/${id}/token`, { label: "of the site" });
  const { found, notes } = await discover(w.client);
  const { program } = importFiles(found.filter(({ type }) => type.startsWith("EdgeConfig")));
  expect(program).toBe(`import { EdgeConfig, EdgeConfigItem, EdgeConfigToken } from "slipway";

const flags = new EdgeConfig("flags", {
  slug: "flags",
  schema: { type: "object" },
});

new EdgeConfigItem("flags-banner", {
  edgeConfigId: flags.edgeConfigId,
  key: "banner",
  value: { text: "hello" },
});

new EdgeConfigItem("flags-none", {
  edgeConfigId: flags.edgeConfigId,
  key: "none",
  value: null,
});

new EdgeConfigToken("flags-of-the-site", {
  edgeConfigId: flags.edgeConfigId,
  label: "of the site",
});
`);
  expect(notes).toEqual([
    "EdgeConfigToken of the site of flags: its value cannot be read, so its outputs are null.",
  ]);
});

it("declares the shared variables of a team, with the projects that they are linked to", async () => {
  const id = await make("docs");
  const add = async (type: string, target: string[], projectId: string[]): Promise<string> => {
    const body = { evs: [{ key: "S", value: "canary" }], type, target, projectId };
    const { created } = (await w.curl("POST", "/v1/env", body)) as unknown as { created: [{ id: string }] };
    return created[0].id;
  };
  const ids = [
    await add("encrypted", ["development"], [id]),
    await add("sensitive", ["production", "preview"], []),
  ];
  const { found, notes } = await discover(w.client);
  const shared = found.filter(({ type }) => type === "SharedEnvVar");
  expect(shared.map(({ id, name, inputs }) => ({ id, name, inputs }))).toEqual([
    {
      id: ids[0],
      name: "shared-S-development",
      inputs: { key: "S", value: "canary", type: "encrypted", target: ["development"], projectIds: [id] },
    },
    {
      id: ids[1],
      name: "shared-S-production-preview",
      inputs: { key: "S", value: "", type: "sensitive", target: ["production", "preview"] },
    },
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/^SharedEnvVar shared-S-production-preview: its value cannot/),
  ]);
  const { program } = importFiles(found);
  expect(program).toContain("projectIds: [docs.id],");
  expect(program).toContain('{ ignoreChanges: ["value"] }');
  expect(program).not.toContain("canary");
});

it("leaves out variables of integrations and the default domain of a project, and says so", async () => {
  await w.server.control.seed({
    env: [
      {
        team: "acme",
        project: "web",
        id: "env_store",
        key: "STORE",
        target: ["production"],
        value: "canary",
        configurationId: "icfg_1",
      },
    ],
  });
  const { found, notes } = await discoverAll(w.client);
  expect(found.map(({ name }) => name)).toEqual(["web"]);
  expect(notes).toEqual([
    "The variable STORE of web was left out, because an integration sets its value.",
    aboutDefaultDomains,
  ]);
});

it("refuses the id of a variable of an integration, and of a default domain", async () => {
  await w.server.control.seed({
    env: [
      {
        team: "acme",
        project: "web",
        id: "env_store",
        key: "STORE",
        target: ["production"],
        value: "canary",
        configurationId: "icfg_1",
      },
      { team: "acme", project: "web", key: "OWN", target: ["production"], value: "mine", type: "plain" },
    ],
    domains: [{ team: "acme", project: "web", name: "web.vercel.app" }],
  });
  const run = w.runOf(w.client);
  const reason = /^The variable STORE \(\w+\) belongs to an integration or a store, which sets its value\./;
  await expect(envVar.read(run, "web/STORE/production", undefined)).rejects.toThrow(reason);
  await expect(envVars.read(run, "web/STORE,OWN", undefined)).rejects.toThrow(reason);
  expect((await envVars.read(run, "web", undefined))?.inputs).toMatchObject({ variables: { OWN: {} } });
  await expect(projectDomain.read(run, "web/web.vercel.app", undefined)).rejects.toThrow(
    /^web\.vercel\.app is the default domain of the project web\./,
  );
});

it("leaves out what the token may not read, and says so", async () => {
  const paths = [
    ...["/v1/security/firewall/bypass", "/v1/security/firewall/config/active", "/v5/domains"],
    ...["/v1/env", "/v1/edge-config", "/v1/drains"],
  ];
  await w.server.control.addFaults(
    ...paths.map((path) => ({ kind: "status" as const, path, status: 403, code: "forbidden" })),
  );
  const { found, notes } = await discover(w.client);
  expect(found.map(({ name }) => name)).toEqual(["web"]);
  expect(notes).toEqual(
    [
      ...["the firewall bypasses of web", "the firewall of web", "DNS records", "shared variables"],
      ...["Edge Configs", "drains"],
    ].map((what) => `The token may not read ${what}, so they were left out.`),
  );
});

it("declares the objects of a personal account alone, which has no shared variables", async () => {
  await w.server.control.seed({ projects: [{ user: "dev", name: "own" }] });
  const { found, notes } = await discover(w.another({ team: "" }));
  expect([found.map(({ name }) => name), notes]).toEqual([["own"], []]);
});

it("declares the shared variables of the team that the token itself selects", async () => {
  const token = "bound-token-000000000000";
  await w.server.control.seed({
    sharedEnv: [{ team: "acme", key: "REGION", value: "eu", target: ["production"] }],
    tokens: [{ token, user: "dev", team: "acme" }],
  });
  const { found } = await discover(w.another({ token, team: "" }));
  expect(found.map(({ name }) => name)).toEqual(["web", "shared-REGION"]);
});

it("reads only the selected objects, each once, and refers to other projects by id", async () => {
  await make("other");
  await domain("example.com");
  await domain("www.example.com");
  await variable({ key: "A", value: "v" });
  await variable({ key: "B", value: "v", target: ["preview"], gitBranch: "next/x" });
  const selection = ["web/example.com", "web/B/preview/next/x", `${web}/example.com`];
  const { found } = await discover(w.client, { selection });
  expect(found.map(({ id }) => id)).toEqual([
    `${web}/example.com`,
    expect.stringMatching(new RegExp(`^${web}/`)),
  ]);
  expect(importFiles(found).program).toContain(`project: "${web}"`);
  expect((await discover(w.client, { selection: ["other"] })).found.map(({ name }) => name)).toEqual([
    "other",
  ]);
  for (const missing of ["nope", "web/nope.com", "web/NOPE/preview"]) {
    await expect(discover(w.client, { selection: [missing] })).rejects.toThrow(/404 not_found/);
  }
});

it("gives each object a unique name and each project a valid identifier", async () => {
  for (const name of ["new", "a-b", "a.b", "1st", "project"]) await make(name);
  const { program } = importFiles((await discover(w.client)).found);
  expect([...program.matchAll(/^const (\w+) = new Project/gm)].map(([, name]) => name)).toEqual([
    "project1st",
    "aB",
    "aB2",
    "new2",
    "project",
    "web",
  ]);
});

it("uses no identifier of CommonJS", async () => {
  for (const name of ["exports", "module", "require"]) await make(name);
  const { program } = importFiles((await discover(w.client)).found);
  expect([...program.matchAll(/^const (\w+) = new Project/gm)].map(([, name]) => name)).toEqual([
    "exports2",
    "module2",
    "require2",
    "web",
  ]);
});

it("imports a variable of type system without its value", async () => {
  await variable({ key: "SYS", type: "system" });
  const { found, notes } = await discover(w.client);
  expect(notes).toEqual([]);
  const { inputs } = imported(found, "web-SYS");
  expect(inputs).toMatchObject({ key: "SYS", type: "system" });
  expect(inputs).not.toHaveProperty("value");
});

it("notes settings that cannot be declared", async () => {
  await w.server.control.changeTeam("acme", {
    plan: "enterprise",
    addons: ["advanced-deployment-protection"],
  });
  await w.curl("PATCH", `/v9/projects/${web}`, {
    passwordProtection: { deploymentType: "all", password: "canary" },
  });
  await w.curl("PATCH", `/v1/projects/${web}/protection-bypass`, { generate: {} });
  const { found, notes } = await discover(w.client);
  expect(notes).toEqual([
    expect.stringMatching(/^Project web: passwordProtection was left out/),
    expect.stringMatching(/^Project web: its protection bypass secrets are not managed/),
  ]);
  expect(importFiles(found).program).not.toContain("passwordProtection");
});

it("omits values that a program cannot declare and notes the reason", async () => {
  const remote = await w.client.project(web);
  const project = jest.spyOn(w.client, "project");
  project.mockResolvedValue({ ...remote, buildCommand: "x".repeat(300) });
  const { found, notes } = await discover(w.client);
  expect(notes).toEqual([
    "Project web: buildCommand was left out: buildCommand must have at most 256 characters.",
  ]);
  expect(found.map(({ inputs }) => inputs)).toEqual([
    { name: "web", framework: "nextjs", nodeVersion: "22.x", ...byProfile<object>({}, newProjects) },
  ]);
  project.mockResolvedValue({ ...remote, name: "web---1" });
  const unnamed = await discover(w.client);
  expect(unnamed.found.filter(({ type }) => type === "Project")).toEqual([]);
  expect(unnamed.notes).toEqual([
    expect.stringMatching(/^Project web---1: name was left out: name must consist of lower case letters/),
    `Project web---1 (${web}) was left out: name is missing.`,
  ]);
});

it("declares the deployment that serves production only on request", async () => {
  await w.server.control.deploy({
    ...{ id: "dpl_1", team: "acme", project: "web", createdAt: 1 },
    ...{ target: "production", readyState: "READY" },
  });
  const types = async (options?: object) => (await discover(w.client, options)).found.map(({ type }) => type);
  expect(await types()).toEqual(["Project"]);
  expect(await types({ promotions: true })).toEqual(["Project", "Promotion"]);
});

it("quotes keys that are not valid identifiers", async () => {
  const to = { slugs: ["production"], preset: "all-custom" };
  const issuer = "https://issuer.example.com";
  await w.curl("PATCH", `/v9/projects/${web}`, {
    trustedSources: { projects: {}, oidcProviders: { [issuer]: [{ to, claims: { aud: ["x"] } }] } },
  });
  const { program } = importFiles((await discover(w.client)).found);
  expect(program).toContain(`"${issuer}": [`);
  expect(program).toContain("projects: {},");
});

it("does not write a sensitive value when another setting of the variable changes", async () => {
  await variable({ key: "C", value: "canary", type: "sensitive" });
  const { found } = await discover(w.client);
  const one = found.find(({ type }) => type === "EnvVar");
  if (!one) throw new Error("the variable was not found");
  expect((await envVar.diff(w.run, one.id, one.state, one.inputs)).changes).toEqual([]);
  const sent = jest.spyOn(w.client, "send");
  const update = (news: Plain) =>
    envVar.update(w.run, quietStep, one.id, one.state, { ...one.inputs, ...news });
  await update({ comment: "why" });
  await update({ value: "canary-2" });
  const bodies = sent.mock.calls.flatMap(([{ method, body }]) => (method === "PATCH" ? [body] : []));
  expect(bodies).toEqual([{ comment: "why" }, { value: "canary-2" }]);
});

it("declares a redirect by the target's name, after the target", async () => {
  const add = (body: object) => w.curl("POST", "/v10/projects/web/domains", body);
  for (const name of ["z.example.com", "m.example.com", "a.example.com", "x.test", "y.test"])
    await add({ name });
  const redirect = (name: string, to: string) =>
    w.curl("PATCH", `/v9/projects/web/domains/${name}`, { redirect: to });
  await redirect("a.example.com", "m.example.com");
  await redirect("m.example.com", "z.example.com");
  const { program } = importFiles((await discover(w.client)).found);
  const redirects = [
    ...program.matchAll(/(?:const (\w+) = )?new ProjectDomain\("([^"]+)"[^}]*?(?:redirect: ([^,]+),)?\n}/g),
  ];
  const declared = redirects.map(([, variable, name, to]) => [variable, name, to]);
  const at = (name: string) => declared.findIndex(([, logical]) => logical?.endsWith(name));
  const [z, m, a] = ["z.example.com", "m.example.com", "a.example.com"].map((name) => declared[at(name)]);
  expect([m?.[2], a?.[2]]).toEqual([`${z?.[0]}.name`, `${m?.[0]}.name`]);
  expect(at("z.example.com")).toBeLessThan(at("m.example.com"));
  expect(at("m.example.com")).toBeLessThan(at("a.example.com"));
  expect(declared[at("x.test")]?.[0]).toBeUndefined();
});

it("declares custom environments and refers to them from domains and variables", async () => {
  const path = `/v9/projects/${web}/custom-environments`;
  const { id } = await w.curl("POST", path, { slug: "staging", description: "before production" });
  await w.curl("POST", `/v10/projects/${web}/domains`, { name: "example.com", customEnvironmentId: id });
  await w.curl("POST", `/v10/projects/${web}/env`, {
    key: "A",
    value: "canary",
    type: "plain",
    target: ["preview"],
    customEnvironmentIds: [id],
  });
  const { found, notes } = await discover(w.client);
  expect(notes).toEqual([]);
  const { program } = importFiles(found);
  expect(program).toContain(`
const webStaging = new CustomEnvironment("web-staging", {
  project: web.id,
  slug: "staging",
  description: "before production",
});
`);
  expect(program).toContain("  customEnvironmentId: webStaging.environmentId,\n");
  expect(program).toContain("  customEnvironmentIds: [webStaging.environmentId],\n");
  expect(imported(found, "web-staging")).toMatchObject({
    id: `${web}/${id}`,
    outputs: { environmentId: id, projectId: web },
  });
  const alone = await discover(w.client, { selection: ["web/staging", "web/example.com"] });
  expect(alone.found.map(({ type }) => type)).toEqual(["CustomEnvironment", "ProjectDomain"]);
  // One that the program does not have is named by its id.
  const outside = await discover(w.client, { selection: ["web/example.com"] });
  expect(importFiles(outside.found).program).toContain(`  customEnvironmentId: "${id}",\n`);
});

it.each(["values", "pulumi", "import", "env-var", "constructor"])(
  "declares no identifier twice for a project named %s",
  async (name) => {
    await make(name);
    await variable({ key: "A", value: "canary-1" });
    const { found } = await discover(w.client);
    const { program } = importFiles(found);
    const declared = [...program.matchAll(/^const (\w+) = /gm)].map(([, identifier]) => identifier);
    const taken = ["pulumi", ...(/import \{ (.*) \} from "slipway"/.exec(program)?.[1]?.split(", ") ?? [])];
    expect(new Set([...declared, ...taken]).size).toBe(declared.length + taken.length);
    // It is a program: nothing is declared twice, and no word of the language is a name.
    const body = program.replace(/^import .*$/gm, "").replace(/<Record<string, string>>/, "");
    expect(() => new Function(...taken, `"use strict";${body}`)).not.toThrow();
  },
);

it("does not write an unreadable value after a change with an unknown outcome", async () => {
  await variable({ key: "C", value: "canary", type: "sensitive" });
  const { found } = await discover(w.client);
  const one = found.find(({ type }) => type === "EnvVar");
  if (!one) throw new Error("the variable was not found");
  const sent = jest.spyOn(w.client, "send");
  const state = { ...one.state, unsure: [] };
  await envVar.update(w.run, quietStep, one.id, state, { ...one.inputs, value: "", comment: "why" });
  const [body] = sent.mock.calls.flatMap(([{ method, body }]) => (method === "PATCH" ? [body as Plain] : []));
  expect(body).toMatchObject({ comment: "why" });
  expect(body).not.toHaveProperty("value");
});

it("starts the CLI once for the values of all variables", async () => {
  for (const key of ["A", "B", "C"]) await variable({ key, value: `canary-${key}` });
  const { secrets } = importFiles((await discover(w.client)).found);
  expect(secrets.match(/\| pulumi config set/g)).toHaveLength(1);
});
