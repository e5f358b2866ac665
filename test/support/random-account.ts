import fc from "fast-check";
import type { RunningServer, SeedDocument } from "../../server";
import { first, second, uploadOf } from "./certificates";
import { Model } from "./model/model";
import { kinds, type Step } from "./model/requests";
import { startServer } from "./profile";
import { until } from "./until";

/** An account that random requests have filled. Its projects have everything that a snapshot keeps. */

export const slugs = ["crew", "others"] as const;
const tokenOf = (slug: string): string => `token-of-${slug}`;

const accounts: SeedDocument = {
  users: slugs.map((slug) => ({ username: `owner-of-${slug}` })),
  teams: slugs.map((slug) => ({
    slug,
    plan: "enterprise" as const,
    members: [{ user: `owner-of-${slug}`, role: "OWNER" as const }],
  })),
  tokens: slugs.map((slug) => ({ token: tokenOf(slug), user: `owner-of-${slug}` })),
  gitProviders: slugs.map((team) => ({ team, type: "github" as const })),
};

export const token = tokenOf(slugs[0]);

export interface Account {
  server: RunningServer;
  /** Sends a request in the name of the first account, and returns the body of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever the server answers.
  ask(method: string, path: string, body?: unknown): Promise<any>;
}

/** Asks a server in the name of an account. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  slug: string = slugs[0],
) {
  const query = path.includes("?") ? `&slug=${slug}` : `?slug=${slug}`;
  const answer = await fetch(`${url}${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${tokenOf(slug)}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return text === "" ? undefined : JSON.parse(text);
}

/** Whether the promotions of an account have ended. */
export async function hasNoPromotion(url: string): Promise<boolean> {
  const { projects } = await ask(url, "GET", "/v9/projects?limit=100");
  for (const { id } of projects) {
    const { lastAliasRequest } = await ask(url, "GET", `/v9/projects/${id}?rollbackInfo=true`);
    if (lastAliasRequest?.jobStatus === "in-progress") return false;
  }
  return true;
}

/** The requests of a random account, for `fillAccount`. */
export const randomRequests = fc.array(
  fc.oneof(...kinds.map(([, weight, arbitrary]) => ({ weight, arbitrary }))),
  { size: "max", minLength: 15, maxLength: 60 },
);

/** Starts a server, and fills an account of it. */
export async function fillAccount(
  steps: readonly ((model: Model) => Step)[],
  controlToken = "control",
): Promise<Account> {
  const server = await startServer({ seed: accounts, controlToken });
  const model = new Model(
    slugs,
    new Map([
      ["example.com", "example.com"],
      ["www.example.com", "example.com"],
      ["*.example.com", "example.com"],
      ["www.example.co.uk", "example.co.uk"],
    ]),
  );
  for (const make of steps) {
    const step = make(model);
    const { effect } = step.expected;
    const answer =
      step.side === undefined
        ? await control(server.url, controlToken, step)
        : await ask(server.url, step.method, withQuery(step), step.body, slugs[step.side]);
    effect?.(answer);
  }
  const send = (method: string, path: string, body?: unknown) => ask(server.url, method, path, body);
  const account = { server, ask: send };
  await decorate(account);
  return account;
}

const withQuery = ({ path, query }: Step): string => (query ? `${path}?${new URLSearchParams(query)}` : path);

async function control(url: string, controlToken: string, { method, path, body }: Step): Promise<unknown> {
  const answer = await fetch(`${url}/_control${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return text === "" ? undefined : JSON.parse(text);
}

/** Adds what the random requests do not make. */
async function decorate({ server, ask }: Account): Promise<void> {
  const { id } = await ask("POST", "/v10/projects", { name: "decorated", framework: "astro" });
  await ask("PATCH", `/v2/teams/${slugs[0]}`, {
    description: "decorated",
    hideIpAddresses: false,
    remoteCaching: { enabled: true },
  });
  await ask("POST", "/v7/domains", { name: "example.net" });
  await ask("PATCH", "/v3/domains/example.net", { echMode: "disabled" });
  await ask("PATCH", `/v9/projects/${id}`, {
    nodeVersion: "20.x",
    gitForkProtection: false,
    passwordProtection: { deploymentType: "preview", password: "a password" },
    trustedIps: {
      deploymentType: "all",
      addresses: [{ value: "192.0.2.0/24", note: "office" }],
      protectionMode: "additional",
    },
    staticIps: { enabled: true },
    resourceConfig: { fluid: true, functionDefaultRegions: ["fra1", "iad1"] },
    skewProtectionMaxAge: 60,
  });
  await ask("PATCH", `/v1/projects/${id}/crons`, { enabled: false });
  await ask("POST", `/v1/security/firewall/bypass?projectId=${id}`, {
    projectScope: true,
    sourceIp: "192.0.2.0/24",
    note: "why",
  });
  await ask("PUT", `/v1/security/firewall/config?projectId=${id}`, {
    firewallEnabled: true,
    rules: [
      {
        ...{ name: "Deny", active: true, action: { mitigate: { action: "deny" } } },
        conditionGroup: [{ conditions: [{ type: "header", key: "x-bot", op: "ex" }] }],
      },
    ],
    ips: [{ hostname: "*", ip: "192.0.2.7", action: "log", notes: "why" }],
    managedRules: { ai_bots: { active: true, action: "deny" } },
  });
  const redirects = await ask("PUT", "/v1/bulk-redirects", {
    projectId: id,
    redirects: [{ source: "/old", destination: "/new", permanent: true }],
  });
  await ask("POST", `/v1/bulk-redirects/versions?projectId=${id}`, {
    id: redirects.version.id,
    action: "promote",
  });
  await ask("POST", `/v1/projects/${id}/routes`, {
    route: { name: "Blog", route: { src: "/blog/:slug", dest: "/news/:slug", status: 308 } },
  });
  const routes = await ask("POST", `/v1/projects/${id}/routes`, {
    route: { name: "Headers", enabled: false, route: { src: "/a", headers: { "x-a": "b" } } },
  });
  await ask("POST", `/v1/projects/${id}/routes/versions`, { id: routes.version.id, action: "promote" });
  await ask("POST", "/v1/security/attack-mode", { projectId: id, attackModeEnabled: true });
  await ask("PATCH", `/v9/projects/${id}/deployment-expiration`, { expiration: "1m" });
  const stage = await ask("POST", `/v9/projects/${id}/custom-environments`, {
    slug: "staging",
    description: "for tests",
    branchMatcher: { type: "startsWith", pattern: "release/" },
  });
  await ask("POST", `/v10/projects/${id}/env`, [
    { key: "SENSITIVE", value: "never told", type: "sensitive", target: ["production"] },
    { key: "ENCRYPTED", value: "told when asked", type: "encrypted", target: ["preview"], gitBranch: "next" },
    { key: "STAGED", value: "s", type: "plain", customEnvironmentIds: [stage.id], comment: "why" },
  ]);
  await ask("POST", `/v10/projects/${id}/domains`, { name: "decoration.vercel.app" });
  await ask("POST", `/v10/projects/${id}/domains`, {
    name: "staging.vercel.app",
    customEnvironmentId: stage.id,
  });
  await ask("PATCH", `/v1/projects/${id}/protection-bypass`, { generate: { note: "for tests" } });
  const made = await server.control.deploy(
    ...["main", "main", "next"].map((gitBranch, at) => ({
      team: slugs[0],
      project: "decorated",
      target: at < 2 ? ("production" as const) : ("preview" as const),
      gitBranch,
      gitSha: `${at}`.repeat(40),
      meta: { at: `${at}` },
      createdAt: Date.UTC(2025, 0, 1 + at),
    })),
  );
  await ask("POST", `/v10/projects/${id}/promote/${made[0]}`);
  // A rolling release begins beside a deployment that is already served.
  await until("the promotion has ended", () => hasNoPromotion(server.url));
  await ask("PATCH", `/v1/projects/${id}/rolling-release/config`, {
    enabled: true,
    advancementType: "automatic",
    stages: [{ targetPercentage: 10, duration: 5, linearShift: true }, { targetPercentage: 100 }],
  });
  await ask("POST", `/v10/projects/${id}/promote/${made[1]}`);
  await ask("POST", `/v2/deployments/${made[2]}/aliases`, { alias: "next.vercel.app" });
  await ask("PATCH", "/v3/aliases/next.vercel.app/protection-bypass", {
    override: { scope: "alias-protection-override", action: "create" },
  });
  // After the promotion, which did not move it.
  await ask("POST", `/v10/projects/${id}/domains`, { name: "later.vercel.app" });
  await ask("POST", `/v10/projects/${id}/domains`, { name: "records.example.com" });
  for (const record of [
    { name: "www", type: "A", value: "192.0.2.1", ttl: 300, comment: "why" },
    { name: "", type: "MX", value: "mail.example.org", mxPriority: 10 },
    { name: "_s._tcp", type: "SRV", srv: { priority: 1, weight: 2, port: 3, target: "a.example.org" } },
    { name: "", type: "HTTPS", https: { priority: 1, target: ".", params: "alpn=h2 port=8443" } },
  ])
    await ask("POST", "/v2/domains/example.com/records", record);
  await ask("POST", `/v2/teams/${slugs[0]}/members`, { email: "ada@example.org", role: "CONTRIBUTOR" });
  await ask("POST", `/v1/projects/${id}/members`, { email: "ada@example.org", role: "PROJECT_VIEWER" });
  const { user } = await ask("GET", "/v2/user");
  await ask("POST", "/v1/access-groups", {
    name: "designers",
    membersToAdd: [user.id],
    projects: [{ projectId: id, role: "PROJECT_DEVELOPER" }],
  });
  await ask("POST", "/v1/env", {
    evs: [
      { key: "SHARED", value: "canary", comment: "why" },
      { key: "SHARED_TOO", value: "canary" },
    ],
    target: ["production", "preview"],
    projectId: [id],
    applyToAllCustomEnvironments: true,
  });
  await ask("POST", "/v1/env", {
    evs: [{ key: "HIDDEN", value: "canary" }],
    type: "sensitive",
    target: ["preview"],
  });
  const child = await ask("POST", "/v10/projects", { name: "decorated-child" });
  const { newMicrofrontendsGroup: group } = await ask("POST", "/v1/microfrontends/group", {
    groupName: "Decorated Group",
    defaultApp: { projectId: id, defaultRoute: "/" },
    otherApplications: [{ projectId: child.id, defaultRoute: "/docs" }],
  });
  await ask("PATCH", `/v1/projects/${child.id}/microfrontends`, {
    routeObservabilityToThisProject: true,
    doNotRouteWithMicrofrontendsRouting: false,
  });
  await ask("PATCH", `/v1/teams/${slugs[0]}/microfrontends/${group.id}`, {
    fallbackEnvironment: "staging",
    enablePolyrepoBranchRouting: true,
  });
  const items = { banner: "hello", limits: [1, { daily: null }] };
  const config = await ask("POST", "/v1/edge-config", { slug: "flags", items });
  await ask("PATCH", `/v1/edge-config/${config.id}/items`, {
    items: [{ operation: "create", key: "described", value: null, description: "why" }],
  });
  await ask("POST", `/v1/edge-config/${config.id}/schema`, { definition: { type: "object" } });
  await ask("POST", `/v1/edge-config/${config.id}/token`, { label: "of the site" });
  await ask("POST", "/v1/webhooks", {
    url: "https://hooks.example.com/slipway",
    events: ["project.created", "deployment.promoted"],
    projectIds: [id],
  });
  const flags = `/v1/projects/${id}/feature-flags`;
  const served = (variantId: string) => ({
    ...{ active: true, rules: [], pausedOutcome: { type: "variant", variantId: "off" } },
    fallthrough: { type: "variant", variantId },
  });
  await ask("PUT", `${flags}/flags`, {
    ...{ slug: "checkout", kind: "boolean", description: "why", tags: ["shop"], permanent: true },
    environments: { production: served("on"), preview: served("off"), development: served("on") },
  });
  await ask("PUT", `${flags}/flags`, { slug: "old", kind: "boolean", environments: {} });
  await ask("PATCH", `${flags}/flags/old`, { state: "archived" });
  await ask("PUT", `${flags}/segments`, {
    ...{ slug: "staff", label: "Staff", hint: "user-email", description: "why" },
    data: { rules: [], include: { user: { email: [{ value: "ada@example.com", note: "first" }] } } },
  });
  await ask("PUT", `${flags}/sdk-keys`, {
    sdkKeyType: "server",
    environment: "production",
    label: "backend",
  });
  const { store } = await ask("POST", "/v1/storage/stores/blob", { name: "images", access: "private" });
  await ask("POST", `/v1/storage/stores/${store.id}/connections`, {
    ...{ projectId: id, envVarPrefix: "ASSETS", envVarEnvironments: ["preview", "development"] },
  });
  const integration = { slug: "monitoring", owner: `owner-of-${slugs[0]}` };
  await server.control.seed({
    integrations: [
      { ...integration, clientSecret: "canary", redirectUrl: "https://monitoring.example.com", scopes: [] },
    ],
    installations: [
      { team: slugs[0], id: "icfg_some", integration: "monitoring", projects: ["decorated"] },
      { team: slugs[0], id: "icfg_all", integration: "monitoring" },
    ],
  });
  await ask("PUT", "/v8/certs", uploadOf(first));
  await ask("PUT", "/v8/certs", uploadOf(second));
  await ask("POST", "/v1/log-drains", {
    name: "drain",
    url: "https://logs.example.com/slipway",
    deliveryFormat: "ndjson",
    sources: ["build"],
    headers: { authorization: "of the drain" },
  });
  await ask("POST", "/v1/drains", {
    name: "traces",
    projects: "some",
    projectIds: [id],
    schemas: { trace: { version: "v1" } },
    delivery: {
      ...{ type: "otlphttp", endpoint: { traces: "https://otlp.example.com/v1/traces" }, encoding: "proto" },
      headers: { authorization: "of the drain" },
    },
    sampling: [{ type: "head_sampling", rate: 0.5, requestPath: "/api" }],
  });
}
