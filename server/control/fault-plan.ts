import { setTimeout as sleep } from "node:timers/promises";
import { matcherOf } from "../http/router";

/** A disturbance that the control plane asked for. */
export interface Fault {
  /** Any, when left out. */
  method?: string | undefined;
  /** With a version or without; a segment that begins with `:` stands for any. */
  path: string;
  /** How many requests it spares before it meets the first. Default 0. */
  skip: number;
  /** How many requests it meets. Default 1. */
  times: number;
  kind: "status" | "delay" | "drop-before" | "drop-after";
  /** For `status`. Default 503. */
  status: number;
  /** For `status`: the code and the message of the error. */
  code?: string | undefined;
  message?: string | undefined;
  /** For `status`: a page that is sent in the place of the service's error, as a proxy would. */
  page?: string | undefined;
  /** For `status`: the header `Retry-After`, in seconds. */
  retryAfter?: number | undefined;
  /** For `delay`: how long the request waits before it is looked at. */
  delayMs: number;
}

export interface FaultPlan {
  add(fault: Fault): void;
  /** Takes the faults back and lets go the requests that are held. */
  clear(): void;
  /** The faults that still wait, and how many requests each has met. */
  list(): { fault: Fault; met: number }[];
  /** Whether any fault still waits for a request. */
  readonly waiting: boolean;
  /** The first fault that meets the request; it counts as used. @param path without version and query */
  take(method: string, path: string): Fault | undefined;
  /** Waits, but no longer than until the faults are taken back. */
  hold(ms: number): Promise<void>;
}

export function faultPlan(): FaultPlan {
  let waiting: { fault: Fault; spared: number; met: number; meets: (path: string) => boolean }[] = [];
  let held = new AbortController();
  return {
    add(fault) {
      waiting.push({ fault, spared: 0, met: 0, meets: matcherOf(fault.path) });
    },
    clear() {
      waiting = [];
      held.abort();
      held = new AbortController();
    },
    list: () => waiting.map(({ fault, met }) => ({ fault, met })),
    get waiting() {
      return waiting.length > 0;
    },
    take(method, path) {
      const found = waiting.find((entry) => {
        const { fault, meets } = entry;
        if ((fault.method ?? method) !== method || !meets(path)) return false;
        if (entry.spared === fault.skip) return true;
        entry.spared++;
        return false;
      });
      if (found === undefined) return undefined;
      found.met++;
      if (found.met === found.fault.times) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
    hold: (ms) => sleep(ms, undefined, { signal: held.signal }).catch(() => {}),
  };
}
