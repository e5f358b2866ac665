import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifFound } from "../client/errors";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { reorderingOf } from "../core/diff";
import { reasonForOwner } from "../core/key-step";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import type { RunContext } from "../core/run-context";
import { takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import { ownersByProject, type UniqueKeys } from "../core/unique-keys";
import { own, type Plain, same } from "../core/values";
import { filters, twoParts } from "./names";
import {
  type Content,
  contentIn,
  contentOf,
  hasContent,
  mergedContent,
  sentContent,
  settings,
} from "./project-route/content";
import { type Inputs, inputs } from "./project-route/inputs";
import {
  type Current,
  isEqual,
  liveRoutes,
  movedTo,
  publish,
  type RemoteRoute,
  readRoutes,
  routesPath,
} from "./project-route/routes";

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the route at the service, for `position.referenceId` of another route. */
  routeId: z.string(),
  /** Kind of the route: rewrite, redirect, set_status or transform. */
  routeType: z.string().nullable(),
});
type Outputs = z.output<typeof outputs>;

/**
 * The unique key of a route is its name.
 * @choice The service may accept routes with the same name. With this key, no run creates a route twice.
 */
const routeKeys: UniqueKeys = {
  noun: "the route",
  choices: "another name",
  scope: "project",
  of: ({ name }, projectId) => (typeof name === "string" ? [`${projectId}/${name}`] : undefined),
  owners: ({ client }, keys) =>
    ownersByProject(keys, async (projectId) =>
      ((await ifFound(liveRoutes(client, projectId))) ?? []).map(({ id, name }) => ({
        id,
        keys: [`${projectId}/${name}`],
      })),
    ),
  // The service accepts the name while another route has it.
  freeKeys: async () => async () => {},
};

/**
 * A route of a project that needs no deployment: it redirects or rewrites requests, answers them with a status, or
 * changes headers. A change is published at once. Several routes of a program are changed one after the other.
 * @throws Error if somebody else has staged routes that are not published
 * @source the newest official client: /v1/projects/{projectId}/routes; the Terraform provider: vercel_project_route
 */
export const projectRoute = resource({
  type: "ProjectRoute",
  handler: "route",
  scopes: ["read-write:project"],
  importId: "`<project>/<id of the route>`",
  inputs,
  outputs,
  traits: {
    defaults: { description: null, enabled: true, position: null, adopt: false },
    stable: ["projectId", "routeId"],
    replaceOn: ["project"],
  },
  diff: {
    drift: (state, news) =>
      reorderingOf("route.transforms", transformsIn(state.route), transformsIn(news.route)),
  },
  ownership: { uniqueKeys: routeKeys },
  list: listing(filters, async (client, { project }) => {
    const { id } = await client.identify(project);
    return { items: (await liveRoutes(client, id)).map((one) => ({ id: idOf(id, one), name: one.name })) };
  }),

  async create(operation, declared) {
    const { id: projectId, accountId } = await operation.client.identify(declared.project);
    const route = await oneByOne(operation.run, projectId, async () => {
      const current = await readRoutes(operation.client, projectId);
      const twin = current.live.find(({ name }) => name === declared.name);
      const isFree = twin === undefined || (await isReleased(operation, idOf(projectId, twin), declared));
      if (!isFree) return adoptRoute(operation, projectId, { current, existing: twin }, declared);
      return add(operation.client, projectId, current, declared);
    });
    return resultOf(projectId, accountId, route);
  },

  async read(client, id, state) {
    const [project, routeId] = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const found = (await liveRoutes(client, projectId)).find((one) => one.id === routeId);
    if (!found) throw absentFrom(routesPath(projectId), `The project ${projectId} has no route ${routeId}.`);
    const content = contentIn(found);
    const now: Partial<Inputs> = state
      ? { ...inputsIn(inputs, state), ...seenContent(content, state) }
      : { project: projectId, ...content };
    if (!state && content.enabled) delete now.enabled;
    return { ...resultOf(projectId, accountId, found), inputs: now };
  },

  async update(operation, id, state, declared) {
    const { projectId } = state;
    const { accountId } = await operation.client.identify(projectId);
    const [, routeId] = partsOf(id);
    const route = await oneByOne(operation.run, projectId, async () => {
      const current = await readRoutes(operation.client, projectId);
      return change(operation.client, projectId, { current, routeId }, declared, state, operation.unsure);
    });
    return resultOf(projectId, accountId, route);
  },

  remove: ({ client, run }, id, { projectId }) =>
    oneByOne(run, projectId, async () => {
      const [, routeId] = partsOf(id);
      const others = (routes: readonly RemoteRoute[]) => routes.filter((one) => one.id !== routeId);
      const path = routesPath(projectId);
      const object = `${path}/${routeId}`;
      await publish(client, projectId, await readRoutes(client, projectId), {
        request: { method: "DELETE", path, object, body: { routeIds: [routeId] } },
        isDone: (routes, live) => routes.length === others(routes).length && isEqual(routes, others(live)),
      });
    }),
});

const transformsIn = (route: unknown): unknown => (route as Plain | undefined)?.transforms;

/** Runs a step after the other steps about routes of the project: each stages a version and publishes it. */
const oneByOne = <T>(run: RunContext, projectId: string, step: () => Promise<T>): Promise<T> =>
  run.keys.exclusive(`routes of ${projectId}`, step);

