import type { Discovered } from "../../../cli/import/declare";
import { importFiles, pluginFiles } from "../../../cli/import/files";
import { importTerraform, type TerraformImport } from "../../../cli/import/terraform/import";
import type { Plain } from "../../../provider/core/values";
import { blobStores, installations } from "../../provider/fields/common";
import { type Harness, startHarness } from "../../provider/stack";
import { first, uploadOf } from "../../support/certificates";
import { type ReplayedAccount, replayAccount } from "../../support/recorded-account";

/** The account and the states were made by Terraform 1.11 with vercel/vercel 5.10. */
let w: Harness;
let team: string;
beforeEach(async () => {
  w = await startHarness();
  const plan = { plan: "enterprise", addons: ["advanced-deployment-protection"] } as const;
  await w.server.control.changeTeam("acme", { ...plan, addons: [...plan.addons] });
  team = (await curl<{ id: string }>("GET", "/v2/teams/acme")).id;
});
afterEach(() => w.close());

const curl = async <T>(method: string, path: string, body?: object): Promise<T> =>
  (await w.curl(method, path, body)) as unknown as T;

const replay = (): Promise<ReplayedAccount> => replayAccount("terraform", team, curl);

const importState = (state: object | string): Promise<TerraformImport> =>
  importTerraform(w.client, typeof state === "string" ? state : JSON.stringify(state), {
    source: "terraform.tfstate",
  });

/** A state with resources that each have one instance, unless `instances` says otherwise. */
const stateOf = (...resources: Plain[]): object => ({
  version: 4,
  terraform_version: "1.11.4",
  serial: 1,
  lineage: "",
  outputs: {},
  resources: resources.map(({ attributes, ...rest }) => ({
    mode: "managed",
    name: "it",
    provider: 'provider["registry.terraform.io/vercel/vercel"]',
    instances: [{ schema_version: 0, attributes }],
    ...rest,
  })),
});

const projectState = (id: string, more: Plain = {}): Plain => ({
  type: "vercel_project",
  name: "web",
  attributes: { id, name: "web", team_id: team, ...more },
});

const makeProject = async (name: string, settings: object = {}): Promise<string> =>
  (await curl<{ id: string }>("POST", "/v10/projects", { name, ...settings })).id;

const named = (found: readonly Discovered[], name: string): Discovered => {
  const one = found.find((one) => one.name === name);
  if (!one) throw new Error(`${name} is not among ${found.map(({ name }) => name).join(", ")}`);
  return one;
};

it("imports what Terraform manages, from the state file and from terraform show -json alike", async () => {
  const account = await replay();
  const fromFile = await importState(account.file("terraform.tfstate"));
  const counts = new Map<string, number>();
  for (const { type } of fromFile.found) counts.set(type, (counts.get(type) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    Project: 30,
    CustomEnvironment: 1,
    ProjectDomain: 16,
    EnvVar: 31,
    Webhook: 2,
  });
  expect(fromFile.notes).toEqual([
    "EnvVar write_only: its value cannot be read, so it stays as it is until you set it.",
    expect.stringMatching(
      /^vercel_deployment\.inline stays with Terraform: existing deployments are not imported/,
    ),
    expect.stringMatching(
      /^vercel_deployment\.inline stays with Terraform and refers to vercel_project\.inline/,
    ),
    expect.stringMatching(/^terraform_data\.other stays with Terraform and refers to vercel_project\.web/),
    "ignored 1 data source and 1 resource of other providers",
  ]);
  const fromShow = await importState(account.file("show.json"));
  const plain = ({ found, ...rest }: TerraformImport) => ({
    ...rest,
    notes: [...rest.notes].sort(),
    release: rest.release.split("\n\n").sort(),
    found: found.map(({ type, name, id, inputs }) => ({ type, name, id, inputs })).sort(byName),
  });
  expect(plain(fromShow)).toEqual(plain(fromFile));
});

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

it("keeps names from the addresses, and the values of the state as secrets", async () => {
  const account = await replay();
  const { found } = await importState(account.file("terraform.tfstate"));
  const names = found.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      ...["web", "web-domain", "staging", "staging-domain", "staging-variable", "database-preview"],
      ...["numbered-0", "numbered-0-variable", "odd-eu-west", "odd-eu-west-2", "odd-uni"],
      ...["flags-FLAG-production", "flags-FLAG-development-preview", "flags-HIDDEN", "inline-SECRET-preview"],
      ...["site-shop-eu-this", "site-shop-eu-this-domain", "site-shop-eu-token"],
    ]),
  );
  const [bypass = ""] = account.generated.filter((one) => !one.includes("canary"));
  expect(named(found, "database-production").inputs).toMatchObject({
    type: "sensitive",
    value: "canary-'quoted' \"db\"\n1",
  });
  expect(named(found, "web").inputs.passwordProtection).toMatchObject({ password: "canary-password-web" });
  const { program, importFile, secrets } = importFiles(found);
  for (const secret of ["canary", ...account.generated]) expect(program).not.toContain(secret);
  expect(secrets).toContain("canary-password-web");
  expect(importFile).toContain(bypass);
  expect(program).toContain('password: values.apply((all) => all["web.passwordProtection.password"]),');
  expect(program).toContain('secret: values.apply((all) => all["web.protectionBypass.checks.secret"]),');
  expect(program).toMatch(/^ {2}projectIds: \[(inline\.id, web|web\.id, inline)\.id\],$/m);
  expect(program).toContain("  redirect: apex.name,\n");
  expect(program).toContain("  customEnvironmentIds: [staging.environmentId],\n");
});

