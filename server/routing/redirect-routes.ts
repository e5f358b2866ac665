import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { changeRefusals } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import type { ProjectRow } from "../projects/object";
import { differencesOf } from "./diff";
import type { RoutingVersionRow } from "./object";
import { editedRedirects, mergedRedirects, restoredRedirects, withoutRedirects } from "./redirect-change";
import { notEarlier, notStaged, unknownVersion } from "./rules";
import type { Redirect } from "./schema";
import * as wire from "./schema";
import {
  discardVersion,
  itemsOf,
  listVersions,
  loadVersion,
  publishVersion,
  readVersions,
  stageVersion,
} from "./store";
import { viewRedirectVersion } from "./view";

/**
 * The redirects of a project that need no deployment. A change is staged, and serves production when its version is
 * promoted.
 * @choice The server only stores them: it redirects no requests. Their number does not depend on the plan.
 * @source the newest official client: /v1/bulk-redirects; the official command line; the Terraform provider
 */

const path = "/v1/bulk-redirects";
const ofProject = z.object({ projectId: z.string() });
const unknownRedirect = [404, "not_found", "the project has no redirect with this source"] as const;

type OfProject<B = unknown> = Call<unknown, { projectId: string }, B>;
type Sources = z.infer<typeof wire.deleteRedirects>;

const loadQueried = (call: OfProject) =>
  loadProject({ ...call, params: { projectId: call.query.projectId } });

async function loadCurrent(call: OfProject) {
  const { project } = await loadQueried(call);
  const { live, latest } = await readVersions(call.tx, project.id, "redirects");
  return { project, current: itemsOf<Redirect>(latest), live: itemsOf<Redirect>(live) };
}

type Staging = Pick<Call, "tx" | "now" | "caller"> & {
  project: ProjectRow;
  body: { name?: string | undefined };
};

async function stage(call: Staging, items: readonly Redirect[]) {
  const { project, caller, body } = call;
  const of = { projectId: project.id, kind: "redirects", by: caller.userId, name: body.name } as const;
  return viewRedirectVersion(await stageVersion(call, { ...of, items }));
}
const stagedAs = async (call: Staging, items: readonly Redirect[]) => ({
  alias: null,
  version: await stage(call, items),
});

const put = route({
  method: "PUT",
  path,
  operationId: "stageRedirects",
  summary: "Stages redirects of a project. With overwrite, they replace all redirects.",
  scope: ["read-write:project"],
  body: wire.stageRedirects,
  example: { projectId: "prj_web", redirects: [{ source: "/old", destination: "/new", statusCode: 308 }] },
  success: [200, wire.stagedRedirects],
  throws: [unknownProject],
  load: (call: Call<unknown, unknown, z.infer<typeof wire.stageRedirects>>) =>
    loadProject({ ...call, params: { projectId: call.body.projectId } }),
  refuse: changeRefusals,
  async handle(call) {
    const { overwrite = false, redirects = [] } = call.body;
    const { latest } = await readVersions(call.tx, call.project.id, "redirects");
    return stagedAs(call, mergedRedirects(overwrite ? [] : itemsOf<Redirect>(latest), redirects));
  },
});

/**
 * @source the official command line: without a version, the redirects of production
 * @choice A project without versions has no pages. With `diff`, the answer is about the staged version if no other is named. Before the first publication, it is
 *   the staged version in any case.
 */
const get = route({
  method: "GET",
  path,
  operationId: "getRedirects",
  summary: "Returns the redirects of a project, or of one of its versions.",
  scope: ["read:project"],
  query: wire.redirectsQuery,
  success: [200, wire.redirectList],
  throws: [unknownProject, unknownVersion],
  load: loadQueried,
  async handle({ tx, project, query }) {
    const { versionId: id, diff = "false", q = "", page = 1, per_page = 50 } = query;
    const { live, latest } = await readVersions(tx, project.id, "redirects");
    const named = id === undefined ? undefined : await loadVersion(tx, project.id, "redirects", id);
    const row = named ?? (diff === "false" ? (live ?? latest) : latest);
    if (!row) return { redirects: [], version: null };
    const items = itemsOf<Redirect>(row);
    const shown =
      diff === "false"
        ? items
        : differencesOf(items, itemsOf<Redirect>(live), ({ source }) => source, diff === "only");
    const found = sorted(
      shown.filter(({ source, destination }) => source.includes(q) || destination.includes(q)),
      query,
    );
    return {
      redirects: found.slice((page - 1) * per_page, page * per_page),
      version: viewRedirectVersion(row),
      pagination: { page, per_page, numPages: Math.ceil(found.length / per_page) },
    };
  },
});

