import type { RecordedRequest, RecordingProxy } from "../recording-proxy";

/** The lost part of a create of several variables: the request, or the answer once it has taken effect. */
export type Loss = "request" | "answer";

/**
 * Loses some creates of several variables while a run is carried out.
 * @param losses by the number of the create, from 0
 * @returns how many were lost
 */
export async function losing(
  proxy: RecordingProxy,
  losses: ReadonlyMap<number, Loss>,
  run: () => Promise<unknown>,
): Promise<number> {
  let count = 0;
  let lost = 0;
  const numbers = new Map<RecordedRequest, number>();
  /** An error of the proxy closes the connection. */
  const lose = (recorded: RecordedRequest, what: Loss): void => {
    if (losses.get(numbers.get(recorded) ?? -1) !== what) return;
    lost += 1;
    throw new Error("the connection is closed");
  };
  proxy.before = (recorded) => {
    if (isBatch(recorded)) numbers.set(recorded, count++);
    lose(recorded, "request");
    return undefined;
  };
  proxy.after = (recorded) => lose(recorded, "answer");
  try {
    await run();
  } finally {
    proxy.after = () => {};
    proxy.before = () => undefined;
  }
  return lost;
}

const isBatch = ({ method, path, body }: RecordedRequest): boolean =>
  method === "POST" && /\/env(\?|$)/.test(path) && body.startsWith("[");
