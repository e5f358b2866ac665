import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import inject, { type InjectOptions, type Response } from "light-my-request";
import type { Log } from "../platform/log";
import { badRequest, Refusal } from "../platform/refusal";
import { Pacer } from "../store/pacer";
import { OutdatedError, StoreError } from "../store/store";
import { Connections } from "./connections";
import { originForm, RequestContext } from "./context";
import type { Observer } from "./observers";
import { type Answer, jsonText } from "./reply";
import { type Handler, type Method, type MissingPaths, type NotImplemented, Router } from "./router";
import { endAfterRest, isInPieces, lengthOf, sendFile, sendPieces, sendStream } from "./sending";
import { answerClientError, closedToRequests, drain, isAboutHealth } from "./shutdown";

/**
 * Runs before the routes, for every request.
 * @param next runs the remaining middleware and the route; it does not throw
 * @returns the answer; undefined if the middleware has taken over the connection
 */
export type Middleware = (
  context: RequestContext,
  next: () => Promise<Answer | undefined>,
) => Promise<Answer | undefined>;

/**
 * The HTTP server. Every request passes the middleware and then its route. The server reads no environment variables
 * and installs no signal handlers, so one process can run many servers.
 */
export class App {
  readonly server: Server;
  private readonly router = new Router();
  private readonly middleware: Middleware[] = [];
  private readonly observers: Observer[] = [];
  private readonly failed: ((error: Error) => void)[] = [];
  private readonly closed: (() => void)[] = [];
  private closing: Promise<void> | undefined;
  private unrouted: (context: RequestContext) => Promise<void> = async () => {};
  /** The answers to send in this turn of the event loop. */
  private readonly ready: [RequestContext, Answer][] = [];
  private readonly connections: Connections;

  constructor(
    private readonly log: Log,
    private readonly pacer = new Pacer(),
  ) {
    // Node.js itself would refuse requests without a Host or with an Expect header, but its answer has no body.
    const options = { requestTimeout: 60_000, keepAliveTimeout: 72_000, requireHostHeader: false };
    this.server = createServer(options, this.serve);
    this.server.on("checkExpectation", this.serve);
    this.connections = new Connections(this.server);
    this.server.on("clientError", (error, socket: Socket) => {
      this.connections.afterAnswers(socket, () => answerClientError(error, socket));
    });
  }

  /** Adds a route. @param path a path with a version. Requests with another version, or without one, match too */
  route(method: Method, path: string, handler: Handler): void {
    this.router.add(method, path, handler);
  }

  /** Accepts `other` in place of `current` as the first segment of a path. */
  addName(other: string, current: string): void {
    this.router.addName(other, current);
  }

  /** @param check finds the refusal of an operation that only the hosted API has */
  notImplemented(check: NotImplemented): void {
    this.router.setNotImplemented(check);
  }

  /** Adds refusals for some paths without a route. */
  missing(paths: MissingPaths): void {
    this.router.addMissing(paths);
  }

  /** The path, without its version, of the route of a request; undefined if no route matches. */
  readonly routeOf = (context: RequestContext): string | undefined => this.router.routeOf(context);

  use(middleware: Middleware): void {
    this.middleware.push(middleware);
  }

  observe(observer: Observer): void {
    this.observers.push(observer);
  }

  /** @param listener called with every error that is answered with 500 */
  onFailure(listener: (error: Error) => void): void {
    this.failed.push(listener);
  }

  /** @param listener called when the server closes, to end work that would prevent it from closing */
  onClose(listener: () => void): void {
    this.closed.push(listener);
  }

  /** @param check called before the 404 or 405 for a request without a route; it may throw another refusal */
  onUnrouted(check: (context: RequestContext) => Promise<void>): void {
    this.unrouted = check;
  }

  get isClosing(): boolean {
    return this.closing !== undefined;
  }

  /** Sends a request without a connection. */
  inject(request: InjectOptions | string): Promise<Response> {
    return inject(this.serve, request);
  }

