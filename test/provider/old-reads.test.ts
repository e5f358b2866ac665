import type { Resource } from "../../provider/core/resource";
import { blobStore } from "../../provider/resources/blob-store";
import { blobStoreConnection } from "../../provider/resources/blob-store-connection";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { deployment } from "../../provider/resources/deployment";
import { edgeConfig } from "../../provider/resources/edge-config";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { envVar } from "../../provider/resources/env-var";
import { variablesOf } from "../../provider/resources/env-var/records";
import { envVars } from "../../provider/resources/env-vars";
import { firewallBypass } from "../../provider/resources/firewall-bypass";
import { logDrain } from "../../provider/resources/log-drain";
import { microfrontendGroup } from "../../provider/resources/microfrontend-group";
import { microfrontendGroupMembership } from "../../provider/resources/microfrontend-group-membership";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { domainsOf } from "../../provider/resources/project-domain/records";
import { projectMember } from "../../provider/resources/project-member";
import { projectRoute } from "../../provider/resources/project-route";
import { promotion } from "../../provider/resources/promotion";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { traceDrain } from "../../provider/resources/trace-drain";
import { webhook } from "../../provider/resources/webhook";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import { type Harness, recordStack, type Stack, startHarness } from "./stack";

/** Reads of the hosted API may be some seconds older than a write. Here they are, for `staleMs`. */
const staleMs = 200;
const times = { settleMs: 1_000, deadlineMs: 10_000 };

let w: Harness;
let proxy: RecordingProxy;
beforeEach(async () => {
  w = await startHarness({ profile: "hosted" });
  proxy = await openRecordingProxy(w.server.url);
  await w.server.control.planBuilds({ buildMs: 0 });
  await w.server.control.setConsistency({ staleMs });
});
afterEach(async () => {
  await proxy.close();
  await w.close();
});

const begin = (resource: Resource): Stack => {
  const stack = w.stack(resource);
  stack.use(w.another({ apiUrl: proxy.url, times }));
  return stack;
};

/** Closes the connection of the first POST to a path, which takes effect. */
function loseAnswer(path: string): void {
  let isLost = false;
  proxy.after = (request) => {
    if (isLost || request.method !== "POST" || !request.path.includes(path)) return;
    isLost = true;
    throw new Error("the connection is closed");
  };
}

it.each([
  ["log drain", logDrain, "/v1/drains", { name: "logs", endpoint: "http://127.0.0.1:9/drain" }],
  ["trace drain", traceDrain, "/v1/drains", { name: "traces", endpoint: "http://127.0.0.1:9/drain" }],
  ["webhook", webhook, "/v1/webhooks", { url: "http://127.0.0.1:9/hook", events: ["project.created"] }],
] as const)(
  "a %s is not created twice when the answer is lost and the list is old",
  async (_, resource, path, declared) => {
    loseAnswer(path);
    const stack = begin(resource);
    await stack.up(declared);
    await w.server.control.setConsistency({ staleMs: 0 });
    const listed = await w.curl("GET", path);
    const all = (Array.isArray(listed) ? listed : listed.drains) as unknown as { id: string }[];
    expect(all.map(({ id }) => stack.id.endsWith(id))).toEqual([true]);
  },
);

it("a promotion whose answer is lost is waited for, although reads do not show it yet", async () => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  await w.curl("PATCH", "/v9/projects/web", { autoAssignCustomDomains: false });
  const { control } = w.server;
  const built = { team: "acme", project: "web", target: "production", readyState: "READY" } as const;
  await control.deploy({ id: "dpl_1", ...built }, { id: "dpl_2", ...built });
  const stack = w.stack(promotion);
  await stack.up({ project: "web", deployment: "dpl_1" });
  await control.setConsistency({ staleMs: 5_000 });
  await control.planPromotions({ delayMs: 7_000 });
  loseAnswer("/promote/");
  stack.use(w.another({ apiUrl: proxy.url }));
  expect(await stack.up({ project: "web", deployment: "dpl_2" })).toBe("update");
  await control.setConsistency({ staleMs: 0 });
  expect(await w.curl("GET", "/v9/projects/web")).toMatchObject({ targets: { production: { id: "dpl_2" } } });
});

