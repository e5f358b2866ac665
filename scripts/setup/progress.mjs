const heartbeatMs = 30_000;

/** Says something about the set-up, on standard error so that a command's own output stays clean. */
export function say(text) {
  process.stderr.write(`set-up: ${text}\n`);
}

/**
 * Tells that a piece of work begins, every half minute that it goes on, and how long it took.
 * @template T
 * @param {string} text
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(text, work) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  say(`${text} …`);
  const heartbeat = setInterval(() => say(`  … still at it after ${seconds()}`), heartbeatMs);
  try {
    const result = await work();
    say(`  that took ${seconds()}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
