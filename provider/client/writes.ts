import { AsyncLocalStorage } from "node:async_hooks";

/** Requests of a step that have changed something. */
export interface Writes {
  /** True once the service has accepted a request that is not a read. */
  any: boolean;
}

const writes = new AsyncLocalStorage<Writes>();

/** Runs a step. @param record is kept up to date with the requests of the step */
export const recordingWrites = <T>(record: Writes, step: () => Promise<T>): Promise<T> =>
  writes.run(record, step);

export function recordWrite(): void {
  const record = writes.getStore();
  if (record) record.any = true;
}