it("variables whose create is lost are found although the list is old", async () => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  loseAnswer("/env");
  await begin(envVars).up({ project: "web", target: ["preview"], variables: { A: "1", B: "2" } });
  await w.server.control.setConsistency({ staleMs: 0 });
  expect((await w.curl("GET", "/v9/projects/web/env")).envs).toHaveLength(2);
});

it("a member of a project is found although the list is old", async () => {
  const email = "ada@example.org";
  const { id } = await w.curl("POST", "/v10/projects", { name: "web" });
  await w.curl("POST", "/v2/teams/acme/members", { email, role: "CONTRIBUTOR" });
  const stack = begin(projectMember);
  await stack.up({ project: "web", email, role: "ADMIN" });
  expect(stack.id.split("/")[0]).toBe(id);
});

it("a branch is built of a project that the run has just linked, and named", async () => {
  const run = w.another({ apiUrl: proxy.url, times });
  const [web, built] = [w.stack(project), w.stack(deployment)];
  web.use(run);
  built.use(run);
  await web.up({ name: "web" });
  await run.project("web");
  await web.up({ name: "shop", gitRepository: { type: "github", repo: "acme/web" } });
  await built.up({ project: "shop", ref: "main" });
  expect(built.state).toMatchObject({ projectId: web.id });
});

it("a branch is built of a project that another provider of the program has just linked", async () => {
  const built = begin(deployment);
  const web = w.stack(project);
  await web.up({ name: "web" });
  await w.server.control.setConsistency({ staleMs: 800 });
  // This answer is given again while reads are old.
  await w.another().project(web.id);
  await web.up({ name: "web", gitRepository: { type: "github", repo: "acme/web" } });
  await built.up({ project: web.id, ref: "main" });
  expect(built.state).toMatchObject({ projectId: web.id });
});

it("a project joins a group of microfrontends that the run has just created", async () => {
  const run = w.another({ apiUrl: proxy.url, times });
  const [group, member] = [w.stack(microfrontendGroup), w.stack(microfrontendGroupMembership)];
  for (const one of [group, member]) one.use(run);
  const shell = await w.curl("POST", "/v10/projects", { name: "shell" });
  const docs = await w.curl("POST", "/v10/projects", { name: "docs" });
  await w.curl("GET", "/v1/microfrontends/groups");
  await group.up({ name: "shop", defaultAppProjectId: shell.id });
  await member.up({ project: docs.id, microfrontendGroupId: group.id });
  expect(member.id).toBe(`${docs.id}/${group.id}`);
});

it("a Blob store is deleted whose connection another provider of the program has just deleted", async () => {
  const { id: project } = await w.curl("POST", "/v10/projects", { name: "web" });
  const [store, connection] = [begin(blobStore), begin(blobStoreConnection)];
  await store.up({ name: "images" });
  await connection.up({ project, blobStoreId: store.id });
  await w.server.control.setConsistency({ staleMs: 800 });
  // This answer is given again while reads are old.
  await w.curl("GET", `/v1/storage/stores/${store.id}/connections`);
  await connection.destroy();
  await store.destroy();
  await w.server.control.setConsistency({ staleMs: 0 });
  expect((await w.server.control.snapshot()).blobStores).toEqual([]);
});

