import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/projects/web/routes";

beforeEach(() => world.seed({ projects: [{ team: "acme", id: "prj_web", name: "web" }] }));

const rule = (name: string, route: object = {}, more: object = {}) => ({
  ...{ name, route: { src: `/${name}`, dest: "/new", ...route } },
  ...more,
});
const add = (route: object, position?: object) =>
  world.call("POST", path, { body: { route, ...(position && { position }) } });
const read = async (query: Record<string, string> = {}) => (await world.call("GET", path, { query })).body;
const names = async (query: Record<string, string> = {}) =>
  (await read(query)).routes.map(({ name }: { name: string }) => name);
const act = (id: string, action: string) => world.call("POST", `${path}/versions`, { body: { id, action } });
const versions = async () => (await world.call("GET", `${path}/versions`)).body.versions;
const promote = async () => act((await versions())[0].id, "promote");

describe("routes", () => {
  it("do not exist until one is added", async () => {
    expect(await read()).toEqual({
      routes: [],
      version: null,
      limit: { maxRoutes: 1000, currentRoutes: 0 },
    });
    expect(await versions()).toEqual([]);
  });

  it("are added, and serve production when their version is promoted", async () => {
    const { body } = await add(rule("a", { status: 308 }, { description: "why" }));
    const shown = {
      ...{ id: expect.any(String), name: "a", description: "why", enabled: true, staged: true },
      ...{ srcSyntax: "equals", rawSrc: "/a", rawDest: "/new", routeType: "redirect" },
      route: { src: "^/a$", dest: "/new", status: 308 },
    };
    const version = {
      ...{ id: expect.any(String), s3Key: expect.any(String), createdBy: expect.any(String) },
      ...{ lastModified: world.clock.now(), isStaging: true, isLive: false, ruleCount: 1 },
    };
    expect(body).toEqual({ route: shown, version });
    await promote();
    const live = { ...version, isStaging: false, isLive: true };
    expect(await read()).toEqual({
      routes: [{ ...shown, staged: false }],
      version: live,
      limit: { maxRoutes: 1000, currentRoutes: 1 },
    });
    expect(await versions()).toEqual([live]);
  });

  it("are placed by their position", async () => {
    const { route } = (await add(rule("a"))).body;
    await add(rule("b"), { placement: "end" });
    await add(rule("c"), { placement: "start" });
    await add(rule("d"), { placement: "before", referenceId: route.id });
    await add(rule("e"), { placement: "after", referenceId: route.id });
    expect(await names()).toEqual(["c", "d", "a", "e", "b"]);
    expect((await add(rule("f"), { placement: "after", referenceId: "unknown" })).status).toBe(400);
    expect((await add(rule("f"), { placement: "after" })).status).toBe(400);
  });

  it.each([
    ["/blog/:slug", "path-to-regexp", "^/blog/([^/]+)$"],
    ["/api/:path*", "path-to-regexp", "^/api/(.*)$"],
    ["^/posts/[0-9]+$", "regex", "^/posts/[0-9]+$"],
    ["/a.b", "equals", "^/a\\.b$"],
  ])("with the source %s have the syntax %s", async (src, srcSyntax, compiled) => {
    const { body } = await add(rule("a", { src }));
    expect(body.route).toMatchObject({ rawSrc: src, srcSyntax, route: { src: compiled } });
  });

  it.each([
    ["redirect", { status: 307 }],
    ["rewrite", {}],
    ["set_status", { dest: undefined, status: 404 }],
    ["transform", { dest: undefined, headers: { "x-a": "b" } }],
  ])("have the type %s", async (routeType, changed) => {
    await add(rule("a", changed));
    expect(await read({ filter: routeType })).toMatchObject({ routes: [{ routeType }] });
    expect(await names({ filter: routeType === "rewrite" ? "redirect" : "rewrite" })).toEqual([]);
  });

  it("are replaced, removed, searched and restored", async () => {
    const a = (await add(rule("a", {}, { description: "why" }))).body.route;
    const b = (await add(rule("b"))).body.route;
    await promote();
    const edited = await world.call("PATCH", `${path}/${a.id}`, {
      body: { route: rule("z", { dest: "/z" }) },
    });
    expect(edited.body).toMatchObject({
      route: { id: a.id, name: "z", staged: false },
      version: { isStaging: true },
    });
    expect(edited.body.route.description).toBeUndefined();
    expect((await world.call("DELETE", path, { body: { routeIds: [b.id] } })).body).toMatchObject({
      deletedCount: 1,
    });
    expect((await world.call("DELETE", path, { body: { routeIds: [a.id, "unknown"] } })).status).toBe(404);
    expect(await read({ diff: "only" })).toMatchObject({
      diffCount: 2,
      routes: [
        { name: "z", action: "~" },
        { name: "b", action: "-" },
      ],
    });
    expect(await names({ q: "/z" })).toEqual(["z"]);
    await world.call("PATCH", `${path}/${a.id}`, { body: { restore: true } });
    await world.call("PATCH", `${path}/${b.id}`, { body: { restore: true } });
    expect(await names()).toEqual(["a", "b"]);
    expect((await world.call("PATCH", `${path}/unknown`, { body: { restore: true } })).status).toBe(404);
    expect((await world.call("PATCH", `${path}/unknown`, { body: { route: rule("x") } })).status).toBe(404);
    expect((await world.call("PATCH", `${path}/${a.id}`, { body: {} })).status).toBe(400);
  });

  it("are staged as answers have them, in another order, or merged by id", async () => {
    for (const name of ["a", "b"]) await add(rule(name, { src: `/${name}/:path*` }));
    await promote();
    const before = (await read()).routes;
    const put = (body: object) => world.call("PUT", path, { body });
    await put({ routes: [before[1], before[0]], overwrite: true });
    expect((await read()).routes).toEqual([before[1], before[0]]);
    await put({
      routes: [
        { id: before[0].id, ...rule("changed") },
        { id: "new", ...rule("c") },
      ],
    });
    expect(await names()).toEqual(["b", "changed", "c"]);
    expect((await put({ routes: [before[0], before[0]], overwrite: true })).status).toBe(400);
  });

  it("are limited", async () => {
    const routes = Array.from({ length: 1000 }, (_, at) => ({ id: `${at}`, ...rule(`r${at}`) }));
    expect((await world.call("PUT", path, { body: { routes } })).status).toBe(200);
    expect((await add(rule("a"))).body.error.message).toBe("A project can have at most 1000 routes.");
  });
});

