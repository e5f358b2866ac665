import { type RunningServer, startServer } from "../../server";
import { takeStore } from "./contract";

/**
 * The requests that the Terraform provider sends for each of its resources that this server has, with its versions, its explicit
 * nulls and its spellings, and the members of the answers that it reads.
 */
let server: RunningServer;
let release: () => Promise<void>;
let teamId: string;

beforeAll(async () => {
  const { release: releaseStore, ...store } = await takeStore();
  release = releaseStore;
  server = await startServer({ ...store });
  teamId = (await send("GET", "/v2/teams/acme")).body.id;
});
afterAll(async () => {
  await server?.close();
  await release?.();
});

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what the answer is
  body: any;
}

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const team = teamId === undefined ? "" : `${path.includes("?") ? "&" : "?"}teamId=${teamId}`;
  const response = await fetch(`${server.url}${path}${team}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

async function succeed(method: string, path: string, body?: unknown): Promise<Answer["body"]> {
  const answer = await send(method, path, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const commands = {
  buildCommand: null,
  devCommand: null,
  framework: null,
  installCommand: null,
  outputDirectory: null,
  publicSource: null,
  rootDirectory: null,
};

const createProject = (name: string, more: object = {}) =>
  succeed("POST", "/v8/projects", {
    ...commands,
    name,
    oidcTokenConfig: { issuerMode: "team" },
    resourceConfig: { fluid: true, functionDefaultRegions: ["fra1"] },
    ...more,
  });

it("vercel_project: creates, updates with explicit nulls, reads, lists and deletes", async () => {
  const made = await createProject("tf-project", {
    enablePreviewFeedback: true,
    environmentVariables: [
      {
        key: "KEY",
        value: "v",
        target: ["production"],
        customEnvironmentIds: null,
        type: "encrypted",
        comment: "",
        decrypted: null,
      },
    ],
  });
  expect(made).toMatchObject({
    name: "tf-project",
    serverlessFunctionRegion: "fra1",
    oidcTokenConfig: { enabled: true, issuerMode: "team" },
    resourceConfig: { fluid: true },
    nodeVersion: expect.any(String),
    autoAssignCustomDomains: true,
  });
  const path = `/v9/projects/${made.id}`;
  const updated = await succeed("PATCH", path, {
    ...commands,
    commandForIgnoringBuildStep: null,
    name: "tf-renamed",
    ssoProtection: { deploymentType: "preview" },
    passwordProtection: null,
    trustedIps: null,
    trustedSources: null,
    oidcTokenConfig: { enabled: true, issuerMode: "global" },
    optionsAllowlist: null,
    autoExposeSystemEnvs: true,
    enablePreviewFeedback: null,
    enableProductionFeedback: null,
    previewDeploymentsDisabled: true,
    previewDeploymentSuffix: null,
    autoAssignCustomDomains: true,
    gitLFS: false,
    serverlessFunctionZeroConfigFailover: false,
    customerSupportCodeVisibility: false,
    gitForkProtection: true,
    productionDeploymentsFastLane: true,
    directoryListing: false,
    skewProtectionMaxAge: 0,
    gitComments: null,
    gitProviderOptions: { createDeployments: "disabled" },
    resourceConfig: { buildMachineType: "turbo", elasticConcurrencyEnabled: true },
    nodeVersion: "22.x",
  });
  expect(updated).toMatchObject({
    name: "tf-renamed",
    ssoProtection: { deploymentType: "preview" },
    previewDeploymentsDisabled: true,
    productionDeploymentsFastLane: true,
    gitProviderOptions: { createDeployments: "disabled" },
    resourceConfig: { fluid: true, buildMachineType: "turbo", elasticConcurrencyEnabled: true },
  });
  expect(await succeed("GET", `/v10/projects/${made.id}`)).toEqual(updated);
  const { projects } = await succeed("GET", "/v8/projects?limit=100");
  expect(projects.map(({ id }: { id: string }) => id)).toContain(made.id);
  await succeed("DELETE", `/v9/projects/${made.id}/link`);
  await succeed("DELETE", `/v8/projects/${made.id}`);
  expect((await send("GET", `/v10/projects/${made.id}`)).status).toBe(404);
});

it("vercel_project: links a repository and moves its production branch", async () => {
  const { id } = await createProject("tf-linked", { gitRepository: { type: "github", repo: "acme/web" } });
  const moved = await succeed("PATCH", `/v9/projects/${id}/branch`, { branch: "trunk" });
  expect(moved.link).toMatchObject({ type: "github", org: "acme", repo: "web", productionBranch: "trunk" });
  expect(await succeed("DELETE", `/v9/projects/${id}/link`)).not.toHaveProperty("link");
  const linked = await succeed("POST", `/v9/projects/${id}/link`, { type: "gitlab", repo: "acme/tools" });
  expect(linked.link).toMatchObject({ type: "gitlab", projectId: expect.stringMatching(/^\d+$/) });
});

it("vercel_project_domain: a free name of the service's zone, a redirect to it, and its removal", async () => {
  const { id } = await createProject("tf-domains");
  const target = await succeed("POST", `/v10/projects/${id}/domains`, { name: "tf-acc-1.vercel.app" });
  expect(target).toMatchObject({ verified: true, projectId: id, gitBranch: null, redirect: null });
  await succeed("POST", `/v10/projects/${id}/domains`, {
    name: "tf-acc-2.vercel.app",
    redirect: "tf-acc-1.vercel.app",
    redirectStatusCode: 307,
  });
  const path = `/v8/projects/${id}/domains/tf-acc-2.vercel.app`;
  const changed = await succeed("PATCH", path, { gitBranch: null, redirect: null, redirectStatusCode: null });
  expect(changed).toMatchObject({ redirect: null, redirectStatusCode: null });
  expect(await succeed("GET", path)).toMatchObject({ name: "tf-acc-2.vercel.app" });
  await succeed("DELETE", path);
  expect((await send("GET", path)).status).toBe(404);
});

it("vercel_project_environment_variable(s): one and several, for custom environments alone too", async () => {
  const { id } = await createProject("tf-env");
  const env = await succeed("POST", `/v1/projects/${id}/custom-environments`, {
    slug: "staging",
    description: "",
  });
  const one = { key: "ONE", value: "1", target: ["production"], type: "encrypted", comment: "" };
  const { created } = await succeed("POST", `/v10/projects/${id}/env`, one);
  expect(created).toMatchObject({ id: expect.any(String), key: "ONE", target: ["production"] });
  const custom = {
    key: "TWO",
    value: "2",
    target: [],
    customEnvironmentIds: [env.id],
    type: "sensitive",
    comment: "",
  };
  const several = await succeed("POST", `/v10/projects/${id}/env`, [custom, { ...one, key: "THREE" }]);
  expect(several).toMatchObject({ created: [{ key: "TWO" }, { key: "THREE" }], failed: [] });
  const edit = { value: "one", target: ["preview"], type: "plain", comment: "why" };
  await succeed("PATCH", `/v10/projects/${id}/env/${created.id}`, edit);
  expect(await succeed("GET", `/v10/projects/${id}/env/${created.id}`)).toMatchObject({
    ...edit,
    key: "ONE",
  });
  const { envs } = await succeed("GET", `/v8/projects/${id}/env?decrypt=true`);
  expect(envs).toHaveLength(3);
  const conflict = await send("POST", `/v10/projects/${id}/env`, { ...one, target: ["preview"] });
  expect(conflict.body.error).toMatchObject({ code: "ENV_CONFLICT", envVarKey: "ONE", target: ["preview"] });
  await succeed("DELETE", `/v8/projects/${id}/env/${created.id}`);
});

it("vercel_shared_environment_variable and its project link: create, conflict, link, change, list and delete", async () => {
  const [first, second] = [await createProject("tf-shared-a"), await createProject("tf-shared-b")];
  const body = {
    type: "encrypted",
    projectId: [first.id],
    target: ["production", "preview"],
    applyToAllCustomEnvironments: false,
    evs: [{ key: "TF_SHARED", value: "one", comment: "" }],
  };
  const {
    created: [variable],
  } = await succeed("POST", "/v1/env", body);
  const settings = { type: "encrypted", target: body.target, applyToAllCustomEnvironments: false };
  expect(variable).toMatchObject({ ...settings, key: "TF_SHARED", ownerId: teamId, projectId: [first.id] });
  const conflict = { status: 409, body: { error: { code: "existing_key_and_target" } } };
  expect(await send("POST", "/v1/env", { ...body, target: ["preview"] })).toMatchObject(conflict);
  const all = (await succeed("GET", "/v1/env/all?limit=100")).data;
  expect(all).toMatchObject([{ id: variable.id, key: "TF_SHARED", target: body.target }]);

  const change = (update: object) => succeed("PATCH", "/v1/env", { updates: { [variable.id]: update } });
  await change({ projectIdUpdates: { link: [second.id] } });
  expect((await succeed("GET", `/v1/env/${variable.id}`)).projectId.sort()).toEqual(
    [first.id, second.id].sort(),
  );
  await change({ projectIdUpdates: { unlink: [first.id] } });
  const { updated } = await change({
    value: "two",
    type: "encrypted",
    projectId: [first.id],
    projectIdUpdates: {},
    target: ["production"],
  });
  expect(updated).toMatchObject([{ id: variable.id, projectId: [first.id], target: ["production"] }]);
  expect(await succeed("GET", `/v1/env/${variable.id}`)).toMatchObject({ value: "two" });
  await succeed("DELETE", "/v1/env", { ids: [variable.id] });
  expect((await send("GET", `/v1/env/${variable.id}`)).status).toBe(404);
  expect((await send("DELETE", "/v1/env", { ids: [variable.id] })).status).toBe(404);
});

it("vercel_dns_record: creates, reads, changes with explicit nulls, lists and deletes each type", async () => {
  const { id: project } = await createProject("tf-dns");
  await succeed("POST", `/v10/projects/${project}/domains`, { name: "www.tf-dns.dev" });
  const records = "/v4/domains/tf-dns.dev/records";
  const types: [type: string, members: object, change: object, before: string, after: string][] = [
    ["A", { value: "127.0.0.1" }, { value: "192.168.0.1" }, "127.0.0.1", "192.168.0.1"],
    ["AAAA", { value: "::1" }, { value: "::0" }, "::1", "::0"],
    ["ALIAS", { value: "example.com." }, { value: "example2.com" }, "example.com.", "example2.com."],
    [
      "CAA",
      { value: '0 issue "a.example"' },
      { value: '1 issue "b.example"' },
      '0 issue "a.example"',
      '1 issue "b.example"',
    ],
    ["CNAME", { value: "example.com" }, { value: "example2.com." }, "example.com.", "example2.com."],
    [
      "MX",
      { value: "example.com.", mxPriority: 123 },
      { mxPriority: 333, value: "example2.com." },
      "123 example.com.",
      "333 example2.com.",
    ],
    ["NS", { value: "example.com." }, { value: "example2.com." }, "example.com.", "example2.com."],
    [
      "SRV",
      { srv: { port: 5000, priority: 27, target: "example.com.", weight: 120 } },
      { srv: { port: 6000, priority: 127, target: "example2.com.", weight: 60 } },
      "27 120 5000 example.com.",
      "127 60 6000 example2.com.",
    ],
    ["TXT", { value: "terraform testing" }, { value: "two" }, "terraform testing", "two"],
  ];
  for (const [type, members, change, before, after] of types) {
    const name = `tf-${type.toLowerCase()}`;
    const { uid } = await succeed("POST", records, { name, type, ttl: 120, comment: "c", ...members });
    const path = `/domains/records/${uid}`;
    const shown = { id: uid, domain: "tf-dns.dev", name, recordType: type, comment: "c", ttl: 120 };
    expect(await succeed("GET", path)).toMatchObject({ ...shown, value: before });
    const body = { name: `${name}-2`, ttl: 60, comment: "", ...change };
    const changed = await succeed("PATCH", `/v4${path}`, body);
    expect(changed).toMatchObject({ name: `${name}-2`, recordType: type, ttl: 60, value: after });
    const listed = (await succeed("GET", `${records}?limit=100`)).records as { creator: string }[];
    expect(listed.filter(({ creator }) => creator !== "system")).toHaveLength(1);
    await succeed("DELETE", `/v2/domains/tf-dns.dev/records/${changed.id}`);
    expect((await send("GET", path)).status).toBe(404);
  }
});

it("vercel_attack_challenge_mode: is set with an explicit null, and read from the project", async () => {
  const { id: projectId } = await createProject("tf-attack");
  const set = (attackModeEnabled: boolean) =>
    succeed("POST", "/security/attack-mode", {
      projectId,
      attackModeEnabled,
      attackModeActiveUntil: null,
    });
  for (const enabled of [true, false]) {
    expect(await set(enabled)).toMatchObject({ attackModeEnabled: enabled });
    const { security } = await succeed("GET", `/v10/projects/${projectId}`);
    expect(security).toMatchObject({ attackModeEnabled: enabled, attackModeActiveUntil: null });
  }
});

it("vercel_team_member: invites, reads by id, changes the role and removes", async () => {
  const path = `/teams/${teamId}/members`;
  const { uid } = await succeed("POST", `/v1${path}`, { email: "tf@example.net", role: "MEMBER" });
  const found = async () =>
    (await succeed("GET", `/v2${path}?limit=1&filterByUserIds=${uid}`)).members as unknown[];
  expect(await found()).toEqual([
    expect.objectContaining({ uid, email: "tf@example.net", role: "MEMBER", confirmed: false }),
  ]);
  await succeed("PATCH", `/v1${path}/${uid}`, { role: "VIEWER" });
  expect(await found()).toEqual([expect.objectContaining({ uid, role: "VIEWER" })]);
  await succeed("DELETE", `/v2${path}/${uid}`);
  expect(await found()).toEqual([]);
});

it("vercel_team_member: invites a contributor to projects, and sends all of the projects with a change", async () => {
  const { id: projectId } = await createProject("tf-contributor");
  const path = `/teams/${teamId}/members`;
  const grant = (role: string) => ({ role: "CONTRIBUTOR", projects: [{ projectId, role }] });
  const invited = { email: "tfc@example.net", ...grant("PROJECT_VIEWER") };
  const { uid } = await succeed("POST", `/v1${path}`, invited);
  const roles = async () =>
    (await succeed("GET", `/v1/projects/${projectId}/members`)).members.map(
      ({ role }: { role: string }) => role,
    );
  expect(await roles()).toEqual(["PROJECT_VIEWER"]);
  await succeed("PATCH", `/v1${path}/${uid}`, grant("ADMIN"));
  expect(await roles()).toEqual(["ADMIN"]);
  await succeed("DELETE", `/v2${path}/${uid}`);
});

it("vercel_deployment: deploys files of a working copy, and reads its variables, source and commit later", async () => {
  const { id } = await createProject("tf-deployment", {
    gitRepository: { type: "github", repo: "acme/web" },
  });
  const env = { FOO: "baz", BAR: "qux" };
  const made = await succeed("POST", "/v12/now/deployments?skipAutoDetectionConfirmation=1", {
    name: id,
    project: id,
    files: [{ file: "index.html", data: "<h1>hi</h1>" }],
    env,
    build: { env },
    meta: { build: "123" },
    gitMetadata: { commitRef: "main", commitSha: "e4f5a6b", commitMessage: "Add a page" },
    projectSettings: {},
  });
  const read = await succeed("GET", `/v13/deployments/${made.id}`);
  expect(read).toMatchObject({
    build: { env: ["FOO", "BAR"] },
    meta: { build: "123", githubCommitSha: "e4f5a6b", githubCommitMessage: "Add a page" },
  });
  expect(read).not.toHaveProperty("gitSource");
});

it("vercel_project_members: adds, changes and removes members in batches", async () => {
  const { id } = await createProject("tf-members");
  const path = `/v1/projects/${id}/members`;
  const { uid } = await succeed("POST", `/v1/teams/${teamId}/members`, { email: "tfp@example.net" });
  const found = async () => (await succeed("GET", `${path}?limit=100`)).members as unknown[];
  await succeed("POST", `${path}/batch`, { members: [{ email: "tfp@example.net", role: "ADMIN" }] });
  expect(await found()).toEqual([expect.objectContaining({ uid, email: "tfp@example.net", role: "ADMIN" })]);
  await succeed("PATCH", path, { members: [{ uid, role: "PROJECT_VIEWER" }] });
  expect(await found()).toEqual([expect.objectContaining({ uid, role: "PROJECT_VIEWER" })]);
  await succeed("DELETE", `${path}/batch`, { members: [uid] });
  expect(await found()).toEqual([]);
  await succeed("DELETE", `/v1/teams/${teamId}/members/${uid}`);
});

it("vercel_access_group with projects and members: creates, changes, reads and deletes", async () => {
  const path = "/v1/access-groups";
  const { id: projectId } = await createProject("tf-access-groups");
  const uid = (await succeed("GET", "/v2/user")).user.id;
  const { accessGroupId: id } = await succeed("POST", path, { name: "tf-group" });
  expect(await succeed("POST", `${path}/${id}`, { name: "tf-group-updated" })).toMatchObject({
    accessGroupId: id,
    name: "tf-group-updated",
  });

  const added = await succeed("POST", `${path}/${id}/projects`, { role: "PROJECT_DEVELOPER", projectId });
  expect(added).toMatchObject({ teamId, accessGroupId: id, projectId, role: "PROJECT_DEVELOPER" });
  await succeed("PATCH", `${path}/${id}/projects/${projectId}`, { role: "PROJECT_VIEWER" });
  expect(await succeed("GET", `${path}/${id}/projects/${projectId}`)).toMatchObject({
    role: "PROJECT_VIEWER",
  });
  await succeed("DELETE", `${path}/${id}/projects/${projectId}`);
  expect((await send("GET", `${path}/${id}/projects/${projectId}`)).body.error.code).toBe("not_found");

  await succeed("POST", `${path}/${id}`, { membersToAdd: [uid] });
  const found = async () => (await succeed("GET", `${path}/${id}/members?limit=100`)) as object;
  expect(await found()).toMatchObject({ members: [{ uid }], pagination: { next: null } });
  await succeed("POST", `${path}/${id}`, { membersToRemove: [uid] });
  expect(await found()).toMatchObject({ members: [] });

  await succeed("DELETE", `${path}/${id}`);
  expect((await send("GET", `${path}/${id}`)).body.error.code).toBe("not_found");
});

it("vercel_microfrontend_group with memberships: creates, reads, renames and deletes", async () => {
  const [app, child] = [await createProject("tf-shell"), await createProject("tf-child")];
  const base = `/teams/${teamId}/microfrontends`;
  const { newMicrofrontendsGroup: group } = await succeed("PATCH", base, {
    newMicrofrontendsGroupName: "tf-group",
  });
  expect(group).toMatchObject({ id: expect.stringMatching(/^mfe_/), name: "tf-group", slug: "tf-group" });
  const join = (projectId: string, more: object) =>
    succeed("PATCH", `/projects/${projectId}/microfrontends`, {
      ...{ microfrontendsGroupId: group.id, projectId, enabled: true, team_id: "" },
      ...more,
    });
  expect(await join(app.id, { isDefaultApp: true })).toMatchObject({
    microfrontends: { enabled: true, isDefaultApp: true, groupIds: [group.id] },
  });
  await join(child.id, { routeObservabilityToThisProject: true });
  const { groups } = await succeed("GET", "/v1/microfrontends/groups");
  expect(groups[0].group).toMatchObject({ id: group.id });
  expect(groups[0].projects).toMatchObject([
    { id: child.id, microfrontends: { routeObservabilityToThisProject: true } },
    { id: app.id, microfrontends: { isDefaultApp: true } },
  ]);
  expect(await succeed("PATCH", `${base}/${group.id}`, { name: "tf-renamed" })).toMatchObject({
    updatedMicrofrontendsGroup: { id: group.id, name: "tf-renamed", slug: "tf-renamed" },
  });
  for (const { id: projectId } of [child, app])
    await succeed("PATCH", `/projects/${projectId}/microfrontends`, { projectId, enabled: false });
  expect(await succeed("DELETE", `${base}/${group.id}`)).toEqual({});
  expect((await succeed("GET", "/v1/microfrontends/groups")).groups).toEqual([]);
});

it("vercel_user_token: creates, reads and deletes", async () => {
  const path = "/v5/user/tokens";
  const { token, bearerToken } = await succeed("POST", "/v3/user/tokens", { name: "tf-token" });
  expect(token).toMatchObject({ teamId, name: "tf-token", type: "token", origin: "manual", prefix: "vcp_" });
  expect(bearerToken.endsWith(token.suffix)).toBe(true);
  expect(await succeed("GET", `${path}/${token.id}`)).toEqual({ token });
  await succeed("DELETE", `/v3/user/tokens/${token.id}`);
  expect((await send("GET", `${path}/${token.id}`)).body.error.code).toBe("not_found");
});

it("vercel_firewall_bypass: creates, reads and deletes rules of a domain and of a project", async () => {
  const { id: projectId } = await createProject("tf-firewall");
  await succeed("POST", `/v10/projects/${projectId}/domains`, { name: "tf-firewall.dev" });
  const path = `/v1/security/firewall/bypass?projectId=${projectId}`;
  const rules: [domain: string, sent: object, found: string, id: string][] = [
    ["tf-firewall.dev", { domain: "tf-firewall.dev" }, "domain=tf-firewall.dev", "#tf-firewall.dev"],
    ["*", { projectScope: true }, "projectScope=true", ""],
  ];
  for (const [domain, sent, found, id] of rules) {
    const { result } = await succeed("POST", path, { ...sent, sourceIp: "2.3.4.0/24", note: "why" });
    const shown = { Id: `${projectId}${id}#2.3.4.0/24`, IsProjectRule: domain === "*", Note: "why" };
    expect(result).toMatchObject([shown]);
    const query = `${path}&sourceIp=2.3.4.0/24&${found}`;
    expect((await succeed("GET", query)).result).toMatchObject([{ ...shown, OwnerId: expect.any(String) }]);
    await succeed("DELETE", path, { domain, sourceIp: "2.3.4.0/24" });
    expect((await succeed("GET", query)).result).toEqual([]);
    expect((await send("DELETE", path, { domain, sourceIp: "2.3.4.0/24" })).status).toBe(404);
  }
});

