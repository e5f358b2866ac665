import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { matcherOf, unversioned } from "../http/router";

export const faultKinds = ["status", "delay", "slow", "malformed", "drop-before", "drop-after"] as const;

/** A fault to inject into requests. */
export interface Fault {
  /** Default: any method. */
  method?: string | undefined;
  /** The path to match, with or without a version. A segment that begins with `:` matches any segment. Default: any. */
  path?: string | undefined;
  /** The `operationId` of the requests, such as `createProject`. Default: any. */
  operation?: string | undefined;
  /** The id or the slug of the account that the requests act on. Default: any. */
  account?: string | undefined;
  /** How many matching requests pass before the fault applies. Default 0. */
  skip: number;
  /** How many requests the fault affects. Default 1; with `rate`, any number. */
  times?: number | undefined;
  /** The share of the matching requests that the fault affects, greater than 0 and at most 1. Default 1. */
  rate?: number | undefined;
  /** For `rate` and `jitterMs`: equal seeds choose the same requests and times. Default: a random seed. */
  seed?: number | undefined;
  /** The type of the Pulumi resource that sends the request, such as `EnvVar`, or its type and name. Default: any. */
  resource?: string | undefined;
  kind: (typeof faultKinds)[number];
  /** For `status`: the status of the answer. Default 503. */
  status: number;
  /** For `status`: the code and the message of the error. */
  code?: string | undefined;
  message?: string | undefined;
  /** For `status`: an HTML page that is sent instead of the API's error, as by a proxy. */
  page?: string | undefined;
  /** For `status`: the header `Retry-After`, in seconds. */
  retryAfter?: number | undefined;
  /**
   * For `delay`: how long the request waits before it is handled. For `slow`: how long its answer takes. In
   * milliseconds.
   */
  delayMs: number;
  /** For `delay` and `slow`: the longest time that is added to `delayMs` at random, in milliseconds. Default 0. */
  jitterMs?: number | undefined;
}

/** The parts of a request that faults look at. */
export interface Matched {
  method: string;
  /** The path as it was sent. */
  path: string;
  /** Spellings of the path without a version. */
  paths: readonly string[];
  operation: string | undefined;
  /** The id and the slug of the account; empty if it is unknown, or no fault has an account. */
  account: readonly string[];
  /** The resources that the request names, such as `EnvVar token`. */
  resources: readonly string[];
}

interface Entry {
  id: number;
  fault: Fault;
  spared: number;
  met: number;
  meets: (request: Pick<Matched, "path" | "paths">) => boolean;
  /** Returns the next number of its sequence, at least 0 and less than 1. */
  random: () => number;
}

/** The number of requests that a fault affects at most; null: any number. */
export const timesOf = ({ times, rate }: Fault): number | null => times ?? (rate === undefined ? 1 : null);

/** The requests that a fault meets, for people: `POST /v10/projects of acme by Project`. */
export const requestsOf = ({ method, path, operation, account, resource }: Fault): string =>
  [
    operation === undefined
      ? `${method ?? "any"} ${path ?? "request"}`
      : [method ?? [], operation].flat().join(" "),
    ...(operation !== undefined && path !== undefined ? [`to ${path}`] : []),
    ...(account === undefined ? [] : [`of ${account}`]),
    ...(resource === undefined ? [] : [`by ${resource}`]),
  ].join(" ");

/** A fault that remains, with the number of requests that it has affected. */
export type ListedFault = Pick<Entry, "id" | "fault" | "met">;

export interface FaultPlan {
  add(fault: Fault): ListedFault;
  /** Removes all faults, and releases the requests that a delay holds. */
  clear(): void;
  /** Removes one fault. Requests that its delay holds still wait. @returns false if there is no such fault */
  remove(id: number): boolean;
  /** The remaining faults, in the order in which they apply. */
  list(): ListedFault[];
  /** True while a fault remains. */
  readonly waiting: boolean;
  /** True while a fault with an account remains. */
  readonly hasAccount: boolean;
  /** A number that increases with every change of the list. */
  readonly version: number;
  /** Finds the first fault for a request, and counts it as met. Its `delayMs` includes the jitter. */
  take(request: Matched): Fault | undefined;
  /** Waits for `ms` milliseconds, or until `clear` is called. @returns false if it was called */
  hold(ms: number): Promise<boolean>;
}

export function faultPlan(): FaultPlan {
  let waiting: Entry[] = [];
  let held = new AbortController();
  let version = 0;
  let lastId = 0;
  return {
    add(fault) {
      version++;
      const seed = fault.seed ?? randomInt(2 ** 32);
      const random = sequenceOf(seed);
      const kept = fault.rate === undefined && fault.jitterMs === undefined ? fault : { ...fault, seed };
      const meets = meetsPath(fault.path);
      const entry = { id: ++lastId, fault: kept, spared: 0, met: 0, meets, random };
      waiting.push(entry);
      return entry;
    },
    clear() {
      version++;
      waiting = [];
      held.abort();
      held = new AbortController();
    },
    remove(id) {
      const kept = waiting.filter((entry) => entry.id !== id);
      if (kept.length === waiting.length) return false;
      version++;
      waiting = kept;
      return true;
    },
    list: () => waiting.map(({ id, fault, met }) => ({ id, fault, met })),
    get waiting() {
      return waiting.length > 0;
    },
    get hasAccount() {
      return waiting.some(({ fault }) => fault.account !== undefined);
    },
    get version() {
      return version;
    },
    take(request) {
      const found = waiting.find((entry) => {
        const { fault } = entry;
        if (!isMeant(entry, request)) return false;
        if (entry.spared === fault.skip) return fault.rate === undefined || entry.random() < fault.rate;
        entry.spared++;
        return false;
      });
      if (found === undefined) return undefined;
      version++;
      found.met++;
      const { fault } = found;
      if (found.met === timesOf(fault)) waiting = waiting.filter((entry) => entry !== found);
      const { delayMs, jitterMs = 0 } = fault;
      return jitterMs === 0 ? fault : { ...fault, delayMs: delayMs + Math.floor(found.random() * jitterMs) };
    },
    hold: (ms) => sleep(ms, true, { signal: held.signal }).catch(() => false),
  };
}

const isMeant = (
  { fault, meets }: Entry,
  { method, path, paths, operation, account, resources }: Matched,
): boolean =>
  (fault.method ?? method) === method &&
  meets({ path, paths }) &&
  (fault.operation ?? operation) === operation &&
  (fault.account === undefined || account.includes(fault.account)) &&
  (fault.resource === undefined ||
    resources.some((one) => one === fault.resource || one.startsWith(`${fault.resource} `)));

/** A path in which characters that need no percent-encoding have none. */
export function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** A pattern whose first segment matches any is about paths as they are sent, and about those without a version. */
function meetsPath(pattern: string | undefined): Entry["meets"] {
  if (pattern === undefined) return () => true;
  const asSent = matcherOf(decoded(pattern));
  const bare = matcherOf(unversioned(decoded(pattern)));
  return ({ path, paths }) => asSent(path) || paths.some(bare);
}

/** A sequence of numbers that follows from a seed: a linear congruential generator. */
function sequenceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
