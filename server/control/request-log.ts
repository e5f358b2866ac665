/** A request that was answered. Neither its body nor its headers nor its query are kept. */
export interface RequestRecord {
  /** Rises by one. */
  sequence: number;
  /** When it was answered, by the server's clock. */
  at: number;
  method: string;
  /** As it was sent, without the query. */
  path: string;
  /** null: the connection was dropped instead, or had been closed by whoever asked. */
  status: number | null;
  ms: number;
  /** Id of the user whose token it carried; null when none was found. */
  caller: string | null;
  /** Id of the account that it acted on. */
  account: string | null;
  /** Of a refusal: the code and the message of its error. */
  code: string | null;
  message: string | null;
  /** The Pulumi resource that sent it, as its header says: `Project`, or `Project web` with the logical name. */
  resource: string | null;
  /** Whether somebody did it on the dashboard, and not over the API. */
  dashboard: boolean;
}

export interface RequestLog {
  add(record: Omit<RequestRecord, "sequence">): void;
  /** In the order of their sequence. */
  all(): readonly RequestRecord[];
  /** How many there have been. */
  readonly count: number;
  clear(): void;
}

/** Keeps the last requests. @param limit how many of them at most */
export function requestLog(limit = 10_000): RequestLog {
  let sequence = 0;
  let older: RequestRecord[] = [];
  let newer: RequestRecord[] = [];
  return {
    add(record) {
      newer.push({ sequence: ++sequence, ...record });
      if (newer.length < limit / 2) return;
      // Two halves: the elder is let go as a whole, so that a request costs no shifting.
      older = newer;
      newer = [];
    },
    all: () => [...older, ...newer],
    get count() {
      return sequence;
    },
    clear() {
      older = [];
      newer = [];
    },
  };
}
