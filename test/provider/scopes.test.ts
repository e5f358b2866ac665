import type { Client } from "../../provider/client/client";
import type { Resource } from "../../provider/core/resource";
import { RunContext } from "../../provider/core/run-context";
import type { Plain } from "../../provider/core/values";
import { resources } from "../../provider/resources";
import { dnsRecord } from "../../provider/resources/dns-record";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { logDrain } from "../../provider/resources/log-drain";
import { project } from "../../provider/resources/project";
import { webhook } from "../../provider/resources/webhook";
import { type Harness, quietStep, startHarness } from "./stack";
import { subjects } from "./subjects";

const rows = subjects.flatMap(({ resource, managed }) =>
  managed ? [{ type: resource.type, scopes: resource.scopes, resource, managed }] : [],
);
type Managed = (typeof rows)[number];

/** The clients of all tests: each row has one with its scopes and one without each of them; three tests have their own. */
const clients = rows.reduce((sum, { scopes }) => sum + 1 + scopes.length, 3);
let count = 0;

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
    deployments: Array.from({ length: clients + 1 }, (_, i) => ({
      id: `dpl_${i}`,
      team: "acme",
      project: "web",
      target: "production" as const,
      readyState: "READY" as const,
      createdAt: i + 1,
      url: `managed-url-${i}.vercel.app`,
    })),
    sharedEnv: [{ id: "env_shared", team: "acme", key: "SHARED", value: "v", target: ["preview"] }],
    edgeConfigs: [{ id: "ecfg_1", team: "acme", slug: "settings" }],
    domains: [{ team: "acme", project: "web", name: "verified.example.com", verified: true }],
  });
});
afterAll(() => at.close());

/** A client of an installation that has these scopes and no others. */
async function clientWith(scopes: readonly string[]): Promise<Client> {
  count += 1;
  const token = `token-of-installation-${count}`;
  await at.server.control.seed({
    installations: [
      {
        id: `icfg_${count}`,
        integration: "infrastructure",
        team: "acme",
        scopes: [...scopes] as never,
        token,
      },
    ],
  });
  const team = ((await at.curl("GET", "/v2/teams/acme")) as { id?: string }).id;
  return at.another({ token, team });
}

/** Creates, reads, changes and deletes an object. */
async function live({ resource, managed }: Managed, client: Client): Promise<void> {
  const step = { ...quietStep, warn: (message: string) => void at.warnings.push(message) };
  const inputs = managed.inputs(count);
  const run = new RunContext(client);
  const made = await resource.create(run, step, inputs);
  const read = await resource.read(run, made.id, made.state);
  const state = await resource.update(run, step, made.id, read?.state ?? {}, {
    ...inputs,
    ...managed.changed,
  });
  await resource.remove(run, step, made.id, state);
}

it("has scopes for each resource that an integration can manage", async () => {
  const managed = Object.values(resources).filter(({ scopes }) => scopes.length > 0);
  expect(rows.map(({ resource }) => resource)).toEqual(managed);
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

it.each(rows)("$type can do all with $scopes, and not without one of them", async (row) => {
  const { scopes } = row;
  await live(row, await clientWith(scopes));
  for (const missing of scopes) {
    const lower = missing.replace("read-write:", "read:");
    const others = scopes.filter((scope) => scope !== missing);
    const client = await clientWith(lower === missing ? others : [...others, lower]);
    await expect(live(row, client)).rejects.toThrow(/403 forbidden/);
  }
});

it.each<[string, Resource, string, Plain]>([
  [
    "domain",
    dnsRecord,
    "read-write:domain",
    { domain: "example.com", name: "by-scope", type: "TXT", value: "v" },
  ],
  [
    "Edge Config",
    edgeConfigItem,
    "read-write:edge-config",
    { edgeConfigId: "ecfg_1", key: "by-scope", value: 1 },
  ],
])(
  "records the account of the %s where the token may read neither the team nor projects",
  async (_, resource, scope, inputs) => {
    const { token } = (await clientWith([scope])).settings;
    const { id, state } = await resource.create(new RunContext(at.another({ token })), quietStep, inputs);
    const found = await resource.read(new RunContext(at.another()), id, undefined);
    const originOf = ({ at: record }: Plain = {}): string => String(record).slice(0, 12);
    expect(originOf(state)).toBe(originOf(found?.state));
  },
);

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
