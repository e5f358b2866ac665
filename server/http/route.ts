import type * as z from "zod";
import type { Account, Caller } from "../access/caller";
import type { Scope } from "../access/scopes";
import type { Emit } from "../events/event";
import type { RefusalRow } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { Tx } from "../store/store";
import type { RateLimit } from "./rate-limits";
import type { Method } from "./router";

/** What a handler knows of the request it answers. Everything in it was checked. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  readonly account: Account;
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The transaction of this request. */
  readonly tx: Tx;
  /** The time of the request; the same throughout. */
  readonly now: number;
  readonly services: Services;
  /** Puts an event into the outbox, in the same transaction. */
  readonly emit: Emit;
}

/**
 * A route as data. The steps run in the order of the members: account and scope first, then the body, what
 * the path names, the refusals (the first that holds answers), and the handler.
 */
export interface Definition<P, Q, B, W, L> {
  method: Method;
  /** As the specification spells it, with its version; any other version, or none, reaches it as well. */
  path: `/${string}`;
  /** One line for the API's documentation. */
  summary: string;
  /** Scopes that the token needs, all of them. */
  scope: readonly Scope[];
  /** Scopes that it needs beside those for what this query or body asks for. */
  furtherScope?: (call: { query: Q; body: B }) => readonly Scope[];
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** Where limits are switched on, how often it may be asked. */
  limit?: RateLimit;
  /** Status and shape of the answer when nothing is refused. `null`: no body. */
  success: readonly [status: number, shape: z.ZodType | null];
  /** What a success changes of which a worker keeps something in memory: observers are told. */
  changes?: string;
  /** Statuses and codes beyond those of `refuse`, for the documentation: what `load` and `handle` throw. */
  throws?: readonly (readonly [status: number, code: string, when: string])[];
  /**
   * Work that must not stand inside a transaction (DNS, HTTP): runs before it, in none. What it has to know
   * of the store it asks with `services.store.read`.
   */
  before?: (call: Omit<Call<P, Q, B>, "tx" | "emit">) => Promise<W>;
  /** Finds what the path names, or throws a refusal. */
  load?: (call: Call<P, Q, B> & W) => Promise<L>;
  refuse?: readonly RefusalRow<Call<P, Q, B> & W & L>[];
  handle: (call: Call<P, Q, B> & W & L) => Promise<unknown>;
}

/** A route whose particular types were checked where it was written. */
export type Route = Definition<unknown, unknown, unknown, object, object> & {
  /** Anyone may call it: no token is asked for, and no account is looked for. */
  open?: true;
  /** Its body comes as a form; JSON is taken as well. */
  form?: true;
};

export function route<P, Q, B, W extends object = object, L extends object = object>(
  definition: Definition<P, Q, B, W, L>,
): Route {
  return definition as unknown as Route;
}

/** What a handler knows when nobody was asked who calls. */
export type OpenCall<B> = Pick<Call<unknown, unknown, B>, "body" | "tx" | "now" | "services">;

/** A route that a caller without a token may call: it checks by itself who it has before it. */
interface OpenDefinition<B>
  extends Pick<
    Definition<unknown, unknown, B, object, object>,
    "method" | "path" | "summary" | "body" | "success" | "throws"
  > {
  form?: true;
  handle: (call: OpenCall<B>) => Promise<unknown>;
}

export function openRoute<B>(definition: OpenDefinition<B>): Route {
  return { ...definition, scope: [], open: true } as unknown as Route;
}
