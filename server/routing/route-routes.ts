import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { changeRefusals } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import { differencesOf } from "./diff";
import {
  insertedRule,
  mergedRules,
  newRule,
  publishedRules,
  replacedRules,
  restoredRules,
  withoutRules,
} from "./route-change";
import { notEarlier, notStaged, sameRouteIds, tooManyRoutes, unknownVersion } from "./rules";
import type { Rule } from "./schema";
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
import { viewRouteVersion, viewRule } from "./view";

/**
 * The routes of a project: rules for requests that need no deployment. A change is staged, and serves production when
 * its version is promoted.
 * @choice The server only stores them: it routes no requests.
 * @source the newest official client: /v1/projects/{projectId}/routes; the official command line; the Terraform provider
 */

const path = "/v1/projects/:projectId/routes";
const ofProject = z.object({ projectId: z.string() });
const ofRoute = ofProject.extend({ routeId: z.string().max(64).describe("The id of a route.") });
const blocked = [...changeRefusals, tooManyRoutes, sameRouteIds] as const;
const unknownRoute = [404, "not_found", "the project has no such route"] as const;
const unknownReference = [400, "bad_request", "no route has the id of the position"] as const;

type OfProject<B = unknown, P = { projectId: string }> = Call<P, unknown, B>;

async function loadCurrent(call: OfProject) {
  const { project } = await loadProject(call);
  const { live, latest } = await readVersions(call.tx, project.id, "routes");
  return { project, current: itemsOf<Rule>(latest), live: itemsOf<Rule>(live) };
}

/** Stages the routes that `load` has made. */
async function stage(call: Pick<Call, "tx" | "now" | "caller"> & { project: { id: string }; rules: Rule[] }) {
  const { project, caller, rules } = call;
  const of = { projectId: project.id, kind: "routes", by: caller.userId } as const;
  return viewRouteVersion(await stageVersion(call, { ...of, items: rules }));
}
const ruleWith = (rules: readonly Rule[], id: string) => {
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw notFound(`The route ${JSON.stringify(id)}`);
  return viewRule(rule);
};

/** @source the official command line: without a version, the staged one if there is one */
const get = route({
  method: "GET",
  path,
  operationId: "getRoutes",
  summary: "Returns the routes of a project, or of one of its versions.",
  scope: ["read:project"],
  params: ofProject,
  query: wire.routesQuery,
  success: [200, wire.routeList],
  throws: [unknownProject, unknownVersion],
  load: loadProject,
  async handle({ tx, project, query: { versionId: id, diff = "false", q = "", filter } }) {
    const { live, latest } = await readVersions(tx, project.id, "routes");
    const row = id === undefined ? latest : await loadVersion(tx, project.id, "routes", id);
    const items = itemsOf<Rule>(row);
    const differences = differencesOf(items, itemsOf<Rule>(live), (rule) => rule.id, diff === "only");
    const shown = (diff === "false" ? items : differences).map(viewRule);
    const isFound = ({ id, name, rawSrc, rawDest = "", routeType }: (typeof shown)[number]): boolean =>
      (id === q || [name, rawSrc, rawDest].some((text) => text.includes(q))) &&
      (filter === undefined || routeType === filter);
    return {
      routes: shown.filter(isFound),
      version: row ? viewRouteVersion(row) : null,
      limit: { maxRoutes: wire.mostRoutes, currentRoutes: items.length },
      ...(diff !== "false" && { diffCount: differences.filter((one) => "action" in one).length }),
    };
  },
});

/** @source the official command line: the routes are those of an answer, in another order */
const put = route({
  method: "PUT",
  path,
  operationId: "stageRoutes",
  summary: "Stages routes of a project. With overwrite, they replace all routes, in this order.",
  scope: ["read-write:project"],
  params: ofProject,
  body: wire.stageRoutes,
  example: { overwrite: true, routes: [] },
  success: [200, wire.oneRouteVersion],
  throws: [unknownProject],
  async load(call: OfProject<z.infer<typeof wire.stageRoutes>>) {
    const { project, current } = await loadCurrent(call);
    const { overwrite = false, routes = [] } = call.body;
    return { project, rules: mergedRules(current, routes, overwrite) };
  },
  refuse: blocked,
  handle: async (call) => ({ version: await stage(call) }),
});