/** The declared settings, with the values of the service. */
function seenContent(content: Content, state: Partial<Inputs>): Partial<Inputs> {
  const seen = settings
    .filter((key) => state[key] !== undefined)
    .map((key) => [key, key === "route" ? seenRoute(content.route, state.route) : (content[key] ?? null)]);
  return Object.fromEntries(seen);
}

/** The route as a whole, because a further member changes what it does. Equal members are as they are declared. */
function seenRoute(route: Content["route"], declared: Plain = {}): Plain {
  const isSame = ([key, value]: [string, unknown]): boolean =>
    same(value, own(route as Plain, key) ?? (value === false ? false : {}));
  return { ...route, ...Object.fromEntries(Object.entries(declared).filter(isSame)) };
}

/**
 * True for a route of the stack whose resource gets another name, so that a new route can have the name.
 * @throws Error if another resource of the stack keeps the name
 */
async function isReleased(
  { run, isOfStack }: Operation<Inputs, Outputs>,
  id: string,
  declared: Inputs,
): Promise<boolean> {
  if (!(await isOfStack(whatOf(declared), id))) return false;
  const keys = routeKeys.of(declared, partsOf(id)[0]) ?? [];
  const reason = await reasonForOwner(run, routeKeys, { declared }, keys, id);
  if (reason !== undefined) throw new Error(reason);
  return true;
}

async function add(
  client: Client,
  projectId: string,
  current: Current,
  { position, ...declared }: Inputs,
): Promise<RemoteRoute> {
  const content = contentOf(declared);
  const addedTo = (routes: readonly RemoteRoute[], live: readonly RemoteRoute[]) =>
    routes.filter(({ id }) => !live.some((one) => one.id === id));
  const path = routesPath(projectId);
  const body = { route: sentContent(content), ...(position && { position }) };
  const { routes, routeId } = await publish(client, projectId, current, {
    request: { method: "POST", path, body },
    isDone(routes, live) {
      const [added, ...others] = addedTo(routes, live);
      if (added === undefined || others.length > 0 || !hasContent(added, content)) return false;
      return isEqual(
        routes.filter((one) => one !== added),
        live,
      );
    },
  });
  const added = routes.find(({ id }) => id === routeId) ?? addedTo(routes, current.live)[0];
  return added as RemoteRoute;
}

/** Changes a route as declared, and moves it if its position changes. */
async function change(
  client: Client,
  projectId: string,
  { current, routeId }: { current: Current; routeId: string },
  { position, ...declared }: Partial<Inputs>,
  known: Partial<Inputs>,
  isUnsure: boolean,
): Promise<RemoteRoute> {
  const path = routesPath(projectId);
  const remote = current.live.find((one) => one.id === routeId);
  if (!remote) throw absentFrom(path, `The project ${projectId} has no route ${routeId}.`);
  const content = mergedContent(remote, declared, known, isUnsure);
  const isMoved = position !== undefined && (isUnsure || !same(position, known.position));
  const ordered = isMoved ? movedTo(current.live, routeId, position) : current.live;
  const sent = sentContent(content);
  const request = isMoved
    ? {
        method: "PUT" as const,
        path,
        body: {
          overwrite: true,
          routes: ordered.map((one) => (one === remote ? { id: routeId, ...sent } : one)),
        },
      }
    : { method: "PATCH" as const, path: `${path}/${encodeURIComponent(routeId)}`, body: { route: sent } };
  const { routes } = await publish(client, projectId, current, {
    request,
    isDone(routes) {
      const at = routes.findIndex((one) => one.id === routeId);
      const mine = routes[at];
      return mine !== undefined && hasContent(mine, content) && isEqual(routes.with(at, remote), ordered);
    },
  });
  return routes.find((one) => one.id === routeId) as RemoteRoute;
}

/** Adopts a route as declared. @throws Error if the resource does not adopt it */
function adoptRoute(
  operation: Operation<Inputs, Outputs>,
  projectId: string,
  { current, existing }: { current: Current; existing: RemoteRoute },
  declared: Inputs,
): Promise<RemoteRoute> {
  const id = idOf(projectId, existing);
  const keys = routeKeys.of(declared, projectId) ?? [];
  const content: Plain = contentIn(existing);
  return takeOver(operation, declared, {
    unique: routeKeys,
    ...{ keys, id },
    what: whatOf(declared),
    changed: [...settings, "position" as const].filter(
      (key) => declared[key] !== undefined && !same(declared[key], content[key]),
    ),
    refusal: unmanagedExists(routeKeys, id, keys, true),
    change: (changed) => {
      const managed = Object.fromEntries(changed.map((key) => [key, (declared as Plain)[key]]));
      return changed.length === 0
        ? Promise.resolve(existing)
        : change(operation.client, projectId, { current, routeId: existing.id }, managed, {}, true);
    },
  });
}

const whatOf = ({ name }: Pick<Inputs, "name">): string => `The route ${name}`;

const idOf = (projectId: string, { id }: Pick<RemoteRoute, "id">): string => `${projectId}/${id}`;

/** Parses `project/route`: the project by id or name, and the id of the route at the service. */
const partsOf = (id: string): [project: string, routeId: string] =>
  twoParts(id, 'The id of a route is "project/route", such as "prj_…/rt_…".');

const resultOf = (projectId: string, accountId: string, route: RemoteRoute): Created<Outputs> => ({
  id: idOf(projectId, route),
  accountId,
  outputs: { projectId, routeId: route.id, routeType: route.routeType ?? null },
});
