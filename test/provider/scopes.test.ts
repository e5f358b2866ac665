import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../provider/client/client";
import type { Resource } from "../../provider/core/resource";
import { RunContext } from "../../provider/core/run-context";
import type { Plain } from "../../provider/core/values";
import { resources } from "../../provider/resources";
import { attackChallengeMode } from "../../provider/resources/attack-challenge-mode";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { deployment } from "../../provider/resources/deployment";
import { dnsRecord } from "../../provider/resources/dns-record";
import { domainVerification } from "../../provider/resources/domain-verification";
import { edgeConfig } from "../../provider/resources/edge-config";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { edgeConfigToken } from "../../provider/resources/edge-config-token";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { firewallBypass } from "../../provider/resources/firewall-bypass";
import { logDrain } from "../../provider/resources/log-drain";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { projectMember } from "../../provider/resources/project-member";
import { promotion } from "../../provider/resources/promotion";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { sharedEnvVarLink } from "../../provider/resources/shared-env-var-link";
import { teamMember } from "../../provider/resources/team-member";
import { webhook } from "../../provider/resources/webhook";
import { root } from "../support/server";
import { type Harness, quietStep, startHarness } from "./stack";

let at: Harness;
beforeAll(async () => {
  at = await startHarness();
  await at.server.control.seed({
    integrations: [
      {
        clientId: "oac_1",
        clientSecret: "secret",
        slug: "infrastructure",
        owner: "dev",
        redirectUrl: "http://127.0.0.1:9/",
        scopes: ["read-write:project"],
      },
    ],
    projects: [{ id: "prj_web", team: "acme", name: "web" }],
    // One for each client, so that none serves already.
    deployments: Array.from({ length: 40 }, (_, i) => ({
      id: `dpl_${i}`,
      team: "acme",
      project: "web",
      target: "production" as const,
      readyState: "READY" as const,
      createdAt: i + 1,
    })),
    sharedEnv: [{ id: "env_shared", team: "acme", key: "SHARED", value: "v", target: ["preview"] }],
    edgeConfigs: [{ id: "ecfg_1", team: "acme", slug: "settings" }],
    domains: [{ team: "acme", project: "web", name: "verified.example.com", verified: true }],
  });
});
afterAll(() => at.close());

/** The scopes of each resource in the guide. */
const rows = [
  ...readFileSync(join(root, "docs/guides/secrets-and-tokens.md"), "utf8").matchAll(
    /^\| `(\w+)` +\| (`[^|]*`) +\|$/gm,
  ),
].map(([, type = "", scopes = ""]) => ({ type, scopes: scopes.replaceAll("`", "").split(", ") }));

let count = 0;

/** A client of an installation that has these scopes and no others. */
async function clientWith(scopes: string[]): Promise<Client> {
  count += 1;
  const token = `token-of-installation-${count}`;
  await at.server.control.seed({
    installations: [
      { id: `icfg_${count}`, integration: "infrastructure", team: "acme", scopes: scopes as never, token },
    ],
  });
  const team = ((await at.curl("GET", "/v2/teams/acme")) as { id?: string }).id;
  return at.another({ token, team });
}

