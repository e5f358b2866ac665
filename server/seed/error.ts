import { formatPath } from "../platform/path";

type Place = readonly (string | number)[];

/** The error if a valid seed document cannot be applied, with the place in the document that causes it. */
export class SeedError extends Error {
  override readonly name: string = "SeedError";

  constructor(
    readonly place: Place,
    readonly problem: string,
  ) {
    super(`${formatPath(place) || "the document"}: ${problem}`);
  }
}

/** A row conflicts with the store. Requests may have changed the store after the row was first applied. */
export class SeedConflict extends SeedError {}

/** Called with each row that is left out, when a document is applied again. */
export type LeaveOut = (conflict: SeedConflict) => void;
