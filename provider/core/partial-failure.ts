import type { Plain } from "./values";

/** A step failed after the object was created. The state has what was done. */
export class PartialFailure extends Error {
  override readonly name = "PartialFailure";

  constructor(
    readonly id: string,
    readonly state: Plain,
    cause: Error,
  ) {
    super(cause.message, { cause });
  }
}
