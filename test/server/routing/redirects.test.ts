import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/bulk-redirects";
const projectId = "prj_web";

beforeEach(() => world.seed({ projects: [{ team: "acme", id: projectId, name: "web" }] }));

const redirect = (source: string, destination = "/new", more: object = {}) => ({
  ...{ source, destination, statusCode: 307 },
  ...more,
});
const put = (redirects: object[], more: object = {}) =>
  world.call("PUT", path, { body: { projectId, redirects, ...more } });
const read = async (query: object = {}) =>
  (await world.call("GET", path, { query: { projectId, ...query } })).body;
const call = (method: string, rest: string, body: object) =>
  world.call(method, path + rest, { query: { projectId }, body });
const act = (id: string, action: string, more: object = {}) =>
  call("POST", "/versions", { id, action, ...more });
const versions = async () =>
  (await world.call("GET", `${path}/versions`, { query: { projectId } })).body.versions;
const publish = async (...redirects: object[]) => {
  const { version } = (await put(redirects, { overwrite: true })).body;
  await act(version.id, "promote");
  return version.id as string;
};
const sources = async (query: object = {}) =>
  (await read(query)).redirects.map(({ source }: { source: string }) => source);

describe("redirects", () => {
  it("do not exist until they are staged", async () => {
    expect(await read()).toEqual({ redirects: [], version: null });
    expect(await versions()).toEqual([]);
  });

  it("are staged, and serve production when their version is promoted", async () => {
    const published = await publish(redirect("/a"));
    const { body } = await put([redirect("/b", "https://example.com", { query: true })], { name: "two" });
    const version = {
      id: expect.any(String),
      key: expect.any(String),
      name: "two",
      lastModified: world.clock.now(),
      createdBy: expect.any(String),
      ...{ isStaging: true, isLive: false, redirectCount: 2 },
    };
    expect(body).toEqual({ alias: null, version });
    expect(await read()).toEqual({
      redirects: [redirect("/a")],
      version: {
        ...version,
        id: published,
        name: expect.any(String),
        ...{ isStaging: false, isLive: true, redirectCount: 1 },
      },
      pagination: { page: 1, per_page: 50, numPages: 1 },
    });
    expect(await act(body.version.id, "promote")).toMatchObject({
      body: { version: { id: body.version.id, isLive: true, isStaging: false, name: "two" } },
    });
    expect((await read()).redirects).toEqual([
      redirect("/a"),
      redirect("/b", "https://example.com", { query: true }),
    ]);
    expect(await versions()).toMatchObject([{ isLive: true }, { id: published, isLive: false }]);
  });

  it("are merged by their source, or overwrite all", async () => {
    await put([redirect("/a"), redirect("/b")]);
    await put([redirect("/b", "/other"), redirect("/c")]);
    expect((await read()).redirects).toEqual([redirect("/a"), redirect("/b", "/other"), redirect("/c")]);
    await put([redirect("/d")], { overwrite: true });
    expect(await sources()).toEqual(["/d"]);
  });

  it.each([
    [{}, 307],
    [{ permanent: true }, 308],
    [{ permanent: false }, 307],
    [{ statusCode: "301" }, 301],
  ])("with %j have the status %i", async (given, statusCode) => {
    await put([{ source: "/a", destination: "/b", ...given }]);
    expect((await read()).redirects).toEqual([{ source: "/a", destination: "/b", statusCode }]);
  });

  it("are edited, deleted and restored", async () => {
    await publish(redirect("/a"), redirect("/b"));
    await call("PATCH", "", { redirect: { source: "/a", destination: "/other", permanent: true } });
    await call("DELETE", "", { redirects: ["/b", "/unknown"] });
    await put([redirect("/c")]);
    const diff = (await read({ diff: "only" })).redirects;
    expect(diff).toEqual([
      redirect("/a", "/other", { statusCode: 308, action: "~" }),
      redirect("/c", "/new", { action: "+" }),
      redirect("/b", "/new", { action: "-" }),
    ]);
    expect((await call("POST", "/restore", { redirects: ["/b", "/c", "/unknown"] })).body).toMatchObject({
      restored: ["/b", "/c"],
      failedToRestore: ["/unknown"],
    });
    await call("PATCH", "", { redirect: { source: "/a" }, restore: true });
    expect((await read({ diff: "true" })).redirects).toEqual([redirect("/a"), redirect("/b")]);
    expect(await call("PATCH", "", { redirect: { source: "/unknown" } })).toMatchObject({ status: 404 });
    expect(await call("PATCH", "", { redirect: { source: "/x" }, restore: true })).toMatchObject({
      status: 404,
    });
  });

  it("are searched, sorted and read by pages", async () => {
    await put([redirect("/b", "/2"), redirect("/a", "/3"), redirect("/c", "/1")]);
    expect(await sources({ q: "/2" })).toEqual(["/b"]);
    expect(await sources({ sort_by: "source" })).toEqual(["/a", "/b", "/c"]);
    expect(await sources({ sort_by: "destination", sort_order: "desc" })).toEqual(["/a", "/b", "/c"]);
    const page = await read({ per_page: "2", page: "2" });
    expect(page).toMatchObject({ redirects: [{ source: "/c" }], pagination: { page: 2, numPages: 2 } });
  });

  it("are deleted with their project", async () => {
    await publish(redirect("/a"));
    await world.call("DELETE", "/v9/projects/web");
    expect((await world.control.snapshot()).routingVersions).toEqual([]);
  });
});

describe("a version", () => {
  it("can be restored, and a staged one discarded", async () => {
    const first = await publish(redirect("/a"));
    const second = await publish(redirect("/b"));
    const { version } = (await put([redirect("/c")])).body;
    expect(await act(first, "restore", { name: "back" })).toMatchObject({
      body: { version: { id: first, isLive: true, name: "back" } },
    });
    expect(await sources()).toEqual(["/a"]);
    expect(await sources({ versionId: second })).toEqual(["/b"]);
    expect((await act(version.id, "discard")).status).toBe(200);
    expect((await read({ versionId: version.id })).error.code).toBe("not_found");
  });

  it("is refused an action that it does not have", async () => {
    const live = await publish(redirect("/a"));
    expect((await act(live, "promote")).status).toBe(400);
    expect((await act(live, "discard")).status).toBe(400);
    expect((await act(live, "restore")).status).toBe(400);
    expect((await act("unknown", "promote")).status).toBe(404);
  });

  it("is one of a limited number", async () => {
    for (let at = 0; at < 23; at++) await publish(redirect(`/${at}`));
    expect(await versions()).toHaveLength(20);
  });
});

it.each([
  ["a source without a slash", { source: "old" }],
  ["a source that is too long", { source: `/${"a".repeat(2048)}` }],
  ["a destination without a slash", { destination: "new" }],
  ["an unknown status", { statusCode: 200 }],
  ["an unknown member", { status: 307 }],
])("refuses %s", async (_, changed) => {
  expect((await put([{ ...redirect("/a"), ...changed }])).status).toBe(400);
});

it("reads the redirects of a seed once", async () => {
  const seeded = { team: "acme", project: "web", id: "rver_1", name: "v", redirects: [redirect("/a")] };
  await world.seed({ bulkRedirects: [seeded] });
  await world.seed({ bulkRedirects: [{ ...seeded, redirects: [] }] });
  expect(await read()).toMatchObject({
    redirects: [redirect("/a")],
    version: { id: "rver_1", name: "v", isLive: true },
  });
});