it.each([
  [undefined, undefined, "web"],
  [undefined, 0, "web-0"],
  ['module.a["x/y"].module.b[1]', "k", "a-x-y-b-1-web-k"],
  ['module.module["[\\"q\\"].z"]', undefined, "module-q-.z-web"],
  ['module.a["\\U0001F600 ok"]', undefined, "a-U0001F600-ok-web"],
  ["module.a", "..\u00e9\u4e2d!", "a-web-..e"],
])("names a resource in %s with the key %s %s", async (module, index_key, name) => {
  const web = await makeProject("web");
  const instances = [{ index_key, attributes: { id: web, name: "web", team_id: team } }];
  const { found, release: removed } = await importState(
    stateOf({ ...projectState(web), instances, ...(module !== undefined && { module }) }),
  );
  expect(found.map((one) => one.name)).toEqual([name]);
  const withoutKeys = { undefined: "", "module.a": "module.a." }[`${module}`];
  if (withoutKeys !== undefined) expect(removed).toContain(`  from = ${withoutKeys}vercel_project.web\n`);
  expect(removed).not.toMatch(/from = .*\[/);
});

it("imports resources of the plugin with references to the configuration in place of secrets", async () => {
  const account = await replay();
  const { found } = await importState(account.file("terraform.tfstate"));
  const { importFile, secrets } = pluginFiles(found);
  const { resources } = JSON.parse(importFile) as { resources: Plain[] };
  expect(new Set(resources.map(({ type }) => `${type}`.replace(/\w+$/, "")))).toEqual(
    new Set(["slipway:index:"]),
  );
  const inputs = JSON.stringify(resources.map(({ inputs }) => inputs));
  for (const secret of ["canary", "__provider", ...account.generated]) expect(inputs).not.toContain(secret);
  const keys = [...inputs.matchAll(/config:([\w-]+)/g)].map(([, key]) => key);
  const configured = [...secrets.matchAll(/pulumi config set --secret -- (\S+)$/gm)].map(([, key]) => key);
  expect(new Set(keys)).toEqual(new Set(configured));
  expect(configured).toHaveLength(new Set(configured).size);
  expect(configured).toEqual(
    expect.arrayContaining([
      "imported-web-passwordProtection-password",
      "imported-web-protectionBypass-checks-secret",
      "imported-database-production",
    ]),
  );
  expect(secrets).toContain("canary-password-web");
});

it("declares only the bypass secrets of the state that the service still has", async () => {
  const id = await makeProject("web");
  const [kept, gone] = ["a".repeat(32), "b".repeat(32)];
  await curl("PATCH", `/v1/projects/${id}/protection-bypass`, { generate: { secret: kept } });
  await curl("PATCH", `/v1/projects/${id}/protection-bypass`, { generate: {} });
  const secretOf = (name: string, secret: string): Plain => ({
    ...{ type: "vercel_project_protection_bypass", name },
    attributes: { project_id: id, secret, team_id: team },
  });
  const { found, notes } = await importState(
    stateOf(projectState(id), secretOf("checks", kept), secretOf("former", gone)),
  );
  expect(notes).toEqual([
    "Project web: its other protection bypass secrets are not managed. Declare new ones to manage them.",
  ]);
  const { inputs, state } = named(found, "web");
  expect(inputs.protectionBypass).toEqual({ checks: { secret: kept } });
  expect(state.bypassSecrets).toEqual({ checks: kept });
});

it("lets Terraform go of all instances of what was imported, and of nothing else", async () => {
  const account = await replay();
  const { release: removed } = await importState(account.file("terraform.tfstate"));
  const from = [...removed.matchAll(/^ {2}from = (.*)$/gm)].map(([, resource]) => resource);
  expect(new Set(from).size).toBe(from.length);
  expect(from).toEqual(
    expect.arrayContaining([
      "vercel_project.numbered",
      "module.site.vercel_project.this",
      "module.site.vercel_project_environment_variable.token",
      "vercel_project_protection_bypass.checks",
      "vercel_webhook.all",
    ]),
  );
  expect(removed.match(/^ {4}destroy = false$/gm)).toHaveLength(from.length);
  expect(removed).not.toMatch(/vercel_deployment|terraform_data|data\.|canary/);
});

it("reads the webhook's key from the state, since the API does not return it", async () => {
  const { id, secret } = await curl<{ id: string; secret: string }>("POST", "/v1/webhooks", {
    url: "https://example.com/hook",
    events: ["project.created"],
  });
  const { found } = await importState(
    stateOf({ type: "vercel_webhook", name: "hook", attributes: { id, secret, team_id: team } }),
  );
  expect(named(found, "hook").state).toMatchObject({ secret });
  expect(importFiles(found).program).not.toContain(secret);
});

it("declares the firewall of a project, as the service has it", async () => {
  const web = await makeProject("web");
  const ip = { hostname: "*", ip: "192.0.2.1", action: "deny" };
  await curl("PUT", `/v1/security/firewall/config?projectId=${web}`, { firewallEnabled: true, ips: [ip] });
  const attributes = { id: `${team}/${web}`, project_id: web, team_id: team, enabled: true };
  const { found } = await importState(
    stateOf({ type: "vercel_firewall_config", name: "wall", instances: [{ attributes }] }),
  );
  expect(found).toMatchObject([{ type: "FirewallConfig", inputs: { project: web, ipRules: [ip] } }]);
});

it("declares the redirects and the routes of a project", async () => {
  const web = await makeProject("web");
  const redirect = { source: "/old", destination: "/new" };
  const staged = await curl<{ version: { id: string } }>("PUT", "/v1/bulk-redirects", {
    ...{ projectId: web, redirects: [redirect] },
  });
  await curl("POST", `/v1/bulk-redirects/versions?projectId=${web}`, {
    ...{ id: staged.version.id, action: "promote" },
  });
  const route = { src: "/blog", dest: "/news" };
  const added = await curl<{ version: { id: string }; route: { id: string } }>(
    "POST",
    `/v1/projects/${web}/routes`,
    { route: { name: "Blog", route } },
  );
  await curl("POST", `/v1/projects/${web}/routes/versions`, { id: added.version.id, action: "promote" });
  const of = { project_id: web, team_id: team };
  const { found } = await importState(
    stateOf(
      { type: "vercel_bulk_redirects", name: "old", instances: [{ attributes: { id: web, ...of } }] },
      {
        type: "vercel_project_route",
        name: "blog",
        instances: [{ attributes: { id: added.route.id, ...of } }],
      },
    ),
  );
  expect(found).toMatchObject([
    { type: "BulkRedirects", inputs: { project: web, redirects: [redirect] } },
    { type: "ProjectRoute", id: `${web}/${added.route.id}`, inputs: { project: web, name: "Blog", route } },
  ]);
});

it("declares the access of an installation to a project, also of one that covers all projects", async () => {
  const web = await makeProject("web");
  const { monitoring } = await installations(w);
  await curl("POST", `/v1/integrations/configuration/${monitoring}/project/${web}`, { allowed: true });
  const of = (installation: string) => ({
    ...{ id: `${team}/${installation}`, team_id: team },
    ...{ integration_id: installation, project_id: web },
  });
  await w.server.control.seed({
    installations: [{ id: "icfg_all", integration: "tracking", team: "acme" }],
  });
  const { found } = await importState(
    stateOf(
      { type: "vercel_integration_project_access", name: "monitoring", attributes: of(monitoring) },
      { type: "vercel_integration_project_access", name: "tracking", attributes: of("icfg_all") },
    ),
  );
  expect(found).toMatchObject(
    [monitoring, "icfg_all"].map((installationId) => ({
      ...{ type: "IntegrationProjectAccess", id: `${web}/${installationId}` },
      inputs: { project: web, installationId },
    })),
  );
});

it("declares Blob stores with their connections", async () => {
  const web = await makeProject("web");
  const { images } = await blobStores(w);
  await curl("POST", `/v1/storage/stores/${images}/connections`, { projectId: web, envVarPrefix: "ASSETS" });
  const store = { id: images, team_id: team, name: "images", access: "public", region: "iad1" };
  const connection = { id: "spc_1", team_id: team, blob_store_id: images, project_id: web };
  const { found } = await importState(
    stateOf(
      { type: "vercel_blob_store", name: "images", attributes: store },
      { type: "vercel_blob_project_connection", name: "web", attributes: connection },
    ),
  );
  expect(found).toMatchObject([
    {
      ...{ type: "BlobStore", id: images },
      inputs: { name: "images", access: "public", region: "iad1" },
    },
    {
      ...{ type: "BlobStoreConnection", id: `${web}/${images}` },
      inputs: { project: web, blobStoreId: images, envVarPrefix: "ASSETS" },
    },
  ]);
  expect(importFiles(found).program).toContain("blobStoreId: images.storeId,");
});

it("declares firewall bypasses by project, domain and address", async () => {
  const web = await makeProject("web");
  const path = `/v1/security/firewall/bypass?projectId=${web}`;
  await curl("POST", path, { projectScope: true, sourceIp: "192.0.2.0/24", note: "office" });
  const attributes = {
    ...{ id: `${web}#192.0.2.0/24`, project_id: web, team_id: team, domain: "*" },
    ...{ source_ip: "192.0.2.0/24", note: "office" },
  };
  const { found } = await importState(
    stateOf({ type: "vercel_firewall_bypass", name: "office", attributes }),
  );
  expect(named(found, "office")).toMatchObject({
    type: "FirewallBypass",
    id: `${web}/*/192.0.2.0/24`,
    inputs: { project: web, domain: "*", sourceIp: "192.0.2.0/24", note: "office" },
  });
});

it("declares exceptions from deployment protection by project and alias", async () => {
  const web = await makeProject("web");
  const alias = "docs-web.vercel.app";
  await w.server.control.deploy({ team: "acme", project: "web", id: "dpl_docs", url: alias });
  const override = { scope: "alias-protection-override", action: "create" };
  await curl("PATCH", `/v3/aliases/${alias}/protection-bypass`, { override });
  const attributes = { id: `${web}/${alias}`, project_id: web, team_id: team, alias, ...override };
  const { found } = await importState(
    stateOf({ type: "vercel_deployment_protection_exception", name: "docs", attributes }),
  );
  expect(named(found, "docs")).toMatchObject({
    type: "DeploymentProtectionException",
    id: `${web}/${alias}`,
    inputs: { project: web, alias },
  });
});

it("declares an alias by its name, with the deployment that it points to now", async () => {
  await makeProject("web");
  const built = { team: "acme", project: "web", readyState: "READY" } as const;
  await w.server.control.deploy({ ...built, id: "dpl_old" }, { ...built, id: "dpl_ready" });
  await curl("POST", "/v2/deployments/dpl_ready/aliases", { alias: "next-web.vercel.app" });
  const attributes = { id: "als_1", alias: "next-web.vercel.app", deployment_id: "dpl_old", team_id: team };
  const { found } = await importState(stateOf({ type: "vercel_alias", name: "next", attributes }));
  expect(named(found, "next")).toMatchObject({
    type: "Alias",
    id: "next-web.vercel.app",
    inputs: { alias: "next-web.vercel.app", deploymentId: "dpl_ready" },
  });
});

it("declares access groups with their members and projects", async () => {
  const web = await makeProject("web");
  const { members } = await curl<{ members: { uid: string }[] }>("GET", "/v3/teams/acme/members");
  const [{ uid } = { uid: "" }] = members;
  const body = { name: "Developers", membersToAdd: [uid], projects: [{ projectId: web, role: "ADMIN" }] };
  const { accessGroupId } = await curl<{ accessGroupId: string }>("POST", "/v1/access-groups", body);
  const ids = { team_id: team, access_group_id: accessGroupId };
  const { found } = await importState(
    stateOf(
      { type: "vercel_access_group", name: "devs", attributes: { id: accessGroupId, team_id: team } },
      { type: "vercel_access_group_member", name: "dev", attributes: { ...ids, user_id: uid } },
      { type: "vercel_access_group_project", name: "web", attributes: { ...ids, project_id: web } },
    ),
  );
  expect(found.map(({ type, id, inputs }) => [type, id, inputs])).toEqual([
    ["AccessGroup", accessGroupId, { name: "Developers" }],
    ["AccessGroupMember", `${accessGroupId}/${uid}`, { accessGroupId, email: "dev@example.com" }],
    ["AccessGroupProject", `${web}/${accessGroupId}`, { accessGroupId, project: web, role: "ADMIN" }],
  ]);
  const { program } = importFiles(found);
  expect(program).toContain("accessGroupId: devs.accessGroupId,");
});

it("declares microfrontend groups with their projects, and refers to them", async () => {
  const [shell, docs] = [await makeProject("web"), await makeProject("docs")];
  const { newMicrofrontendsGroup: group } = await curl<{ newMicrofrontendsGroup: { id: string } }>(
    "POST",
    "/v1/microfrontends/group",
    {
      groupName: "shop",
      defaultApp: { projectId: shell, defaultRoute: "/home" },
      otherApplications: [{ projectId: docs, defaultRoute: "/docs" }],
    },
  );
  const attributes = { microfrontend_group_id: group.id, project_id: docs, team_id: team };
  const { found } = await importState(
    stateOf(
      projectState(shell),
      { type: "vercel_microfrontend_group", name: "shop", attributes: { id: group.id, team_id: team } },
      { type: "vercel_microfrontend_group_membership", name: "docs", attributes },
    ),
  );
  expect(found.slice(1).map(({ type, id, inputs }) => [type, id, inputs])).toEqual([
    ["MicrofrontendGroup", group.id, { name: "shop", defaultAppProjectId: shell, defaultRoute: "/home" }],
    [
      "MicrofrontendGroupMembership",
      `${docs}/${group.id}`,
      { microfrontendGroupId: group.id, project: docs, defaultRoute: "/docs" },
    ],
  ]);
  const { program } = importFiles(found);
  expect(program).toContain("defaultAppProjectId: web.id,");
  expect(program).toContain("microfrontendGroupId: shop.microfrontendGroupId,");
});

it("declares the settings of the team that are not the defaults", async () => {
  await curl("PATCH", `/v2/teams/${team}`, { description: "Builds the shop", hideIpAddresses: false });
  const attributes = { id: team, name: "acme", description: "Old", hide_ip_addresses: true };
  const { found } = await importState(stateOf({ type: "vercel_team_config", name: "acme", attributes }));
  const { inputs, ...one } = named(found, "acme") ?? {};
  expect(one).toMatchObject({ type: "TeamConfig", id: team });
  expect(inputs).toEqual({ name: "Acme", slug: "acme", description: "Builds the shop" });
});

it("declares the attack challenge mode of a project, enabled or not", async () => {
  const web = await makeProject("web");
  const attributes = { id: web, project_id: web, team_id: team, enabled: false };
  const { found } = await importState(
    stateOf({ type: "vercel_attack_challenge_mode", name: "challenge", attributes }),
  );
  expect(named(found, "challenge")).toMatchObject({
    type: "AttackChallengeMode",
    id: web,
    inputs: { project: web, enabled: false },
  });
});

it("declares the rolling releases of a project", async () => {
  const web = await makeProject("web");
  const stages = [{ targetPercentage: 20 }, { targetPercentage: 100 }];
  const body = { enabled: true, advancementType: "manual-approval", stages };
  await curl("PATCH", "/v1/projects/web/rolling-release/config", body);
  const attributes = { id: web, project_id: web, team_id: team, advancement_type: "manual-approval" };
  const { found } = await importState(
    stateOf({ type: "vercel_project_rolling_release", name: "release", attributes }),
  );
  expect(named(found, "release")).toMatchObject({
    type: "RollingRelease",
    id: web,
    inputs: { project: web, advancementType: "manual-approval", stages },
  });
});

it("declares DNS records by domain and id", async () => {
  await makeProject("web");
  await curl("POST", "/v10/projects/web/domains", { name: "www.dns.example" });
  const record = {
    name: "_sip._tcp",
    type: "SRV",
    srv: { priority: 1, weight: 2, port: 3, target: "a.test" },
  };
  const { uid } = await curl<{ uid: string }>("POST", "/v2/domains/dns.example/records", record);
  const attributes = { id: uid, domain: "dns.example", name: "_sip._tcp", type: "SRV", team_id: team };
  const { found, release: removed } = await importState(
    stateOf({ type: "vercel_dns_record", name: "calls", attributes }),
  );
  const { id, inputs } = named(found, "calls");
  expect(id).toBe(`dns.example/${uid}`);
  expect(inputs).toEqual({
    ...record,
    domain: "dns.example",
    srv: { ...record.srv, target: "a.test." },
  });
  expect(removed).toContain("vercel_dns_record.calls");
  expect(importFiles(found).program).toContain('new DnsRecord("calls", {');
});

it("declares log drains with their secrets", async () => {
  const secret = `canary-${"s".repeat(32)}`;
  const delivery = { type: "http", endpoint: "https://logs.test/", encoding: "ndjson", headers: {}, secret };
  const body = { name: "audit", projects: "all", schemas: { log: { version: "v1" } }, delivery };
  const { id } = await curl<{ id: string }>("POST", "/v1/drains", body);
  const attributes = { id, name: "audit", delivery_format: "ndjson", secret, team_id: team };
  const { found, release: removed } = await importState(
    stateOf({ type: "vercel_log_drain", name: "logs", attributes }),
  );
  const { inputs, ...declared } = named(found, "logs");
  expect(declared).toMatchObject({ type: "LogDrain", id });
  expect(inputs).toEqual({ name: "audit", endpoint: "https://logs.test/", deliveryFormat: "ndjson", secret });
  expect(removed).toContain("vercel_log_drain.logs");
  const { program, secrets } = importFiles(found);
  expect(program).toContain('secret: values.apply((all) => all["logs.secret"])');
  expect(program).not.toContain(secret);
  expect(secrets).toContain(secret);
});

it("declares drains of traces and audit logs with their secrets", async () => {
  const secret = `canary-${"s".repeat(32)}`;
  const create = async (schema: string, delivery: object) => {
    const schemas = { [schema]: { version: "v1" } };
    const body = { name: schema, projects: "all", schemas, delivery: { ...delivery, headers: {}, secret } };
    return (await curl<{ id: string }>("POST", "/v1/drains", body)).id;
  };
  const otlp = { type: "otlphttp", endpoint: { traces: "https://otlp.test/v1/traces" }, encoding: "proto" };
  const http = { endpoint: "https://siem.test/", encoding: "json", compression: "gzip" };
  const traces = await create("trace", otlp);
  const events = await create("audit_log", { type: "http", ...http });
  const { found, release: removed } = await importState(
    stateOf(
      { type: "vercel_trace_drain", name: "traces", attributes: { id: traces, secret, team_id: team } },
      {
        ...{ type: "vercel_audit_log_drain", name: "events" },
        attributes: { id: events, http: { ...http, secret }, team_id: team },
      },
    ),
  );
  expect(named(found, "traces")).toMatchObject({
    ...{ type: "TraceDrain", id: traces },
    inputs: { name: "trace", endpoint: otlp.endpoint.traces, deliveryFormat: "proto", secret },
  });
  expect(named(found, "events")).toMatchObject({
    ...{ type: "AuditLogDrain", id: events },
    inputs: { name: "audit_log", endpoint: http.endpoint, compression: "gzip", secret },
  });
  expect(removed).toContain("vercel_audit_log_drain.events");
  expect(importFiles(found).program).not.toContain(secret);
});

it("declares Edge Configs and their items, and a schema that Terraform manages", async () => {
  const make = async (slug: string) => (await curl<{ id: string }>("POST", "/v1/edge-config", { slug })).id;
  const [flags, others] = [await make("flags"), await make("others")];
  for (const id of [flags, others])
    await curl("POST", `/v1/edge-config/${id}/schema`, { definition: { type: "object" } });
  await curl("PATCH", `/v1/edge-config/${flags}/items`, {
    items: [{ operation: "create", key: "none", value: null }],
  });
  const attributesOf = (id: string) => ({ id, team_id: team });
  const { found, notes, release } = await importState(
    stateOf(
      { type: "vercel_edge_config", name: "flags", attributes: { ...attributesOf(flags), name: "flags" } },
      { type: "vercel_edge_config", name: "others", attributes: { ...attributesOf(others), name: "others" } },
      {
        type: "vercel_edge_config_schema",
        name: "flags",
        attributes: { ...attributesOf(flags), definition: "{}" },
      },
      { type: "vercel_edge_config_schema", name: "lost", attributes: attributesOf("ecfg_lost") },
      {
        type: "vercel_edge_config_item",
        name: "none",
        attributes: { ...attributesOf(`${flags}/none`), edge_config_id: flags, key: "none", value: null },
      },
    ),
  );
  expect(named(found, "flags")).toMatchObject({
    ...{ type: "EdgeConfig", id: flags },
    inputs: { slug: "flags", schema: { type: "object" } },
  });
  expect(named(found, "others").inputs).toEqual({ slug: "others" });
  expect(named(found, "none")).toMatchObject({
    ...{ type: "EdgeConfigItem", id: `${flags}/none` },
    inputs: { edgeConfigId: flags, key: "none", value: null },
  });
  expect(importFiles(found).program).toContain("edgeConfigId: flags.edgeConfigId,");
  expect(notes).toContain(
    "vercel_edge_config_schema.lost stays with Terraform: its Edge Config is not in the state.",
  );
  for (const address of [
    "vercel_edge_config.flags",
    "vercel_edge_config_schema.flags",
    "vercel_edge_config_item.none",
  ])
    expect(release).toContain(address);
});

it("declares tokens of Edge Configs with their values", async () => {
  const { id: config } = await curl<{ id: string }>("POST", "/v1/edge-config", { slug: "flags" });
  const made = await curl<{ id: string; token: string }>("POST", `/v1/edge-config/${config}/token`, {
    label: "web",
  });
  const attributes = { ...made, edge_config_id: config, label: "web", team_id: team };
  const { found, release } = await importState(
    stateOf({ type: "vercel_edge_config_token", name: "web", attributes }),
  );
  expect(named(found, "web")).toMatchObject({
    ...{ type: "EdgeConfigToken", id: `${config}/${made.id}` },
    inputs: { edgeConfigId: config, label: "web" },
  });
  expect(release).toContain("vercel_edge_config_token.web");
  const { program, importFile } = importFiles(found);
  expect(program).not.toContain(made.token);
  const { outputs } = JSON.parse(importFile).resources[0];
  expect(JSON.parse(outputs.token.plaintext)).toBe(made.token);
  expect(JSON.parse(outputs.connectionString.plaintext)).toContain(`/${config}?token=${made.token}`);
});

describe("feature flags", () => {
  const flags = "/v1/projects/web/feature-flags";
  const serving = { enabled: true, defaultVariantId: "on", disabledVariantId: "off" };
  const make = async (): Promise<{ web: string; flag: string }> => {
    const web = await makeProject("web");
    const served = (variantId: string) => ({ type: "variant", variantId });
    const production = { active: true, rules: [], pausedOutcome: served("off"), fallthrough: served("on") };
    const body = { slug: "beta", kind: "boolean", environments: { production } };
    return { web, flag: (await curl<{ id: string }>("PUT", `${flags}/flags`, body)).id };
  };
  const definitionOf = (web: string, id: string): Plain => ({
    type: "vercel_feature_flag_definition",
    name: "beta",
    attributes: { id, project_id: web, team_id: team, key: "beta" },
  });

  it("are declared without what they serve, unless the state has the configuration too", async () => {
    const { web, flag } = await make();
    const alone = await importState(stateOf(definitionOf(web, flag)));
    expect(named(alone.found, "beta")).toMatchObject({
      ...{ type: "FeatureFlag", id: `${web}/${flag}` },
      inputs: { slug: "beta", kind: "boolean", variants: [{ id: "off" }, { id: "on" }] },
    });
    expect(named(alone.found, "beta").inputs).not.toHaveProperty("production");
    const config = {
      type: "vercel_feature_flag_config",
      name: "serving",
      attributes: { id: flag, flag_id: flag, project_id: web, team_id: team },
    };
    const both = await importState(stateOf(definitionOf(web, flag), config));
    expect(named(both.found, "beta").inputs).toMatchObject({ production: serving });
    expect(both.release).toContain("vercel_feature_flag_config.serving");
    const orphan = await importState(stateOf(projectState(web), config));
    expect(orphan.notes).toContainEqual(expect.stringContaining("its feature flag is not in the state"));
  });

  it("are declared with their segments and SDK keys", async () => {
    const { web } = await make();
    const data = { include: { user: { email: [{ value: "ada@example.com" }] } } };
    const segment = await curl<{ id: string }>("PUT", `${flags}/segments`, {
      ...{ slug: "staff", label: "Staff", hint: "", data },
    });
    const body = { sdkKeyType: "server", environment: "production" };
    const key = await curl<Record<"hashKey" | "keyValue" | "connectionString", string>>(
      "PUT",
      `${flags}/sdk-keys`,
      body,
    );
    const of = { project_id: web, team_id: team };
    const { found } = await importState(
      stateOf(
        { type: "vercel_feature_flag_segment", name: "staff", attributes: { ...of, id: segment.id } },
        {
          ...{ type: "vercel_feature_flag_sdk_key", name: "backend" },
          attributes: {
            ...{ ...of, id: key.hashKey, sdk_key: key.keyValue, connection_string: key.connectionString },
          },
        },
      ),
    );
    expect(named(found, "staff")).toMatchObject({
      ...{ type: "FeatureFlagSegment", id: `${web}/${segment.id}` },
      inputs: { slug: "staff", label: "Staff", include: { user: { email: ["ada@example.com"] } } },
    });
    expect(named(found, "backend")).toMatchObject({ type: "FeatureFlagSdkKey", id: `${web}/${key.hashKey}` });
    const { program, importFile } = importFiles(found);
    expect(program).not.toContain(key.keyValue);
    const { outputs } = JSON.parse(importFile).resources.find(({ type }: Plain) => /SdkKey$/.test(`${type}`));
    expect(JSON.parse(outputs.sdkKey.plaintext)).toBe(key.keyValue);
    expect(JSON.parse(outputs.connectionString.plaintext)).toBe(key.connectionString);
  });
});

it("declares access tokens of the user, with their values if the state has them", async () => {
  const { token, bearerToken } = await curl<{ token: { id: string }; bearerToken: string }>(
    "POST",
    "/v3/user/tokens",
    { name: "deploy", expiresAt: Date.UTC(2100, 0, 1) },
  );
  const attributes = { id: token.id, name: "deploy", team_id: team };
  const state = { type: "vercel_user_token", name: "deploy" };
  const { found, release } = await importState(
    stateOf({ ...state, attributes: { ...attributes, bearer_token: bearerToken } }),
  );
  expect(named(found, "deploy")).toMatchObject({
    ...{ type: "UserToken", id: token.id },
    inputs: { name: "deploy", expiresAt: Date.UTC(2100, 0, 1) },
  });
  expect(release).toContain("vercel_user_token.deploy");
  const { program, importFile } = importFiles(found);
  expect(program).not.toContain(bearerToken);
  const { outputs } = JSON.parse(importFile).resources[0];
  expect(JSON.parse(outputs.bearerToken.plaintext)).toBe(bearerToken);
  // A token that Terraform has imported itself.
  const without = await importState(stateOf({ ...state, attributes }));
  expect(named(without.found, "deploy").state).toMatchObject({ bearerToken: null });
});

it("declares certificates with their texts, which the API does not return", async () => {
  const { id } = await curl<{ id: string }>("PUT", "/v8/certs", uploadOf(first));
  const attributes = {
    ...{ id, team_id: team, private_key: first.privateKey, certificate: first.certificate },
    certificate_authority_certificate: first.certificateAuthorityCertificate,
  };
  const { found, release } = await importState(
    stateOf({ type: "vercel_custom_certificate", name: "api", attributes }),
  );
  expect(named(found, "api")).toMatchObject({ type: "CustomCertificate", id, inputs: first });
  expect(release).toContain("vercel_custom_certificate.api");
  const { program } = importFiles(found);
  expect(program).not.toContain("BEGIN PRIVATE KEY");
});

it("declares each member of a project", async () => {
  const id = await makeProject("web");
  const { members } = await curl<{ members: { uid: string }[] }>("GET", "/v3/teams/acme/members");
  const [{ uid } = { uid: "" }] = members;
  await curl("POST", `/v1/projects/${id}/members`, { uid, role: "ADMIN" });
  const member = { user_id: uid, email: "dev@example.com", username: "dev", role: "ADMIN" };
  const attributes = { id, project_id: id, team_id: team, members: [member] };
  const { found } = await importState(
    stateOf({ type: "vercel_project_members", name: "people", attributes }),
  );
  expect(named(found, "people-dev")).toMatchObject({
    type: "ProjectMember",
    id: `${id}/${uid}`,
    inputs: { email: "dev@example.com", role: "ADMIN" },
  });
});

it("declares the roles of a team's member in projects, each once, and in access groups", async () => {
  const [web, docs] = [await makeProject("web"), await makeProject("docs")];
  const { members } = await curl<{ members: { uid: string }[] }>("GET", "/v3/teams/acme/members");
  const [{ uid } = { uid: "" }] = members;
  for (const id of [web, docs]) await curl("POST", `/v1/projects/${id}/members`, { uid, role: "ADMIN" });
  const group = { name: "Developers", membersToAdd: [uid], projects: [{ projectId: web, role: "ADMIN" }] };
  const { accessGroupId } = await curl<{ accessGroupId: string }>("POST", "/v1/access-groups", group);
  const projects = [web, docs].map((id) => ({ project_id: id, role: "ADMIN" }));
  const member = { user_id: uid, email: "dev@example.com", username: "dev", role: "ADMIN" };
  const { found, notes } = await importState(
    stateOf(
      projectState(web),
      {
        type: "vercel_team_member",
        name: "dev",
        attributes: { team_id: team, user_id: uid, role: "OWNER", projects, access_groups: [accessGroupId] },
      },
      {
        type: "vercel_project_members",
        name: "people",
        attributes: { id: docs, project_id: docs, team_id: team, members: [member] },
      },
    ),
  );
  const roles = found.filter(({ type }) => type === "ProjectMember").map(({ name, id }) => [name, id]);
  expect(roles.sort()).toEqual([
    ["dev-web", `${web}/${uid}`],
    ["people-dev", `${docs}/${uid}`],
  ]);
  expect(found.filter(({ type }) => type === "AccessGroupMember")).toMatchObject([
    { id: `${accessGroupId}/${uid}`, inputs: { accessGroupId, email: "dev@example.com" } },
  ]);
  expect(notes.filter((note) => note.includes("access groups"))).toEqual([]);
});

it("declares members of the team by id, or by address while they are invited", async () => {
  const invite = (email: string) =>
    curl<{ uid: string }>("POST", "/v2/teams/acme/members", { email, role: "VIEWER" });
  const { uid } = await invite("ada@example.org");
  await invite("grace@example.org");
  const { found } = await importState(
    stateOf(
      {
        type: "vercel_team_member",
        name: "ada",
        attributes: { team_id: team, user_id: uid, role: "VIEWER" },
      },
      {
        type: "vercel_team_member",
        name: "grace",
        attributes: { team_id: team, user_id: null, email: "grace@example.org", role: "VIEWER" },
      },
    ),
  );
  expect(named(found, "ada").id).toBe(`${team}/${uid}`);
  expect(named(found, "grace").inputs).toEqual({ email: "grace@example.org", role: "VIEWER" });
});

it("declares shared variables and links, with the links that Terraform manages and the value of the state", async () => {
  const web = await makeProject("web");
  const docs = await makeProject("docs");
  const make = async (key: string, projectId: string[]): Promise<string> => {
    const body = { evs: [{ key, value: "canary-1" }], type: "sensitive", target: ["production"], projectId };
    return (await curl<{ created: [{ id: string }] }>("POST", "/v1/env", body)).created[0].id;
  };
  const [all, one] = [await make("ALL", [web, docs]), await make("ONE", [web])];
  const type = "vercel_shared_environment_variable";
  const attributes = { team_id: team, value: "canary-1", sensitive: true, target: ["production"] };
  const link = { id: `${team}/${one}`, team_id: team, project_id: web, shared_environment_variable_id: one };
  const {
    found,
    notes,
    release: removed,
  } = await importState(
    stateOf(
      projectState(web),
      { type: `${type}_project_link`, name: "linked", attributes: link },
      { type, name: "all", attributes: { ...attributes, id: all, key: "ALL", project_ids: [web, docs] } },
      { type, name: "one", attributes: { ...attributes, id: one, key: "ONE", project_ids: null } },
    ),
  );
  const given = { value: "canary-1", type: "sensitive", target: ["production"] };
  expect(named(found, "all")).toMatchObject({ id: all, inputs: { key: "ALL", ...given } });
  expect([...(named(found, "all").inputs.projectIds as string[])].sort()).toEqual([web, docs].sort());
  expect(named(found, "one")).toMatchObject({ id: one, inputs: { key: "ONE", ...given } });
  expect(named(found, "one").inputs).not.toHaveProperty("projectIds");
  expect(named(found, "linked")).toMatchObject({ id: `${web}/${one}`, inputs: { sharedEnvVarId: one } });
  expect(notes).toEqual([]);
  expect(removed.match(/from = /g)).toHaveLength(4);
  const { program } = importFiles(found);
  expect(program).not.toContain("canary");
  expect(program).toContain('const one = new SharedEnvVar("one", {');
  expect(program.indexOf("sharedEnvVarId: one.id,")).toBeGreaterThan(program.indexOf("const one = "));
  expect(program).toContain("project: web.id,");
});

it("imports an object once that two resources manage, and has Terraform forget both", async () => {
  const web = await makeProject("web");
  const { found, notes, release } = await importState(
    stateOf(projectState(web), { ...projectState(web), name: "again" }),
  );
  expect(found.map(({ name, id }) => [name, id])).toEqual([["web", web]]);
  expect(notes).toEqual(["vercel_project.again manages the same object as web, so it was left out."]);
  expect([...release.matchAll(/from = (\S+)/g)].map(([, from]) => from)).toEqual([
    "vercel_project.web",
    "vercel_project.again",
  ]);
});

it("lists what is gone, without keeping Terraform from letting it go", async () => {
  const web = await makeProject("web");
  const {
    found,
    notes,
    release: removed,
  } = await importState(
    stateOf(projectState(web), {
      type: "vercel_project_domain",
      name: "gone",
      attributes: { id: "gone.example.com", domain: "gone.example.com", project_id: web, team_id: team },
    }),
  );
  expect(found.map(({ name }) => name)).toEqual(["web"]);
  expect(notes).toEqual([
    `vercel_project_domain.gone: ProjectDomain ${web}/gone.example.com does not exist at the service any more, so it was left out.`,
  ]);
  expect(removed).toContain("vercel_project_domain.gone");
});

it("lists resources that Slipway does not have, with what to do", async () => {
  const web = await makeProject("web");
  const lacking = ["vercel_network", "vercel_deployment"];
  const { notes, release: removed } = await importState(
    stateOf(
      projectState(web),
      ...lacking.map((type) => ({
        type,
        instances: [{ attributes: { id: "x", team_id: team }, dependencies: ["vercel_project.web"] }],
      })),
    ),
  );
  expect(notes).toEqual([
    "vercel_network.it stays with Terraform: Slipway has no resource for it.",
    expect.stringMatching(
      /^vercel_deployment\.it stays with Terraform: existing deployments are not imported/,
    ),
    ...lacking.map(
      (type) =>
        `${type}.it stays with Terraform and refers to vercel_project.web. Replace the references by values.`,
    ),
  ]);
  expect(removed.match(/from = /g)).toHaveLength(1);
});

/** A state with a tainted and a deposed instance, in both formats. */
const replacedStates = {
  "a state file": (attributes: Plain) =>
    stateOf({
      ...{ type: "vercel_project", name: "web" },
      instances: [
        { attributes, status: "tainted" },
        { attributes: { ...attributes, id: "prj_old" }, deposed: "00aa11bb" },
      ],
    }),
  "terraform show -json": (values: Plain) => {
    const resource = { address: "vercel_project.web", mode: "managed", type: "vercel_project", name: "web" };
    const resources = [
      { ...resource, values, tainted: true },
      { ...resource, values: { ...values, id: "prj_old" }, deposed_key: "00aa11bb" },
    ];
    return { format_version: "1.0", values: { root_module: { child_modules: [{ resources }] } } };
  },
};

it.each(Object.entries(replacedStates))(
  "imports a tainted instance of %s as it is, and no deposed one",
  async (_, replacedState) => {
    const web = await makeProject("web");
    const { found, notes } = await importState(replacedState({ id: web, name: "web", team_id: team }));
    expect(found.map(({ id }) => id)).toEqual([web]);
    expect(notes).toEqual([
      "vercel_project.web is tainted. It was imported as it is, and is not replaced.",
      expect.stringMatching(
        /^vercel_project\.web has an object that Terraform still has to delete\. Let it do so before the move\.$/,
      ),
    ]);
  },
);

it("keeps a resource with Terraform if one of its instances cannot be declared", async () => {
  const [web, docs] = [await makeProject("web"), await makeProject("docs")];
  const remote = await w.client.project(docs);
  const original = w.client.project.bind(w.client);
  jest
    .spyOn(w.client, "project")
    .mockImplementation(async (id) => (id === docs ? { ...remote, name: "docs---1" } : original(id)));
  const {
    found,
    notes,
    release: removed,
  } = await importState(
    stateOf({
      ...projectState(web),
      instances: [web, docs].map((id, at) => ({ index_key: at, attributes: { id, team_id: team } })),
    }),
  );
  expect(found.map(({ name }) => name)).toEqual(["web-0"]);
  expect(notes.join("\n")).toContain(`Project web-1 (${docs}) was left out`);
  expect(removed).not.toContain("vercel_project.web");
});

it("finds variables of old states by key and environment", async () => {
  const web = await makeProject("web");
  const add = (body: object) => w.curl("POST", `/v10/projects/${web}/env`, { type: "encrypted", ...body });
  await add({ key: "A", value: "canary-1", target: ["production"] });
  await add({ key: "A", value: "canary-2", target: ["preview"], gitBranch: "next" });
  const environment = [
    { key: "A", value: "canary-1", target: ["production"] },
    { key: "A", value: "canary-2", target: ["preview"], git_branch: "next" },
  ];
  const { found } = await importState(stateOf(projectState(web, { environment })));
  expect(found.map(({ name, inputs }) => [name, inputs.value])).toEqual([
    ["web", undefined],
    ["web-A-production", "canary-1"],
    ["web-A-preview-next", "canary-2"],
  ]);
});

it("imports the value of the service, and says so, where the state has another one", async () => {
  const web = await makeProject("web");
  const { created } = await curl<{ created: { id: string } }>("POST", `/v10/projects/${web}/env`, {
    ...{ key: "A", value: "canary-now", type: "encrypted", target: ["production"] },
  });
  const attributes = { id: created.id, key: "A", value: "canary-before", project_id: web, team_id: team };
  const { found, notes } = await importState(
    stateOf(projectState(web), { type: "vercel_project_environment_variable", name: "a", attributes }),
  );
  expect(named(found, "a").inputs.value).toBe("canary-now");
  expect(notes).toEqual([
    "vercel_project_environment_variable.a: the value at the service differs from the recorded value. The value at the service was imported.",
  ]);
});

it("refuses the state of another team, and of another account", async () => {
  const web = await makeProject("web");
  await expect(importState(stateOf(projectState(web, { team_id: "team_of_somebody_else" })))).rejects.toThrow(
    `The objects of terraform.tfstate belong to team_of_somebody_else, and SLIPWAY_TEAM selects another account (${team}). Set SLIPWAY_TEAM=team_of_somebody_else.`,
  );
  await expect(importState(stateOf(projectState("prj_elsewhere", { team_id: null })))).rejects.toThrow(
    /^No object of terraform\.tfstate exists in the account \(acme at http.*Check SLIPWAY_API_URL and SLIPWAY_TEAM\.$/,
  );
});

it("leaves objects of other teams out of a state of several", async () => {
  const web = await makeProject("web");
  const other = { ...projectState("prj_other", { team_id: "team_other" }), name: "other" };
  const { found, notes, release: removed } = await importState(stateOf(projectState(web), other));
  expect(found.map(({ name }) => name)).toEqual(["web"]);
  expect(notes).toEqual([
    "vercel_project.other belongs to team_other. Import it with SLIPWAY_TEAM=team_other.",
  ]);
  expect(removed).not.toContain("vercel_project.other");
});

it.each<[string, string | object, RegExp]>([
  [
    "a text that is not JSON",
    'resource "vercel_project" "web" {}',
    /is not a Terraform state, which is JSON/,
  ],
  ["a JSON document of something else", { name: "web" }, /is not a Terraform state\. Write it with/],
  ["a list", "[]", /is not a Terraform state\. Write it with/],
  ["an old format", { version: 3, modules: [] }, /has format 3, and only format 4 .*terraform state pull/],
  ["a state with a broken resource", { version: 4, resources: [{ mode: 1 }] }, /see resources\.0\.\w+\./],
  ["an encrypted state", { serial: 1, encrypted_data: "x" }, /is encrypted\. .*tofu show -json \|/],
  [
    "the file of a backend",
    { version: 3, backend: { type: "s3" } },
    /names the backend .*terraform state pull/,
  ],
  ["a plan", { format_version: "1.2", planned_values: {} }, /is a plan, not a state/],
  ["a Pulumi stack", { version: 3, deployment: {} }, /is the state of a Pulumi stack/],
  ["a format to come", { format_version: "2.0" }, /has format 2\.0 of `terraform show -json`/],
  [
    "an empty state",
    { version: 4, resources: [] },
    /has no resource of the provider vercel\/vercel.*workspace/,
  ],
  ["an empty shown state", { format_version: "1.0" }, /has no resource of the provider vercel\/vercel/],
])("refuses %s with a hint", async (_, state, message) => {
  await expect(importState(state)).rejects.toThrow(message);
});

it("leaves resources of another provider for Vercel to Terraform", async () => {
  const id = await makeProject("web");
  const other = {
    type: "vercel_env",
    provider: 'provider["registry.terraform.io/chronark/vercel"]',
    attributes: {},
  };
  const { found, notes, release } = await importState(stateOf(projectState(id), other));
  expect(found).toHaveLength(1);
  expect(notes.join()).toContain("vercel_env.it stays with Terraform: its provider is not vercel/vercel");
  expect(release).not.toContain("vercel_env");
  await expect(importState(stateOf(other))).rejects.toThrow(
    "To import what the account has, run slipway import.",
  );
});

it("names the commands for a configuration that CDKTF generates", async () => {
  const id = await makeProject("web");
  const { found, notes } = await importState(stateOf({ ...projectState(id), name: "web_project_779E12D6" }));
  expect(found).toMatchObject([{ name: "web_project" }]);
  expect(notes.join()).toContain("terraform state rm vercel_project.web_project_779E12D6");
});

it("puts a text that contains a sensitive attribute into the configuration too", async () => {
  const command = "KEY=canary-key npm run build";
  const id = await makeProject("web", { buildCommand: command });
  const attribute = "protection_bypass_for_automation_secret";
  const project = projectState(id, { build_command: command, [attribute]: "canary-key" });
  const state = stateOf(project) as { resources: { instances: Plain[] }[] };
  const path = [{ type: "get_attr", value: attribute }];
  Object.assign(state.resources[0]?.instances[0] ?? {}, { sensitive_attributes: [path] });
  const { program, secrets } = importFiles((await importState(state)).found);
  expect(program).not.toContain("canary");
  expect(secrets).toContain(`"web.buildCommand":"${command}"`);
});

it("puts sensitive attributes into the configuration, and keeps an empty sensitive value", async () => {
  const id = await makeProject("web", { buildCommand: "KEY=canary npm run build" });
  const target = ["production"];
  const made = await curl<{ created: { id: string } }>("POST", `/v10/projects/${id}/env`, {
    ...{ key: "EMPTY", value: "x", type: "sensitive", target },
  });
  const path = [{ type: "get_attr", value: "build_command" }];
  const project = projectState(id, { build_command: "KEY=canary npm run build" });
  const variable = {
    ...{ type: "vercel_project_environment_variable", name: "empty" },
    attributes: {
      id: made.created.id,
      key: "EMPTY",
      value: "",
      project_id: id,
      team_id: team,
      target,
      sensitive: true,
    },
  };
  const stored = stateOf(project, variable) as { resources: { instances: Plain[] }[] };
  Object.assign(stored.resources[0]?.instances[0] ?? {}, { sensitive_attributes: [path] });
  const shown = {
    format_version: "1.0",
    values: {
      root_module: {
        resources: [
          {
            ...project,
            address: "vercel_project.web",
            mode: "managed",
            values: project.attributes,
            sensitive_values: { build_command: true },
          },
          { ...variable, address: `${variable.type}.empty`, mode: "managed", values: variable.attributes },
        ],
      },
    },
  };
  for (const state of [stored, shown]) {
    const { found } = await importState(state);
    const { program, secrets } = importFiles(found);
    expect(program).not.toMatch(/canary|ignoreChanges/);
    expect(secrets).toContain('"web.buildCommand":"KEY=canary npm run build"');
    expect(secrets).toContain('"empty":""');
  }
});