const add = route({
  method: "POST",
  path,
  operationId: "addRoute",
  summary: "Stages a new route, at the end or at a position.",
  scope: ["read-write:project"],
  params: ofProject,
  body: wire.addRoute,
  example: { route: { name: "Old blog", route: { src: "/blog/:path*", dest: "/news/:path*", status: 308 } } },
  success: [200, wire.changedRoute],
  throws: [unknownProject, unknownReference],
  async load(call: OfProject<z.infer<typeof wire.addRoute>>) {
    const { project, current } = await loadCurrent(call);
    const added = newRule(call.body.route);
    return { project, added, rules: insertedRule(current, added, call.body.position) };
  },
  refuse: blocked,
  handle: async (call) => ({ route: ruleWith(call.rules, call.added.id), version: await stage(call) }),
});

const remove = route({
  method: "DELETE",
  path,
  operationId: "deleteRoutes",
  summary: "Stages the removal of routes.",
  scope: ["read-write:project"],
  params: ofProject,
  body: wire.deleteRoutes,
  example: { routeIds: ["VcUiMlyx8zTclcWPihcy"] },
  success: [200, wire.deletedRoutes],
  throws: [unknownProject, unknownRoute],
  async load(call: OfProject<z.infer<typeof wire.deleteRoutes>>) {
    const { project, current } = await loadCurrent(call);
    const rules = withoutRules(current, call.body.routeIds);
    return { project, rules, deletedCount: current.length - rules.length };
  },
  refuse: blocked,
  handle: async (call) => ({ deletedCount: call.deletedCount, version: await stage(call) }),
});

/** @choice The route is replaced as a whole: members that the request does not have are removed. */
const edit = route({
  method: "PATCH",
  path: `${path}/:routeId`,
  operationId: "editRoute",
  summary: "Stages a change of a route, or restores it as production has it.",
  scope: ["read-write:project"],
  params: ofRoute,
  body: wire.editRoute,
  example: { route: { name: "Old blog", route: { src: "/blog", dest: "/news" } } },
  success: [200, wire.changedRoute],
  throws: [unknownProject, unknownRoute],
  async load(call: OfProject<z.infer<typeof wire.editRoute>, z.infer<typeof ofRoute>>) {
    const { project, current, live } = await loadCurrent(call);
    const { routeId } = call.params;
    const { route: by } = call.body;
    const rules = by ? replacedRules(current, routeId, by) : restoredRules(current, live, routeId);
    return { project, rules };
  },
  refuse: blocked,
  handle: async (call) => ({
    route: ruleWith(call.rules, call.params.routeId),
    version: await stage(call),
  }),
});

const versions = route({
  method: "GET",
  path: `${path}/versions`,
  operationId: "getRouteVersions",
  summary: "Returns the versions of the routes of a project.",
  scope: ["read:project"],
  params: ofProject,
  success: [200, wire.routeVersions],
  throws: [unknownProject],
  load: loadProject,
  handle: async ({ tx, project }) => ({
    versions: (await listVersions(tx, project.id, "routes")).map(viewRouteVersion),
  }),
});

const update = route({
  method: "POST",
  path: `${path}/versions`,
  operationId: "updateRouteVersions",
  summary: "Promotes the staged routes, discards them, or restores an earlier version.",
  scope: ["read-write:project"],
  params: ofProject,
  body: wire.updateRouteVersion,
  example: { id: "rver_1", action: "promote" },
  success: [200, wire.oneRouteVersion],
  throws: [unknownProject, unknownVersion],
  async load(call: OfProject<z.infer<typeof wire.updateRouteVersion>>) {
    const { project } = await loadProject(call);
    return { project, row: await loadVersion(call.tx, project.id, "routes", call.body.id) };
  },
  refuse: [...changeRefusals, notStaged, notEarlier],
  async handle(call) {
    const { row, body } = call;
    if (body.action === "discard") {
      await discardVersion(call.tx, row);
      return { version: viewRouteVersion(row) };
    }
    const items = JSON.stringify(publishedRules(itemsOf<Rule>(row)));
    return { version: viewRouteVersion(await publishVersion(call, row, { items })) };
  },
});

export const routingRoutes: readonly Route[] = [get, put, add, remove, versions, update, edit];
