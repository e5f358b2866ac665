import { setTimeout as sleep } from "node:timers/promises";
import { matcherOf } from "../http/router";

/** A fault to inject into requests. */
export interface Fault {
  /** Default: any method. */
  method?: string | undefined;
  /** The path to match, with or without a version. A segment that begins with `:` matches any segment. */
  path: string;
  /** How many matching requests pass before the fault applies. Default 0. */
  skip: number;
  /** How many requests the fault affects. Default 1. */
  times: number;
  kind: "status" | "delay" | "drop-before" | "drop-after";
  /** For `status`: the status of the answer. Default 503. */
  status: number;
  /** For `status`: the code and the message of the error. */
  code?: string | undefined;
  message?: string | undefined;
  /** For `status`: an HTML page that is sent instead of the API's error, as by a proxy. */
  page?: string | undefined;
  /** For `status`: the header `Retry-After`, in seconds. */
  retryAfter?: number | undefined;
  /** For `delay`: how long the request waits before it is handled, in milliseconds. */
  delayMs: number;
}

export interface FaultPlan {
  add(fault: Fault): void;
  /** Removes all faults, and releases the requests that a delay holds. */
  clear(): void;
  /** Removes one fault. Requests that its delay holds still wait. @returns false if there is no such fault */
  remove(id: number): boolean;
  /** The remaining faults. `met` is the number of requests that a fault has affected. */
  list(): { id: number; fault: Fault; met: number }[];
  /** True while a fault remains. */
  readonly waiting: boolean;
  /** A number that increases with every change of the list. */
  readonly version: number;
  /** Finds the first fault for a request, and counts it as met. @param paths spellings of the path, without version */
  take(method: string, paths: readonly string[]): Fault | undefined;
  /** Waits for `ms` milliseconds, or until `clear` is called. */
  hold(ms: number): Promise<void>;
}

export function faultPlan(): FaultPlan {
  let waiting: { id: number; fault: Fault; spared: number; met: number; meets: (path: string) => boolean }[] =
    [];
  let held = new AbortController();
  let version = 0;
  let lastId = 0;
  return {
    add(fault) {
      version++;
      waiting.push({ id: ++lastId, fault, spared: 0, met: 0, meets: matcherOf(fault.path) });
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
    get version() {
      return version;
    },
    take(method, paths) {
      const found = waiting.find((entry) => {
        const { fault, meets } = entry;
        if ((fault.method ?? method) !== method || !paths.some(meets)) return false;
        if (entry.spared === fault.skip) return true;
        entry.spared++;
        return false;
      });
      if (found === undefined) return undefined;
      version++;
      found.met++;
      if (found.met === found.fault.times) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
    hold: (ms) => sleep(ms, undefined, { signal: held.signal }).catch(() => {}),
  };
}
