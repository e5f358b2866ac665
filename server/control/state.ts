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
  /** Applies the seed of the first start again: the seed file or the development account. */
  readonly restore: (tx: Tx) => Promise<unknown>;
  /** Returns the path of a new link to the dashboard, which works once. Undefined if the dashboard is off. */
  readonly openDashboard?: (() => string) | undefined;
}

export function controlState({
  restore,
  openDashboard,
}: Pick<ControlState, "restore" | "openDashboard">): ControlState {
  return {
    faults: faultPlan(),
    consistency: new Consistency(),
    requests: requestLog(),
    bodies: bodyLog(),
    delayed: new Set(),
    restore,
    openDashboard,
  };
}
