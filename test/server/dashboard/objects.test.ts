import type { ObjectItem, ObjectKind, Page } from "../../../server/dashboard/wire";
import { type DashboardSession, signIn } from "../../support/dashboard-session";
import { useTestServer } from "../../support/world";
import { populate, team } from "./account";

const world = useTestServer();
let account: string;
let session: DashboardSession;

beforeEach(async () => {
  account = (await world.call("GET", "/v2/teams")).body.teams[0].id;
  await populate(world);
  for (const owner of [team, "other"]) {
    await world.seed({
      webhooks: [{ team: owner, url: `https://${owner}.example.com/canary`, events: ["project.created"] }],
      logDrains: [
        {
          team: owner,
          name: "logs",
          url: "https://logs.example.com/canary",
          deliveryFormat: "json",
          environments: ["production"],
        },
      ],
      sharedEnv: [{ team: owner, key: "SHARED", value: "canary", target: ["preview"], projects: ["web"] }],
      edgeConfigs: [
        {
          ...{ team: owner, slug: `${owner}-flags`, items: [{ key: "banner", value: "canary" }] },
          tokens: [{ label: "production", token: "canary" }],
        },
      ],
      blobStores: [{ team: owner, name: `${owner}-images`, connections: [{ project: "web" }] }],
      firewallBypasses: [{ team: owner, project: "web", domain: "*", sourceIp: "192.0.2.1" }],
      aliases: [
        {
          team: owner,
          alias: `${owner}-docs.vercel.app`,
          deployment: owner === team ? "dpl_live" : "dpl_foreign",
        },
      ],
      protectionExceptions: [
        {
          team: owner,
          project: "web",
          alias: `${owner}-docs.vercel.app`,
          scope: "shareable-link",
          key: "canary",
        },
      ],
      bulkRedirects: [{ team: owner, project: "web", redirects: [] }],
      firewallConfigs: [{ team: owner, project: "web", firewallEnabled: true }],
      dnsRecords: [{ team: owner, domain: `${owner}.example`, name: "", type: "A", value: "192.0.2.1" }],
    });
  }
  session = await signIn(world);
});

const kinds = (query: object = {}) => session.shown("kinds", { account, ...query }) as Promise<ObjectKind[]>;
const objects = (kind: string, query: object = {}) =>
  session.shown("objects", { account, kind, ...query }) as Promise<Page<ObjectItem>>;

it("counts the objects of an account by kind, as the control snapshot has them", async () => {
  const snapshot = (await world.control.snapshot()) as unknown as Record<string, Record<string, unknown>[]>;
  const idsOf = (section: string): unknown[] =>
    (snapshot[section] ?? []).filter(({ accountId }) => accountId === account).map(({ id }) => id);
  const own = [account, ...idsOf("projects"), ...idsOf("edgeConfigs"), ...idsOf("blobStores")];
  const isOwn = ({ accountId, teamId, ownerId, projectId, edgeConfigId, storeId }: Record<string, unknown>) =>
    own.includes(accountId ?? teamId ?? ownerId ?? projectId ?? edgeConfigId ?? storeId);
  const expected = Object.entries(snapshot).flatMap(([name, rows]) =>
    Array.isArray(rows) ? [[name, rows.filter(isOwn).length] as const] : [],
  );
  const counts = Object.fromEntries((await kinds()).map(({ name, total }) => [name, total]));
  expect(counts).toEqual(
    Object.fromEntries(expected.filter(([name]) => name !== "accounts" && name !== "dns")),
  );
  expect(counts).toMatchObject({
    projects: 2,
    deployments: 4,
    env: 4,
    webhooks: 1,
    logDrains: 1,
    sharedEnv: 1,
  });
  expect(counts).toMatchObject({ edgeConfigs: 1, edgeConfigItems: 1, edgeConfigTokens: 1, dnsRecords: 1 });
});

it("lists the objects of each kind with their members, and without secrets", async () => {
  for (const { name, total } of await kinds()) {
    const page = await objects(name);
    expect(page.items).toHaveLength(total);
    expect(page).toMatchObject({ total, next: null });
    expect(JSON.stringify(page)).not.toMatch(/canary|secret"/);
  }
  expect((await objects("edgeConfigItems")).items).toEqual([
    { id: expect.stringMatching(/^ecfg_\w+\/banner$/), label: "banner", members: expect.any(Object) },
  ]);
  expect((await objects("webhooks")).items).toMatchObject([
    { label: null, members: { url: "https://acme.example.com", events: ["project.created"] } },
  ]);
});

it("shows only what belongs to a project", async () => {
  const totals = Object.fromEntries(
    (await kinds({ project: "prj_web" })).map(({ name, total }) => [name, total]),
  );
  expect(totals).toMatchObject({ env: 3, domains: 3, firewallBypasses: 1, sharedEnvLinks: 1 });
  expect(totals).not.toHaveProperty("webhooks");
  const { items } = await objects("env", { project: "prj_web" });
  expect(items.map(({ label }) => label).sort()).toEqual(["BLOB_READ_WRITE_TOKEN", "Greeting", "Token"]);
  // Nothing of another account, also by the id of its project.
  expect(await objects("env", { project: "prj_other" })).toMatchObject({ items: [], total: 0 });
  expect(await objects("domains", { project: "prj_other" })).toMatchObject({ items: [], total: 0 });
});

it("searches names in pages", async () => {
  const projects = Array.from({ length: 60 }, (_, index) => ({ team, name: `service-${100 + index}` }));
  await world.seed({ projects });
  const first = await objects("projects", { search: "SERVICE-1" });
  expect(first).toMatchObject({ total: 60, next: "50" });
  const second = await objects("projects", { search: "SERVICE-1", until: "50" });
  const names = [...first.items, ...second.items].map(({ label }) => label);
  expect(new Set(names).size).toBe(60);
  expect(second.next).toBeNull();
  expect(await objects("projects", { search: "%" })).toMatchObject({ total: 0 });
  const [project] = first.items;
  expect(await objects("projects", { search: project?.id })).toMatchObject({ items: [project], total: 1 });
});

it("refuses an unknown kind", async () => {
  expect(await session.view("objects", { account, kind: "tokens" })).toMatchObject({ status: 404 });
});