function sorted<T extends Redirect>(
  redirects: readonly T[],
  { sort_by, sort_order = "asc" }: z.infer<typeof wire.redirectsQuery>,
): readonly T[] {
  if (sort_by === undefined) return redirects;
  const ascending = redirects.toSorted((a, b) =>
    a[sort_by] < b[sort_by] ? -1 : a[sort_by] > b[sort_by] ? 1 : 0,
  );
  return sort_order === "asc" ? ascending : ascending.reverse();
}

/** @choice Sources that the project does not have are ignored. */
const remove = route({
  method: "DELETE",
  path,
  operationId: "deleteRedirects",
  summary: "Stages the removal of redirects.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.deleteRedirects,
  example: { redirects: ["/old"] },
  success: [200, wire.stagedRedirects],
  throws: [unknownProject],
  load: (call: OfProject<Sources>) => loadCurrent(call),
  refuse: changeRefusals,
  handle: (call) => stagedAs(call, withoutRedirects(call.current, call.body.redirects)),
});

/** @choice Members that the request does not have stay. */
const edit = route({
  method: "PATCH",
  path,
  operationId: "editRedirect",
  summary: "Stages a change of one redirect, or restores it as production has it.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.editRedirect,
  example: { redirect: { source: "/old", destination: "/newer" } },
  success: [200, wire.stagedRedirects],
  throws: [unknownProject, unknownRedirect],
  load: (call: OfProject<z.infer<typeof wire.editRedirect>>) => loadCurrent(call),
  refuse: changeRefusals,
  handle: (call) => stagedAs(call, editedRedirects(call.current, call.live, call.body)),
});

const restore = route({
  method: "POST",
  path: `${path}/restore`,
  operationId: "restoreRedirects",
  summary: "Restores staged redirects as production has them.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.restoreRedirects,
  example: { redirects: ["/old"] },
  success: [200, wire.restoredRedirects],
  throws: [unknownProject],
  load: (call: OfProject<Sources>) => loadCurrent(call),
  refuse: changeRefusals,
  async handle(call) {
    const { redirects, restored, failed } = restoredRedirects(call.current, call.live, call.body.redirects);
    return { restored, failedToRestore: failed, version: await stage(call, redirects) };
  },
});

const versions = route({
  method: "GET",
  path: `${path}/versions`,
  operationId: "getVersions",
  summary: "Returns the versions of the redirects of a project.",
  scope: ["read:project"],
  query: ofProject,
  success: [200, wire.redirectVersions],
  throws: [unknownProject],
  load: loadQueried,
  handle: async ({ tx, project }) => ({
    versions: (await listVersions(tx, project.id, "redirects")).map(viewRedirectVersion),
  }),
});

const update = route({
  method: "POST",
  path: `${path}/versions`,
  operationId: "updateVersion",
  summary: "Promotes the staged redirects, discards them, or restores an earlier version.",
  scope: ["read-write:project"],
  query: ofProject,
  body: wire.updateRedirectVersion,
  example: { id: "rver_1", action: "promote" },
  success: [200, wire.oneRedirectVersion],
  throws: [unknownProject, unknownVersion],
  async load(call: OfProject<z.infer<typeof wire.updateRedirectVersion>>) {
    const { project } = await loadQueried(call);
    return { project, row: await loadVersion(call.tx, project.id, "redirects", call.body.id) };
  },
  refuse: [...changeRefusals, notStaged, notEarlier],
  async handle(call) {
    const { row, body } = call;
    if (body.action === "discard") await discardVersion(call.tx, row);
    const changed: RoutingVersionRow =
      body.action === "discard" ? row : await publishVersion(call, row, { name: body.name ?? row.name });
    return { version: viewRedirectVersion(changed) };
  },
});

export const bulkRedirectRoutes: readonly Route[] = [put, get, remove, edit, restore, versions, update];
