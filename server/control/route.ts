import type { FastifyInstance, FastifyReply } from "fastify";
import type * as z from "zod";
import { sendError } from "../http/reply";
import { check, parseJson } from "../http/validate";
import { followClock } from "../platform/clock";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { SeedError } from "../seed/error";
import type { ControlState } from "./state";

/** What a handler of the control plane knows. Everything in it was checked. */
export interface ControlCall<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly services: Services;
  readonly state: ControlState;
}

interface Definition<P, Q, B> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/_control`. */
  path: `/${string}`;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** What it returns is the answer; nothing at all answers 204. */
  handle: (call: ControlCall<P, Q, B>) => Promise<unknown>;
}

/** A route of the control plane whose particular types were checked where it was written. */
export type ControlRoute = Definition<unknown, unknown, unknown>;

export function controlRoute<P, Q, B>(definition: Definition<P, Q, B>): ControlRoute {
  return definition as unknown as ControlRoute;
}

export function addControlRoute(
  app: FastifyInstance,
  services: Services,
  state: ControlState,
  { method, path, params, query, body, handle }: ControlRoute,
): void {
  app.route({
    method,
    url: path,
    async handler(request, reply): Promise<FastifyReply> {
      try {
        await services.store.read((tx) => followClock(tx, services));
        const value = await handle({
          params: params ? check(params, request.params, "path") : request.params,
          query: query ? check(query, request.query, "query") : request.query,
          body: body ? check(body, parseJson(request.body), "body") : undefined,
          services,
          state,
        });
        return value === undefined ? reply.code(204).send() : reply.send(value);
      } catch (error) {
        if (!(error instanceof SeedError)) throw error;
        return sendError(reply, new Refusal(400, "bad_request", `Invalid body member ${error.message}.`));
      }
    },
  });
}
