import {
  accountOf,
  authenticate,
  type Caller,
  refuseDisabled,
  refuseExpired,
  requireScopes,
} from "../access/caller";
import { inProject } from "../access/project-roles";
import { outbox } from "../events/outbox";
import { followClock } from "../platform/clock";
import { Refusal, refuseIf } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { Tx } from "../store/store";
import type { App } from "./app";
import { bodyOf, type SentBody } from "./body";
import type { RequestContext } from "./context";
import { Followers, followLines, type Items, toLines } from "./lines";
import { toJson } from "./pieces";
import { accountQuery } from "./query";
import { OpenLimit, takeFrom, uncounted } from "./rate-limits";
import { type Answer, jsonText } from "./reply";
import { type Call, type Route, refusalsOf } from "./route";
import type { Handler } from "./router";
import { UnsentAnswers } from "./unsent";
import { check, isStorable, refuseUnstorable } from "./validate";

export interface PipelineOptions {
  services: Services;
  /** For tests: checks every answer against the schema and the refusals of its route. A mismatch becomes a 500. */
  strict: boolean;
  /** Applies the rate limits of the public API. */
  limited: boolean;
}

/** Serves the API's routes: finds the caller and the account, checks the body, and runs the transaction. */
export function serveApi(app: App, routes: readonly Route[], options: PipelineOptions): void {
  const closing = new AbortController();
  app.onClose(() => closing.abort());
  const unsent = new UnsentAnswers();
  for (const route of routes)
    app.route(
      route.method,
      route.path,
      createPipeline(route, { ...options, unsent, closing: closing.signal }),
    );
  app.onUnrouted(async (context) => {
    const { authorization } = context.headers;
    if (authorization === undefined) return;
    const caller = await options.services.store.read(
      (tx) => findCaller(tx, authorization),
      callerKey(context),
    );
    if (caller) refuseDisabled(caller);
  });
}

/** A key of the caller before the account is known: the access token, or else the address. */
const callerKey = ({ headers, request }: RequestContext): string =>
  headers.authorization ?? request.socket.remoteAddress ?? "";

/** The caller of a request without a route. An unknown token is ignored, so that the request gets its 404. */
const findCaller = (tx: Tx, authorization: string): Promise<Caller | undefined> =>
  authenticate(tx, authorization).then(
    ({ caller }) => caller,
    (error) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    },
  );

/** The state that all routes of a server share. */
interface SharedByRoutes {
  unsent: UnsentAnswers;
  closing: AbortSignal;
}

function createPipeline(
  route: Route,
  { services, strict, limited, unsent, closing }: PipelineOptions & SharedByRoutes,
): Handler {
  const [status, shape] = route.success;
  const limit = limited ? route.limit : undefined;
  const openLimit = limited && route.open ? new OpenLimit() : undefined;
  const isOneRead = route.method === "GET" && !route.open && !route.before && !limit;
  const followers = new Followers();
  const run = (context: RequestContext): Promise<unknown> =>
    isOneRead
      ? services.store.read((tx) => handleInOneRead(tx, services, route, context), callerKey(context))
      : handleInSteps(services, route, limit, context);
  const serve = async (context: RequestContext): Promise<Answer> => {
    // The answers of routes without a token have secrets.
    if (route.open) context.answerHeaders["cache-control"] = "no-store";
    if (!limited && route.limit)
      Object.assign(context.answerHeaders, uncounted(route.limit, services.clock.now()));
    if (route.open && context.method === "HEAD") throw headChanges();
    openLimit?.take(context.request.socket.remoteAddress ?? "", services.clock.now());
    const answer = await run(context);
    const value = route.lines ? (answer as Items).items : answer;
    context.changed = route.changes;
    if (route.etag) context.answerHeaders.etag = route.etag(value);
    if (shape === null) return { status };
    if (route.empty !== undefined && value === undefined) return { status: 204 };
    // With `--lenient`, an answer may have members that are not in its schema.
    if (strict && !services.lenient) check(shape, JSON.parse(JSON.stringify(value)), "answer");
    const text = await toJson(value, services.pacer);
    const { lines, query } = route;
    if (!lines) return jsonText(status, text);
    const parameters = query?.safeParse(context.query).data;
    if (!lines.areWanted(parameters)) return jsonText(status, text);
    const list = answer as Items;
    if (!lines.areFollowed(parameters) || !followers.add(context.account?.id ?? "", context.response))
      return { status, headers: linesType, body: toLines(list.items) };
    const read = (): Promise<Items> => run(context) as Promise<Items>;
    return { status, headers: linesType, stream: followLines(list, read, endOf(context, closing)) };
  };
  const documented: Handler = strict
    ? (context) => serve(context).catch((error) => refuseUndocumented(route, error))
    : serve;
  const isRead = route.method === "GET" && !route.open;
  return async (context) => {
    try {
      if (isRead) return await unsent.run(callerKey(context), context.response, () => documented(context));
      return await documented(context);
    } catch (error) {
      throw services.profile.convert(error);
    }
  };
}

/** A HEAD request must change nothing, and these routes change something with GET. */
const headChanges = (): Refusal =>
  new Refusal(
    405,
    "method_unknown",
    "This path does not accept HEAD. Send POST.",
    {},
    {},
    { allow: "GET, POST" },
  );

const linesType = { "content-type": "application/stream+json; charset=utf-8" };

/** A signal that is aborted when the client closes the connection or the server closes. */
function endOf({ response }: RequestContext, closing: AbortSignal): AbortSignal {
  const left = new AbortController();
  response.once("close", () => left.abort());
  return AbortSignal.any([closing, left.signal]);
}