it("vercel_blob_store, vercel_blob_project_connection: create, read, change and delete", async () => {
  const { id: projectId } = await succeed("POST", "/v10/projects", { name: "tf-blob" });
  const body = { name: "tf-images", access: "public", region: "iad1" };
  const { store } = await succeed("POST", "/v1/storage/stores/blob", body);
  expect(await succeed("GET", `/v1/storage/stores/${store.id}`)).toMatchObject({
    store: { ...body, count: 0 },
  });
  expect((await succeed("GET", "/v1/storage/stores")).stores).toEqual([
    expect.objectContaining({ id: store.id, type: "blob", ownerId: store.ownerId }),
  ]);
  const path = `/v1/storage/stores/${store.id}/connections`;
  const settings = { envVarEnvironments: ["preview", "production"], envVarPrefix: "BLOB" };
  await succeed("POST", path, { ...settings, projectId });
  // The provider finds the new connection in the list.
  const [{ id }] = (await succeed("GET", path)).connections;
  const changed = { envVarEnvironments: ["development"], envVarPrefix: "ASSETS" };
  expect(await succeed("PATCH", `${path}/${id}`, changed)).toMatchObject({ id, projectId, ...changed });
  expect(await succeed("GET", `/v1/storage/stores/${store.id}/secrets`)).toEqual({
    rwToken: expect.any(String),
  });
  await succeed("DELETE", `${path}/${id}`);
  expect((await succeed("GET", path)).connections).toEqual([]);
  await succeed("DELETE", `/v1/storage/stores/blob/${store.id}`);
  expect((await send("GET", `/v1/storage/stores/${store.id}`)).status).toBe(404);
});

