import { formatPath } from "../platform/path";

/** A place in the document. */
export type DocumentPath = readonly (string | number)[];

/** A well-formed seed document cannot be applied, because of a problem at this place in the document. */
export class SeedError extends Error {
  override readonly name: string = "SeedError";

  constructor(
    readonly place: DocumentPath,
    readonly problem: string,
  ) {
    super(`${formatPath(place) || "the document"}: ${problem}`);
  }
}

/** A row conflicts with the store, which requests may have changed since the row was first applied. */
export class SeedConflict extends SeedError {}

/** Called for each row that is left out of a document that was applied before, or of a copy. */
export type LeaveOut = (error: SeedError) => void;
