import type { IncomingMessage, ServerResponse } from "node:http";
import type { ControlState } from "../control/state";
import { pathOf } from "../http/context";
import { refuseForeignHost } from "../http/hosts";
import type { Route } from "../http/route";
import { refuseUnstorable } from "../http/validate";
import { type Assets, sendAsset } from "../platform/assets";
import { notFound, Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { actions } from "./actions";
import { pageHeaders, readJson, refuseForeignPage, sendJson } from "./exchange";
import type { Sessions } from "./sessions";
import { Stream } from "./stream";
import { views } from "./views";

export interface DashboardOptions {
  services: Services;
  /** The files of the page. */
  assets: Assets;
  state: ControlState;
  sessions: Sessions;
  routes: readonly Route[];
  /** The host names of the dashboard, besides `localhost` and IP addresses. */
  hosts: readonly string[];
  /** Called when a link was used. The link then no longer works. */
  onOpened?: (() => void) | undefined;
}

const prefix = "/_dashboard/";

/** True for requests below the dashboard's prefix, and for a browser that opens the server's address. */
export function isForDashboard({ url = "", method, headers }: IncomingMessage): boolean {
  if (url.startsWith(prefix)) return true;
  const opens = pathOf(url) === "/" && (method === "GET" || method === "HEAD");
  return opens && /\btext\/html\b/.test(headers.accept ?? "");
}

/**
 * The dashboard: a live page of the accounts and the control plane. It shows data only to browsers with a session. The
 * code in a link opens a session. Only POST requests from the dashboard's own page can change anything.
 */
export class Dashboard {
  private readonly stream: Stream;

  constructor(private readonly options: DashboardOptions) {
    const { services, state, sessions } = options;
    this.stream = new Stream(services.store, state, sessions);
  }

  /** Ends the open streams, so that the server can close. */
  close(): void {
    this.stream.close();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      refuseForeignHost(request.headers.host, this.options.hosts);
      await this.answer(request, response);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : this.failure(error, request);
      if (response.headersSent) response.destroy();
      else sendJson(response, refusal.status, refusal.body, refusal.headers);
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const isRead = request.method === "GET" || request.method === "HEAD";
    const session = this.options.sessions.find(request.headers.cookie);
    if (pathname === "/") {
      this.page(request, response, session ? "index.html" : "locked.html");
      return;
    }
    const [kind = "", name = ""] = pathname.slice(prefix.length).split("/", 2);
    if (isRead && kind === "files") return this.file(request, response, name);
    if (!isRead && request.method !== "POST") throw methodUnknown;
    if (!isRead) refuseForeignPage(request);
    if (!isRead && kind === "open") return this.open(request, response);
    if (!session) throw noSession;
    if (!isRead && kind === "close") {
      sendJson(response, 200, {}, { "set-cookie": this.options.sessions.close(session) });
      return;
    }
    if (isRead && kind === "stream") return this.stream.add(response, session);
    const { services, state } = this.options;
    if (isRead && kind === "view" && Object.hasOwn(views, name)) {
      refuseUnstorable([...searchParams], "query");
      const value = await views[name]?.({ services, state, query: searchParams });
      return sendJson(response, 200, value);
    }
    if (!isRead && kind === "do" && Object.hasOwn(actions, name)) {
      const body = await readJson(request);
      refuseUnstorable(body, "body");
      const value = await actions[name]?.({ services, state, routes: this.options.routes }, body);
      services.log.info({ action: name, ...withoutSecrets(body) }, "done on the dashboard");
      return sendJson(response, 200, value ?? {});
    }
    throw notFound("This part of the dashboard");
  }

  private page(request: IncomingMessage, response: ServerResponse, name: string): void {
    const page = this.options.assets.get(name);
    if (!page)
      throw new Refusal(503, "not_built", "The dashboard is not built yet. Build it with npm run setup.");
    // Not cached, because the content of `/` depends on the session.
    const headers = { ...pageHeaders, "cache-control": "no-store" };
    sendAsset(request, response, page, headers);
  }

  private file(request: IncomingMessage, response: ServerResponse, name: string): void {
    const file = name.endsWith(".html") ? undefined : this.options.assets.get(name);
    if (!file) throw notFound("This file");
    sendAsset(request, response, file, { "cross-origin-resource-policy": "same-origin" });
  }

  private async open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { code } = (await readJson(request)) as { code?: unknown };
    const cookie = typeof code === "string" ? this.options.sessions.open(code) : undefined;
    if (cookie === undefined) {
      throw new Refusal(403, "forbidden", "This link was used already, or is too old.");
    }
    this.options.onOpened?.();
    sendJson(response, 200, {}, { "set-cookie": cookie });
  }

  private failure(error: unknown, { url = "" }: IncomingMessage): Refusal {
    this.options.services.log.error({ err: error, path: pathOf(url) }, "the dashboard failed");
    return new Refusal(500, "internal_server_error", "The server failed. Its log has the details.");
  }
}

const noSession = new Refusal(401, "forbidden", "There is no session, or it has ended. Open a new link.");
const methodUnknown = new Refusal(
  405,
  "method_unknown",
  "This path does not accept the method. It accepts GET and POST.",
  {},
  {},
  { allow: "GET, POST" },
);

/** The members of a body that may be logged: names, but no values. */
function withoutSecrets(body: unknown): Record<string, string> {
  const named = [
    "account",
    "project",
    "deployment",
    "domain",
    "variable",
    "installation",
    "event",
    "receiver",
  ];
  const given = body as Record<string, unknown>;
  return Object.fromEntries(
    named.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name] as string]] : [])),
  );
}
