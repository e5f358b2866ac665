import { formatPath } from "../platform/path";

type Place = readonly (string | number)[];

/** A well-formed seed document cannot be applied because of this place in it. */
export class SeedError extends Error {
  override readonly name: string = "SeedError";

  constructor(
    readonly place: Place,
    readonly problem: string,
  ) {
    super(`${formatPath(place) || "the document"}: ${problem}`);
  }
}

/** A row does not fit what is in the store, as requests may have changed it since the row was first applied. */
export class SeedConflict extends SeedError {}

/** Called with what is left out of a document that was applied before. */
export type LeaveOut = (conflict: SeedConflict) => void;