it("promotes, restores and discards versions", async () => {
  await add(rule("a"));
  await promote();
  await add(rule("b"));
  await promote();
  const [live, first] = await versions();
  const { version } = (await add(rule("c"))).body;
  expect((await act(first.id, "restore")).body.version).toMatchObject({ id: first.id, isLive: true });
  expect((await act(live.id, "discard")).status).toBe(400);
  expect((await act(first.id, "restore")).status).toBe(400);
  expect((await act(version.id, "discard")).status).toBe(200);
  expect(await names()).toEqual(["a"]);
  expect(await names({ versionId: live.id })).toEqual(["a", "b"]);
  expect((await read({ versionId: version.id })).error.code).toBe("not_found");
  expect((await act(version.id, "promote")).status).toBe(404);
});

it.each([
  ["a route without an action", { dest: undefined }],
  ["an empty source", { src: "" }],
  ["a status that is no status", { status: 99 }],
  ["a header condition without a key", { has: [{ type: "header", value: "x" }] }],
  ["a host condition with a key", { has: [{ type: "host", key: "x", value: "x" }] }],
  ["a host condition without a value", { missing: [{ type: "host" }] }],
  ["a transform without a target", { transforms: [{ type: "request.headers", op: "set" }] }],
])("refuses %s", async (_, changed) => {
  expect((await add(rule("a", changed))).status).toBe(400);
});

it("reads the routes of a seed once", async () => {
  const seeded = { team: "acme", project: "web", id: "rver_1", routes: [{ id: "one", ...rule("a") }] };
  await world.seed({ projectRoutes: [seeded] });
  await world.seed({ projectRoutes: [{ ...seeded, routes: [] }] });
  expect(await read()).toMatchObject({
    routes: [{ id: "one", name: "a", staged: false }],
    version: { id: "rver_1", isLive: true },
  });
});
