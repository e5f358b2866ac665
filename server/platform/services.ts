import type { FastifyBaseLogger } from "fastify";
import type { Rendered } from "../http/rendered";
import type { Store } from "../store/store";
import type { Clock } from "./clock";
import type { TxtLookup } from "./dns";
import type { Vault } from "./vault";

/** What the parts of one server share. There is no other state. */
export interface Services {
  readonly store: Store;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly lookupTxt: TxtLookup;
  readonly rendered: Rendered;
  readonly log: FastifyBaseLogger;
}
