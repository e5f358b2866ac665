import type { RefusalRow } from "../platform/refusal";
import { challengeOf } from "./names";
import type { DomainRow } from "./object";

/** The facts that decide whether a domain can be verified. */
export interface Verification {
  /** undefined if the project does not have the domain. */
  claim: DomainRow | undefined;
  name: string;
  /** True if another account has verified the name. */
  ownedElsewhere: boolean;
  /** The result of the TXT lookup. `met` also if the domain was verified before; undefined if the lookup failed. */
  records: "met" | "foreign" | "missing" | "mismatch" | undefined;
}

const wanted = ({ claim }: Verification): string => {
  if (claim === undefined) return "";
  const { domain, value } = challengeOf(claim);
  return `${domain} needs the TXT record ${JSON.stringify(value)}`;
};

/** @source Domains, POST /v9/projects/{idOrName}/domains/{domain}/verify */
export const verifyRefusals: readonly RefusalRow<Verification>[] = [
  [
    400,
    "bad_request",
    ({ name }) => `The domain ${JSON.stringify(name)} is not assigned to this project.`,
    ({ claim }) => claim === undefined,
  ],
  [
    400,
    "existing_project_domain",
    ({ name }) => `${name} is verified for another project.`,
    ({ ownedElsewhere }) => ownedElsewhere,
  ],
  [
    400,
    "existing_project_domain",
    (call) => `A TXT record verifies ${call.name} for another project; ${wanted(call)}.`,
    ({ records }) => records === "foreign",
  ],
  // @choice A failed lookup counts as a missing record, so that clients try again.
  [
    400,
    "missing_txt_record",
    (call) => `The lookup of the TXT records failed; ${wanted(call)}. Try again.`,
    ({ records }) => records === undefined,
  ],
  [
    400,
    "missing_txt_record",
    (call) => `There is no TXT record that verifies ${call.name}: ${wanted(call)}.`,
    ({ records }) => records === "missing",
  ],
  // @choice A wrong record has its own code, because waiting does not help.
  [
    400,
    "mismatched_txt_record",
    (call) => `The TXT record does not match the challenge: ${wanted(call)}.`,
    ({ records }) => records === "mismatch",
  ],
];