/** Rethrows a refusal that the route documents. Any other refusal becomes an error, because it is a bug. */
function refuseUndocumented(route: Route, error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const { status, code } = error;
  if (refusalsOf(route).some((known) => known[0] === status && known[1] === code)) throw error;
  throw new Error(`${route.method} ${route.path} does not document its refusal ${status} ${code}`);
}

/** Handles a request in one transaction, from the token to the answer. */
async function handleInOneRead(
  tx: Tx,
  services: Services,
  route: Route,
  context: RequestContext,
): Promise<unknown> {
  const call = await checkCall(services, route, context, await identify(tx, services, context));
  return handleRead(tx, services, route, call);
}

/** Checks the token and the limits, does the work outside of a transaction, and then runs the transaction. */
async function handleInSteps(
  services: Services,
  route: Route,
  limit: Route["limit"],
  context: RequestContext,
): Promise<unknown> {
  const call = await (route.open ? checkOpenCall : checkKnownCall)(services, route, context);
  if (limit) Object.assign(context.answerHeaders, await takeFrom(services, limit, call));
  return handleCall(services, route, call);
}

/** A call before its transaction. */
type CheckedCall = Omit<Call, "tx" | "emit"> & Partial<SentBody>;

/** Checks a call before its transaction, so that a refused caller does not wait for other writes. */
async function checkKnownCall(
  services: Services,
  route: Route,
  context: RequestContext,
): Promise<CheckedCall> {
  return checkCall(
    services,
    route,
    context,
    await services.store.read((tx) => identify(tx, services, context), callerKey(context)),
  );
}

async function checkCall(
  services: Services,
  route: Route,
  context: RequestContext,
  { caller, account }: Pick<Call, "account" | "caller">,
): Promise<CheckedCall> {
  requireScopes(account, route.scope);
  const params = route.params ? check(route.params, context.params, "path") : context.params;
  const query = route.query ? check(route.query, context.query, "query") : context.query;
  const { body, sent } = await bodyOf(services, route, context);
  requireScopes(account, route.furtherScope?.({ query, body }) ?? []);
  const { origin, version, headers } = context;
  const now = services.clock.now();
  const ifMatch = headers["if-match"];
  return { account, caller, params, query, body, sent, version, ifMatch, now, services, origin };
}

/** Checks a call without a caller. The type of `openRoute` ensures that the route's handler uses no caller. */
async function checkOpenCall(
  services: Services,
  route: Route,
  context: RequestContext,
): Promise<CheckedCall> {
  await services.store.read((tx) => followClock(tx, services), callerKey(context));
  refuseUnstorable(context.params, "path");
  const params = route.params ? check(route.params, context.params, "path") : context.params;
  return {
    ...(await bodyOf(services, route, context)),
    params,
    now: services.clock.now(),
    services,
  } as CheckedCall;
}

/** @returns the answer's body @throws Refusal */
export async function handleCall(services: Services, route: Route, call: CheckedCall): Promise<unknown> {
  const { store } = services;
  const work = route.before ? await route.before(call) : {};
  // Every route without a token writes, also with GET.
  if (route.method === "GET" && !route.open)
    return store.read((tx) => handleRead(tx, services, route, { ...call, ...work }), call.account.id);
  // A call without a token is refused before it takes a lock, or it proves the account that it changes.
  const account = route.accountOf ? await route.accountOf(call) : call.account.id;
  const lockKeys = new Set([account, ...((await route.otherAccounts?.(call)) ?? [])]);
  return store.write(
    async (tx) => {
      const emit = route.open
        ? refuseToEmit
        : outbox({ tx, now: call.now }, call.account, call.caller.userId);
      const answer = await handle(route, { ...call, ...work, tx, emit });
      return services.lenient ? services.lenient.complete(tx, route, answer, call.sent) : answer;
    },
    ...lockKeys,
  );
}

async function handleRead(tx: Tx, services: Services, route: Route, call: CheckedCall): Promise<unknown> {
  const answer = await handle(route, { ...call, tx, emit: refuseToEmit });
  return services.lenient ? services.lenient.complete(tx, route, answer) : answer;
}

/** Finds the caller of a request, and the account that it acts on. @throws Refusal */
export async function identify(
  tx: Tx,
  services: Services,
  context: RequestContext,
): Promise<Pick<Call, "account" | "caller">> {
  const { params, query, headers } = context;
  // An invalid query is refused after the caller is known.
  const { data: name } = accountQuery.safeParse(query);
  // The transaction must not end before both queries. `following` may fail while `authenticate` still runs.
  const following = followClock(tx, services);
  following.catch(() => {});
  const known = name && isStorable(name) ? name : {};
  const { caller, named } = await authenticate(tx, headers.authorization, known).finally(() => following);
  refuseExpired(caller, services.clock.now());
  context.caller = caller;
  refuseDisabled(caller);
  refuseUnstorable(params, "path");
  refuseUnstorable(query, "query");
  const account = accountOf(caller, named, name ?? check(accountQuery, query, "query"));
  context.account = account;
  return inProject(tx, { account, caller }, context);
}

async function handle(route: Route, call: Call & object): Promise<unknown> {
  const loaded = route.load ? { ...call, ...(await route.load(call)) } : call;
  if (route.refuse) await refuseIf(route.refuse, loaded);
  return route.handle(loaded);
}

const refuseToEmit = (): never => {
  throw new Error("events are emitted inside the transaction of their change");
};
