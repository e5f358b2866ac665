import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "./clock";
import type { TxtLookup } from "./dns";
import type { Rendered } from "./rendered";
import type { Vault } from "./secrets";
import type { Store } from "./store/store";

/** What the parts of one server share. There is no other state. */
export interface Services {
  readonly store: Store;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly lookupTxt: TxtLookup;
  readonly rendered: Rendered;
  readonly log: FastifyBaseLogger;
}
