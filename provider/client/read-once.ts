import { ApiError } from "./errors";

/**
 * Reads a value once in a run. The value, or a refusal of the service (ApiError), is kept. After another error, the
 * next call reads the value again.
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
