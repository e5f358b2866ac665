import type { Plain } from "../../../provider/core/values";
import { projectRoute } from "../../../provider/resources/project-route";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const pathOf = (project: string): string => `/v1/projects/${project}/routes`;
const route = { src: "/old", dest: "/new" };

const promote = (w: Harness, project: string, { version }: { version?: unknown }): Promise<unknown> =>
  w.curl("POST", `${pathOf(project)}/versions`, { id: (version as Plain).id, action: "promote" });

/** Publishes a route without the provider. */
const add = async (w: Harness, project: string, made: Plain): Promise<unknown> =>
  promote(w, project, await w.curl("POST", pathOf(project), { route: made }));

const routesOf = async (w: Harness, project: string): Promise<Plain[]> =>
  (await w.curl("GET", pathOf(project))).routes as unknown as Plain[];

/** Changes a route as it is sent. */
const byHand =
  (changes: (before: Plain) => Plain): Row["drift"] =>
  async (w, id) => {
    const [project = "", routeId] = id.split("/");
    const found = (await routesOf(w, project)).find((one) => one.id === routeId) as Plain;
    const { name, description, enabled, srcSyntax, rawSrc, route } = found;
    const sent = { name, description, enabled, srcSyntax, route: { ...(route as Plain), src: rawSrc } };
    return promote(
      w,
      project,
      await w.curl("PATCH", `${pathOf(project)}/${routeId}`, { route: changes(sent) }),
    );
  };
const otherRoute = byHand((sent) => ({ ...sent, route: { src: "/by-hand", dest: "/by-hand" } }));

