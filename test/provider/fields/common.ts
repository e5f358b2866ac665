import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isPlain, type Plain } from "../../../provider/core/values";
import { outsideValues } from "../../support/outside-values";
import type { Harness } from "../stack";
import type { Row } from "../subject";

/** Empties the account, and gives it all features, some repositories, and builds that take no time. */
export async function freshAccount({ server: { control } }: Harness): Promise<void> {
  await control.reset();
  await control.changeTeam("acme", { plan: "enterprise" });
  await control.planBuilds({ buildMs: 0 });
  await control.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web", "acme/other", "acme/api"] }],
  });
}

/** Two projects, of which the first is the one that rows are about. @returns their ids */
export async function projects(w: Harness): Promise<{ web: string; other: string }> {
  const make = async (name: string) =>
    String(((await w.curl("POST", "/v10/projects", { name })) as Plain).id);
  return { web: await make("web"), other: await make("other") };
}

/** Two Edge Configs. @returns their ids */
export async function edgeConfigs(w: Harness): Promise<{ flags: string; others: string }> {
  const make = async (slug: string) =>
    String(((await w.curl("POST", "/v1/edge-config", { slug })) as Plain).id);
  return { flags: await make("flags"), others: await make("others") };
}

/** Two Blob stores. @returns their ids */
export async function blobStores(w: Pick<Harness, "curl">): Promise<{ images: string; others: string }> {
  const make = async (name: string) => {
    const { store } = (await w.curl("POST", "/v1/storage/stores/blob", { name })) as { store?: Plain };
    return String(store?.id);
  };
  return { images: await make("images"), others: await make("others") };
}

/** Two access groups. @returns their ids */
export async function accessGroups(w: Harness): Promise<{ group: string; otherGroup: string }> {
  const make = async (name: string) =>
    String(((await w.curl("POST", "/v1/access-groups", { name })) as Plain).accessGroupId);
  return { group: await make("Developers"), otherGroup: await make("Designers") };
}

/** Creates a microfrontend group. @returns its id */
export async function microfrontendGroup(w: Harness, groupName: string, app: string): Promise<string> {
  const body = { groupName, defaultApp: { projectId: app }, otherApplications: [] };
  const { newMicrofrontendsGroup: group } = await w.curl("POST", "/v1/microfrontends/group", body);
  return String((group as unknown as Plain).id);
}

/** The access group `Developers`, which lists of its members and projects have too. @returns its id */
export async function developers(w: Harness): Promise<string> {
  const { accessGroups: all } = (await w.curl("GET", "/v1/access-groups")) as { accessGroups?: Plain[] };
  const found = all?.find(({ name }) => name === "Developers");
  const group = found ?? ((await w.curl("POST", "/v1/access-groups", { name: "Developers" })) as Plain);
  return String(group.accessGroupId);
}

/** Two installations of integrations, limited to no project. @returns their ids */
export async function installations({
  server: { control },
}: Pick<Harness, "server">): Promise<{ monitoring: string; tracking: string }> {
  const of = (slug: string) => ({ id: `icfg_${slug}`, integration: slug, team: "acme", projects: [] });
  const slugs = ["monitoring", "tracking"] as const;
  await control.seed({
    integrations: slugs.map((slug) => ({
      ...{ clientSecret: "secret", slug, owner: "dev", scopes: [] },
      redirectUrl: "http://127.0.0.1:9/",
    })),
    installations: slugs.map(of),
  });
  return { monitoring: of("monitoring").id, tracking: of("tracking").id };
}

/** Two custom environments of a project. @returns their ids */
export async function environments(w: Harness, project: string): Promise<{ first: string; second: string }> {
  const make = async (slug: string) =>
    String(((await w.curl("POST", `/v9/projects/${project}/custom-environments`, { slug })) as Plain).id);
  return { first: await make("first"), second: await make("second") };
}

/** An input that is about how the resource is made or waited for. */
export const own = (path: string, first: unknown, second: unknown): Row => ({
  path,
  first,
  second,
  changed: "update",
  cleared: "update",
  shown: () => ({}),
  drift: "the service knows nothing of it",
});

/** The input that names what an object is in: an object elsewhere is another one. */
export const container = (path: string, first: string, second: string, shown: Row["shown"]): Row => ({
  path,
  first,
  second,
  changed: "replace",
  cleared: new RegExp(`^${path} is missing`),
  shown,
  drift: "no request of the API moves it",
});

export const ofProject = container("project", "@web", "@other", () => ({}));

export const ofAccessGroup = container("accessGroupId", "@group", "@otherGroup", (accessGroupId) => ({
  accessGroupId,
}));

export const ofEdgeConfig = container("edgeConfigId", "@flags", "@others", (edgeConfigId) => ({
  edgeConfigId,
}));

/**
 * The rows of a value that the provider reads where it runs.
 * @param row that of the value itself
 * @param inside the path of what has the value, with a dot
 */
export function valueFromRows(row: Row, inside = ""): Row[] {
  const [first = "", second = ""] = Object.keys(outsideValues);
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-values-"));
  beforeAll(() => void Object.assign(process.env, outsideValues));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const [one = "", other = ""] = [first, second].map((name) => path.join(folder, name));
  for (const file of [one, other]) writeFileSync(file, `${outsideValues[path.basename(file)]}\n`);
  const shown = (value: unknown): Plain => {
    const source = isPlain(value) ? Object.values(value)[0] : value;
    return value === undefined ? {} : { value: outsideValues[path.basename(`${source}`)] };
  };
  const rowOf = (member: string, values: Pick<Row, "first" | "second" | "cleared">): Row => ({
    ...{ ...row, ...values, shown },
    path: `${inside}valueFrom${member}`,
  });
  const neither = /give either environment or file/;
  return [
    rowOf("", { first: { environment: first }, second: { file: other }, cleared: row.cleared }),
    rowOf(".environment", { first, second, cleared: neither }),
    rowOf(".file", { first: one, second: other, cleared: neither }),
  ];
}
