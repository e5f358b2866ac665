import type { Store } from "../store/store";

/** The state of a rate limit: `total` is the number of requests in a minute, `remaining` the number that is left. */
export interface Quota {
  total: number;
  /** Negative if the limit is exceeded. */
  remaining: number;
  /** When the count is reset to zero. */
  resetsAt: number;
}

const windowMs = 60_000;

/** Counts a request. Refused requests are not counted, so that a client only has to wait until the reset. */
export function countRequest(store: Store, bucket: string, total: number, now: number): Promise<Quota> {
  return store.write(async (tx) => {
    const known = await tx
      .selectFrom("rate_windows")
      .selectAll()
      .where("bucket", "=", bucket)
      .executeTakeFirst();
    const isRunning = known !== undefined && known.resets_at > now;
    const resetsAt = isRunning ? known.resets_at : now + windowMs;
    const used = isRunning ? known.count + 1 : 1;
    const row = { resets_at: resetsAt, count: Math.min(used, total) };
    await tx
      .insertInto("rate_windows")
      .values({ bucket, ...row })
      .onConflict((conflict) => conflict.column("bucket").doUpdateSet(row))
      .execute();
    return { total, remaining: total - used, resetsAt };
  }, bucket);
}
