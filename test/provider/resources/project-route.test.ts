import type { Plain } from "../../../provider/core/values";
import { projectRoute } from "../../../provider/resources/project-route";
import { openRecordingProxy } from "../../support/recording-proxy";
import { type Harness, recordStack, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
});
afterEach(() => w.close());

const path = "/v1/projects/web/routes";
const route = { src: "/old", dest: "/new" };
const declaring = (name: string, more: Plain = {}) => ({ project: "web", name, route, ...more });
const routes = async () => (await w.curl("GET", path)).routes as unknown as (Plain & { id: string })[];
const names = async () => (await routes()).map(({ name }) => name);
const versions = async () => (await w.curl("GET", `${path}/versions`)).versions as unknown as Plain[];
const act = (version: unknown, action: string) =>
  w.curl("POST", `${path}/versions`, { id: (version as Plain).id, action });
const stage = async (name: string, more: Plain = route) =>
  (await w.curl("POST", path, { route: { name, route: more } })).version;
const byHand = async (name: string) => act(await stage(name), "promote");

it("publishes a route, changes it in place, and removes it", async () => {
  const one = w.stack(projectRoute);
  await one.up(declaring("a", { route: { src: "/blog/:slug", dest: "/news/:slug", status: 308 } }));
  const [{ id } = { id: "" }] = await routes();
  expect(one.id).toBe(`${web}/${id}`);
  expect(one.state).toMatchObject({ projectId: web, routeId: id, routeType: "redirect" });
  await one.refresh(w.another());
  const changed = declaring("b", { description: "why", enabled: false });
  expect(await one.up(changed)).toBe("update");
  expect(await routes()).toMatchObject([
    { id, name: "b", description: "why", enabled: false, rawSrc: "/old" },
  ]);
  expect(await versions()).toMatchObject([{ isLive: true }, { isLive: false }]);
  await one.destroy();
  expect(await names()).toEqual([]);
});

it("is created by many steps at the same time, each exactly once", async () => {
  const all = "abcdefgh".split("").map((name) => [name, w.stack(projectRoute, name)] as const);
  await Promise.all(all.map(([name, one]) => one.up(declaring(name))));
  expect((await names()).sort()).toEqual([..."abcdefgh"]);
  await Promise.all(
    all.map(([name, one], at) => (at % 2 === 0 ? one.destroy() : one.up(declaring(`${name}2`)))),
  );
  expect((await names()).sort()).toEqual(["b2", "d2", "f2", "h2"]);
  expect((await versions()).some(({ isStaging }) => isStaging)).toBe(false);
});

it("is placed, and moves without another id", async () => {
  await byHand("first");
  await byHand("second");
  const [first, second] = await routes();
  const one = w.stack(projectRoute);
  const at = (placement: string, reference?: Plain) =>
    declaring("a", { position: { placement, ...(reference && { referenceId: reference.id }) } });
  await one.up(at("start"));
  expect(await names()).toEqual(["a", "first", "second"]);
  const { id } = one;
  await one.up(at("after", first));
  expect(await names()).toEqual(["first", "a", "second"]);
  await one.up({ ...at("end"), description: "why" });
  expect(await names()).toEqual(["first", "second", "a"]);
  await one.up({ ...at("before", second), description: "why" });
  expect(await names()).toEqual(["first", "a", "second"]);
  expect(one.id).toBe(id);
  expect(await one.up(declaring("a", { description: "why" }))).toBe("update");
  expect(await names()).toEqual(["first", "a", "second"]);
  await expect(one.up(at("after", { id: "unknown" }))).rejects.toThrow(/referenceId does not exist/);
});

it("keeps what somebody has changed until a refresh has shown it", async () => {
  const one = w.stack(projectRoute);
  await one.up(declaring("a", { description: "why" }));
  const id = String(one.state.routeId);
  const body = { route: { name: "a", description: "by hand", route: { ...route, status: 307 } } };
  await act((await w.curl("PATCH", `${path}/${id}`, body)).version, "promote");
  await one.up(declaring("b", { description: "why" }));
  expect(await routes()).toMatchObject([{ name: "b", description: "by hand", route: { status: 307 } }]);
  await one.refresh(w.another());
  expect(one.state).toMatchObject({ description: "by hand", route: { ...route, status: 307 } });
  expect(await one.up(declaring("b", { description: "why" }))).toBe("update");
  const [found = {}] = (await routes()) as Plain[];
  expect(found).toMatchObject({ description: "why" });
  expect((found.route as Plain).status).toBeUndefined();
});

