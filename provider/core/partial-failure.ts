import type { Plain } from "./values";

/**
 * A create or update failed after it changed the object, or with an unknown outcome. `state` is the state to record.
 */
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
