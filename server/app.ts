import { randomUUID } from "node:crypto";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type * as z from "zod";
import {
  type Account,
  authenticate,
  type Caller,
  refuseDisabled,
  requireScopes,
  resolveAccount,
} from "./auth";
import { check, parseJson } from "./check";
import { followClock } from "./clock-offset";
import { answerClientError, refuseOnceClosing } from "./connections";
import { outbox } from "./events/outbox";
import { serveOpenApi } from "./openapi";
import { pathOf, unversioned } from "./paths";
import { accountQuery } from "./query";
import { answerQuickly } from "./quick-answers";
import { takeFrom } from "./rate-limits";
import { Refusal } from "./refusal";
import { nothingRendered } from "./rendered";
import { type Call, Json, type Route } from "./route";
import type { Services } from "./services";
import type { Tx } from "./store/store";
import { Traffic } from "./traffic";
import { refuseUnrouted } from "./unrouted";
import { refuseUnstorable } from "./unstorable";
import {
  type Answered,
  type Identity,
  keptAnswers,
  keptIdentities,
  keyOf,
  type UntilCommit,
} from "./until-commit";

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
  plugins?: readonly Plugin[];
}

/** A part that sees every request. */
export type Plugin = (app: FastifyInstance, services: Services, traffic: Traffic) => void;

/** Largest body that is read, in bytes. */
const bodyLimit = 4 * 1024 * 1024;

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
    rewriteUrl: (request) => unversioned(request.url ?? "/"),
    // A name of any length that the header limit lets through is looked for, and answered by its route.
    routerOptions: { maxParamLength: 16 * 1024, ignoreTrailingSlash: true },
    // Bodies and answers are checked by the routes themselves: Fastify's own compilers need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerClientError,
    return503OnClosing: false,
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
  refuseOnceClosing(app);
  const traffic = new Traffic();
  app.addHook("onResponse", (request, reply, done) => {
    traffic.answered({
      request: request.raw,
      path: pathOf(request.originalUrl),
      route: request.routeOptions.url,
      requestId: request.id,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      caller: request.caller,
      account: request.account,
      projectKey: projectKeyOf(request),
    });
    done();
  });
  if (logLevel === "debug" || logLevel === "trace") logRequests(app, traffic);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  const refuse = refuseUnrouted(routes);
  app.setNotFoundHandler((request, reply) => sendError(reply, refuse(request)));
  for (const plugin of plugins) plugin(app, all, traffic);
  const answers = keptAnswers(all.store);
  const identities = keptIdentities(all.store);
  addRoutes(app, { services: all, answers, identities, strict, limited }, routes);
  answerQuickly(app, answers, traffic);
  serveOpenApi(app, routes);
  return app;
}

const noSchemas = () => () => {
  throw new Error("routes check by themselves what they take and give");
};

function projectKeyOf({ params }: FastifyRequest): string | undefined {
  const { idOrName, projectId } = params as { idOrName?: string; projectId?: string };
  return idOrName ?? projectId;
}

function logRequests({ log }: FastifyInstance, traffic: Traffic): void {
  traffic.onAnswered(({ requestId, request: { method }, path, status, ms }) => {
    log.debug({ reqId: requestId, method, path, status, ms: Math.round(ms * 10) / 10 }, "request");
  });
}

interface Context {
  services: Services;
  answers: UntilCommit<Answered>;
  identities: UntilCommit<Identity>;
  strict: boolean;
  limited: boolean;
}

function addRoutes(app: FastifyInstance, context: Context, routes: readonly Route[]): void {
  for (const route of routes) {
    app.route({
      method: route.method,
      url: unversioned(route.path),
      handler: (request, reply) => answer(context, route, request, reply),
    });
  }
}

