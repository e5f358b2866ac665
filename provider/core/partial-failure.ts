import type { Plain } from "./values";

/** A step failed when the object existed already: the state tells how far it came. */
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
