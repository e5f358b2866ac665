// Longer than other files: the routes of flags share how flags are found, checked and refused.
import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { noSuchTeam } from "../accounts/rules";
import { findVisibleTeam, teamPath } from "../accounts/team";
import { loadDeployment, unknownDeployment } from "../deployments/list-store";
import { hasVersion } from "../http/etag";
import { flag as boolean } from "../http/query";
import { present } from "../http/reply";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { badRequest, type RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";
import { listRows } from "../store/rows";
import { keyRoutes } from "./key-routes";
import { type FlagRow, featureFlags } from "./object";
import { cursorPage, cursorPaging } from "./paging";
import { invalidFlag, noSuchFlag, notArchived, problemOf, slugTaken } from "./rules";
import * as wire from "./schema";
import { segmentRoutes } from "./segment-routes";
import { settingsRoutes } from "./settings-routes";
import * as store from "./store";
import { viewFlag, viewVersion } from "./view";

/**
 * The feature flags of projects. This server evaluates no flags.
 * @choice The server emits no events about flags: the payloads of the service are not documented.
 * @source the newest official client: /v1/projects/{idOrName}/feature-flags; the Terraform provider
 */

const path = "/v1/projects/:idOrName/feature-flags/flags";
const flagPath = projectPath.extend({ flag: z.string().describe("Id or slug of the flag.") });
type FlagPath = z.infer<typeof flagPath>;

const several = z
  .union([z.string(), z.array(z.string()).max(100)])
  .transform((values) => [values].flat())
  .optional();

const filters = z.object({
  ...cursorPaging,
  state: z.enum(["active", "archived"]).optional().describe("Only flags in this state. Default: active."),
  kind: wire.createFlag.shape.kind.optional().describe("Only flags of this kind."),
  search: z.string().optional().describe("A part of the slug or the description."),
  tags: several.describe("Only flags with this tag. If repeated, with all of them."),
  createdBy: z.string().optional().describe("Only flags that this user created."),
  maintainerIds: several.describe("Only flags that this user maintains. If repeated, one of them."),
  includeMarketplaceFlags: boolean.optional().describe("This server has none."),
});
type Filters = z.infer<typeof filters>;

function isListed(row: FlagRow, query: Filters): boolean {
  const { state, tags = [], maintainerIds = [], description = "" } = store.dataOf(row);
  const search = (query.search ?? "").toLowerCase();
  return (
    state === (query.state ?? "active") &&
    [row.kind, undefined].includes(query.kind) &&
    [row.created_by, undefined].includes(query.createdBy) &&
    (query.tags ?? []).every((tag) => tags.includes(tag)) &&
    (query.maintainerIds?.some((id) => maintainerIds.includes(id)) ?? true) &&
    [row.slug, description].some((text) => text.toLowerCase().includes(search))
  );
}

function viewPage(rows: readonly FlagRow[], query: Filters, ownerId: string) {
  const page = cursorPage(
    rows.filter((row) => isListed(row, query)),
    query,
  );
  return { data: page.rows.map((row) => viewFlag(row, ownerId)), pagination: page.pagination };
}

const list = route({
  method: "GET",
  path: "/v2/projects/:idOrName/feature-flags/flags",
  operationId: "listFlagsV2",
  summary: "Lists the feature flags of a project, the newest first.",
  scope: ["read:project"],
  params: projectPath,
  query: filters,
  success: [200, wire.flagList],
  throws: [unknownProject],
  load: loadProject,
  handle: async ({ tx, project, query }) =>
    viewPage(await store.flagsOf(tx, [project.id]), query, project.account_id),
});

const listOfTeam = route({
  method: "GET",
  path: "/v2/teams/:teamIdOrSlug/feature-flags/flags",
  operationId: "listTeamFlagsV2",
  summary: "Lists the feature flags of all projects of a team, the newest first.",
  scope: ["read:project"],
  params: teamPath,
  query: filters,
  success: [200, wire.flagList],
  async handle(call) {
    const team = await findVisibleTeam(call);
    if (!team) throw noSuchTeam();
    const projects = await store.reachedProjects(call.tx, team.id, call.caller);
    return viewPage(await store.flagsOf(call.tx, projects), call.query, team.id);
  },
});

/** @choice A boolean flag without variants gets the variants `off` and `on`. Other flags need at least one variant. */
const defaultVariants: wire.Variant[] = [
  { id: "off", label: "Off", value: false },
  { id: "on", label: "On", value: true },
];

const create = route({
  method: "PUT",
  path,
  operationId: "createFlag",
  summary: "Creates a feature flag.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.createFlag,
  example: {
    slug: "checkout",
    kind: "boolean",
    environments: {
      production: {
        active: false,
        pausedOutcome: { type: "variant", variantId: "off" },
        fallthrough: { type: "variant", variantId: "on" },
        rules: [],
      },
    },
  },
  success: [201, wire.flag],
  throws: [unknownProject],
  async load(call: Call<{ idOrName: string }, unknown, wire.CreateFlag>) {
    const { project } = await loadProject(call);
    const { slug, kind, environments: given, ...options } = call.body;
    const id = newId(featureFlags);
    const { environments, changed } = store.revised({}, given);
    const variants = kind === "boolean" ? defaultVariants : [];
    const defaults = { variants, seed: store.seedOf(id), state: "active" } as const;
    const data = present<wire.FlagData>({ ...defaults, ...options, environments });
    const problem =
      data.variants.length === 0
        ? `A flag of the kind ${kind} needs at least one variant.`
        : problemOf(kind, data);
    const isSlugTaken = (await store.findFlag(call.tx, project.id, slug)) !== undefined;
    return { project, id, data, changed, problem, isSlugTaken };
  },
  refuse: [slugTaken, invalidFlag, beingTransferred],
  async handle(call) {
    const { project, id, data, changed, caller, body } = call;
    const row = { id, project_id: project.id, slug: body.slug, kind: body.kind };
    return viewFlag(
      await store.addFlag(call, row, { data, changed, user: caller.userId }),
      project.account_id,
    );
  },
});

const unknownFlag = [404, "not_found", "no such feature flag of the project"] as const;
const unknown = [unknownProject, unknownFlag];

type Loaded = { project: ProjectRow; flag: FlagRow; data: wire.FlagData };

/** @throws Refusal 404 */
async function loadFlag(call: Call<FlagPath>): Promise<Loaded> {
  const { project } = await loadProject(call);
  const flag = await store.findFlag(call.tx, project.id, call.params.flag);
  if (!flag) throw noSuchFlag(call.params.flag);
  return { project, flag, data: store.dataOf(flag) };
}

const oneFlag = {
  params: flagPath,
  query: z.object({ ifMatch: z.string().optional().describe("As the header If-Match.") }),
  throws: unknown,
};
const tagOf = ({ revision }: { revision: unknown }): string => `"${revision}"`;

/**
 * @source the official command line: the header ETag of an answer, and 412 for a flag that has changed since
 * @choice The entity tag is the revision.
 */
const hasChanged: RefusalRow<{
  flag: FlagRow;
  query: { ifMatch?: string | undefined };
  ifMatch?: string | undefined;
}> = [
  412,
  "precondition_failed",
  "The feature flag has changed since. Read it again.",
  ({ flag, query, ifMatch = query.ifMatch }) =>
    ifMatch !== undefined && ifMatch !== `${flag.revision}` && !hasVersion(ifMatch, tagOf(flag)),
];

const get = route({
  ...oneFlag,
  method: "GET",
  path: `${path}/:flag`,
  operationId: "getFlag",
  summary: "Returns a feature flag, by id or slug.",
  scope: ["read:project"],
  success: [200, wire.flag],
  etag: (answer) => tagOf(answer as wire.Flag),
  load: loadFlag,
  refuse: [hasChanged],
  handle: async ({ flag, project }) => viewFlag(flag, project.account_id),
});

/** @choice The author of a version is the caller, whatever `createdBy` says. A request that changes nothing makes none. */
const update = route({
  ...oneFlag,
  method: "PATCH",
  path: `${path}/:flag`,
  operationId: "updateFlag",
  summary: "Changes a feature flag: absent members and environments keep their value.",
  scope: ["read-write:project"],
  body: wire.updateFlag,
  example: { state: "archived" },
  success: [200, wire.flag],
  etag: (answer) => tagOf(answer as wire.Flag),
  async load(call: Call<FlagPath, unknown, wire.UpdateFlag>) {
    const { project, flag, data: before } = await loadFlag(call);
    const { createdBy: _, message: __, environments: given = {}, ...options } = call.body;
    const { environments, changed } = store.revised(before.environments, given);
    const data = present<wire.FlagData>({ ...before, ...options, environments });
    return { project, flag, data, changed, problem: problemOf(flag.kind, data) };
  },
  refuse: [hasChanged, invalidFlag, beingTransferred],
  async handle(call) {
    const { project, flag, data, changed, caller, body } = call;
    const isSame = JSON.stringify(data) === flag.data;
    const version = { data, changed, user: caller.userId, message: body.message };
    return viewFlag(isSame ? flag : await store.changeFlag(call, flag, version), project.account_id);
  },
});

const remove = route({
  ...oneFlag,
  method: "DELETE",
  path: `${path}/:flag`,
  operationId: "deleteFlag",
  summary: "Deletes an archived feature flag with its versions.",
  scope: ["read-write:project"],
  success: [204, null],
  load: loadFlag,
  refuse: [hasChanged, notArchived, beingTransferred],
  handle: ({ tx, flag }) => store.removeFlag(tx, flag.id),
});

const versions = route({
  method: "GET",
  path: `${path}/:flag/versions`,
  operationId: "listFlagVersions",
  summary: "Lists the versions of a feature flag, the newest first.",
  scope: ["read:project"],
  params: flagPath,
  query: z.object({
    ...cursorPaging,
    environment: z.string().optional().describe("Only versions that changed this environment."),
  }),
  success: [200, wire.flagVersions],
  throws: unknown,
  load: loadFlag,
  async handle({ tx, flag, query }) {
    const { environment, limit = 20, cursor } = query;
    const all = (await listRows(tx, "feature_flag_versions", { flag_id: flag.id }, "-revision")).filter(
      ({ changed_environments: changed }) =>
        environment === undefined || JSON.parse(changed).includes(environment),
    );
    if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw badRequest("Invalid query member cursor.");
    const rest = all.filter(({ revision }) => cursor === undefined || Number(revision) < Number(cursor));
    const page = rest.slice(0, limit);
    const next = page.length < rest.length ? String(page.at(-1)?.revision) : null;
    return { versions: page.map(viewVersion), pagination: { next } };
  },
});

/** @choice This server asks no deployment for the flags that its code has. */
const ofDeployment = route({
  method: "GET",
  path: "/v1/deployments/:id/feature-flags",
  operationId: "getDeploymentFeatureFlags",
  summary: "Returns the feature flags that the code of a deployment has. The list is always empty.",
  scope: ["read:deployment"],
  params: z.object({ id: z.string().describe("Id of the deployment.") }),
  success: [200, wire.deploymentFlags],
  throws: [unknownDeployment],
  load: async (call: Call<{ id: string }>) => ({ deployment: await loadDeployment(call) }),
  handle: async () => ({ flags: [], status: null }),
});

export const featureFlagRoutes: readonly Route[] = [
  list,
  listOfTeam,
  create,
  get,
  update,
  remove,
  versions,
  ofDeployment,
  ...segmentRoutes,
  ...keyRoutes,
  ...settingsRoutes,
];
