import type * as z from "zod";
import type { Contents } from "../store/contents";
import type { Store, Tx } from "../store/store";
import type { Clock } from "./clock";
import type { TxtLookup } from "./dns";
import type { Egress } from "./egress";
import type { Log } from "./log";
import type { Vault } from "./vault";

/** The dependencies that all parts of a server share. There is no other state. */
export interface Services {
  readonly store: Store;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly lookupTxt: TxtLookup;
  readonly egress: Egress;
  readonly log: Log;
  /** The contents of uploaded files; undefined: they are only counted. */
  readonly contents?: Contents | undefined;
  /** Accepts unknown members of bodies; undefined: they are refused. */
  readonly lenient?: Leniency | undefined;
}

/** An unknown member of a body: its path and its value. */
export interface UnknownMember {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** A body without its unknown members, and these. */
export interface SplitBody<T = unknown> {
  known: T;
  unknown: readonly UnknownMember[];
}

/** A body with unknown members to store. */
export interface SentMembers {
  readonly body: unknown;
  readonly unknown: readonly UnknownMember[];
}

/** The part of a route that unknown members depend on. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly success: readonly [status: number, shape: z.ZodType | null];
}

/**
 * Accepts, stores and returns unknown members of bodies, for clients that are newer than this server.
 * @choice A member is stored with the object that answers the request and returned with that object everywhere, until
 *   an update sends it or its parent again. Members that the object has by itself take precedence.
 */
export interface Leniency {
  /** Removes the unknown members of a body. @throws Refusal 400 when the rest does not fit the schema */
  split<T>(schema: z.ZodType<T>, body: unknown): SplitBody<T>;
  /** The same for each item of a batch. An item whose rest does not fit becomes a `InvalidItem`. */
  splitEach(schema: z.ZodType, items: readonly unknown[]): SplitBody<unknown[]>;
  /** Logs each member once. */
  note(route: DescribedRoute, unknown: readonly UnknownMember[]): void;
  /** @returns the answer with the stored members of its objects, and those of the body */
  complete(tx: Tx, route: DescribedRoute, answer: unknown, sent?: SentMembers): Promise<unknown>;
}
