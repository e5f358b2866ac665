import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lookups } from "../../provider/lookups";
import { resources } from "../../provider/resources";
import { withoutDefault } from "./domains";
import { type Language, languages, replaceProgram } from "./languages";
import { byProfile } from "./profile";
import { canary, type Run, type Stack, Workspace } from "./pulumi";
import { isLong } from "./slices";
import { step } from "./step";

/** The steps of a program of `test/e2e/programs`, the same in each language. */

const names = ["apex", "built", "live", "many", "other", "output", "pushed", "secret", "site", "web", "www"];

/** The look-ups by id that the programs call. The others differ only in their names and members. */
const byId = ["getProjectDomain", "getEnvVar", "getEdgeConfigItem"];

/** A world with what the programs refer to. */
export async function startLanguageWorkspace(): Promise<Workspace> {
  const world = await Workspace.start({
    deployments: [
      ["dpl_one", "web"],
      ["dpl_two", "web"],
      ["dpl_docs", "docs"],
    ].map(([id, project], at) => ({
      id,
      team: "acme",
      project,
      target: "production",
      readyState: "READY",
      createdAt: at + 1,
    })),
  });
  await world.server.control("POST", "/seed", {
    teams: [{ slug: "beta", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [{ token: `${canary}-any-team`, user: "ada" }],
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/docs"] }],
  });
  const gitRepository = { type: "github", repo: "acme/docs" };
  await world.server.request("POST", "/v10/projects", { name: "docs", framework: "vue", gitRepository });
  await world.server.control("POST", "/seed", {
    domains: [{ team: "acme", project: "docs", name: "docs.test" }],
    env: [
      { team: "acme", project: "docs", key: "K", value: `${canary}-k`, type: "plain", target: ["preview"] },
    ],
  });
  await world.server.request("POST", "/v9/projects/docs/custom-environments", { slug: "staging" });
  await world.server.request("POST", "/v1/access-groups", { name: "docs" });
  const { body: child } = await world.server.request("POST", "/v10/projects", { name: "child-app" });
  await world.server.request("POST", "/v1/microfrontends/group", {
    groupName: "docs",
    defaultApp: { projectId: (await world.server.request("GET", "/v9/projects/docs")).body.id },
    otherApplications: [{ projectId: child.id }],
  });
  await world.server.request("POST", "/v1/storage/stores/blob", { name: "docs" });
  await world.server.request("POST", "/v1/edge-config", { slug: "docs", items: { K: { on: true } } });
  return world;
}

const done = ({ steps }: Run): unknown[] =>
  steps.filter(({ op }) => op !== "refresh").map(({ op, name, detailed }) => [op, name, detailed]);

/** Creates, changes, repairs, imports and destroys a program's stack. */
export async function runSteps(language: Language, world: Workspace, stack: Stack): Promise<void> {
  const get = async (path: string) => (await world.server.request("GET", path)).body;
  const projects = async (): Promise<string[]> =>
    (await get("/v9/projects")).projects.map(({ name }: { name: string }) => name);
  const before = await projects();
  const inBeta = async (): Promise<{ name: string }[]> => {
    const answer = await fetch(`${world.server.url}/v9/projects?slug=beta`, {
      headers: { authorization: `Bearer ${canary}-any-team` },
    });
    return ((await answer.json()) as { projects: { name: string }[] }).projects;
  };

  await step("up creates it in two accounts, and a second up changes nothing", async () => {
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(run.steps.map(({ op, name }) => `${op} ${name}`).sort()).toEqual(
      names.map((name) => `create ${name}`),
    );
    expect((await get("/v9/projects/web")).targets.production.id).toBe("dpl_one");
    expect((await inBeta()).map(({ name }) => name)).toEqual(["other"]);
    const outputs = await stack.outputs();
    expect(outputs).toMatchObject({ found: "vue", challenge: byProfile([{ type: "TXT" }], []) });
    // YAML and HCL have one form of each look-up, the other languages have two.
    const answers = Object.values<unknown>(outputs.lookups).map((answer) => JSON.stringify(answer));
    const called = [...Object.keys(lookups), ...byId];
    expect(answers).toHaveLength(called.length * (/yaml|hcl/.test(language) ? 1 : 2));
    expect(answers.filter((answer) => !/acme|docs|staging|"K\\*"|aliases/i.test(answer))).toEqual([]);
    if (isLong) expect((await stack.up()).steps).toEqual([]);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  });

  await step("an update names each property that it changes", async () => {
    stack.configure({ framework: "astro", deployment: "dpl_two" });
    const run = await stack.up();
    expect(run.errors).toEqual([]);
    expect(done(run)).toHaveLength(2);
    expect(done(run)).toEqual(
      expect.arrayContaining([
        ["update", "web", { framework: "update" }],
        ["update", "live", { deployment: "update" }],
      ]),
    );
  });

  await step("up --refresh reverts drift and replaces what cannot change", async () => {
    const answer = await world.server.request("PATCH", "/v9/projects/web", { framework: "vue" });
    expect(answer.status).toBe(200);
    stack.configure({ framework: "astro", deployment: "dpl_two", redirecting: "new.example.com" });
    const run = await stack.up({ args: ["--refresh"] });
    expect(run.errors).toEqual([]);
    expect(done(run)).toContainEqual(["update", "web", { framework: "update" }]);
    expect(done(run)).toContainEqual(["replace", "www", { name: "update-replace" }]);
    const { domains } = await get("/v9/projects/web/domains");
    expect(
      withoutDefault(domains)
        .map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(["example.com", "new.example.com"]);
  });

  for (const by of isLong ? ["id", "name"] : ["name"])
    await step(`pulumi import takes each type by ${by}, with a program that changes nothing`, async () => {
      const { server } = world;
      const { projectId } = await stack.outputs();
      const [environment] = (await get("/v9/projects/web/custom-environments")).environments;
      const staging =
        environment ??
        (await server.request("POST", "/v9/projects/web/custom-environments", { slug: "staging" })).body;
      const [found] = await get("/v1/webhooks");
      const events = ["deployment.created"];
      const webhook =
        found ??
        (await server.request("POST", "/v1/webhooks", { url: "http://127.0.0.1:9/hook", events })).body;
      const drains: { id: string; schemas: object }[] = (await get("/v1/drains")).drains;
      const drainOf = async (schema: string, delivery: object): Promise<string> => {
        const schemas = { [schema]: { version: "v1" } };
        const body = { name: "audit", projects: "all", schemas, delivery: { ...delivery, headers: {} } };
        const drain = drains.find((one) => schema in one.schemas);
        return (drain ?? (await server.request("POST", "/v1/drains", body)).body).id;
      };
      const receiver = "http://127.0.0.1:9/logs";
      const delivery = { type: "http", endpoint: receiver, encoding: "ndjson" };
      const otlp = { type: "otlphttp", endpoint: { traces: receiver }, encoding: "proto" };
      const record = { name: `record-${by}`, type: "MX", value: "mail.test", mxPriority: 10 };
      const { uid } = (await server.request("POST", "/v2/domains/example.com/records", record)).body;
      const evs = [{ key: `SHARED_${by}`, value: "v" }];
      const shared = { evs, type: "encrypted", target: ["production"], projectId: [projectId] };
      const sharedId = (await server.request("POST", "/v1/env", shared)).body.created[0].id;
      const [flags] = await get("/v1/edge-config");
      const made = await server.request("POST", `/v1/edge-config/${flags.id}/token`, { label: by });
      const userToken = await server.request("POST", "/v3/user/tokens", { name: `token-${by}` });
      const [member] = (await get("/v3/teams/acme/members")).members;
      const { id: teamId } = await get("/v2/teams/acme");
      const group = (
        await server.request("POST", "/v1/access-groups", {
          name: `group-${by}`,
          membersToAdd: [member.uid],
          projects: [{ projectId, role: "ADMIN" }],
        })
      ).body;
      const [{ group: apps, projects: members }] = (await get("/v1/microfrontends/groups")).groups;
      const [child] = members.filter(({ name }: { name: string }) => name === "child-app");
      const groupKey = by === "id" ? group.accessGroupId : group.name;
      await server.request("POST", `/v1/projects/${projectId}/members`, { uid: member.uid, role: "ADMIN" });
      const bypasses = `/v1/security/firewall/bypass?projectId=${projectId}`;
      await server.request("PATCH", `/v1/projects/${projectId}/rolling-release/config`, {
        enabled: true,
        advancementType: "manual-approval",
        stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }],
      });
      const flagsOf = `/v1/projects/${projectId}/feature-flags`;
      const put = async (list: string, body: object) =>
        (await server.request("PUT", `${flagsOf}/${list}`, body)).body;
      const flag = await put("flags", { slug: `flag-${by}`, kind: "boolean", environments: {} });
      const segment = await put("segments", { slug: `segment-${by}`, label: by, hint: "", data: {} });
      const sdkKey = await put("sdk-keys", { sdkKeyType: "server", environment: "production" });
      const sourceIp = by === "id" ? "192.0.2.0/24" : "192.0.2.1";
      await server.request("POST", bypasses, { projectScope: true, sourceIp });
      const domain = (await get("/v9/projects/web/domains/example.com")) as {
        verification?: { domain: string; value: string }[];
      };
      for (const { domain: name, value } of domain.verification ?? []) {
        await server.control("PUT", `/dns/${name}`, { type: "TXT", values: [value] });
        await server.request("POST", "/v9/projects/web/domains/example.com/verify");
      }
      const { envs } = await get("/v9/projects/web/env");
      const plain = envs.find(({ key }: { key: string }) => key === "B");
      const project = by === "id" ? projectId : "web";
      const ids = {
        Project: project,
        ProjectDomain: `${project}/example.com`,
        Domain: "example.com",
        DomainVerification: `${project}/example.com`,
        EnvVar: `${project}/${by === "id" ? plain.id : "B/production"}`,
        EnvVars: `${project}/A`,
        Deployment: "dpl_two",
        Promotion: project,
        CustomEnvironment: `${project}/${by === "id" ? staging.id : "staging"}`,
        AttackChallengeMode: project,
        RollingRelease: project,
        FirewallBypass: `${project}/*/${sourceIp}`,
        DnsRecord: `example.com/${uid}`,
        SharedEnvVar: by === "id" ? sharedId : `SHARED_${by}/production`,
        SharedEnvVarLink: `${project}/${sharedId}`,
        ProjectMember: `${project}/${by === "id" ? member.uid : member.email}`,
        TeamMember: by === "id" ? member.uid : member.email,
        AccessGroup: groupKey,
        AccessGroupMember: `${groupKey}/${by === "id" ? member.uid : member.email}`,
        AccessGroupProject: `${project}/${groupKey}`,
        MicrofrontendGroup: by === "id" ? apps.id : apps.name,
        MicrofrontendGroupMembership: `${by === "id" ? child.id : child.name}/${apps.id}`,
        TeamConfig: by === "id" ? teamId : "acme",
        FeatureFlag: `${project}/${by === "id" ? flag.id : flag.slug}`,
        FeatureFlagSegment: `${project}/${by === "id" ? segment.id : segment.slug}`,
        FeatureFlagSdkKey: `${project}/${sdkKey.hashKey}`,
        EdgeConfig: by === "id" ? flags.id : flags.slug,
        EdgeConfigItem: `${by === "id" ? flags.id : flags.slug}/K`,
        EdgeConfigToken: `${by === "id" ? flags.id : flags.slug}/${made.body.id}`,
        UserToken: userToken.body.token.id,
        Webhook: webhook.id,
        LogDrain: await drainOf("log", delivery),
        TraceDrain: await drainOf("trace", otlp),
        AuditLogDrain: await drainOf("audit_log", delivery),
        ...(await routedObjects(world, projectId, project, by)),
        ...(await storedObjects(world, projectId, project, by)),
      };
      // The service returns neither the texts of a certificate nor its key.
      const types = Object.values(resources).map(({ type }) => type);
      expect(types.filter((type) => !(type in ids))).toEqual(["CustomCertificate"]);
      const imports = Object.entries(ids).map(([type, id]) => ({
        type: `slipway:index:${type}`,
        name: type.toLowerCase(),
        id,
      }));
      stack.file("import.json", JSON.stringify({ resources: imports }));
      const { main } = languages[language];
      const program = readFileSync(join(stack.folder, main), "utf8");
      expect((await stack.cli(["stack", "init", by])).code).toBe(0);
      // Its output has the values of variables in clear.
      const args = ["--file", "import.json", "--out", "generated", "--protect=false", "--yes"];
      const imported = await stack.cli(["import", ...args], {}, false);
      expect([imported.code, imported.output]).toEqual([0, expect.any(String)]);
      replaceProgram(stack, language, readFileSync(join(stack.folder, "generated"), "utf8"));
      const preview = await stack.preview({ args: ["--expect-no-changes"] });
      // With what a compiler says, which is no error of Pulumi's.
      expect([preview.errors, preview.steps, preview.code === 0 ? "" : preview.output]).toEqual([[], [], ""]);
      stack.file(main, program);
      expect((await stack.cli(["stack", "select", "test"])).code).toBe(0);
    });

  await step("destroy leaves nothing", async () => {
    const run = await stack.destroy();
    expect(run.errors).toEqual([]);
    expect(await projects()).toEqual(before);
    expect(await inBeta()).toEqual([]);
  });
}

/** Makes the redirects, routes and exceptions of a project. @returns the ids under which they are imported */
async function routedObjects(
  { server }: Workspace,
  projectId: string,
  project: string,
  by: string,
): Promise<Record<string, string>> {
  const send = async (...request: Parameters<typeof server.request>) =>
    (await server.request(...request)).body;
  const redirects = "/v1/bulk-redirects";
  const redirect = { source: `/${by}`, destination: "/new", statusCode: 307 };
  const { version: draft } = await send("PUT", redirects, {
    ...{ projectId, overwrite: true },
    redirects: [redirect],
  });
  await send("POST", `${redirects}/versions?projectId=${projectId}`, { id: draft.id, action: "promote" });
  const routes = `/v1/projects/${projectId}/routes`;
  const name = `route-${by}`;
  const added = await send("POST", routes, { route: { name, route: { src: `/${by}`, dest: "/new" } } });
  await send("POST", `${routes}/versions`, { id: added.version.id, action: "promote" });
  const route = (await send("GET", routes)).routes.find((one: { name: string }) => one.name === name);
  const alias = `${by}-alias-web.vercel.app`;
  await send("POST", "/v2/deployments/dpl_one/aliases", { alias });
  const override = { scope: "alias-protection-override", action: "create" };
  await send("PATCH", `/v3/aliases/${alias}/protection-bypass`, { override });
  await send("PUT", `/v1/security/firewall/config?projectId=${projectId}`, {
    firewallEnabled: true,
    ips: [{ hostname: "*", ip: "192.0.2.1", action: "deny" }],
  });
  return {
    BulkRedirects: project,
    ProjectRoute: `${project}/${route.id}`,
    Alias: alias,
    DeploymentProtectionException: `${project}/${alias}`,
    FirewallConfig: project,
  };
}

/** Makes a Blob store with a connection, and lets an installation into a project. @returns the ids as above */
async function storedObjects(
  { server }: Workspace,
  projectId: string,
  project: string,
  by: string,
): Promise<Record<string, string>> {
  const { store } = (await server.request("POST", "/v1/storage/stores/blob", { name: `store-${by}` })).body;
  await server.request("POST", `/v1/storage/stores/${store.id}/connections`, {
    ...{ projectId, envVarPrefix: by.toUpperCase() },
  });
  const installationId = `icfg_${by}`;
  await server.control("POST", "/seed", {
    integrations: [
      {
        ...{ slug: by, owner: "ada", clientSecret: `${canary}-client`, scopes: [] },
        redirectUrl: "http://127.0.0.1:9/",
      },
    ],
    installations: [{ team: "acme", id: installationId, integration: by, projects: ["web"] }],
  });
  const named = by === "id" ? store.id : store.name;
  return {
    BlobStore: named,
    BlobStoreConnection: `${project}/${named}`,
    IntegrationProjectAccess: `${project}/${installationId}`,
  };
}
