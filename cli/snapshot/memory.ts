import type { Section } from "../objects";
import type { Sink } from "./read";

/** A seed document in memory, for accounts whose snapshot is not written to a file. */
export class SnapshotInMemory implements Sink {
  readonly document: { copyOf: string } & { [S in Section]?: unknown[] };

  constructor(copyOf: string) {
    this.document = { copyOf };
  }

  put(section: Section, row: unknown): void {
    const rows = this.document[section] ?? [];
    rows.push(row);
    this.document[section] = rows;
  }
}