it("a variable whose own step has released a key is not renamed because an old read still shows the key", async () => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  const variable = (...target: string[]) => ({ project: "web", key: "K", value: "v", type: "plain", target });
  const [owner, next] = [w.stack(envVar, "owner"), w.stack(envVar, "next")];
  await owner.up(variable("production", "preview"));
  const run = w.another({ apiUrl: proxy.url, times });
  for (const stack of [owner, next]) stack.use(run);
  recordStack([{ type: owner.type, name: owner.name, outputs: owner.state }]);
  await w.server.control.setConsistency({ staleMs: 60_000 });
  // This answer is given again while reads are old.
  await w.curl("GET", `/v1/projects/${owner.id.replace("/", "/env/")}`);
  let isRefused = false;
  const [sent, listed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  proxy.before = async ({ method }) => {
    if (method !== "PATCH" || isRefused) return undefined;
    sent.resolve();
    await listed.promise;
    return undefined;
  };
  proxy.after = ({ method, path }) => {
    if (method === "POST" && path.includes("/env")) isRefused = true;
    else if (isRefused) listed.resolve();
  };
  const change = owner.up(variable("production"));
  await sent.promise;
  await Promise.all([change, next.up(variable("preview"))]);
  await w.server.control.setConsistency({ staleMs: 0 });
  const { envs } = await w.curl("GET", "/v9/projects/web/env");
  const found = (envs as unknown as { key: string; target: string[] }[]).map(({ key, target }) => [
    key,
    ...target,
  ]);
  expect(found.sort()).toEqual([
    ["K", "preview"],
    ["K", "production"],
  ]);
});

it("routes of one run are published after another, and a later run finds them, although reads are old", async () => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  await w.server.control.setConsistency({ staleMs: 600 });
  const run = w.another({ times });
  const routes = ["one", "two"].map((name) => ({ name, stack: w.stack(projectRoute, name) }));
  const declared = (name: string) => ({ project: "web", name, route: { src: `/${name}`, dest: "/new" } });
  for (const { name, stack } of routes) {
    stack.use(run);
    await stack.up(declared(name));
    expect(await stack.refresh(w.another({ times }))).toBe(true);
  }
  for (const { name, stack } of routes) {
    stack.use(w.another({ times }));
    expect(await stack.up(declared(name))).toBe("same");
  }
});

it("an old list does not show a variable that the run has deleted", async () => {
  const run = w.another({ times: { settleMs: 60_000 } });
  const { id } = await w.curl("POST", "/v10/projects", { name: "web" });
  const variable = w.stack(envVar);
  variable.use(run);
  await variable.up({ project: "web", key: "A", value: "1", target: ["preview"] });
  await w.server.control.setConsistency({ staleMs: 60_000 });
  const listed = () => w.curl("GET", `/v9/projects/${id}/env`);
  const before = [(await listed()).envs, await variablesOf(run, `${id}`)];
  expect(before).toMatchObject([[{ key: "A" }], [{ key: "A" }]]);
  await variable.destroy();
  expect((await listed()).envs).toHaveLength(1);
  expect(await variablesOf(run, `${id}`)).toEqual([]);
});

it.each([
  [
    "firewall bypass",
    firewallBypass,
    { project: "web", domain: "*", sourceIp: "192.0.2.1" },
    (projectId: unknown) =>
      `/v1/security/firewall/bypass?projectId=${projectId}&sourceIp=192.0.2.1&projectScope=true`,
  ],
  [
    "shared variable",
    sharedEnvVar,
    { key: "A", value: "1", target: ["production"] },
    () => "/v1/env?limit=50",
  ],
] as const)(
  "a %s that the run has deleted is not in the way of another one, although the list is old",
  async (_, resource, declared, pathOf) => {
    const [first, second] = [w.stack(resource, "first"), w.stack(resource, "second")];
    await w.curl("POST", "/v10/projects", { name: "web" });
    await first.up(declared);
    await w.server.control.setConsistency({ staleMs: 60_000 });
    const run = w.another({ times: { settleMs: 60_000 } });
    const listed = async () => {
      const { result, data } = await w.curl("GET", pathOf(first.state.projectId));
      return result ?? data;
    };
    expect(await listed()).toHaveLength(1);
    for (const stack of [first, second]) stack.use(run);
    await first.destroy();
    expect(await listed()).toHaveLength(1);
    expect(await second.up(declared)).toBe("create");
    await w.server.control.setConsistency({ staleMs: 0 });
    expect(await listed()).toHaveLength(1);
  },
);

