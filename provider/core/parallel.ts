/**
 * Runs a step for each item, several at a time. After a failure, it begins no further step, and waits for the steps in
 * progress.
 * @param most the maximum number of steps at a time
 * @returns the results in the order of the items
 * @throws the error of a step
 */
export async function inParallel<T, R>(
  items: readonly T[],
  step: (item: T) => Promise<R>,
  most: number,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const rest = items.entries();
  let isFailed = false;
  const worker = async (): Promise<void> => {
    for (const [at, item] of rest) {
      if (isFailed) return;
      results[at] = await step(item);
    }
  };
  const workers = Array.from({ length: Math.min(most, items.length) }, () =>
    worker().catch((error) => {
      isFailed = true;
      throw error;
    }),
  );
  // Steps in progress end before the error is thrown.
  const ended = await Promise.allSettled(workers);
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
}
