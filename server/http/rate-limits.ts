import type { Account, Caller } from "../access/caller";
import type { Clock } from "../platform/clock";
import { Refusal } from "../platform/refusal";
import type { Store } from "../store/store";

/** How many requests of one kind are accepted in a minute. */
export interface RateLimit {
  /** Routes whose limits have the same name share one count. */
  name: string;
  perMinute: number;
  /** Whose requests are counted together. */
  per: "owner" | "user";
}

/** The limits of the public API. @source wire-shapes 11 */
export const rateLimits = {
  domainWrite: { name: "domain-write", perMinute: 100, per: "owner" },
  domainList: { name: "domain-list", perMinute: 500, per: "user" },
  domainVerify: { name: "domain-verify", perMinute: 100, per: "user" },
  bypass: { name: "bypass", perMinute: 100, per: "owner" },
  envCreate: { name: "env-create", perMinute: 120, per: "owner" },
  envEdit: { name: "env-edit", perMinute: 120, per: "owner" },
  envDelete: { name: "env-delete", perMinute: 60, per: "owner" },
  envRead: { name: "env-read", perMinute: 500, per: "owner" },
  configurationList: { name: "configuration-list", perMinute: 200, per: "user" },
  configurationGet: { name: "configuration-get", perMinute: 120, per: "user" },
} satisfies Record<string, RateLimit>;

/** How much of a limit is left. */
interface Standing {
  total: number;
  remaining: number;
  /** When the count starts again at zero. */
  resetsAt: number;
}

const windowMs = 60_000;

/**
 * Counts a request. The counts are in the store, so that all servers on it share them.
 * @returns the rate-limit headers of the answer
 * @throws Refusal 429 when the limit is exceeded
 * @choice A fixed window of a minute that begins with its first request.
 */
export async function takeFrom(
  { store, clock }: { store: Store; clock: Clock },
  limit: RateLimit,
  { account, caller }: { account: Account; caller: Caller },
): Promise<Record<string, string>> {
  const now = clock.now();
  const whom = limit.per === "owner" ? account.id : caller.userId;
  const standing = await count(store, `${limit.name}:${whom}`, limit.perMinute, now);
  if (standing.remaining >= 0) return headersOf(standing);
  const { total, resetsAt } = standing;
  const waitMs = resetsAt - now;
  throw new Refusal(
    429,
    "rate_limited",
    `Too many requests: at most ${total} of this kind in a minute. Try again in ${Math.ceil(waitMs / 1000)} s.`,
    { limit: { remaining: 0, reset: Math.ceil(resetsAt / 1000), resetMs: resetsAt, total } },
    {},
    { ...headersOf({ ...standing, remaining: 0 }), "retry-after": String(Math.ceil(waitMs / 1000)) },
  );
}

function count(store: Store, bucket: string, total: number, now: number): Promise<Standing> {
  return store.write(async (tx) => {
    const known = await tx
      .selectFrom("rate_windows")
      .selectAll()
      .where("bucket", "=", bucket)
      .executeTakeFirst();
    const running = known !== undefined && known.resets_at > now;
    const resetsAt = running ? known.resets_at : now + windowMs;
    const used = running ? known.count + 1 : 1;
    // Refused requests are not counted: waiting until the reset is enough.
    const kept = { resets_at: resetsAt, count: Math.min(used, total) };
    await tx
      .insertInto("rate_windows")
      .values({ bucket, ...kept })
      .onConflict((conflict) => conflict.column("bucket").doUpdateSet(kept))
      .execute();
    return { total, remaining: total - used, resetsAt };
  }, bucket);
}

function headersOf({ total, remaining, resetsAt }: Standing): Record<string, string> {
  return {
    "x-ratelimit-limit": String(total),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(Math.ceil(resetsAt / 1000)),
  };
}
