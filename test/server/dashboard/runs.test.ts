import type { RunDetail } from "../../../server/dashboard/wire";
import { type DashboardSession, signIn } from "../../support/dashboard-session";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
let session: DashboardSession;
beforeEach(async () => {
  session = await signIn(world);
});

/** Sends a request as a resource of a run does. */
const send = (run: string, resource: string, method: "GET" | "POST", path: string, body?: object) =>
  world.call(method, path, {
    headers: { "x-slipway-run": run, "x-slipway-resource": encodeURIComponent(resource) },
    ...(body === undefined ? {} : { body }),
  });

const shownRun = (run: string) => session.shown("run", { run }) as Promise<RunDetail>;

describe("runs", () => {
  it("are listed with their requests, changes and refusals, the newest first", async () => {
    await send("first", "Project web", "POST", "/v10/projects", { name: "web" });
    await world.call("GET", "/v9/projects");
    await world.advance(60_000);
    await send("second", "Project web", "GET", "/v9/projects/web");
    await send("second", "Project gone", "GET", "/v9/projects/gone");
    await send("second", "Project web", "POST", "/v10/projects", { name: "web" });
    const times = { startedAt: expect.any(Number), ms: expect.any(Number) };
    expect(await session.shown("runs")).toEqual({
      items: [
        { id: "second", ...times, requests: 3, changes: 0, refused: 1 },
        { id: "first", ...times, requests: 1, changes: 1, refused: 0 },
      ],
      total: 2,
      next: null,
    });
  });

  it("show the requests by resource, in the order in which they began", async () => {
    await send("one", "Project web", "POST", "/v10/projects", { name: "web" });
    // The clock of the test stands still, and then jumps: neither says when a request began.
    await world.control.addFaults({ operation: "getProject", kind: "delay", delayMs: 200 });
    await send("one", "Project web", "GET", "/v9/projects/web");
    await world.advance(3_600_000);
    await send("one", "EnvVar token", "GET", "/v9/projects/web/env");
    const { resources, startedAt, ms } = await shownRun("one");
    expect(startedAt).toBeGreaterThan(beginning - 60_000);
    expect(ms).toBeGreaterThanOrEqual(200);
    expect(ms).toBeLessThan(3_600_000);
    expect(resources).toMatchObject([
      {
        name: "Project web",
        requests: [
          { method: "POST", path: "/v10/projects", status: 200, outcome: "answered", after: 0 },
          { method: "GET", path: "/v9/projects/web", status: 200, outcome: "answered" },
        ],
      },
      { name: "EnvVar token", requests: [{ method: "GET", path: "/v9/projects/web/env", status: 200 }] },
    ]);
  });

  it("group refusals by code and operation, the most frequent first", async () => {
    await world.control.addFaults({ operation: "getProjects", kind: "status" });
    await send("one", "Project web", "GET", "/v9/projects");
    for (const name of ["Web", "WEB"]) await send("one", "Project web", "POST", "/v10/projects", { name });
    const { refusals } = await shownRun("one");
    expect(refusals).toEqual([
      {
        operation: "createProject",
        status: 400,
        code: "bad_request",
        message: expect.stringContaining("name"),
        count: 2,
      },
      {
        operation: "getProjects",
        status: 503,
        code: "internal_server_error",
        message: expect.any(String),
        count: 1,
      },
    ]);
  });

  it("are told apart from requests of others, and unknown ones are refused", async () => {
    await send("not a run, but a text", "Project web", "GET", "/v9/projects");
    expect(await session.shown("runs")).toEqual({ items: [], total: 0, next: null });
    expect(await session.view("run", { run: "none" })).toMatchObject({ status: 404 });
  });

  it("link a request to its run and its operation", async () => {
    await send("one", "Project web", "GET", "/v9/projects");
    const [shown] = (await shownRun("one")).resources.flatMap(({ requests }) => requests);
    expect(await session.shown("request", { sequence: String(shown?.sequence) })).toMatchObject({
      run: "one",
      operation: "getProjects",
    });
  });
});
