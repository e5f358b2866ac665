import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { Exchange, Traffic } from "../http/observers";
import { sendError } from "../http/reply";
import { pathOf, unversioned } from "../http/router";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { Fault } from "./fault-plan";
import { controlRoute } from "./route";
import type { ControlState } from "./state";

export const fault = z.strictObject({
  method: z.string().toUpperCase().optional(),
  path: z.string().startsWith("/"),
  skip: z.int().min(0).default(0),
  times: z.int().min(1).default(1),
  kind: z.enum(["status", "delay", "drop-before", "drop-after"]),
  status: z.int().min(400).max(599).default(503),
  code: z.string().optional(),
  message: z.string().optional(),
  page: z.string().optional(),
  retryAfter: z.int().min(0).optional(),
  delayMs: z.int().min(0).max(600_000).default(0),
});

/** Adds disturbances, which the coming requests meet in the order given. One, or several in an array. */
const postFaults = controlRoute({
  method: "POST",
  path: "/faults",
  body: z.union([z.array(fault), fault.transform((one) => [one])]),
  async handle({ body, state }) {
    for (const one of body) state.faults.add(one);
    return {};
  },
});

/** Takes them back. Requests that a delay holds go on, and are done when it answers. */
const deleteFaults = controlRoute({
  method: "DELETE",
  path: "/faults",
  async handle({ state }) {
    state.faults.clear();
    await Promise.all(state.delayed);
  },
});

export const faultRoutes = [postFaults, deleteFaults];

/** Has requests meet the faults that were asked for, and notes each request. The server's own paths are spared. */
export function watchRequests(
  app: FastifyInstance,
  { clock }: Services,
  { faults, requests, delayed }: ControlState,
  traffic: Traffic,
): void {
  const toDelay = new WeakMap<FastifyRequest, number>();
  const ends = new WeakMap<FastifyRequest, () => void>();
  const toDrop = new WeakSet<FastifyRequest>();
  const dropped = new WeakSet<IncomingMessage>();
  const note = (
    {
      request,
      path,
      ms,
      caller,
      account,
      refusal,
    }: Omit<Exchange, "route" | "requestId" | "status" | "projectKey">,
    status: number | null,
  ): void =>
    requests.add({
      at: clock.now(),
      method: request.method ?? "",
      path,
      status,
      ms: Math.round(ms * 10) / 10,
      caller: caller?.userId ?? null,
      account: account?.id ?? null,
      code: refusal?.code ?? null,
      message: refusal?.message ?? null,
      resource: resourceOf(request),
      dashboard: false,
    });
  const noteUnanswered = (request: FastifyRequest, reply: FastifyReply): void => {
    const { raw, originalUrl, caller, account } = request;
    dropped.add(raw);
    note({ request: raw, path: pathOf(originalUrl), ms: reply.elapsedTime, caller, account }, null);
  };
  const drop = (request: FastifyRequest, reply: FastifyReply): void => {
    noteUnanswered(request, reply);
    request.raw.socket.destroy();
  };
  traffic.routeWhile(() => faults.waiting);
  app.addHook("onRequest", async (request, reply) => {
    if (!faults.waiting) return;
    const path = pathOf(request.originalUrl);
    if (isOwn(path)) return;
    const met = faults.take(request.method, unversioned(path));
    switch (met?.kind) {
      case "status":
        if (met.retryAfter !== undefined) reply.header("retry-after", met.retryAfter);
        if (met.page !== undefined) return reply.code(met.status).type("text/html").send(met.page);
        return sendError(reply, refusalFor(met));
      case "delay":
        toDelay.set(request, met.delayMs);
        return;
      case "drop-before":
        return drop(request, reply.hijack());
      case "drop-after":
        toDrop.add(request);
    }
  });
  // With its body read, so that it takes effect even when nobody waits for the answer any more.
  app.addHook("preValidation", async (request) => {
    const ms = toDelay.get(request);
    if (ms === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(request, resolve);
    delayed.add(promise);
    promise.then(() => delayed.delete(promise));
    await faults.hold(ms);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    if (toDrop.delete(request)) drop(request, reply);
    else if (ends.has(request) && reply.raw.destroyed) {
      // Nobody waited for it, so that no other hook will tell.
      noteUnanswered(request, reply);
    }
    ends.get(request)?.();
    return payload;
  });
  traffic.onAnswered((exchange) => {
    if (!isOwn(exchange.path) && !dropped.has(exchange.request)) note(exchange, exchange.status);
  });
}

/** The server's own parts, and the pages that it shows to people. */
const isOwn = (path: string): boolean => /^\/(_|docs(\/|$)|openapi\.json$|$)/.test(path);

/** Longest text that is kept of what a request says of its sender. */
const longestResource = 200;

/** The Pulumi resource that sent a request. Whoever sends one may write anything there. */
function resourceOf({ headers }: IncomingMessage): string | null {
  const said = headers["x-slipway-resource"];
  if (typeof said !== "string" || said === "") return null;
  try {
    return decodeURIComponent(said).slice(0, longestResource);
  } catch {
    return null;
  }
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

const refusalFor = ({ status, code, message }: Fault): Refusal =>
  new Refusal(
    status,
    code ?? codes[status] ?? (status < 500 ? "bad_request" : "internal_server_error"),
    message ?? "The control plane asked for this failure.",
  );
