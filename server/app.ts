import { randomUUID } from "node:crypto";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  LogController,
} from "fastify";
import type { z } from "zod";
import { AnswerCache } from "./answer-cache";
import { type Account, authenticate, type Caller, requireScopes, resolveAccount } from "./auth";
import { followClock } from "./clock-offset";
import { outbox } from "./events/outbox";
import { refuseNul } from "./nul";
import { serveOpenApi } from "./openapi";
import { accountQuery } from "./query";
import { takeFrom } from "./rate-limits";
import { badRequest, Refusal } from "./refusal";
import { nothingRendered } from "./rendered";
import { type Call, Json, type Route } from "./route";
import type { Services } from "./services";
import type { Tx } from "./store/store";

export interface AppOptions {
  services: Omit<Services, "log">;
  routes: readonly Route[];
  /** Checks every answer against its shape: a mismatch is a 500. For tests. */
  strict?: boolean;
  /** Answers 429 to who asks more often than the public API takes. */
  limited?: boolean;
  /** `silent` for tests. Default `info`. */
  logLevel?: string;
  /** Further parts, which see every request: the control plane, faults, limits. */
  plugins?: readonly ((app: FastifyInstance, services: Services) => void)[];
}

/** Largest body that is read, in bytes. */
const bodyLimit = 4 * 1024 * 1024;
const allMethods: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

declare module "fastify" {
  interface FastifyRequest {
    /** Known once the token was found: for logs and limits. */
    caller: Caller | undefined;
    account: Account | undefined;
  }
}

/**
 * Wires the parts into one Fastify instance. It keeps no state outside of it, reads no environment and
 * installs no signal handler, so that many servers can live in one process.
 */