it("the state of a project has the settings of an update, although the read for its deploy hooks is old", async () => {
  const stack = begin(project);
  const gitRepository = { type: "github", repo: "acme/web" } as const;
  await stack.up({ name: "web", gitRepository, deployHooks: {}, serverlessFunctionRegion: "fra1" });
  await w.server.control.setConsistency({ staleMs });
  // This answer is given again while reads are old.
  await w.another().project(stack.id);
  await stack.up({ name: "web", deployHooks: {} });
  await w.server.control.setConsistency({ staleMs: 0 });
  const before = structuredClone(stack.state);
  expect(await stack.refresh()).toBe(true);
  expect(stack.state).toEqual(before);
});

it.each([
  ["custom environment", customEnvironment, (project: string) => ({ project, slug: "qa" })],
  [
    "Edge Config item",
    edgeConfigItem,
    (_: string, edgeConfigId: string) => ({ edgeConfigId, key: "a", value: 1 }),
  ],
])("a %s is created at once in what the run has created", async (_, resource, declared) => {
  const run = w.another({ apiUrl: proxy.url, times: { settleMs: 60_000 } });
  const [web, flags, stack] = [w.stack(project), w.stack(edgeConfig), w.stack(resource)];
  for (const one of [web, flags, stack]) one.use(run);
  await web.up({ name: "web" });
  await flags.up({ slug: "flags" });
  const missed: string[] = [];
  proxy.change = ({ path }, answer) => {
    if (answer.status === 404) missed.push(path);
    return answer;
  };
  await stack.up(declared(web.id, flags.id));
  expect(missed).toHaveLength(new Set(missed).size);
});

it("a name leads to the project that the run has given it, although reads are old", async () => {
  const run = w.another({ times });
  const [web, shop] = [w.stack(project), w.stack(project)];
  for (const one of [web, shop]) one.use(run);
  await web.up({ name: "web" });
  await shop.up({ name: "shop" });
  await w.server.control.setConsistency({ staleMs });
  for (const name of ["web", "shop"]) await run.project(name);
  await web.up({ name: "former" });
  await shop.up({ name: "web" });
  expect(await run.project("web")).toMatchObject({ id: shop.id, name: "web" });
  await expect(run.project("shop")).rejects.toThrow(/404/);
});

it("a name leads to another project when that of the run was deleted by somebody else", async () => {
  const run = w.another({ times: { settleMs: 2_000, deadlineMs: 10_000 } });
  const web = w.stack(project);
  web.use(run);
  await web.up({ name: "web" });
  await w.server.control.setConsistency({ staleMs: 0 });
  await w.curl("DELETE", `/v9/projects/${web.id}`);
  const { id } = await w.curl("POST", "/v10/projects", { name: "web" });
  expect(await run.project("web")).toMatchObject({ id });
});

it("domains are removed in one run, although an old list has other redirects to them", async () => {
  const { id: web } = await w.curl("POST", "/v10/projects", { name: "web" });
  const [first, second, alias] = ["first", "second", "alias"].map((name) => w.stack(projectDomain, name)) as [
    Stack,
    Stack,
    Stack,
  ];
  await first.up({ project: web, name: "a.example.com" });
  await second.up({ project: web, name: "b.example.com" });
  await alias.up({ project: web, name: "www.example.com", redirect: "a.example.com" });
  await w.server.control.setConsistency({ staleMs });
  // This answer is given again while reads are old.
  await domainsOf(w.another(), `${web}`);
  await alias.up({ project: web, name: "www.example.com", redirect: "b.example.com" });
  const run = w.another({ times });
  for (const stack of [first, second, alias]) stack.use(run);
  recordStack([first, second, alias].map(({ type, name, state }) => ({ type, name, outputs: state })));
  for (const stack of [second, first, alias]) await stack.destroy();
  await w.server.control.setConsistency({ staleMs: 0 });
  expect(await domainsOf(w.another(), `${web}`)).toMatchObject([{ name: "web.vercel.app" }]);
});