async function answer(
  context: Context,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { services, answers, strict, limited } = context;
  // What a route looks up before its transaction is not in the store: its answers are not kept.
  const limit = limited ? route.limit : undefined;
  const keeps = route.method === "GET" && !route.before && !route.secret && !limit;
  const key = keeps ? keyOf(request.headers.authorization, request.url) : undefined;
  const kept = key && answers.find(key);
  if (kept) {
    request.caller = kept.caller;
    request.account = kept.account;
    return sendJson(reply, kept.status, kept.body);
  }
  const keep = key && answers.keeper(key);
  const status = Number(Object.keys(route.reply)[0]);
  const start = route.open
    ? await openCall(services, route, request)
    : await knownCall(context, route, request);
  if (limit) reply.headers(await takeFrom(services, limit, start));
  const text = await textOf(services, route, start);
  if (text === undefined) return reply.code(status).send();
  if (strict) check(route.reply[status] as z.ZodType, JSON.parse(text), "answer");
  if (!keep) return sendJson(reply, status, text);
  const body = Buffer.from(text);
  const { caller, account, routeOptions } = request;
  keep({ status, body, caller, account, route: routeOptions.url, projectKey: projectKeyOf(request) });
  return sendJson(reply, status, body);
}

/** Carries a request out. @returns the body of the answer; undefined for none */
async function textOf(services: Services, route: Route, start: Start): Promise<string | undefined> {
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
const turnOf = (route: Route, call: Start): string | undefined => (route.open ? undefined : call.account.id);

/** What is known of a request before its transaction. */
type Start = Omit<Call, "tx" | "emit">;

/** Outside the transaction of the request: a refused caller takes no turn among the writes. */
async function knownCall(context: Context, route: Route, request: FastifyRequest): Promise<Start> {
  const { caller, account } = await identify(context, request);
  requireScopes(account, route.scope);
  return {
    account,
    caller,
    params: route.params ? check(route.params, request.params, "path") : request.params,
    query: route.query ? check(route.query, request.query, "query") : request.query,
    body: route.body ? check(route.body, parseBody(route, request), "body") : undefined,
    now: context.services.clock.now(),
    services: context.services,
  };
}

async function identify({ services, identities }: Context, request: FastifyRequest): Promise<Identity> {
  const { authorization } = request.headers;
  const { teamId, slug } = request.query as Record<string, unknown>;
  const key = keyOf(authorization, JSON.stringify([teamId, slug]));
  const known = identities.find(key);
  if (known) {
    request.caller = known.caller;
    refuseUnstorable(request.params, "path");
    refuseUnstorable(request.query, "query");
    request.account = known.account;
    return known;
  }
  const keep = identities.keeper(key);
  return services.store.read(async (tx) => {
    // Asked together, and both awaited: the transaction must not end before its queries.
    const following = followClock(tx, services);
    const caller = await authenticate(tx, authorization).finally(() => following);
    request.caller = caller;
    refuseDisabled(caller);
    refuseUnstorable(request.params, "path");
    refuseUnstorable(request.query, "query");
    const account = await resolveAccount(tx, caller, check(accountQuery, request.query, "query"));
    request.account = account;
    keep({ caller, account });
    return { caller, account };
  });
}

/** `openRoute` saw to it that the handler asks for nothing that is not here. */
async function openCall(services: Services, route: Route, request: FastifyRequest): Promise<Start> {
  await services.store.read((tx) => followClock(tx, services));
  return {
    body: route.body ? check(route.body, parseBody(route, request), "body") : undefined,
    now: services.clock.now(),
    services,
  } as Start;
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

const emitFor = (tx: Tx, { account, caller, now }: Start) => outbox(tx, account.id, caller.userId, now);
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
  refuseUnstorable([...form], "body");
  return Object.fromEntries(form);
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return sendError(reply, error);
  const { statusCode = 500 } = error as { statusCode?: number };
  // Whatever type a body is said to have, it is read as text: a type that is none makes the request a bad one.
  const status = statusCode === 415 ? 400 : statusCode;
  if (status < 500) return sendError(reply, new Refusal(status, "bad_request", (error as Error).message));
  request.log.error(
    { err: error, method: request.method, path: pathOf(request.originalUrl) },
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
