import { Sessions } from "../../../server/dashboard/sessions";
import { useTestServer } from "../../support/world";

const hour = 60 * 60 * 1000;

describe("sessions", () => {
  let now: number;
  let sessions: Sessions;

  beforeEach(() => {
    now = 0;
    sessions = new Sessions({ now: () => now });
  });

  const opened = (): string => (sessions.open(sessions.issueCode()) ?? "").split(";")[0] ?? "";

  it("are opened by a code, once", () => {
    const code = sessions.issueCode();
    expect(sessions.open(code)).toMatch(/; HttpOnly; SameSite=Strict; /);
    expect(sessions.open(code)).toBeUndefined();
    expect(sessions.open("")).toBeUndefined();
  });

  it("are opened by a code of the last day", () => {
    const [code, other] = [sessions.issueCode(), sessions.issueCode()];
    now = 24 * hour - 1;
    expect(sessions.open(other)).toBeDefined();
    now = 24 * hour;
    expect(sessions.open(code)).toBeUndefined();
  });

  it("end when they are unused for two hours, and in any case after twelve", () => {
    const cookie = opened();
    for (now = 0; now < 12 * hour; now += hour) expect(sessions.find(cookie)).toBeDefined();
    expect(sessions.find(cookie)).toBeUndefined();
    // The browser forgets it by then, too.
    expect(sessions.open(sessions.issueCode())).toMatch(new RegExp(`; Max-Age=${(12 * hour) / 1000}$`));
    const idle = opened();
    now += 2 * hour;
    expect(sessions.find(idle)).toBeUndefined();
  });

  it("end separately on signing out", () => {
    const [one, other] = [opened(), opened()];
    const session = sessions.find(one);
    expect(session && sessions.close(session)).toMatch(/Max-Age=0/);
    expect(sessions.find(one)).toBeUndefined();
    expect(sessions.find(`a=b; ${other}`)).toBeDefined();
  });

  it("are limited to a hundred, of which the oldest is removed first", () => {
    const [first, ...others] = Array.from({ length: 101 }, opened);
    expect(sessions.find(first)).toBeUndefined();
    expect(others.filter((cookie) => !sessions.find(cookie))).toEqual([]);
  });
});

describe("the dashboard over HTTP", () => {
  const world = useTestServer();

  const own = { "x-slipway-dashboard": "1", host: "127.0.0.1:4000", origin: "http://127.0.0.1:4000" };

  async function codeOf(): Promise<string> {
    const { body } = await world.askControl("POST", "/dashboard");
    return String(body.path).replace("/#code=", "");
  }

  const ask = (
    method: "GET" | "POST",
    url: string,
    headers: Record<string, string> = {},
    body: object = {},
  ) => world.app.inject({ method, url, headers, ...(method === "POST" ? { payload: body } : {}) });

  async function cookie(): Promise<string> {
    const response = await ask("POST", "/_dashboard/open", own, { code: await codeOf() });
    expect(response.statusCode).toBe(200);
    return String(response.headers["set-cookie"]).split(";")[0] ?? "";
  }

  it("shows nothing without a session", async () => {
    for (const [method, path] of [
      ["GET", "/_dashboard/view/projects?account=x"],
      ["GET", "/_dashboard/stream"],
      ["POST", "/_dashboard/do/advance-clock"],
      ["POST", "/_dashboard/close"],
      ["GET", "/_dashboard/do/advance-clock"],
    ] as const) {
      expect((await ask(method, path, own)).statusCode).toBe(401);
    }
  });

  it("opens a session with a code once, and closes it", async () => {
    const code = await codeOf();
    expect((await ask("POST", "/_dashboard/open", own, { code })).statusCode).toBe(200);
    expect((await ask("POST", "/_dashboard/open", own, { code })).statusCode).toBe(403);
    const session = { ...own, cookie: await cookie() };
    expect((await ask("GET", "/_dashboard/view/state", session)).json()).toMatchObject({
      now: world.clock.now(),
      accounts: [{ slug: "acme", projects: 0 }, { slug: "dev" }],
    });
    expect((await ask("POST", "/_dashboard/close", session)).headers["set-cookie"]).toContain("Max-Age=0");
    expect((await ask("GET", "/_dashboard/view/state", session)).statusCode).toBe(401);
  });

  it("refuses changes by GET and by other pages", async () => {
    const session = { ...own, cookie: await cookie() };
    const before = world.clock.now();
    const body = { advanceMs: 1000 };
    const path = "/_dashboard/do/advance-clock";
    expect((await ask("GET", path, session)).statusCode).toBe(404);
    const { "x-slipway-dashboard": _, ...bare } = session;
    const foreignOrigins = [
      bare,
      { ...session, origin: "http://127.0.0.1:4001" },
      { ...session, origin: "null" },
      { ...session, "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreignOrigins)
      expect((await ask("POST", path, headers, body)).statusCode).toBe(403);
    expect(world.clock.now()).toBe(before);
    expect((await ask("POST", path, session, body)).statusCode).toBe(200);
    expect(world.clock.now()).toBe(before + 1000);
  });

  it("refuses foreign host names", async () => {
    const session = { ...own, cookie: await cookie(), host: "rebound.example:4000", accept: "text/html" };
    for (const path of ["/", "/_dashboard/view/state", "/_dashboard/files/main.js"]) {
      expect((await ask("GET", path, session)).statusCode).toBe(403);
    }
    expect((await ask("GET", "/_dashboard/view/state", { ...session, host: "[::1]:4000" })).statusCode).toBe(
      200,
    );
  });

  it("sends a strict content policy, and shows the banner to other clients than browsers", async () => {
    const page = await ask("GET", "/", { accept: "text/html", host: "localhost" });
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(page.headers["content-security-policy"]).not.toMatch(/unsafe/);
    expect(page.body).not.toMatch(/<style|style=|<script(?! src)/);
    const plain = await ask("GET", "/", { host: "localhost", accept: "*/*" });
    expect(plain.headers["content-type"]).toMatch(/^text\/plain/);
  });

  it("answers unknown parts in the form of the API, and logs failures", async () => {
    await world.seed({ projects: [{ team: "acme", name: "web" }] });
    const session = { ...own, cookie: await cookie() };
    const { accounts } = (await ask("GET", "/_dashboard/view/state", session)).json();
    const [{ id: account }] = accounts;
    const body = { account, project: "web", deployment: "dpl_gone" };
    const refused = await ask("POST", "/_dashboard/do/roll-back", session, body);
    expect(refused.statusCode).toBe(404);
    const view = (await ask("GET", "/_dashboard/view/requests", session)).json();
    expect(view.items[0]).toMatchObject({
      path: "/v9/projects/web/rollback/dpl_gone",
      status: 404,
      code: "not_found",
      dashboard: true,
    });
    expect((await ask("POST", "/_dashboard/do/roll-back", session, { account })).statusCode).toBe(400);
    expect((await ask("POST", "/_dashboard/do/constructor", session)).statusCode).toBe(404);
  });
});

describe("without the dashboard", () => {
  const world = useTestServer("memory", { dashboard: false });

  it("serves no page and makes no link", async () => {
    const page = await world.app.inject({ url: "/_dashboard/files/main.js" });
    expect(page.statusCode).toBe(404);
    expect((await world.askControl("POST", "/dashboard")).status).toBe(404);
  });
});
