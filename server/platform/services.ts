import type { Leniency } from "../lenient";
import type { Store } from "../store/store";
import type { Clock } from "./clock";
import type { TxtLookup } from "./dns";
import type { Log } from "./log";
import type { Reach } from "./reach";
import type { Vault } from "./vault";

/** The dependencies that all parts of a server share. There is no other state. */
export interface Services {
  readonly store: Store;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly lookupTxt: TxtLookup;
  readonly reach: Reach;
  readonly log: Log;
  /** Accepts unknown members of bodies; undefined: they are refused. */
  readonly lenient?: Leniency | undefined;
}