const missing = /is missing/;
const top = (path: string, row: Pick<Row, "first" | "second" | "cleared"> & Partial<Row>): Row => ({
  path,
  changed: "update",
  shown: (value = null) => ({ [path]: value }),
  drift: otherRoute,
  ...row,
});
const inRoute = (
  name: string,
  row: Pick<Row, "first" | "second" | "cleared"> & Partial<Row>,
  given: Plain = {},
): Row => {
  const member = name.split(/[.[]/)[0] ?? "";
  return {
    path: `route.${name}`,
    given: { route: { ...route, ...given } },
    changed: "update",
    shown: (value) =>
      name === member ? { [member]: value ?? null } : value === undefined ? {} : { flat: expect.any(Object) },
    drift: otherRoute,
    ...row,
  };
};
const header = { type: "header", key: "x-a", value: "b" };
const transform = { type: "request.headers", op: "set", target: { key: "x-a" }, args: ["b"] };
const sentTransform = { ...transform, args: "b" };

const conditions = (name: string): Row[] => {
  const given = { [name]: [header] };
  const shown = (key: string) => (value: unknown) => ({
    [name]: [value === undefined ? expect.any(Object) : expect.objectContaining({ [key]: value })],
  });
  return [
    inRoute(name, { first: [header], second: [header, { ...header, key: "x-b" }], cleared: "update" }),
    inRoute(
      `${name}[].type`,
      { first: "header", second: "cookie", cleared: missing, shown: shown("type") },
      given,
    ),
    inRoute(
      `${name}[].key`,
      { first: "x-a", second: "x-b", cleared: /needs a key/, shown: shown("key") },
      given,
    ),
    inRoute(`${name}[].value`, { first: "a", second: "b", cleared: "update", shown: shown("value") }, given),
  ];
};

const inTransform = (
  name: string,
  row: Pick<Row, "first" | "second" | "cleared">,
  shown: (value: unknown) => Plain,
): Row =>
  inRoute(
    `transforms[].${name}`,
    {
      ...row,
      shown: (value) => ({
        transforms: [value === undefined ? expect.any(Object) : expect.objectContaining(shown(value))],
      }),
    },
    { transforms: [transform] },
  );

export const subject: Subject = {
  resource: projectRoute,
  handler: "route",
  async prepare(w) {
    const known = await projects(w);
    await add(w, known.web, { name: "anchor", route });
    const [anchor] = await routesOf(w, known.web);
    await add(w, known.web, { name: "last", route });
    const [, last] = await routesOf(w, known.web);
    return {
      given: { project: known.web, name: "first", route },
      known: { ...known, anchor: String(anchor?.id), last: String(last?.id) },
    };
  },
  async look(w, id) {
    const [project = "", routeId] = id.split("/");
    const all = await routesOf(w, project);
    const at = all.findIndex((one) => one.id === routeId);
    if (at < 0) throw new Error(`404: no route ${id}`);
    const { route, rawSrc, ...found } = all[at] as Plain;
    return {
      at,
      flat: {},
      ...found,
      ...(route as Plain),
      src: rawSrc,
      route: { ...(route as Plain), src: rawSrc },
    };
  },
  async all({ server }) {
    const { routingVersions } = await server.control.snapshot();
    return routingVersions
      .filter(({ kind, isLive }) => kind === "routes" && isLive)
      .map(({ items }) => items);
  },
  listed: {
    query: { project: "web" },
    names: ["old"],
    prepare: (w) => add(w, "web", { name: "old", route }),
  },
  managed: {
    inputs: (n) => ({ project: "prj_web", name: `route-${n}`, route }),
    changed: { description: "changed" },
  },
  rows: [
    { ...ofProject, shown: () => ({ name: "first" }) },
    top("name", {
      first: "first",
      second: "renamed",
      cleared: missing,
      drift: byHand((one) => ({ ...one, name: "by hand" })),
    }),
    top("description", {
      first: "why",
      second: "why else",
      cleared: "update",
      drift: byHand((one) => ({ ...one, description: "by hand" })),
    }),
    top("enabled", {
      ...{ first: false, second: true, cleared: "update" },
      shown: (enabled = true) => ({ enabled }),
      drift: byHand((one) => ({ ...one, enabled: !one.enabled })),
    }),
    top("srcSyntax", {
      ...{ first: "equals", second: "regex", cleared: "update" },
      shown: (srcSyntax) => (srcSyntax === undefined ? {} : { srcSyntax }),
      drift: byHand((one) => ({ ...one, srcSyntax: "path-to-regexp" })),
    }),
    top("route", {
      ...{ first: route, second: { src: "/other", status: 410 }, cleared: missing },
      shown: (value) => ({ route: value }),
    }),
    inRoute("src", { first: "/old", second: "/blog/:slug", cleared: missing }),
    inRoute("dest", { first: "/new", second: "https://example.com", cleared: "update" }, { status: 308 }),
    inRoute("status", { first: 308, second: 307, cleared: "update" }),
    inRoute("headers", { first: { "x-a": "b" }, second: { "x-a": "c", "x-d": "e" }, cleared: "update" }),
    inRoute("headers.*", { first: "b", second: "c", cleared: "update", shown: () => ({}) }),
    inRoute("caseSensitive", { first: true, second: false, cleared: "update" }),
    ...conditions("has"),
    ...conditions("missing"),
    inRoute("transforms", {
      first: [transform],
      second: [transform, { type: "request.query", op: "delete", target: { key: "q" } }],
      cleared: "update",
      shown: (list) => ({ transforms: list === undefined ? null : expect.arrayContaining([sentTransform]) }),
    }),
    inTransform(
      "type",
      { first: "request.headers", second: "response.headers", cleared: missing },
      (type) => ({ type }),
    ),
    inTransform("op", { first: "set", second: "append", cleared: missing }, (op) => ({ op })),
    inTransform("target", { first: { key: "x-a" }, second: { key: "x-b" }, cleared: missing }, (target) => ({
      target,
    })),
    inTransform("target.key", { first: "x-a", second: "x-b", cleared: missing }, (key) => ({
      target: { key },
    })),
    inTransform("args", { first: ["b"], second: ["b", "c"], cleared: "update" }, (args) => ({
      args: (args as string[]).length === 1 ? (args as string[])[0] : args,
    })),
    inTransform("env", { first: ["KEY"], second: ["KEY", "OTHER"], cleared: "update" }, (env) => ({ env })),
    inRoute("respectOriginCacheControl", { first: true, second: false, cleared: "update" }),
    {
      path: "position",
      first: { placement: "start" },
      second: { placement: "end" },
      ...{ changed: "update", cleared: "update" },
      shown: (value) => (value === undefined ? {} : { at: (value as Plain).placement === "start" ? 0 : 2 }),
      drift: "the API does not return the position",
    },
    {
      path: "position.placement",
      given: { position: { placement: "before", referenceId: "@last" } },
      ...{ first: "before", second: "after", changed: "update", cleared: missing },
      shown: (placement) => ({ at: placement === "before" ? 1 : 2 }),
      drift: "the API does not return the position",
    },
    {
      path: "position.referenceId",
      given: { position: { placement: "before", referenceId: "@last" } },
      ...{ first: "@last", second: "@anchor", changed: "update", cleared: /needs a referenceId/ },
      shown: () => ({}),
      drift: "the API does not return the position",
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      projectRoute,
      () => ({ project: "web", name: "old", route }),
      () => ({ project: "web", name: "old", route: { ...route, status: 308 } }),
    ).map((operation) =>
      operation.name.endsWith(": create") ? { ...operation, nameless: true as const } : operation,
    ),
    {
      name: "ProjectRoute: move",
      resource: projectRoute,
      prepare: async (w) => {
        await add(w, "web", { name: "anchor", route });
        return {};
      },
      before: () => ({ project: "web", name: "old", route }),
      step: "up",
      inputs: () => ({ project: "web", name: "old", route, position: { placement: "start" } }),
    },
    {
      name: "ProjectRoute: adopt",
      resource: projectRoute,
      async prepare(w) {
        await add(w, "web", { name: "old", route });
        return {};
      },
      step: "up",
      inputs: () => ({ project: "web", name: "old", route: { ...route, dest: "/newer" }, adopt: true }),
    },
  ],
};
