import type { IncomingMessage } from "node:http";
import * as z from "zod";
import type { App, Middleware } from "../http/app";
import { closest } from "../http/closest";
import { pathOf, type RequestContext } from "../http/context";
import type { Observer } from "../http/observers";
import { identify } from "../http/pipeline";
import { type Answer, jsonText } from "../http/reply";
import { unversioned } from "../http/router";
import { badRequest, Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import {
  decoded,
  type Fault,
  type FaultPlan,
  faultKinds,
  type ListedFault,
  requestsOf,
  timesOf,
} from "./fault-plan";
import { controlKey } from "./locks";
import { longestQuery } from "./request-log";
import { controlRoute } from "./route";
import { type ControlState, clearFaults } from "./state";

export const fault = z.strictObject({
  method: z.string().toUpperCase().optional(),
  path: z.string().startsWith("/").optional(),
  operation: z.string().optional(),
  account: z.string().min(1).optional(),
  skip: z.int().min(0).default(0),
  times: z.int().min(1).optional(),
  rate: z.number().gt(0).max(1).optional(),
  seed: z.int().min(0).max(0xffff_ffff).optional(),
  resource: z.string().min(1).max(200).optional(),
  kind: z.enum(faultKinds),
  status: z.int().min(400).max(599).default(503),
  code: z.string().optional(),
  message: z.string().optional(),
  page: z.string().optional(),
  retryAfter: z.int().min(0).optional(),
  delayMs: z.int().min(0).max(600_000).default(0),
  jitterMs: z.int().min(0).max(600_000).optional(),
});

/** Adds one fault, or several in an array. They apply to the next requests in this order. */
const postFaults = controlRoute({
  method: "POST",
  path: "/faults",
  operationId: "addFaults",
  summary: "Makes matching requests fail, lose their connection, wait, or get a slow or unreadable answer.",
  example: [{ method: "POST", path: "/v10/projects", kind: "drop-after", times: 1 }],
  body: z.union([z.array(fault), fault.transform((one) => [one])]),
  async handle({ body, state }) {
    for (const one of body) refuseUnclear(one, state);
    return { faults: body.map((one) => viewFault(state.faults.add(one))) };
  },
});

/** @throws Refusal 400 if a fault says nothing about its requests, or names no operation */
function refuseUnclear({ path, operation, account, resource }: Fault, { operations }: ControlState): void {
  if ([path, operation, account, resource].every((one) => one === undefined))
    throw badRequest("A fault needs a path, an operation, an account or a resource.");
  const names = [...operations.values()];
  if (operation === undefined || names.includes(operation)) return;
  const meant = closest(operation, names);
  throw badRequest(
    `There is no operation ${JSON.stringify(operation)}. ${meant ? `Do you mean ${meant}?` : "The reference at /docs has the names."}`,
  );
}

const viewFault = ({ id, fault: one, met }: ListedFault) => ({
  ...one,
  id,
  requests: requestsOf(one),
  times: timesOf(one),
  met,
});

const getFaults = controlRoute({
  method: "GET",
  path: "/faults",
  operationId: "getFaults",
  summary: "Lists the remaining faults, and how many requests each has affected.",
  handle: async ({ state }) => ({ faults: state.faults.list().map(viewFault) }),
});

/** Removes all faults. The answer is sent after the requests that a delay held have finished. */
const deleteFaults = controlRoute({
  method: "DELETE",
  path: "/faults",
  operationId: "clearFaults",
  summary: "Deletes all faults.",
  handle: ({ state }) => clearFaults(state),
});

export const faultRoutes = [getFaults, postFaults, deleteFaults];

async function takeFault(
  services: Services,
  state: ControlState,
  context: RequestContext,
  routeOf: App["routeOf"],
): Promise<Fault | undefined> {
  const { faults } = state;
  const path = decoded(context.path);
  return faults.take({
    method: context.method,
    path,
    paths: [decoded(context.routedPath), unversioned(path)],
    operation: operationOf(state, context.request, routeOf(context)),
    account: faults.hasAccount ? await accountOf(services, context) : [],
    resources: resourceOf(context.request)?.split(", ") ?? [],
  });
}

/** Applies the faults to requests, except to requests for the server's own paths. */
export const injectFaults =
  (services: Services, state: ControlState, routeOf: App["routeOf"]): Middleware =>
  async (context, next) => {
    const { faults, delayed } = state;
    const met =
      faults.waiting && !isOwn(context.path) ? await takeFault(services, state, context, routeOf) : undefined;
    if (met) context.route = routeOf(context);
    const drop = (): undefined => {
      context.request.socket.destroy();
    };
    switch (met?.kind) {
      case undefined:
        return next();
      case "status":
        await readForLog(services, context);
        return answerFor(met, context);
      case "drop-before":
        await readForLog(services, context);
        return drop();
      case "drop-after":
        await next();
        return drop();
      case "malformed":
        return cutOff(await next());
      case "slow":
        return slowed(await next(), met.delayMs, faults);
      case "delay": {
        const { promise, resolve } = Promise.withResolvers<void>();
        delayed.add(promise);
        try {
          // The body is read first, so that the request takes effect even if the client disconnects. An upload is read
          // by its route, because it need not be text and may be large.
          if (!isUpload(context.path)) await context.text();
          await faults.hold(met.delayMs);
          return await next();
        } finally {
          delayed.delete(promise);
          resolve();
        }
      }
    }
  };

/** The `operationId` of a request. */
const operationOf = (
  { operations }: ControlState,
  { method }: IncomingMessage,
  route: string | undefined,
): string | undefined => operations.get(`${method === "HEAD" ? "GET" : method} ${route}`);

/** The id and the slug of the account of a request; empty if the request is refused because of its caller. */
async function accountOf(services: Services, context: RequestContext): Promise<string[]> {
  try {
    const { account } = await services.store.read((tx) => identify(tx, services, context), controlKey);
    return [account.id, account.slug];
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/** Reads the account and the body of a request that no route reads, so that it can be sent again from the log. */
async function readForLog(services: Services, context: RequestContext): Promise<void> {
  if (context.account === undefined) await accountOf(services, context);
  if (!isUpload(context.path)) await context.text().catch(() => undefined);
}

const textOf = ({ body = "" }: Answer): string =>
  typeof body === "string" ? body : Buffer.concat([body].flat()).toString();

/** An answer whose body ends in the middle, so that it is no JSON. An answer without a body stays as it is. */
function cutOff(answer: Answer | undefined): Answer | undefined {
  if (answer?.body === undefined) return answer;
  const text = textOf(answer);
  return { ...answer, body: text.slice(0, Math.floor(text.length / 2)) };
}

/** The number of parts in which a slow answer is sent. */
const slowParts = 10;

/** An answer whose body arrives in parts, the last one after `ms` milliseconds. */
function slowed(answer: Answer | undefined, ms: number, faults: FaultPlan): Answer | undefined {
  if (answer?.body === undefined) return answer;
  const { body: _, ...rest } = answer;
  const characters = [...textOf(answer)];
  const size = Math.ceil(characters.length / slowParts);
  async function* parts() {
    let isHeld = true;
    for (let at = 0; at < characters.length; at += size) {
      if (at > 0 && isHeld) isHeld = await faults.hold(ms / (slowParts - 1));
      yield characters.slice(at, at + size).join("");
    }
  }
  return { ...rest, stream: parts() };
}

const isUpload = (path: string): boolean => unversioned(path) === "/files";

/** Records each request, except requests for the server's own paths. */
export const recordRequests =
  ({ clock }: Services, state: ControlState): Observer =>
  ({ request, requestId, path, route, status, ms, caller, account, refusal }) => {
    if (isOwn(path)) return;
    state.requests.add({
      id: requestId,
      at: clock.now(),
      method: request.method ?? "",
      path,
      query: queryOf(request.url ?? ""),
      status,
      ms: Math.round(ms * 10) / 10,
      caller: caller?.userId ?? null,
      account: account?.id ?? null,
      code: refusal?.code ?? null,
      message: refusal?.message ?? null,
      resource: resourceOf(request),
      run: runOf(request),
      operation: operationOf(state, request, route) ?? null,
      dashboard: false,
    });
  };

/** Paths of the server's own parts and pages. */
export const isOwn = (path: string): boolean => /^\/(_|docs(\/|$)|openapi(-control)?\.json$|$)/.test(path);

/**
 * The query of a request, with masked secrets. A long query is cut first, because the time of the pattern grows with
 * the square of the length.
 * @choice Secrets do not belong in a query. A secret that is sent there is not kept.
 */
const queryOf = (url: string): string =>
  url
    .slice(pathOf(url).length + 1)
    .slice(0, longestQuery)
    .replace(/((?:^|&)[^=&]*(?:token|secret|password|code|bypass|share)[^=&]*=)[^&]*/gi, "$1***")
    .slice(0, longestQuery);

/** The largest length of a stored resource, in characters. */
const longestResource = 200;

/** The Pulumi resource that sent a request, from a header that clients may fill with any text; null: unknown. */
function resourceOf({ headers }: IncomingMessage): string | null {
  const said = headers["x-slipway-resource"];
  if (typeof said !== "string" || said === "") return null;
  try {
    return decodeURIComponent(said).slice(0, longestResource);
  } catch {
    return null;
  }
}

/** The run of a Pulumi program, from the header of the provider; null: another client. */
function runOf({ headers }: IncomingMessage): string | null {
  const said = headers["x-slipway-run"];
  return typeof said === "string" && /^[\w-]{1,64}$/.test(said) ? said : null;
}

const codes: Record<number, string> = {
  400: "bad_request",
  401: "forbidden",
  402: "payment_required",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "rate_limited",
};

function answerFor({ status, code, message, page, retryAfter }: Fault, context: RequestContext): Answer {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  if (page !== undefined) return { status, headers: { ...headers, "content-type": "text/html" }, body: page };
  context.refusal = new Refusal(
    status,
    code ?? codes[status] ?? (status < 500 ? "bad_request" : "internal_server_error"),
    message ?? "This failure was injected by the control plane.",
  );
  return jsonText(status, JSON.stringify(context.refusal.body), headers);
}
