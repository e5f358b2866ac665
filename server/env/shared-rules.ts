import type { Account } from "../access/caller";
import { mayWriteProduction } from "../access/scopes";
import type { Refusal, RefusalRow } from "../platform/refusal";
import type { SharedEnvVarRow } from "./object";
import {
  type EnvDraft,
  findBrokenRule,
  isReadableWhereDeployed,
  locked,
  notSensitive,
  rules,
  wouldReveal,
} from "./rules";

/** The rules for a shared variable, as pure functions. */

export interface SharedDraft extends Pick<EnvDraft, "key" | "value" | "target" | "comment"> {
  type: SharedEnvVarRow["type"];
  applyToAll: boolean;
}

/** Why a shared variable is refused. */
export interface SharedProblem {
  status: 400 | 403 | 404 | 409;
  code: string;
  message: string;
  /** Further members of the error object. */
  extra?: Record<string, string>;
}

/** The slot target that stands for all custom environments. */
const everyCustomEnvironment = "*";

/** The targets of a variable's slots. The team, the key and these targets identify the variable. */
export const sharedSlots = ({ target, applyToAll }: Pick<SharedDraft, "target" | "applyToAll">): string[] => [
  ...target,
  ...(applyToAll ? [everyCustomEnvironment] : []),
];

/** @choice The maximum number of shared variables of a team: as many as an environment can have. */
export const largestSharedCount = 1000;

const tooManyShared: SharedProblem = {
  status: 400,
  code: "MAX_ENVS_EXCEEDED",
  message: `A team can have at most ${largestSharedCount} shared variables. Delete some that are not needed.`,
};

const missingTarget: SharedProblem = {
  status: 400,
  code: "MISSING_TARGET",
  message: "The variable is for no environment. Give a target, or set applyToAllCustomEnvironments.",
};

export const sharedProductionDenied: SharedProblem = {
  status: 403,
  code: "FORBIDDEN",
  message: "The caller may not write shared variables of production. Ask an owner of the team to do it.",
  extra: { action: "update" },
};

/** @source the Terraform provider, which looks for the other variable */
const conflict: SharedProblem = {
  status: 409,
  code: "existing_key_and_target",
  message:
    "A shared variable of this key exists for one of the targets. Edit that one, or choose other targets.",
};

export const unknownShared = (id: string): SharedProblem => ({
  status: 404,
  code: "not_found",
  message: `Shared variable ${JSON.stringify(id)} was not found.`,
  extra: { envVarId: id },
});

/** A variable to write, with the facts that decide whether it can be written. */
export interface SharedAttempt {
  account: Pick<Account, "role" | "wantsSensitive">;
  draft: SharedDraft;
  /** The variable before the change; undefined for a new one. */
  before: SharedDraft | undefined;
  hasNewValue: boolean;
  /** The id of another variable that has one of the draft's slots. */
  owner: string | undefined;
  /** The number of other shared variables of the team. */
  count: number;
}

/** The first refusal that applies, in the same order as for a project's variable. */
export function findSharedProblem(attempt: SharedAttempt): SharedProblem | undefined {
  const { account, draft, before, hasNewValue, owner, count } = attempt;
  const mayWrite = ({ target }: Pick<SharedDraft, "target">): boolean =>
    mayWriteProduction(account.role) || !target.includes("production");
  if (sharedSlots(draft).length === 0) return missingTarget;
  const broken = findBrokenRule(asProjectVariable(draft));
  if (broken) return broken;
  if (before && !hasNewValue && wouldReveal(before.type, draft.type)) return locked;
  // @choice A variable that existed before the policy may keep its type.
  if (
    account.wantsSensitive &&
    isReadableWhereDeployed(draft) &&
    !(before && isReadableWhereDeployed(before))
  )
    return notSensitive;
  if (!mayWrite(draft) || (before && !mayWrite(before))) return sharedProductionDenied;
  if (owner !== undefined) return { ...conflict, extra: { envVarId: owner } };
  return count >= largestSharedCount ? tooManyShared : undefined;
}

/** Converts a shared variable to a draft for the rules of a project's variables. */
const asProjectVariable = ({ applyToAll, ...draft }: SharedDraft): EnvDraft => ({
  ...draft,
  customEnvironmentIds: applyToAll ? [everyCustomEnvironment] : [],
  gitBranch: null,
});

/** The refusals that depend on the caller or on the whole request. */

export const teamNeeded: RefusalRow<{ account: Pick<Account, "kind"> }> = [
  400,
  "bad_request",
  "Shared variables belong to a team. Name one with teamId or slug.",
  ({ account }) => account.kind !== "team",
];

/** @choice Installations on selected projects are refused, because shared variables may be linked to other projects. */
export const selectedProjects: RefusalRow<{ caller: { installation: { selected: boolean } | undefined } }> = [
  403,
  "forbidden",
  "Shared variables may be linked to all projects of the team, and the integration has access to selected projects only.",
  ({ caller }) => caller.installation?.selected === true,
];

/** @source vercel/vercel#17484: names of projects are not resolved */
export const unknownLinks: RefusalRow<{ hasUnknownProjects: boolean }> = [
  400,
  "bad_request",
  "A project to link is not a project of the team. Name projects by their ids.",
  ({ hasUnknownProjects }) => hasUnknownProjects,
];

export const contradictingLinks: RefusalRow<{
  body: {
    updates: Record<
      string,
      {
        projectId?: string[] | undefined;
        projectIdUpdates?: { link?: string[] | undefined; unlink?: string[] | undefined } | undefined;
      }
    >;
  };
}> = [
  400,
  "bad_request",
  "projectId is the whole list of linked projects. Leave out either projectId or projectIdUpdates.",
  ({ body }) =>
    Object.values(body.updates).some(
      ({ projectId, projectIdUpdates: { link = [], unlink = [] } = {} }) =>
        projectId !== undefined && link.length + unlink.length > 0,
    ),
];

/** A refusal in the documentation of a route. */
type Known = readonly [status: number, code: string, when: string];

const ofProblem = ({
  status,
  code,
  message,
}: Pick<Refusal | SharedProblem, "status" | "code" | "message">): Known => [status, code, message];

export const refusedWhenShared: readonly Known[] = [
  ...rules.map(([code, message]): Known => [400, code, message]),
  ...[missingTarget, locked, notSensitive, sharedProductionDenied, conflict, tooManyShared].map(ofProblem),
];
