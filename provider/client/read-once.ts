import { ApiError } from "./errors";

/**
 * Reads a value once in a run. An answer and a refusal are kept; after a request without an answer, the value is read
 * again.
 */
export class ReadOnce<T> {
  #kept: Promise<T> | undefined;

  get(read: () => Promise<T>): Promise<T> {
    if (this.#kept) return this.#kept;
    const reading = read();
    this.#kept = reading;
    reading.catch((error) => {
      if (!(error instanceof ApiError)) this.#kept = undefined;
    });
    return reading;
  }
}
