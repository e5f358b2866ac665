import type { Account } from "../access/caller";
import { mayWriteProduction } from "../access/scopes";
import type { Refusal, RefusalRow } from "../platform/refusal";
import type { SharedEnvVarRow } from "../store/schema";
import {
  type EnvDraft,
  findBrokenRule,
  isReadableWhereDeployed,
  locked,
  notSensitive,
  rules,
  wouldReveal,
} from "./rules";

/** The rules for a variable of a team, as pure functions. */

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

/** The target of slots that stands for all custom environments. */
const everyCustomEnvironment = "*";

/** The targets of a variable's slots. With its key and its team, they are its identity. */
export const sharedSlots = ({ target, applyToAll }: Pick<SharedDraft, "target" | "applyToAll">): string[] => [
  ...target,
  ...(applyToAll ? [everyCustomEnvironment] : []),
];

/** @choice As many as an environment of a project can have. */
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

/** A variable to write, and what decides whether it can be. */
export interface SharedAttempt {
  account: Pick<Account, "role" | "wantsSensitive">;
  draft: SharedDraft;
  /** The variable as it was; undefined: it is a new one. */
  before: SharedDraft | undefined;
  hasNewValue: boolean;
  /** The id of another variable that holds one of its slots. */
  owner: string | undefined;
  /** How many others the team has. */
  count: number;
}

/** The refusals, in the order of those of a project's variable: the first that holds answers. */
export function findSharedProblem(attempt: SharedAttempt): SharedProblem | undefined {
  const { account, draft, before, hasNewValue, owner, count } = attempt;
  const mayWrite = ({ target }: Pick<SharedDraft, "target">): boolean =>
    mayWriteProduction(account.role) || !target.includes("production");
  if (sharedSlots(draft).length === 0) return missingTarget;
  const broken = findBrokenRule(asProjectVariable(draft));
  if (broken) return broken;
  if (before && !hasNewValue && wouldReveal(before.type, draft.type)) return locked;
  // @choice A variable may stay what it was before the policy.
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

/** In the form that the rules of a project's variables take. */
const asProjectVariable = ({ applyToAll, ...draft }: SharedDraft): EnvDraft => ({
  ...draft,
  customEnvironmentIds: applyToAll ? [everyCustomEnvironment] : [],
  gitBranch: null,
});

/** Refusals because of the caller, or of the request as a whole. */

export const teamNeeded: RefusalRow<{ account: Pick<Account, "kind"> }> = [
  400,
  "bad_request",
  "Shared variables belong to a team. Name one with teamId or slug.",
  ({ account }) => account.kind !== "team",
];

/** @choice A shared variable may be of projects that the installation does not see. */
export const selectedProjects: RefusalRow<{ caller: { installation: { selected: boolean } | undefined } }> = [
  403,
  "forbidden",
  "The integration has no access to all projects of the team, which its shared variables are for.",
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
  "projectId is the whole list of linked projects. Leave it out, or projectIdUpdates.",
  ({ body }) =>
    Object.values(body.updates).some(
      ({ projectId, projectIdUpdates: { link = [], unlink = [] } = {} }) =>
        projectId !== undefined && link.length + unlink.length > 0,
    ),
];

/** A refusal for the documents of a route. */
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
