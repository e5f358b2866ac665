import type { Route } from "../http/route";
import { unversioned } from "../http/router";
import type { Tx } from "../store/store";
import { type BodyLog, bodyLog } from "./body-log";
import { Consistency } from "./consistency-plan";
import { type FaultPlan, faultPlan } from "./fault-plan";
import { type RequestLog, requestLog } from "./request-log";

/** State of the control plane that is in the process, not in the store. */
export interface ControlState {
  readonly faults: FaultPlan;
  readonly consistency: Consistency;
  readonly requests: RequestLog;
  readonly bodies: BodyLog;
  /** Unfinished requests that a delay fault has held. Each promise resolves when its request is finished. */
  readonly delayed: Set<Promise<void>>;
  /** The `operationId` of each route of the API by its method and path, without its version. */
  readonly operations: ReadonlyMap<string, string>;
  /** Applies the seed of the first start again: the seed file or the development account. */
  readonly restore: (tx: Tx) => Promise<unknown>;
  /** True if the control plane answers requests, and so may replace all data. */
  readonly isServed: boolean;
  /** Returns the path of a new link to the dashboard, which works once. Undefined if the dashboard is off. */
  readonly openDashboard?: (() => string) | undefined;
}

export function controlState({
  routes,
  restore,
  openDashboard,
  isServed = true,
}: Pick<ControlState, "restore" | "openDashboard"> & {
  isServed?: boolean;
  routes: readonly Pick<Route, "method" | "path" | "operationId">[];
}): ControlState {
  return {
    faults: faultPlan(),
    consistency: new Consistency(),
    requests: requestLog(),
    bodies: bodyLog(),
    delayed: new Set(),
    operations: new Map(
      routes.map(({ method, path, operationId }) => [`${method} ${unversioned(path)}`, operationId]),
    ),
    restore,
    isServed,
    openDashboard,
  };
}

/** Removes all faults, and waits until the requests that a delay held have taken effect. */
export async function clearFaults({ faults, delayed }: ControlState): Promise<void> {
  faults.clear();
  await Promise.all(delayed);
}