/** A life of a resource: what it is declared with, and then. */
const lives: Record<string, [Resource, () => Plain, Plain]> = {
  Project: [
    project,
    () => ({ name: `p-${count}`, paused: true, protectionBypass: { ci: {} } }),
    { gitLFS: true },
  ],
  ProjectDomain: [
    projectDomain,
    () => ({ project: "prj_web", name: `www-${count}.example.com` }),
    { redirect: "verified.example.com" },
  ],
  DomainVerification: [
    domainVerification,
    () => ({ project: "prj_web", name: "verified.example.com" }),
    { timeoutMs: 1 },
  ],
  EnvVar: [
    envVar,
    () => ({ project: "prj_web", key: `KEY_${count}`, value: "v", target: ["preview"] }),
    { value: "w" },
  ],
  EnvVars: [
    envVars,
    () => ({ project: "prj_web", variables: { [`MANY_${count}`]: "v" } }),
    { target: ["preview"] },
  ],
  Deployment: [
    deployment,
    () => ({
      project: "prj_web",
      directory: join(root, "examples/static-site/site"),
      onDestroy: "delete",
      waitUntilReady: false,
    }),
    { timeoutMs: 1 },
  ],
  Promotion: [promotion, () => ({ project: "prj_web", deployment: `dpl_${count}` }), { onDelete: "keep" }],
  CustomEnvironment: [
    customEnvironment,
    () => ({ project: "prj_web", slug: `stage-${count}` }),
    { description: "changed" },
  ],
  DnsRecord: [
    dnsRecord,
    () => ({ domain: "example.com", name: `a-${count}`, type: "A", value: "192.0.2.1" }),
    { ttl: 300 },
  ],
  FirewallBypass: [
    firewallBypass,
    () => ({ project: "prj_web", domain: "*", sourceIp: `192.0.2.${count}` }),
    { note: "changed" },
  ],
  AttackChallengeMode: [
    attackChallengeMode,
    () => ({ project: "prj_web", enabled: true }),
    { activeUntil: Date.UTC(2100, 0, 1) },
  ],
  SharedEnvVar: [
    sharedEnvVar,
    () => ({ key: `SHARED_${count}`, value: "v", target: ["preview"], projectIds: ["prj_web"] }),
    { value: "w" },
  ],
  SharedEnvVarLink: [sharedEnvVarLink, () => ({ sharedEnvVarId: "env_shared", project: "prj_web" }), {}],
  ProjectMember: [
    projectMember,
    () => ({ project: "prj_web", email: "dev@example.com", role: "PROJECT_VIEWER" }),
    { role: "ADMIN" },
  ],
  EdgeConfig: [edgeConfig, () => ({ slug: `flags-${count}` }), { schema: { type: "object" } }],
  EdgeConfigItem: [
    edgeConfigItem,
    () => ({ edgeConfigId: "ecfg_1", key: `item-${count}`, value: 1 }),
    { value: 2 },
  ],
  EdgeConfigToken: [edgeConfigToken, () => ({ edgeConfigId: "ecfg_1", label: `token-${count}` }), {}],
  TeamMember: [teamMember, () => ({ email: `a-${count}@example.org`, role: "VIEWER" }), { role: "MEMBER" }],
};

async function live(
  [resource, declare, then]: [Resource, () => Plain, Plain],
  client: Client,
): Promise<void> {
  const step = { ...quietStep, warn: (message: string) => void at.warnings.push(message) };
  const inputs = declare();
  const run = new RunContext(client);
  const made = await resource.create(run, step, inputs);
  const read = await resource.read(run, made.id, made.state);
  const state = await resource.update(run, step, made.id, read?.state ?? {}, { ...inputs, ...then });
  await resource.remove(run, step, made.id, state);
}

it("has a row with scopes for each resource that an integration can manage", async () => {
  const types = Object.values(resources).map(({ type }) => type);
  const others = ["Webhook", "LogDrain"];
  expect(rows.map(({ type }) => type).sort()).toEqual(types.filter((type) => !others.includes(type)).sort());
  const client = await clientWith(["read-write:project", "read-write:log-drain"]);
  const hook = { url: "https://example.com/hook", events: ["project.created"] };
  await expect(webhook.create(new RunContext(client), quietStep, hook)).rejects.toThrow(
    /403 forbidden: Only users manage the webhooks/,
  );
  const drain = { name: "audit", endpoint: "https://example.com/logs" };
  await expect(logDrain.create(new RunContext(client), quietStep, drain)).rejects.toThrow(
    /403 forbidden: Only users manage the log drains/,
  );
});

it.each(rows)("$type can do all with $scopes, and not without one of them", async ({ type, scopes }) => {
  const life = lives[type];
  if (!life) throw new Error(type);
  await live(life, await clientWith(scopes));
  for (const missing of scopes) {
    const lower = missing.replace("read-write:", "read:");
    const others = scopes.filter((scope) => scope !== missing);
    const client = await clientWith(lower === missing ? others : [...others, lower]);
    await expect(live(life, client)).rejects.toThrow(/403 forbidden/);
  }
});

it("what an integration may not see any more is not gone: it stays in the state, and the message says why", async () => {
  const id = "icfg_narrowed";
  const token = "token-of-the-narrowed";
  await at.server.control.seed({
    installations: [
      { id, integration: "infrastructure", team: "acme", scopes: ["read-write:project"], token },
    ],
  });
  const team = ((await at.curl("GET", "/v2/teams/acme")) as { id?: string }).id;
  const client = at.another({ token, team });
  const web = await project.create(new RunContext(client), quietStep, { name: "narrowed" });
  await at.curl("POST", `/v1/integrations/configuration/${id}/project/${web.id}`, { allowed: false });
  const steps = [
    project.read(new RunContext(client), web.id, web.state),
    project.update(new RunContext(client), quietStep, web.id, web.state, { name: "narrowed", gitLFS: true }),
    project.remove(new RunContext(client), quietStep, web.id, web.state),
  ];
  for (const step of await Promise.allSettled(steps)) {
    expect(step).toMatchObject({
      reason: { message: expect.stringMatching(/403 forbidden.*has no access/) },
    });
  }
});
