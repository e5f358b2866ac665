import type { Account } from "../access/caller";
import { mayWriteProduction } from "../access/scopes";
import type { Services } from "../platform/services";
import type { EnvVarRow } from "../store/schema";
import type { Tx } from "../store/store";
import type { EnvDraft, EnvProblem } from "./rules";

/** What writing variables needs to know of a request. */
export interface EnvWriter {
  tx: Tx;
  now: number;
  services: Pick<Services, "vault">;
  caller: { userId: string | null; installation: { id: string } | undefined };
  account: Pick<Account, "role" | "scopes">;
  /** Gives a new variable its id. Default: a random one. */
  idOf?: (draft: EnvDraft) => string;
}

/**
 * Whether a caller may see and change a variable: an integration that was granted its own variables alone,
 * only those that it made.
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

/** The installation whose variables alone a caller sees; undefined: all of them. */
export function ownVariablesOf({
  caller,
  account,
}: Pick<EnvWriter, "caller" | "account">): string | undefined {
  return seesAllVariables({ account }) ? undefined : caller.installation?.id;
}

type Caller = Pick<EnvWriter, "account">;

export const seesAllVariables = ({ account }: Caller): boolean =>
  account.scopes.has("read-write:global-project-env-vars");

/** Whether a caller sees any variables, its integration's own at least. */
export const maySeeVariables = (call: Caller): boolean =>
  seesAllVariables(call) || call.account.scopes.has("read-write:project-env-vars");

export const mayWrite = (
  { account }: Pick<EnvWriter, "account">,
  { target }: Pick<EnvDraft, "target">,
): boolean => mayWriteProduction(account.role) || !target.includes("production");

export const notOwned = {
  status: 403,
  code: "FORBIDDEN",
  message: "The access token reaches only variables that its own integration created.",
} as const satisfies EnvProblem;

export const productionDenied = {
  status: 403,
  code: "FORBIDDEN",
  message: "Writing production variables needs a permission that the caller lacks.",
  extra: { action: "update", resource: "projectEnvVarsProduction" },
} as const satisfies EnvProblem;
