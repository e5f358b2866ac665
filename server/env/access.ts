import type { Account } from "../access/caller";
import { mayWriteProduction } from "../access/scopes";
import type { Services } from "../platform/services";
import type { Unit } from "../store/store";
import type { EnvVarRow } from "./object";
import type { EnvDraft } from "./rules";

/** The parts of a request that are needed to write variables. */
export interface EnvWriter extends Unit {
  services: Pick<Services, "vault">;
  caller: { userId: string | null; installation: { id: string } | undefined };
  account: Pick<Account, "role" | "scopes" | "wantsSensitive">;
  /** Returns the id for a new variable. Default: a random one. */
  idOf?: (draft: EnvDraft) => string;
}

/**
 * True when a caller may see and change a variable. An integration with only the scope for its own variables may see
 * and change those that it created.
 * @source Authentication, 5
 */
export function mayManage(
  { caller, account }: Pick<EnvWriter, "caller" | "account">,
  row: EnvVarRow,
): boolean {
  if (seesAllVariables({ account })) return true;
  const { installation } = caller;
  return (
    maySeeVariables({ account }) && installation !== undefined && row.configuration_id === installation.id
  );
}

/** The id of the installation if the caller sees only its variables; undefined if the caller sees all variables. */
export function ownVariablesOf({
  caller,
  account,
}: Pick<EnvWriter, "caller" | "account">): string | undefined {
  return seesAllVariables({ account }) ? undefined : caller.installation?.id;
}

type Caller = Pick<EnvWriter, "account">;

export const seesAllVariables = ({ account }: Caller): boolean =>
  account.scopes.has("read-write:global-project-env-vars");

/** True when a caller sees at least the variables of its integration. */
export const maySeeVariables = (call: Caller): boolean =>
  seesAllVariables(call) || call.account.scopes.has("read-write:project-env-vars");

export const mayWrite = (
  { account }: Pick<EnvWriter, "account">,
  { target }: Pick<EnvDraft, "target">,
): boolean => mayWriteProduction(account.role) || !target.includes("production");
