import type { FastifyReply, FastifyRequest } from "fastify";
import FindMyWay from "find-my-way";
import type * as z from "zod";
import { authenticate, type Caller, refuseDisabled, requireScopes, resolveAccount } from "../access/caller";
import { outbox } from "../events/outbox";
import { followClock } from "../platform/clock";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { Tx } from "../store/store";
import { accountQuery } from "./query";
import { takeFrom } from "./rate-limits";
import { nothingRendered } from "./rendered";
import { sendJson } from "./reply";
import { type Answered, type Identity, keptIdentities, keyOf, type UntilCommit } from "./response-cache";
import { type Call, Json, type Route } from "./route";
import { pathOf, projectKeyOf, unversioned } from "./router";
import { refuseUnrouted } from "./unrouted";
import { refuseUnstorable } from "./unstorable";
import { check, parseJson } from "./validate";

/** The API's routes, put together. */
export interface Api {
  /** @throws Refusal what answers instead */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** What is said of a path that is not served, or not under this method. */
  refuse(request: FastifyRequest): Refusal;
}

/** Longest segment of a path: of any length that the header limit lets through. */
const longestSegment = 16 * 1024;

/** How a request comes to its answer: route, caller, body, transaction. */
export function assembleApi(options: Omit<Context, "identities">, routes: readonly Route[]): Api {
  const context = { ...options, identities: keptIdentities(options.services.store) };
  const refuse = refuseUnrouted(routes);
  const router = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: longestSegment });
  for (const route of routes) router.on(route.method, unversioned(route.path), () => {}, route);
  return {
    refuse,
    async answer(request, reply) {
      const { method, url } = request;
      const found = router.find(method === "HEAD" ? "GET" : (method as Route["method"]), pathOf(url));
      if (found === null) throw refuse(request);
      const route: Route = found.store;
      request.params = found.params;
      request.route = unversioned(route.path);
      return answer(context, route, request, reply);
    },
  };
}

interface Context {
  services: Services;
  answers: UntilCommit<Answered>;
  identities: UntilCommit<Identity>;
  strict: boolean;
  limited: boolean;
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
  const text = await carryOut(services, route, start);
  if (text === undefined) return reply.code(status).send();
  if (strict) check(route.reply[status] as z.ZodType, JSON.parse(text), "answer");
  if (!keep) return sendJson(reply, status, text);
  const body = Buffer.from(text);
  const { caller, account } = request;
  keep({ status, body, caller, account, route: request.route, projectKey: projectKeyOf(request.params) });
  return sendJson(reply, status, body);
}

/** Carries a request out. @returns the body of the answer; undefined for none */
export async function carryOut(services: Services, route: Route, start: Start): Promise<string | undefined> {
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
  const params = route.params ? check(route.params, request.params, "path") : request.params;
  const query = route.query ? check(route.query, request.query, "query") : request.query;
  const body = route.body ? check(route.body, parseBody(route, request), "body") : undefined;
  requireScopes(account, route.furtherScope?.({ query, body }) ?? []);
  return {
    account,
    caller,
    params,
    query,
    body,
    now: context.services.clock.now(),
    services: context.services,
  };
}

async function identify({ services, identities }: Context, request: FastifyRequest): Promise<Identity> {
  const { authorization } = request.headers;
  const { teamId, slug } = request.query as Record<string, unknown>;
  const key = keyOf(authorization, JSON.stringify([teamId, slug]));
  const met = (caller: Caller): void => {
    request.caller = caller;
    refuseDisabled(caller);
    refuseUnstorable(request.params, "path");
    refuseUnstorable(request.query, "query");
  };
  const known = identities.find(key);
  if (known) {
    met(known.caller);
    request.account = known.account;
    return known;
  }
  const keep = identities.keeper(key);
  return services.store.read(async (tx) => {
    // Asked together, and both awaited: the transaction must not end before its queries.
    const following = followClock(tx, services);
    const caller = await authenticate(tx, authorization).finally(() => following);
    met(caller);
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