export function createApp({
  services,
  routes,
  strict = false,
  limited = false,
  logLevel = "info",
  plugins = [],
}: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: logLevel === "silent" ? false : { level: logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    genReqId: () => randomUUID(),
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    // A version in front of a known path never changes its meaning. @source Versioning; wire-shapes 0.1
    rewriteUrl: (request) => (request.url ?? "/").replace(/^\/v\d+(?=\/)/, ""),
    // A name of any length that the header limit lets through is looked for, and answered by its route.
    routerOptions: { maxParamLength: 16 * 1024, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  const all: Services = { ...services, log: app.log };
  app.decorateRequest("caller", undefined);
  app.decorateRequest("account", undefined);
  app.removeAllContentTypeParsers();
  // Bodies are read as text and parsed after the caller is known, by the route.
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    request.log.debug(
      {
        method: request.method,
        path: request.originalUrl.split("?", 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendError(reply, unserved(request.url)));
  for (const plugin of plugins) plugin(app, all);
  addRoutes(app, { services: all, answers: new AnswerCache(all.store), strict, limited }, routes);
  serveOpenApi(app, routes);
  return app;
}

/** @choice The newest clients' drains are of traces and files too, and of shapes that are not public. */
const unserved = (url: string): Refusal =>
  /^\/drains(?=[/?]|$)/.test(url)
    ? new Refusal(501, "not_implemented", "This server has no drains of that kind. Use /v1/log-drains.")
    : new Refusal(404, "not_found", "This server has no such path.");

interface Context {
  services: Services;
  answers: AnswerCache;
  strict: boolean;
  limited: boolean;
}

function addRoutes(app: FastifyInstance, context: Context, routes: readonly Route[]): void {
  const methodsOf = new Map<string, Set<string>>();
  for (const route of routes) {
    const url = unversioned(route.path);
    // One path may go by different parameter names: the router knows it by its shape.
    const shape = url.replace(/:[^/]+/g, ":");
    const taken = methodsOf.get(shape) ?? new Set();
    methodsOf.set(shape, taken.add(route.method));
    app.route({
      method: route.method,
      url,
      handler: (request, reply) => answer(context, route, request, reply),
    });
  }
  for (const [shape, taken] of methodsOf) {
    if (taken.has("GET")) taken.add("HEAD");
    const method = allMethods.filter((name) => !taken.has(name));
    app.route({
      method,
      url: shape.replace(/:/g, (_, at: number) => `:p${at}`),
      handler: (_request, reply) =>
        sendError(
          reply.header("allow", [...taken].join(", ")),
          new Refusal(405, "method_unknown", `This path takes ${[...taken].join(", ")}.`),
        ),
    });
  }
}

/** A path without its version, which is how the router knows it. */
export function unversioned(path: string): string {
  return path.replace(/^\/v\d+(?=\/)/, "");
}

async function answer(
  { services, answers, strict, limited }: Context,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // What a route looks up before its transaction is not in the store: its answers are not kept.
  const limit = limited ? route.limit : undefined;
  const keeps = route.method === "GET" && !route.before && !route.secret && !limit;
  const cached = keeps ? answers.find(request) : undefined;
  if (typeof cached === "object") {
    request.caller = cached.caller;
    request.account = cached.account;
    return sendJson(reply, cached.status, cached.body);
  }
  const status = Number(Object.keys(route.reply)[0]);
  const start = route.open
    ? await openCall(services, route, request)
    : await knownCall(services, route, request);
  if (limit) reply.headers(await takeFrom(services, limit, start));
  const text = await textOf(services, route, start);
  if (text === undefined) return reply.code(status).send();
  if (strict) check(route.reply[status] as z.ZodType, JSON.parse(text), "answer");
  if (cached === undefined) return sendJson(reply, status, text);
  const body = Buffer.from(text);
  cached({ status, body, caller: request.caller, account: request.account });
  return sendJson(reply, status, body);
}

/** Carries a request out. @returns the body of the answer; undefined for none */
async function textOf(services: Services, route: Route, start: Call): Promise<string | undefined> {
  const work = route.before ? await route.before(start) : {};
  const { store } = services;
  const value =
    route.method === "GET"
      ? await store.read((tx) => handle(route, { ...start, ...work, tx, emit: refuseToEmit }))
      : await store.write(
          (tx) => {
            const emit = route.open ? refuseToEmit : emitFor(tx, start);
            const inWrite = { ...services, rendered: nothingRendered };
            return handle(route, { ...start, ...work, services: inWrite, tx, emit });
          },
          turnOf(route, start),
        );
  if (Object.values(route.reply)[0] === null) return undefined;
  return value instanceof Json ? value.text : JSON.stringify(value);
}

/** Who calls without a token may change any account. */
const turnOf = (route: Route, call: Call): string | undefined => (route.open ? undefined : call.account.id);

/** Outside the transaction of the request: a refused caller takes no turn among the writes. */
async function knownCall(services: Services, route: Route, request: FastifyRequest): Promise<Call> {
  return services.store.read(async (tx) => {
    // Asked together, and both awaited: the transaction must not end before its queries.
    const following = followClock(tx, services);
    const caller = await authenticate(tx, request.headers.authorization).finally(() => following);
    request.caller = caller;
    refuseNul(request.params, "path");
    refuseNul(request.query, "query");
    const account = await resolveAccount(tx, caller, check(accountQuery, request.query, "query"));
    request.account = account;
    requireScopes(account, route.scope);
    return {
      account,
      caller,
      params: route.params ? check(route.params, request.params, "path") : request.params,
      query: route.query ? check(route.query, request.query, "query") : request.query,
      body: route.body ? check(route.body, parseBody(route, request), "body") : undefined,
      tx,
      now: services.clock.now(),
      services,
      emit: refuseToEmit,
    };
  });
}

/** `openRoute` saw to it that the handler asks for nothing that is not here. */
async function openCall(services: Services, route: Route, request: FastifyRequest): Promise<Call> {
  await services.store.read((tx) => followClock(tx, services));
  return {
    body: route.body ? check(route.body, parseBody(route, request), "body") : undefined,
    now: services.clock.now(),
    services,
  } as Call;
}

async function handle(route: Route, call: Call & object): Promise<unknown> {
  const loaded = route.load ? { ...call, ...(await route.load(call)) } : call;
  for (const [status, code, message, holds] of route.refuse ?? []) {
    if (await holds(loaded)) {
      throw new Refusal(status, code, typeof message === "string" ? message : message(loaded));
    }
  }
  return route.handle(loaded);
}

const emitFor = (tx: Tx, { account, caller, now }: Call) => outbox(tx, account.id, caller.userId, now);
const refuseToEmit = (): never => {
  throw new Error("events are emitted inside the transaction of their change");
};

function parseBody(route: Route, { headers, body }: FastifyRequest): unknown {
  if (!route.form || /^application\/json\b/i.test(headers["content-type"] ?? "")) return parseJson(body);
  const form = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(String(body ?? ""))) {
    const before = form.get(name);
    // A member that is given twice is an array, and so refused.
    form.set(name, before === undefined ? value : [before, value].flat());
  }
  refuseNul([...form], "body");
  return Object.fromEntries(form);
}

/** No body at all counts as an empty object, so that the message names what is missing. */
export function parseJson(body: unknown): unknown {
  if (body === undefined || body === null || body === "") return {};
  const text = String(body);
  const value = parse(text);
  // Looked for only where it may stand: escaped, as JSON wants it.
  if (text.includes("\\u0000")) refuseNul(value, "body");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/** @throws Refusal 400 naming the first member that does not fit; never its value, which may be a secret */
export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  where: "path" | "query" | "body" | "answer",
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = innermost(result.error.issues);
  if (where === "answer") {
    throw new Error(`the answer does not have its shape at ${path.join(".")}: ${message}`);
  }
  throw badRequest(`Invalid ${where}${path.length > 0 ? ` member ${path.join(".")}` : ""}: ${message}.`);
}

/** The first issue; of a value that fits none of several forms, that of the form it comes closest to. */
function innermost([issue]: readonly z.core.$ZodIssue[]): { path: readonly PropertyKey[]; message: string } {
  if (issue === undefined) return { path: [], message: "not accepted" };
  if (issue.code !== "invalid_union") return issue;
  const depth = ({ path }: { path: readonly PropertyKey[] }): number => path.length;
  const inner = issue.errors.map(innermost).sort((a, b) => depth(b) - depth(a))[0];
  return inner ? { path: [...issue.path, ...inner.path], message: inner.message } : issue;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return sendError(reply, error);
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status < 500) return sendError(reply, new Refusal(status, "bad_request", (error as Error).message));
  request.log.error(
    { err: error, method: request.method, path: request.originalUrl.split("?", 1)[0] },
    "unhandled error",
  );
  return sendError(
    reply,
    new Refusal(
      500,
      "internal_server_error",
      `The server failed. Its log tells more under the request id ${request.id}.`,
    ),
  );
}

export function sendError(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return sendJson(reply.headers(refusal.headers), refusal.status, JSON.stringify(refusal.body));
}

function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}
