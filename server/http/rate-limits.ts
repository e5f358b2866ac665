import type { Account, Caller } from "../access/caller";
import type { Clock } from "../platform/clock";
import { LimitRefusal, Refusal } from "../platform/refusal";
import type { Store } from "../store/store";
import { countRequest, type Quota } from "./rate-limit-store";

/** The limit on requests of one kind per minute. */
export interface RateLimit {
  /** Routes whose limits have the same name share one count. */
  name: string;
  perMinute: number;
  /** Whether the requests of an account or of a user are counted together. */
  per: "owner" | "user";
}

/**
 * Counts a request. The counts are in the store, so all servers on the store share them.
 * @returns the rate-limit headers of the answer
 * @throws Refusal 429 when the limit is exceeded
 * @choice Requests are counted in a fixed window of a minute, which begins with its first request.
 */
export async function takeFrom(
  { store, clock }: { store: Store; clock: Clock },
  limit: RateLimit,
  { account, caller }: { account: Account; caller: Caller },
): Promise<Record<string, string>> {
  const now = clock.now();
  const whom = limit.per === "owner" ? account.id : caller.userId;
  const quota = await countRequest(store, `${limit.name}:${whom}`, limit.perMinute, now);
  if (quota.remaining >= 0) return headersOf(quota);
  const { total, resetsAt } = quota;
  const waitMs = resetsAt - now;
  throw new LimitRefusal(
    limit.name,
    `Too many requests: at most ${total} of this kind in a minute. Try again in ${Math.ceil(waitMs / 1000)} s.`,
    { total, resetsAt },
    { ...headersOf({ ...quota, remaining: 0 }), "retry-after": String(Math.ceil(waitMs / 1000)) },
  );
}

/** The rate-limit headers of a server that counts no requests. @source recorded answers of the hosted API */
export const uncounted = ({ perMinute }: RateLimit, now: number): Record<string, string> =>
  headersOf({ total: perMinute, remaining: perMinute, resetsAt: now + minuteMs });

/** The most requests without a token from one address in a minute. @choice */
const openPerMinute = 60;
const minuteMs = 60_000;
/** The most addresses that are counted. With more, all counts begin again. */
const mostAddresses = 10_000;

/**
 * Counts requests that need no token, such as attempts to guess a code. The counts are in the memory of the server, so
 * that nobody without a token writes to the store.
 */
export class OpenLimit {
  private readonly counts = new Map<string, number>();
  private resetsAt = 0;

  /** @throws Refusal 429 when the limit is exceeded */
  take(address: string, now: number): void {
    if (now >= this.resetsAt || this.counts.size >= mostAddresses) {
      this.counts.clear();
      this.resetsAt = now + minuteMs;
    }
    const count = (this.counts.get(address) ?? 0) + 1;
    this.counts.set(address, count);
    if (count <= openPerMinute) return;
    const seconds = Math.ceil((this.resetsAt - now) / 1000);
    throw new Refusal(
      429,
      "rate_limited",
      `Too many requests: at most ${openPerMinute} of this kind in a minute. Try again in ${seconds} s.`,
      {},
      {},
      { "retry-after": String(seconds) },
    );
  }
}

function headersOf({ total, remaining, resetsAt }: Quota): Record<string, string> {
  return {
    "x-ratelimit-limit": String(total),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(Math.ceil(resetsAt / 1000)),
  };
}
