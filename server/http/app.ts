import { randomUUID } from "node:crypto";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Account, Caller } from "../access/caller";
import { type Development, serveDocuments } from "../ops/docs";
import { once } from "../platform/lazy";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { Traffic } from "./observers";
import type * as AnswerPart from "./pipeline";
import type { Api } from "./pipeline";
import { answerQuickly } from "./quick-answers";
import { sendError } from "./reply";
import { keptAnswers } from "./response-cache";
import type { Route } from "./route";
import { pathOf, projectKeyOf, unversioned } from "./router";
import { answerClientError, refuseOnceClosing } from "./shutdown";

export interface AppOptions {
  services: Omit<Services, "log">;
  /** Are asked for once the first request does, and not at the start. */
  routes: () => readonly Route[];
  /** Checks every answer against its shape: a mismatch is a 500. For tests. */
  strict?: boolean;
  /** Answers 429 to who asks more often than the public API takes. */
  limited?: boolean;
  /** `silent` for tests. Default `info`. */
  logLevel?: string;
  /** What the reference of the API fills in. Default: nothing. */
  development?: () => Promise<Development>;
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
    /** Path of the API's route that answers, without a version. */
    route: string | undefined;
    /** What was answered in place of what was asked for. */
    refusal: { code: string; message: string } | undefined;
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
  development = async () => ({}),
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
    routerOptions: { ignoreTrailingSlash: true },
    // Bodies and answers are checked by the routes themselves: Fastify's own compilers need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerClientError,
    return503OnClosing: false,
  });
  const all: Services = { ...services, log: app.log };
  app.decorateRequest("caller", undefined);
  app.decorateRequest("account", undefined);
  app.decorateRequest("route", undefined);
  app.decorateRequest("refusal", undefined);
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
      route: request.route ?? ownPath(request),
      requestId: request.id,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      caller: request.caller,
      account: request.account,
      projectKey: projectKeyOf(request.params),
      refusal: request.refusal,
    });
    done();
  });
  if (logLevel === "debug" || logLevel === "trace") logRequests(app, traffic);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  for (const plugin of plugins) plugin(app, all, traffic);
  const answers = keptAnswers(all.store);
  const api = once((): Api => {
    // Not loaded before it is needed: its schemas take longer than all else that a start does.
    const { assembleApi }: typeof AnswerPart = require("./pipeline");
    return assembleApi({ services: all, answers, strict, limited }, routes());
  });
  app.setNotFoundHandler((request, reply) => sendError(reply, api().refuse(request)));
  app.route({ method: methods, url: everything, handler: (request, reply) => api().answer(request, reply) });
  answerQuickly(app, answers, traffic);
  serveDocuments(app, routes, development);
  return app;
}

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];
/** The API has all paths but those of the server's own parts, and finds its routes by itself. */
const everything = "/*";

/** Path of the server's own part that answers. */
function ownPath({ routeOptions: { url } }: FastifyRequest): string | undefined {
  return url === everything ? undefined : url;
}

const noSchemas = () => () => {
  throw new Error("routes check by themselves what they take and give");
};

function logRequests({ log }: FastifyInstance, traffic: Traffic): void {
  traffic.onAnswered(({ requestId, request: { method }, path, status, ms }) => {
    log.debug({ reqId: requestId, method, path, status, ms: Math.round(ms * 10) / 10 }, "request");
  });
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
