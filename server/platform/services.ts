import type * as z from "zod";
import type { Contents } from "../store/contents";
import type { Pacer } from "../store/pacer";
import type { Store, Tx } from "../store/store";
import type { Clock } from "./clock";
import type { TxtLookup } from "./dns";
import type { Egress } from "./egress";
import type { Log } from "./log";
import type { Profile } from "./profile";
import type { Vault } from "./vault";

/** The dependencies that all parts of a server share. There is no other state. */
export interface Services {
  readonly store: Store;
  /** Divides long work into slices, so that it does not block other requests. */
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly lookupTxt: TxtLookup;
  readonly egress: Egress;
  readonly log: Log;
  /** Decides where the answers follow the hosted API instead of the specification. */
  readonly profile: Profile;
  /** The contents of uploaded files; undefined: uploads are recorded without their contents. */
  readonly contents?: Contents | undefined;
  /** Accepts unknown members of bodies; undefined: they are refused. */
  readonly lenient?: Leniency | undefined;
}

/** An unknown member of a body: its path and its value. */
export interface UnknownMember {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** A body without its unknown members, and the unknown members. */
export interface SplitBody<T = unknown> {
  known: T;
  unknown: readonly UnknownMember[];
}

/** A body with unknown members to store. */
export interface SentMembers {
  readonly body: unknown;
  readonly unknown: readonly UnknownMember[];
}

/** The properties of a route that decide how its unknown members are stored. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly success: readonly [status: number, shape: z.ZodType | null];
}

/**
 * Accepts, stores and returns unknown members of bodies, for clients that are newer than this server.
 * @choice A member is stored with the object in the answer to the request. Every answer with this object then has the
 *   member, until an update sends the member or its parent again. Known members of the object take precedence.
 */
export interface Leniency {
  /** Removes the unknown members of a body. @throws Refusal 400 when the rest does not fit the schema */
  split<T>(schema: z.ZodType<T>, body: unknown): SplitBody<T>;
  /** Does the same for an item of a batch. An item whose rest does not fit the schema becomes an `InvalidItem`. */
  splitItem(schema: z.ZodType, item: unknown, at: number): SplitBody;
  /** Logs each unknown member once. */
  note(route: DescribedRoute, unknown: readonly UnknownMember[]): void;
  /** Stores the unknown members of the body. @returns the answer, with the unknown members of all its objects */
  complete(tx: Tx, route: DescribedRoute, answer: unknown, sent?: SentMembers): Promise<unknown>;
}
