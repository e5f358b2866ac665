const heartbeatMs = 30_000;

/** Prints a message about the set-up to standard error, so that standard output contains only the command's output. */
export function say(text) {
  process.stderr.write(`set-up: ${text}\n`);
}

/**
 * Prints when a piece of work begins, every half minute while it continues, and how long it took.
 * @template T
 * @param {string} text
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(text, work) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  say(`${text} …`);
  const heartbeat = setInterval(() => say(`  … still running after ${seconds()}`), heartbeatMs);
  try {
    const result = await work();
    say(`  done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
