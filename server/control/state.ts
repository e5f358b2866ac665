import type { Tx } from "../store/store";
import { type FaultPlan, faultPlan } from "./fault-plan";
import { type RequestLog, requestLog } from "./request-log";

/** What the control plane keeps in the process, beside the store. */
export interface ControlState {
  readonly faults: FaultPlan;
  readonly requests: RequestLog;
  /** Requests that met a delay and are not done yet. */
  readonly delayed: Set<Promise<void>>;
  /** Puts back what a first start makes: the seed file, or the development account. */
  readonly restore: (tx: Tx) => Promise<void>;
  /** Path of a new link to the dashboard, which works once; undefined: there is none. */
  readonly openDashboard?: (() => string) | undefined;
}

export function controlState({
  restore,
  openDashboard,
}: Pick<ControlState, "restore" | "openDashboard">): ControlState {
  return { faults: faultPlan(), requests: requestLog(), delayed: new Set(), restore, openDashboard };
}