it("needs adopt for a route with its name", async () => {
  await byHand("a");
  await expect(w.stack(projectRoute).up(declaring("a"))).rejects.toThrow(
    /The route a already exists .*adopt: true/,
  );
  const one = w.stack(projectRoute);
  await one.up(declaring("a", { route: { ...route, dest: "/newer" }, adopt: true }));
  expect(await routes()).toMatchObject([{ id: one.state.routeId, name: "a", rawDest: "/newer" }]);
});

it("does not publish what somebody else has staged", async () => {
  const one = w.stack(projectRoute);
  await one.up(declaring("a"));
  const draft = await stage("draft");
  for (const step of [
    () => one.up(declaring("b")),
    () => one.destroy(),
    () => w.stack(projectRoute).up(declaring("c")),
  ])
    await expect(step()).rejects.toThrow(`not published (version ${(draft as unknown as Plain).id})`);
  await act(draft, "discard");
  await one.up(declaring("b"));
  expect(await names()).toEqual(["b"]);
});

it("publishes what an interrupted run has staged, and creates no second route", async () => {
  await stage("a");
  const one = w.stack(projectRoute);
  await one.up(declaring("a"));
  expect(await names()).toEqual(["a"]);
  await w.curl("PATCH", `${path}/${one.state.routeId}`, { route: { name: "b", route } });
  await one.up(declaring("b"));
  expect(await names()).toEqual(["b"]);
  await w.curl("DELETE", path, { routeIds: [one.state.routeId] });
  await one.destroy();
  expect(await names()).toEqual([]);
});

it("is the route of its own answer, if another program adds one with its name meanwhile", async () => {
  const proxy = await openRecordingProxy(w.server.url);
  try {
    let isMade = false;
    proxy.before = async ({ method }) => {
      if (method === "GET" || isMade) return undefined;
      isMade = true;
      await byHand("a");
      return undefined;
    };
    const one = w.stack(projectRoute);
    one.use(w.another({ apiUrl: proxy.url }));
    await one.up(declaring("a"));
    const [other, own] = await routes();
    expect([other?.name, own?.id]).toEqual(["a", one.state.routeId]);
  } finally {
    await proxy.close();
  }
});

it("is gone when somebody has removed it", async () => {
  const one = w.stack(projectRoute);
  await one.up(declaring("a"));
  await act((await w.curl("DELETE", path, { routeIds: [one.state.routeId] })).version, "promote");
  expect(await one.refresh(w.another())).toBe(false);
});

it("takes the name of a route that gets another one in the same run", async () => {
  const one = w.stack(projectRoute, "one");
  await one.up(declaring("a"));
  const run = w.another();
  recordStack([{ type: "ProjectRoute", name: "one", outputs: { ...one.state, id: one.id } }]);
  one.use(run);
  await one.up(declaring("b"));
  const two = w.stack(projectRoute, "two");
  two.use(run);
  await two.up(declaring("a"));
  expect(await names()).toEqual(["b", "a"]);
});

it.each([
  ["a route without an action", { route: { src: "/a" } }, /needs an action/],
  ["a header without a key", { route: { ...route, has: [{ type: "header" }] } }, /needs a key/],
  ["a host without a value", { route: { ...route, missing: [{ type: "host" }] } }, /needs a value/],
  ["a place without a reference", { position: { placement: "after" } }, /needs a referenceId/],
  ["the id of a resource", { position: { placement: "after", referenceId: "prj_1/a" } }, /output routeId/],
])("refuses %s", async (_, more, reason) => {
  await expect(w.stack(projectRoute).up(declaring("a", more))).rejects.toThrow(reason);
});
