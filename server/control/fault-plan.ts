/** A disturbance that the control plane asked for. */
export interface Fault {
  /** Any, when left out. */
  method?: string | undefined;
  /** With a version or without; a segment that begins with `:` stands for any. */
  path: string;
  /** How many requests it meets. Default 1. */
  times: number;
  kind: "status" | "delay" | "drop-before" | "drop-after";
  /** For `status`. Default 503. */
  status: number;
  /** For `status`: the header `Retry-After`, in seconds. */
  retryAfter?: number | undefined;
  /** For `delay`: how long the request waits before it is looked at. */
  delayMs: number;
}

export interface FaultPlan {
  add(fault: Fault): void;
  clear(): void;
  /** The first fault that meets the request; it counts as used. @param path without version and query */
  take(method: string, path: string): Fault | undefined;
}

export function faultPlan(): FaultPlan {
  let waiting: { fault: Fault; left: number; meets: (path: string) => boolean }[] = [];
  return {
    add(fault) {
      waiting.push({ fault, left: fault.times, meets: matcherOf(fault.path) });
    },
    clear() {
      waiting = [];
    },
    take(method, path) {
      if (waiting.length === 0) return undefined;
      const found = waiting.find(({ fault, meets }) => (fault.method ?? method) === method && meets(path));
      if (found === undefined) return undefined;
      found.left--;
      if (found.left === 0) waiting = waiting.filter((entry) => entry !== found);
      return found.fault;
    },
  };
}

/** A segment that begins with `:` stands for any. */
function matcherOf(path: string): (path: string) => boolean {
  const wanted = path.replace(/^\/v\d+(?=\/)/, "").split("/");
  return (given) => {
    const segments = given.split("/");
    return (
      segments.length === wanted.length &&
      wanted.every((segment, at) => segment.startsWith(":") || segment === segments[at])
    );
  };
}
