import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "../../provider/resources";
import { first } from "../support/certificates";
import { canary, type Stack, Workspace } from "../support/pulumi";

let world: Workspace;
let stack: Stack;
beforeAll(async () => {
  world = await Workspace.start({
    deployments: ["web", "shop"].map((project) => ({
      id: `dpl_${project}`,
      team: "acme",
      project,
      target: "production",
      readyState: "READY",
      createdAt: 1,
    })),
  });
  await world.server.control("POST", "/seed", {
    teams: [{ slug: "beta", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [{ token: `${canary}-any-team`, user: "ada" }],
    projects: [{ team: "acme", name: "docs" }],
    domains: [{ team: "acme", project: "docs", name: "docs.test", verified: true }],
    integrations: [
      {
        ...{ slug: "monitoring", owner: "ada", clientSecret: canary, scopes: [] },
        redirectUrl: "http://127.0.0.1:9/",
      },
    ],
    installations: [{ team: "acme", id: "icfg_monitoring", integration: "monitoring", projects: [] }],
  });
});
afterAll(() => world.stop());

/** Every resource and component, and resources of an explicit provider. */
const program = `
  import {
    AccessGroup, AccessGroupMember, AccessGroupProject, Alias, AttackChallengeMode, AuditLogDrain, BlobStore,
    BlobStoreConnection, CustomCertificate,
    CustomEnvironment, DeploymentProtectionException, DnsRecord, Domain,
    EdgeConfig, EdgeConfigItem, EdgeConfigToken, FeatureFlag, FeatureFlagSdkKey, FeatureFlagSegment,
    BulkRedirects, FirewallBypass, FirewallConfig, LogDrain, MicrofrontendGroup,
    MicrofrontendGroupMembership, ProjectRoute, IntegrationProjectAccess, RollingRelease, SharedEnvVar, SharedEnvVarLink, Site, ProjectMember, TeamConfig,
    TeamMember, TraceDrain, UserToken, Webhook,
  } from "slipway";
  const web = new Project("web", { framework: "nextjs" });
  const apex = new ProjectDomain("apex", { project: web.id, name: "example.com" });
  new ProjectDomain("www", { project: web.id, name: "www.example.com", redirect: apex.name });
  const net = new Domain("net", { name: "example.net", zone: true, echMode: "disabled" });
  new DnsRecord("of-net", { domain: net.name, name: "www", type: "A", value: "192.0.2.1" });
  new DomainVerification("proof", { project: "docs", name: "docs.test" });
  new EnvVar("secret", { project: web.id, key: "S", value: "${canary}-s", target: ["production"] });
  new EnvVars("many", { project: web.id, variables: { A: "${canary}-a", B: { value: "${canary}-b", type: "plain" } } });
  new Promotion("live", { project: web.id, deployment: "dpl_web" });
  new Deployment("build", { project: web.id, redeploy: "dpl_web", target: "preview" });
  const next = new Alias("next", { alias: "next-web.vercel.app", deploymentId: "dpl_web" });
  new DeploymentProtectionException("public", { project: web.id, alias: next.alias });
  new CustomEnvironment("staging", { project: web.id, slug: "staging" });
  new FirewallBypass("office", { project: web.id, domain: apex.name, sourceIp: "192.0.2.0/24", note: "office" });
  new AttackChallengeMode("challenge", { project: web.id, enabled: true });
  new FirewallConfig("firewall", {
    project: web.id,
    rules: [{
      name: "Deny bots",
      conditionGroup: [{ conditions: [{ type: "header", op: "ex", key: "x-bot" }] }],
      action: { action: "deny" },
    }],
    ipRules: [{ hostname: "*", ip: "192.0.2.1", action: "deny" }],
    managedRulesets: { aiBots: { action: "deny" } },
  });
  new BulkRedirects("redirects", { project: web.id, redirects: [{ source: "/old", destination: "/new" }] });
  const route = new ProjectRoute("route", {
    project: web.id, name: "Blog", route: { src: "/blog", dest: "/news" }, position: { placement: "start" },
  });
  new ProjectRoute("next-route", {
    project: web.id, name: "Headers", route: { src: "/a", headers: { "x-a": "b" } },
    position: { placement: "after", referenceId: route.routeId },
  });
  new RollingRelease("release", {
    project: "docs", advancementType: "manual-approval", stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }],
  });
  new DnsRecord("record", {
    domain: apex.apexName, name: "_s._tcp", type: "SRV", srv: { priority: 1, weight: 2, port: 3, target: "a.test" },
  });
  new LogDrain("drain", {
    name: "audit", endpoint: "http://127.0.0.1:9/logs", projectIds: [web.id],
    headers: { "x-key": "${canary}-h" }, secret: "${canary}-${"s".repeat(32)}",
  });
  new TraceDrain("traces", {
    name: "traces", endpoint: "http://127.0.0.1:9/v1/traces", samplingRules: [{ rate: 0.5, requestPath: "/api" }],
  });
  new AuditLogDrain("events", {
    name: "events", endpoint: "s3://audit-logs/acme", s3: { roleArn: "arn:aws:iam::1:role/audit", region: "eu-central-1" },
  });
  const shared = new SharedEnvVar("shared", { key: "SHARED", value: "${canary}-shared", target: ["preview"] });
  new SharedEnvVarLink("link", { sharedEnvVarId: shared.id, project: web.id });
  const ada = new TeamMember("ada", { email: "ada@example.org", role: "VIEWER" });
  const group = new AccessGroup("group", { name: "Developers" });
  new AccessGroupMember("of-group", { accessGroupId: group.id, email: "ada@example.com" });
  new AccessGroupProject("group-of-web", { accessGroupId: group.id, project: web.id, role: "ADMIN" });
  const shop = new MicrofrontendGroup("shop-apps", { name: "Shop", defaultAppProjectId: web.id, defaultRoute: "/home" });
  const child = new Project("child");
  new MicrofrontendGroupMembership("child-of-shop", { microfrontendGroupId: shop.id, project: child.id, defaultRoute: "/child" });
  new TeamConfig("team", { description: "Builds the shop", strictShareableLinks: { enabled: true } });
  new ProjectMember("ada-of-web", { project: web.id, email: ada.email, role: "PROJECT_DEVELOPER" });
  const flags = new EdgeConfig("flags", { slug: "flags", schema: { type: "object", required: ["b", "a"] } });
  new EdgeConfigItem("banner", {
    edgeConfigId: flags.edgeConfigId, key: "banner", value: { list: [2, 1, null], on: true },
  });
  new EdgeConfigToken("token", { edgeConfigId: flags.edgeConfigId, label: "web" });
  new FeatureFlag("beta-flag", {
    project: web.id, slug: "beta", kind: "json", variants: [{ id: "off", value: { list: [2, 1, null] } }],
    production: { enabled: true, defaultVariantId: "off", disabledVariantId: "off" },
  });
  new FeatureFlagSegment("staff", {
    project: web.id, slug: "staff", label: "Staff", include: { user: { email: ["b@example.com", "a@example.com"] } },
  });
  new FeatureFlagSdkKey("flags-key", { project: web.id, environment: "production", type: "server" });
  const images = new BlobStore("images", { name: "images", region: "fra1" });
  new BlobStoreConnection("images-web", { project: web.id, blobStoreId: images.id, environments: ["preview", "development"] });
  new IntegrationProjectAccess("monitoring", { project: web.id, installationId: "icfg_monitoring" });
  new UserToken("deploy", { name: "deploy", expiresAt: 4102444800000 });
  new CustomCertificate("certificate", ${JSON.stringify(first)});
  new Webhook("hook", { url: "http://127.0.0.1:9/hook", events: ["deployment.created"] });
  const beta = new Provider("beta", { token: "${canary}-any-team", team: "beta" });
  const theirs = new Project("theirs", {}, { provider: beta });
  new EnvVar("their-secret", { project: theirs.id, key: "S", value: "${canary}-t", target: ["preview"] }, { provider: beta });
  new Site("shop", {
    project: { framework: "vue" },
    domains: [{ name: "www.shop.test", redirect: "shop.test" }, "shop.test"],
    variables: { C: "${canary}-c" },
    production: { deployment: "dpl_shop" },
  });
`;

const yaml = `resources:
  web: { type: slipway:Project, properties: { framework: nextjs } }
  apex: { type: slipway:ProjectDomain, properties: { project: "\${web.id}", name: example.com } }
  www:
    type: slipway:ProjectDomain
    properties: { project: "\${web.id}", name: www.example.com, redirect: "\${apex.name}" }
  net: { type: slipway:Domain, properties: { name: example.net, zone: true, echMode: disabled } }
  of-net:
    type: slipway:DnsRecord
    properties: { domain: "\${net.name}", name: www, type: A, value: 192.0.2.1 }
  proof: { type: slipway:DomainVerification, properties: { project: docs, name: docs.test } }
  secret:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: S, value: ${canary}-s, target: [production] }
  many:
    type: slipway:EnvVars
    properties: { project: "\${web.id}", variables: { A: ${canary}-a, B: { value: ${canary}-b, type: plain } } }
  live: { type: slipway:Promotion, properties: { project: "\${web.id}", deployment: dpl_web } }
  build:
    type: slipway:Deployment
    properties: { project: "\${web.id}", redeploy: dpl_web, target: preview }
  staging: { type: slipway:CustomEnvironment, properties: { project: "\${web.id}", slug: staging } }
  office:
    type: slipway:FirewallBypass
    properties: { project: "\${web.id}", domain: "\${apex.name}", sourceIp: 192.0.2.0/24, note: office }
  challenge: { type: slipway:AttackChallengeMode, properties: { project: "\${web.id}", enabled: true } }
  firewall:
    type: slipway:FirewallConfig
    properties:
      project: "\${web.id}"
      rules:
        - name: Deny bots
          conditionGroup: [{ conditions: [{ type: header, op: ex, key: x-bot }] }]
          action: { action: deny }
      ipRules: [{ hostname: "*", ip: 192.0.2.1, action: deny }]
      managedRulesets: { aiBots: { action: deny } }
  redirects:
    type: slipway:BulkRedirects
    properties: { project: "\${web.id}", redirects: [{ source: /old, destination: /new }] }
  route:
    type: slipway:ProjectRoute
    properties:
      project: "\${web.id}"
      name: Blog
      route: { src: /blog, dest: /news }
      position: { placement: start }
  next-route:
    type: slipway:ProjectRoute
    properties:
      project: "\${web.id}"
      name: Headers
      route: { src: /a, headers: { x-a: b } }
      position: { placement: after, referenceId: "\${route.routeId}" }
  release:
    type: slipway:RollingRelease
    properties:
      project: docs
      advancementType: manual-approval
      stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }]
  record:
    type: slipway:DnsRecord
    properties:
      { domain: "\${apex.apexName}", name: _s._tcp, type: SRV, srv: { priority: 1, weight: 2, port: 3, target: a.test } }
  drain:
    type: slipway:LogDrain
    properties:
      name: audit
      endpoint: http://127.0.0.1:9/logs
      projectIds: ["\${web.id}"]
      headers: { x-key: ${canary}-h }
      secret: ${canary}-${"s".repeat(32)}
  traces:
    type: slipway:TraceDrain
    properties:
      name: traces
      endpoint: http://127.0.0.1:9/v1/traces
      samplingRules: [{ rate: 0.5, requestPath: /api }]
  events:
    type: slipway:AuditLogDrain
    properties:
      name: events
      endpoint: s3://audit-logs/acme
      s3: { roleArn: "arn:aws:iam::1:role/audit", region: eu-central-1 }
  shared:
    type: slipway:SharedEnvVar
    properties: { key: SHARED, value: "${canary}-shared", target: [preview] }
  link:
    type: slipway:SharedEnvVarLink
    properties: { sharedEnvVarId: "\${shared.id}", project: "\${web.id}" }
  ada: { type: slipway:TeamMember, properties: { email: ada@example.org, role: VIEWER } }
  group: { type: slipway:AccessGroup, properties: { name: Developers } }
  of-group:
    type: slipway:AccessGroupMember
    properties: { accessGroupId: "\${group.id}", email: ada@example.com }
  group-of-web:
    type: slipway:AccessGroupProject
    properties: { accessGroupId: "\${group.id}", project: "\${web.id}", role: ADMIN }
  shop-apps:
    type: slipway:MicrofrontendGroup
    properties: { name: Shop, defaultAppProjectId: "\${web.id}", defaultRoute: /home }
  child: { type: slipway:Project }
  child-of-shop:
    type: slipway:MicrofrontendGroupMembership
    properties: { microfrontendGroupId: "\${shop-apps.id}", project: "\${child.id}", defaultRoute: /child }
  team:
    type: slipway:TeamConfig
    properties: { description: Builds the shop, strictShareableLinks: { enabled: true } }
  ada-of-web:
    type: slipway:ProjectMember
    properties: { project: "\${web.id}", email: "\${ada.email}", role: PROJECT_DEVELOPER }
  flags:
    type: slipway:EdgeConfig
    properties: { slug: flags, schema: { type: object, required: [b, a] } }
  banner:
    type: slipway:EdgeConfigItem
    properties:
      edgeConfigId: "\${flags.edgeConfigId}"
      key: banner
      value: { list: [2, 1, null], on: true }
  token:
    type: slipway:EdgeConfigToken
    properties: { edgeConfigId: "\${flags.edgeConfigId}", label: web }
  beta-flag:
    type: slipway:FeatureFlag
    properties:
      project: "\${web.id}"
      slug: beta
      kind: json
      variants: [{ id: "off", value: { list: [2, 1, null] } }]
      production: { enabled: true, defaultVariantId: "off", disabledVariantId: "off" }
  staff:
    type: slipway:FeatureFlagSegment
    properties:
      project: "\${web.id}"
      slug: staff
      label: Staff
      include: { user: { email: [b@example.com, a@example.com] } }
  flags-key:
    type: slipway:FeatureFlagSdkKey
    properties: { project: "\${web.id}", environment: production, type: server }
  next:
    type: slipway:Alias
    properties: { alias: next-web.vercel.app, deploymentId: dpl_web }
  public:
    type: slipway:DeploymentProtectionException
    properties: { project: "\${web.id}", alias: "\${next.alias}" }
  images: { type: slipway:BlobStore, properties: { name: images, region: fra1 } }
  images-web:
    type: slipway:BlobStoreConnection
    properties: { project: "\${web.id}", blobStoreId: "\${images.id}", environments: [preview, development] }
  monitoring:
    type: slipway:IntegrationProjectAccess
    properties: { project: "\${web.id}", installationId: icfg_monitoring }
  deploy: { type: slipway:UserToken, properties: { name: deploy, expiresAt: 4102444800000 } }
  certificate: { type: slipway:CustomCertificate, properties: ${JSON.stringify(first)} }
  hook:
    type: slipway:Webhook
    properties: { url: "http://127.0.0.1:9/hook", events: [deployment.created] }
  beta:
    type: pulumi:providers:slipway
    properties: { token: ${canary}-any-team, team: beta }
    options: { aliases: [{ type: "pulumi:providers:pulumi-nodejs" }] }
  theirs: { type: slipway:Project, options: { provider: "\${beta}" } }
  their-secret:
    type: slipway:EnvVar
    properties: { project: "\${theirs.id}", key: S, value: ${canary}-t, target: [preview] }
    options: { provider: "\${beta}" }
  shop:
    type: slipway:Site
    properties:
      project: { framework: vue }
      domains: [{ name: www.shop.test, redirect: shop.test }, { name: shop.test }]
      variables: { C: ${canary}-c }
      production: { deployment: dpl_shop }
`;

const typesIn = (state: { type: string }[]): string[] => [
  ...new Set(state.map(({ type }) => type.split(":").at(-1) ?? type)),
];

/** Runs the program, of which the plan says that it changes nothing. */
async function changesNothing(): Promise<void> {
  const preview = await stack.preview({ args: ["--expect-no-changes"] });
  expect([preview.errors, preview.steps, preview.code]).toEqual([[], [], 0]);
  const up = await stack.up();
  expect([up.errors, up.steps]).toEqual([[], []]);
  const refresh = await stack.refresh({ args: ["--expect-no-changes"] });
  expect([refresh.errors, refresh.code]).toEqual([[], 0]);
}

it("moves every resource and component from the npm package to the plugin, and back", async () => {
  stack = await world.stack("moved", program);
  const manifest = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
  expect((await stack.up()).errors).toEqual([]);
  expect(typesIn(await stack.resources()).sort()).toEqual(
    [...Object.values(resources).map(({ type }) => type), "Site"].sort(),
  );

  await world.yaml("unused", "resources: {}\n");
  stack.yaml(yaml);
  await changesNothing();
  expect(
    (await stack.resources()).map(({ type }) => type).filter((type) => type.includes("dynamic")),
  ).toEqual([]);

  stack.file("Pulumi.yaml", manifest);
  await changesNothing();
  expect((await stack.destroy()).errors).toEqual([]);
  expect(await world.leaks()).toEqual([]);
}, 600_000);
