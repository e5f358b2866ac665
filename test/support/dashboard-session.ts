import type { TestServer } from "./world";

/** The headers that the dashboard's page sends beside the cookie of its session. */
export const pageHeaders = {
  "x-slipway-dashboard": "1",
  host: "127.0.0.1:4000",
  origin: "http://127.0.0.1:4000",
};

/** A page that is signed in, without its browser. */
export interface DashboardSession {
  readonly cookie: string;
  /** The content of a view. */
  view(name: string, query?: Record<string, string>): Promise<{ status: number; body: unknown }>;
  /** The same, where it is shown for certain. */
  shown(name: string, query?: Record<string, string>): Promise<unknown>;
  /** Asks for an action. */
  act(name: string, body?: object): Promise<{ status: number; body: unknown }>;
  /** Signs out. */
  close(): Promise<void>;
}

/** Opens a new link to the dashboard. */
export async function signIn(world: TestServer): Promise<DashboardSession> {
  const send = (method: "GET" | "POST", url: string, headers: object, payload?: object) =>
    world.app.inject({
      method,
      url: `/_dashboard/${url}`,
      headers: { ...pageHeaders, ...headers },
      ...(payload ? { payload } : {}),
    });
  const opened = await send("POST", "open", {}, { code: world.dashboardLink().replace(/^.*#code=/, "") });
  const session = { cookie: String(opened.headers["set-cookie"]).split(";")[0] ?? "" };
  const read = (answer: Awaited<ReturnType<typeof send>>) => ({
    status: answer.statusCode,
    body: answer.json(),
  });
  const view: DashboardSession["view"] = async (name, query = {}) =>
    read(await send("GET", `view/${name}?${new URLSearchParams(query)}`, session));
  return {
    ...session,
    view,
    async shown(name, query) {
      const { status, body } = await view(name, query);
      expect({ status, body }).toMatchObject({ status: 200 });
      return body;
    },
    close: async () => void (await send("POST", "close", session)),
    act: async (name, given = {}) => read(await send("POST", `do/${name}`, session, given)),
  };
}
