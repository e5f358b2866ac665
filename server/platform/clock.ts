/** The server's only source of time, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** By how much it was moved on since it began. */
  offset(): number;
  /** Moves time on, by the control plane. @throws RangeError when it would go back */
  advance(ms: number): void;
  /** Calls back after each `advance`, so that what became due is done at once. @returns what ends it */
  onAdvance(listener: () => void): () => void;
}

/** The machine's time, moved on by what was advanced. */
export function systemClock(): Clock {
  return clockFrom(() => Date.now());
}

/** Stands still at a time until it is advanced: for tests. */
export function standingClock(startsAt: number): Clock {
  return clockFrom(() => startsAt);
}

function clockFrom(base: () => number): Clock {
  let offset = 0;
  const listeners = new Set<() => void>();
  return {
    now: () => base() + offset,
    offset: () => offset,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError("time only goes forward");
      offset += ms;
      for (const listener of listeners) listener();
    },
    onAdvance(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
