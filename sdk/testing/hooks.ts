/**
 * Registers a function that a test runner runs before or after tests. The runner waits for its promise.
 * Jest and Vitest take a time limit in milliseconds as the second argument; other runners ignore it.
 */
export type Hook = (run: () => Promise<void>) => unknown;

/** The hooks of a test runner. Jest, and Vitest with `globals: true`, have them as global functions. */
export interface Hooks {
  /** Runs the function before the first test of the file or of the `describe`. */
  beforeAll: Hook;
  /** Runs the function before each test. */
  beforeEach: Hook;
  /** Runs the function after the last test. */
  afterAll: Hook;
}

const names = ["beforeAll", "beforeEach", "afterAll"] as const;

/**
 * The given hooks, and the global ones for the rest.
 * @throws Error if a hook is missing
 */
export function hooksOf(given: Partial<Hooks> = {}): Hooks {
  const hooks = Object.fromEntries(
    names.map((name) => [name, given[name] ?? (globalThis as Partial<Hooks>)[name]]),
  ) as Partial<Hooks>;
  const missing = names.filter((name) => typeof hooks[name] !== "function");
  if (missing.length === 0) return hooks as Hooks;
  throw new Error(
    `useServer finds no global ${missing.join(", ")}. Pass the hooks of your test runner: ` +
      'import { afterAll, beforeAll, beforeEach } from "vitest", then useServer({ hooks: { beforeAll, beforeEach, afterAll } }). ' +
      "Jest, and Vitest with globals: true, have global hooks in test files.",
  );
}

/** Registers a function with a time limit. */
export function register(hook: Hook, timeoutMs: number, run: () => Promise<void>): void {
  (hook as (run: () => Promise<void>, timeoutMs: number) => unknown)(run, timeoutMs);
}