it("vercel_edge_config: creates, reads, renames and deletes, with items, a schema and tokens", async () => {
  const { id, ownerId } = await succeed("POST", "/v1/edge-config", { slug: "tf-flags" });
  const path = `/v1/edge-config/${id}`;
  expect(await succeed("PUT", path, { slug: "tf_flags" })).toMatchObject({ id, slug: "tf_flags", ownerId });
  expect(await succeed("GET", "/v1/edge-config")).toEqual([
    expect.objectContaining({ id, slug: "tf_flags" }),
  ]);
  const items = (operation: string, value: unknown) => ({ items: [{ operation, key: "k", value }] });
  await succeed("PATCH", `${path}/items`, items("upsert", { a: [1] }));
  expect(await succeed("GET", `${path}/item/k`)).toMatchObject({ edgeConfigId: id, value: { a: [1] } });
  await succeed("PATCH", `${path}/items`, items("delete", ""));
  expect((await send("GET", `${path}/item/k`)).status).toBe(404);
  await succeed("POST", `${path}/schema`, { definition: { title: "Greeting" } });
  expect(await succeed("GET", `${path}/schema`)).toEqual({ title: "Greeting" });
  await succeed("DELETE", `${path}/schema`);
  expect((await send("GET", `${path}/schema`)).status).toBe(204);
  const { token, id: tokenId } = await succeed("POST", `${path}/token`, { label: "tf" });
  const read = { label: "tf", id: tokenId, edgeConfigId: id };
  expect(await succeed("GET", `${path}/token/${token}`)).toMatchObject(read);
  await succeed("DELETE", `${path}/tokens`, { tokens: [token] });
  expect((await send("GET", `${path}/token/${token}`)).status).toBe(404);
  await succeed("DELETE", path);
  expect((await send("GET", path)).status).toBe(404);
});

