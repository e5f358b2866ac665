import { setTimeout as sleep } from "node:timers/promises";

/** Waits until `probe` gives something, and answers it. */
export async function until<T>(
  claim: string,
  probe: () => T | undefined | Promise<T | undefined>,
  deadlineMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain until ${claim}`);
    await sleep(25);
  }
}
