import { Refusal, type RefusalRow } from "../platform/refusal";
import type { DomainRow } from "./object";

/** The facts that decide whether a domain of an account can be removed. */
export interface Removal {
  apexName: string;
  /** The project domains under it. */
  domains: readonly DomainRow[];
  /** The number of these domains that the caller may not see. */
  hidden: number;
  /** The name of a project with one of these domains, if it is being transferred. */
  transferring: string | undefined;
}

export const sellsNoDomains = (): Refusal =>
  new Refusal(400, "tld_not_supported", "This server sells no domains.");

export const notCovered: RefusalRow<Removal> = [
  403,
  "forbidden",
  ({ apexName }) => `The integration has no access to all projects with names under ${apexName}.`,
  ({ hidden }) => hidden > 0,
];

export const removedWhileTransferred: RefusalRow<Removal> = [
  409,
  "conflict",
  ({ transferring }) =>
    `The project "${transferring}" is being transferred. Try again when the transfer is complete.`,
  ({ transferring }) => transferring !== undefined,
];