it("vercel_custom_environment: creates, changes with an empty description, and deletes with a body", async () => {
  const { id } = await createProject("tf-environments");
  const path = `/v1/projects/${id}/custom-environments`;
  const made = await succeed("POST", path, {
    slug: "staging",
    description: "before",
    branchMatcher: { pattern: "release/", type: "startsWith" },
  });
  expect(made).toMatchObject({ slug: "staging", branchMatcher: { type: "startsWith" } });
  expect(await succeed("GET", `${path}/staging`)).toMatchObject({ id: made.id });
  await succeed("PATCH", `${path}/staging`, { slug: "qa", description: "", branchMatcher: null });
  await succeed("DELETE", `${path}/qa`, { deleteUnassignedEnvironmentVariables: true });
});

it("vercel_project: bypass secrets are read from the project with their notes", async () => {
  const { id } = await createProject("tf-bypass");
  const secret = "abcdefghijklmnopqrstuvwxyz012345";
  const path = `/v10/projects/${id}/protection-bypass`;
  await succeed("PATCH", path, { generate: { secret, note: "for checks" } });
  await succeed("PATCH", path, { update: { secret, note: "for tests", isEnvVar: true } });
  expect((await succeed("GET", `/v10/projects/${id}`)).protectionBypass[secret]).toMatchObject({
    scope: "automation-bypass",
    isEnvVar: true,
    note: "for tests",
  });
  await succeed("PATCH", path, { revoke: { secret, regenerate: false } });
});

it("vercel_webhook: creates with its secret, reads and deletes", async () => {
  const { id: project } = await createProject("tf-webhook");
  const made = await succeed("POST", "/v1/webhooks", {
    events: ["deployment.created", "flag.created"],
    url: "https://example.com/hook",
    projectIds: [project],
  });
  expect(made).toMatchObject({ ownerId: teamId, secret: expect.any(String), projectIds: [project] });
  expect(await succeed("GET", `/v1/webhooks/${made.id}`)).toMatchObject({ events: made.events });
  await succeed("DELETE", `/v1/webhooks/${made.id}`);
});
