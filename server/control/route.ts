import type * as z from "zod";
import { everything } from "../http/observers";
import { json } from "../http/reply";
import type { Handler, Method } from "../http/router";
import { check, parseJson, refuseUnstorable } from "../http/validate";
import { followClock } from "../platform/clock";
import { Refusal } from "../platform/refusal";
import type { Services } from "../platform/services";
import { SeedError } from "../seed/error";
import type { ControlState } from "./state";

/** A checked request to the control plane. */
export interface ControlCall<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly services: Services;
  readonly state: ControlState;
}

interface Definition<P, Q, B> {
  method: Method;
  /** The path below `/_control`. */
  path: `/${string}`;
  operationId: string;
  /** One line for the documentation of the control plane. */
  summary: string;
  /** A body that a fresh server accepts, for the documentation. */
  example?: unknown;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** Returns the body of the answer; undefined answers 204. */
  handle: (call: ControlCall<P, Q, B>) => Promise<unknown>;
}

/** A route without its type parameters, which `controlRoute` has checked. */
export type ControlRoute = Definition<unknown, unknown, unknown>;

export function controlRoute<P, Q, B>(definition: Definition<P, Q, B>): ControlRoute {
  return definition as unknown as ControlRoute;
}

/** A request to the control plane, unchecked. */
export interface ControlRequest {
  params: unknown;
  query: unknown;
  /** Parsed JSON. */
  body: unknown;
}

/** Checks a request and runs its route. @returns the answer's body; undefined: no body @throws Refusal */
export async function runControlRoute(
  services: Services,
  state: ControlState,
  { params, query, body, handle }: ControlRoute,
  given: ControlRequest,
): Promise<unknown> {
  try {
    refuseUnstorable(given.params, "path");
    refuseUnstorable(given.query, "query");
    await services.store.read((tx) => followClock(tx, services));
    return await handle({
      params: params ? check(params, given.params, "path") : given.params,
      query: query ? check(query, given.query, "query") : given.query,
      body: body ? check(body, given.body, "body") : undefined,
      services,
      state,
    });
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    throw new Refusal(400, "bad_request", `Invalid body member ${error.message}.`);
  }
}

/** Answers the requests of one route. */
export const controlHandler =
  (services: Services, state: ControlState, route: ControlRoute): Handler =>
  async (context) => {
    const text = route.method === "GET" ? "" : await context.text();
    const { params, query } = context;
    const given = { params, query, body: route.body ? parseJson(text) : undefined };
    const value = await runControlRoute(services, state, route, given);
    context.changed = everything;
    return value === undefined ? { status: 204 } : json(200, value);
  };