  listen(options: { host: string; port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(options, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
  }

  /** Accepts no more requests, and finishes those in progress. */
  close(): Promise<void> {
    if (this.closing === undefined) {
      this.closing = drain(this.server);
      for (const listener of this.closed) listener();
    }
    return this.closing;
  }

  private readonly serve = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = originForm(request.url ?? "/");
    const context = new RequestContext(request, response);
    context.routedPath = this.router.routedPath(context.path);
    // While the server closes, requests that arrive on open connections are refused before they change anything.
    const isLate = this.isClosing && !isAboutHealth(context.path);
    this.connections.inOrder(request, response, () => {
      this.answer(context, isLate).then((answer) => {
        if (answer) this.sendSoon(context, answer);
        else if (!response.headersSent) this.report(context, null);
      });
    });
  };

  private answer(context: RequestContext, isLate: boolean): Promise<Answer | undefined> {
    const from = async (at: number): Promise<Answer | undefined> => {
      try {
        if (at === 0 && isLate) throw closedToRequests();
        if (at === 0) refuseUnclearHost(context.request);
        const middleware = this.middleware[at];
        if (middleware) return await middleware(context, () => from(at + 1));
        return await (await this.find(context))(context);
      } catch (error) {
        return this.answerError(context, error);
      }
    };
    return from(0);
  }

  /** Finds the handler. A disabled installation gets its own refusal instead of a 404. */
  private async find(context: RequestContext): Promise<Handler> {
    try {
      return this.router.find(context);
    } catch (refusal) {
      await this.unrouted(context);
      throw refusal;
    }
  }

  private answerError(context: RequestContext, error: unknown): Answer {
    const { id, method, loggedPath: path } = context;
    if (error instanceof Refusal) return refuse(context, error);
    if (error instanceof OutdatedError) return refuse(context, unavailable(error.message));
    const details = `Its log has the details under the request id ${id}.`;
    if (error instanceof StoreError) {
      this.log.error({ err: error, reqId: id, method, path }, "the store cannot be used");
      return refuse(context, unavailable(`The server cannot use its store. Nothing was changed. ${details}`));
    }
    this.log.error({ err: error, reqId: id, method, path }, "unhandled error");
    for (const listener of this.failed) listener(error as Error);
    const message = `The server failed. ${details}`;
    return refuse(context, new Refusal(500, "internal_server_error", message));
  }

  /**
   * Sends the answers of one turn of the event loop together. Otherwise the client's process may go to sleep between
   * two answers, and waking the process takes longer than sending the answers.
   */
  private sendSoon(context: RequestContext, answer: Answer): void {
    if (this.ready.push([context, answer]) > 1) return;
    setImmediate(() => {
      for (const [request, ready] of this.ready.splice(0)) this.send(request, ready);
    });
  }

  private send(context: RequestContext, { status, headers, body, stream, file }: Answer): void {
    const { request, response } = context;
    if (response.destroyed) {
      this.report(context, null);
      return;
    }
    let isReported = false;
    const report = (isSent: boolean): void => {
      if (!isReported) this.report(context, isSent ? status : null);
      isReported = true;
    };
    // Node.js 22 emits "finish" even when the connection was lost.
    response.once("finish", () => report(!request.socket.destroyed));
    response.once("close", () => report(false));
    const all: Record<string, string | number> = {
      "x-request-id": context.id,
      // Clients of the hosted API show this header. It has the same id, so that it is found in logs.
      "x-vercel-id": context.id,
      "x-content-type-options": "nosniff",
      ...context.answerHeaders,
      ...headers,
    };
    if (status !== 204 && status !== 304 && !stream) all["content-length"] ??= lengthOf(body);
    // Closes the connection only after its last request, because later requests would get no answer.
    if (this.isClosing && this.connections.isLast(request, response)) all.connection = "close";
    this.connections.count(response);
    response.writeHead(status, all);
    if (stream) sendStream(response, stream);
    else if (file !== undefined) sendFile(response, file, this.pacer);
    else if (isInPieces(body)) sendPieces(response, body, this.pacer);
    else if (all.connection === "close" && !request.complete && !request.destroyed)
      endAfterRest(request, response, body);
    else response.end(body);
  }

  private report(context: RequestContext, status: number | null): void {
    const {
      request,
      loggedPath: path,
      route,
      id,
      startedAt,
      caller,
      account,
      params,
      changed,
      refusal,
    } = context;
    const ms = performance.now() - startedAt;
    const projectKey = params.idOrName ?? params.projectId;
    const known = { request, path, route, requestId: id, status, ms, caller, account, projectKey };
    for (const observe of this.observers) observe({ ...known, changed, refusal });
  }
}

/** @throws Refusal 400 without a Host header in HTTP/1.1, or with several, because proxies may choose different ones */
function refuseUnclearHost({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined) {
    if (httpVersion === "1.1") throw badRequest("The Host header is missing.");
    return;
  }
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") count += 1;
  if (count > 1) throw badRequest("The request has several Host headers. Send one.");
}

const unavailable = (message: string): Refusal => new Refusal(503, "service_unavailable", message);

function refuse(context: RequestContext, refusal: Refusal): Answer {
  context.refusal = refusal;
  return jsonText(refusal.status, JSON.stringify(refusal.body), refusal.headers);
}
