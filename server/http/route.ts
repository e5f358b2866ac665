import type * as z from "zod";
import type { Account, Caller } from "../access/caller";
import type { Scope } from "../access/scopes";
import type { Emit } from "../events/event";
import type { RefusalRow } from "../platform/refusal";
import type { Services } from "../platform/services";
import type { Unit } from "../store/store";
import type { Lines } from "./lines";
import type { RateLimit } from "./rate-limits";
import type { Method } from "./router";
import { storageFull } from "./upload";

/** The argument of a handler: a checked request. */
export interface Call<P = unknown, Q = unknown, B = unknown> extends Unit {
  readonly account: Account;
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The version in the path; undefined for a path without one. */
  readonly version?: number | undefined;
  /** The header `If-Match`; undefined if the request has none. */
  readonly ifMatch?: string | undefined;
  readonly services: Services;
  /** The address of this server as the client knows it, such as `http://127.0.0.1:4000`, for links in answers. */
  readonly origin: string;
  /** Puts an event into the outbox, in the same transaction. */
  readonly emit: Emit;
}

/**
 * A route as data. Its steps run in this order: account and scopes, body, `load`, the refusals, the handler. The first
 * refusal that applies is the answer.
 */
export interface Definition<P, Q, B, W, L> {
  method: Method;
  /** The path in the specification, with its version. Requests with another version, or without one, match too. */
  path: `/${string}`;
  /** The name of the operation in the official client, or one of the same form. */
  operationId: string;
  /** One line for the API's documentation. */
  summary: string;
  /** The token needs all of these scopes. */
  scope: readonly Scope[];
  /** Returns further scopes that the token needs because of the query or body. */
  furtherScope?: (call: { query: Q; body: B }) => readonly Scope[];
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** A body that a fresh server takes, for the API's documentation. */
  example?: unknown;
  /** Allows an array as the body. Its items are checked one by one, and an invalid item becomes an `InvalidItem`. */
  batch?: { item: z.ZodType; largest: number };
  /** The maximum size of an uploaded file, in bytes. The call's body is then an `Upload`. */
  upload?: number;
  /** The media type of a body that is a text and not JSON. */
  text?: `text/${string}`;
  /** The rate limit, if the server applies limits. */
  limit?: RateLimit;
  /** The status and the shape of the answer if nothing is refused. A shape of `null` means no body. */
  success: readonly [status: number, shape: z.ZodType | null];
  /** Returns the entity tag of an answer, with its quotation marks. */
  etag?: (answer: unknown) => string;
  /** When the answer is 204 without a body, for the documentation. `handle` then returns `undefined`. */
  empty?: string;
  /** Set if the list can be sent as lines of JSON. `handle` then returns `Items`. */
  lines?: Lines<Q>;
  /** The topic that a successful request changes. Workers reload their data about it. */
  changes?: string;
  /** The refusals that `load` and `handle` throw, for the documentation. */
  throws?: readonly (readonly [status: number, code: string, when: string])[];
  /**
   * Work that must not run inside a transaction, such as DNS and HTTP. It runs before the transaction and reads the
   * store with `services.store.read`.
   */
  before?: (call: Omit<Call<P, Q, B>, "tx" | "emit">) => Promise<W>;
  /** Returns the ids of the other accounts that the call changes, so that it waits for their writes too. */
  otherAccounts?: (call: Omit<Call<P, Q, B>, "tx" | "emit">) => Promise<readonly string[]>;
  /** Finds what the path names, or throws a refusal. */
  load?: (call: Call<P, Q, B> & W) => Promise<L>;
  refuse?: readonly RefusalRow<Call<P, Q, B> & W & L>[];
  handle: (call: Call<P, Q, B> & W & L) => Promise<unknown>;
}

/** A route without its type parameters, which `route` has checked. */
export type Route = Definition<unknown, unknown, unknown, object, object> & {
  /** True if the route needs no token. It then has no caller and no account. */
  open?: true;
  /** Returns the id of the account that a call without a token changes. */
  accountOf?: (call: Omit<OpenCall<unknown>, "tx">) => Promise<string>;
  /** True if the body is a form. JSON is accepted too. */
  form?: true;
  /** The group in which the API's documentation shows the route. */
  tag?: string;
};

/** The parts of a route that differ between routes of one kind. */
export type RouteName = Pick<Route, "path" | "operationId" | "summary">;

export function route<P, Q, B, W extends object = object, L extends object = object>(
  definition: Definition<P, Q, B, W, L>,
): Route {
  return definition as unknown as Route;
}

/** A call without a caller. */
export type OpenCall<B, P = unknown> = Pick<
  Call<P, unknown, B>,
  "params" | "body" | "tx" | "now" | "services"
>;

/** A route that needs no token. Its handler checks the caller itself. */
interface OpenDefinition<B, P>
  extends Pick<
    Definition<P, unknown, B, object, object>,
    "method" | "path" | "operationId" | "summary" | "params" | "body" | "example" | "success" | "throws"
  > {
  form?: true;
  /**
   * Reads the id of the account that the call changes. Refuses a call that proves no account, so that it waits for no
   * lock and nobody waits for it.
   */
  accountOf: (call: Omit<OpenCall<B, P>, "tx">) => Promise<string>;
  handle: (call: OpenCall<B, P>) => Promise<unknown>;
}

/** A refusal in the API's documentation. */
export type KnownRefusal = readonly [status: number, code: string, when?: string | undefined];

/** The refusals of a route. */
export const refusalsOf = (route: Route): readonly KnownRefusal[] => [
  [400, "bad_request", "an invalid value in the body or the query"],
  ...(route.open ? [] : refusalsOfCallers),
  ...(route.body || route.upload ? [tooLargeBody] : []),
  ...(route.upload ? [[...storageFull, "the limit for all files is reached"] as const] : []),
  [429, "rate_limited", "too many requests, where limits are switched on"],
  [500, "internal_server_error", "the server failed"],
  ...(route.throws ?? []),
  ...(route.refuse ?? []).map(
    ([status, code, message]): KnownRefusal => [
      status,
      code,
      typeof message === "string" ? message : undefined,
    ],
  ),
];

const refusalsOfCallers: readonly KnownRefusal[] = [
  [401, "forbidden", "the access token is missing or unknown, or has expired"],
  [403, "forbidden", "the access token lacks the permission"],
  [403, "team_unauthorized", "the access token has no access to the team, or there is no such team"],
  [403, "integration_configuration_disabled", "the installation is disabled"],
];
const tooLargeBody: KnownRefusal = [413, "bad_request", "the body is too large"];

export function openRoute<B, P = unknown>(definition: OpenDefinition<B, P>): Route {
  return { ...definition, scope: [], open: true } as unknown as Route;
}
