import { type envTargets, type envTypes, runtimeKeys, systemKeys } from "../../provider/vocabulary";
import { Refusal, type RefusalRow } from "../platform/refusal";
import type { ProjectRow } from "../projects/object";

/** The rules for a variable, as pure functions. @source Environment variable; wire-shapes 4 */

export type EnvType = (typeof envTypes)[number];
type EnvTarget = (typeof envTargets)[number];

/** A variable from a request, before it is checked. */
export interface EnvDraft {
  key: string;
  value: string;
  type: EnvType;
  target: readonly EnvTarget[];
  customEnvironmentIds: readonly string[];
  gitBranch: string | null;
  comment: string | null;
  /** True if the request has no value, so that the stored one is kept. */
  keepsValue?: boolean;
  /** True if the variable has lost its environments. Its other members can be changed without new environments. */
  unassigned?: boolean;
}

/** Why a variable is refused. */
export interface EnvProblem {
  status: 400 | 403;
  code: string;
  message: string;
  /** Further members of the error object. */
  extra?: Record<string, string>;
}

/** True if two lists without duplicates have the same items. */
export const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

type Visibility = "config" | "secret";

/** `config` if values of the type can be read, otherwise `secret`; undefined if the service sets the value. */
export function visibilityOf(type: EnvType): Visibility | undefined {
  if (type === "system") return undefined;
  return type === "sensitive" ? "secret" : "config";
}

/** The type for a visibility: `current` if it has this visibility or none is given, otherwise the default type. */
export function typeFor(visibility: Visibility | undefined, current?: EnvType): EnvType | undefined {
  if (visibility === undefined || (current !== undefined && visibilityOf(current) === visibility))
    return current;
  return visibility === "secret" ? "sensitive" : "encrypted";
}

type Rule<T> = readonly [code: string, message: string, holds: (env: T) => boolean];

const largestKey = 256;
const largestValue = 65536;

export const disagreement: Rule<{ type?: EnvType | undefined; visibility?: Visibility | undefined }> = [
  "BAD_REQUEST",
  "visibility and type disagree: sensitive variables have the visibility secret, encrypted and plain variables config. Send only one of the two.",
  ({ type, visibility }) =>
    type !== undefined && visibility !== undefined && visibilityOf(type) !== visibility,
];

export const missing: readonly Rule<{
  key?: string | undefined;
  value?: string | undefined;
  type?: EnvType | undefined;
  visibility?: Visibility | undefined;
  target?: readonly EnvTarget[] | undefined;
  customEnvironmentIds?: readonly string[] | undefined;
}>[] = [
  ["MISSING_KEY", "The variable has no key. Give one.", ({ key }) => key === undefined],
  [
    "MISSING_VALUE",
    "The variable has no value. Give one.",
    ({ value, type }) => value === undefined && type !== "system",
  ],
  [
    "MISSING_TARGET",
    "The variable is for no environment. Give a target or a custom environment.",
    ({ target, customEnvironmentIds = [] }) => target === undefined && customEnvironmentIds.length === 0,
  ],
  disagreement,
];

export const rules: readonly Rule<EnvDraft>[] = [
  [
    "KEY_INVALID_LENGTH",
    `A key must have 1 to ${largestKey} characters.`,
    ({ key }) => key.length === 0 || key.length > largestKey,
  ],
  [
    "KEY_INVALID_CHARACTERS",
    "A key must consist of letters, digits and '_', and must not begin with a digit.",
    ({ key }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key),
  ],
  [
    "KEY_RESERVED",
    "The runtime sets a variable of this key. Choose another key.",
    ({ key }) => runtimeKeys.includes(key),
  ],
  [
    "RESERVED_ENV_VARIABLE",
    "This is the key of a system variable. Choose another key, or set type to system.",
    ({ key, type }) => type !== "system" && systemKeys.includes(key),
  ],
  [
    "VALUE_INVALID_LENGTH",
    `A value can have at most ${largestValue} characters.`,
    ({ value }) => value.length > largestValue,
  ],
  [
    "MISSING_TARGET",
    "The variable is for no environment. Give a target or a custom environment.",
    ({ target, customEnvironmentIds, unassigned }) =>
      !unassigned && target.length + customEnvironmentIds.length === 0,
  ],
  [
    "BAD_REQUEST",
    "A sensitive variable can only be for production and preview. Remove development from target, or choose another type.",
    ({ type, target }) => type === "sensitive" && target.includes("development"),
  ],
  [
    "BAD_REQUEST",
    "gitBranch can only be used when preview is the only target.",
    ({ gitBranch, target, customEnvironmentIds }) =>
      gitBranch !== null && (target.join() !== "preview" || customEnvironmentIds.length > 0),
  ],
  [
    "BAD_REQUEST",
    "gitBranch must have 1 to 250 characters.",
    ({ gitBranch }) => gitBranch !== null && (gitBranch.length === 0 || gitBranch.length > 250),
  ],
  ["BAD_REQUEST", "comment can have at most 500 characters.", ({ comment }) => (comment?.length ?? 0) > 500],
];

/** The refusal of a new variable without a needed member, or whose `type` and `visibility` disagree. */
export const findMissing = (item: Parameters<(typeof missing)[number][2]>[0]): EnvProblem | undefined =>
  firstBroken(missing, item);

/** The refusal of an edit whose `type` and `visibility` disagree. */
export const findDisagreement = (body: Parameters<(typeof disagreement)[2]>[0]): EnvProblem | undefined =>
  firstBroken([disagreement], body);

/** The refusal for the first rule that a variable breaks. */
export const findBrokenRule = (env: EnvDraft): EnvProblem | undefined => firstBroken(rules, env);

function firstBroken<T>(list: readonly Rule<T>[], env: T): EnvProblem | undefined {
  const broken = list.find(([, , holds]) => holds(env));
  return broken && { status: 400, code: broken[0], message: broken[1] };
}

/**
 * True for a preview variable of the production branch, which is refused.
 * @source vercel/vercel#15763
 */
export function isForProductionBranch(project: Pick<ProjectRow, "link">, { gitBranch }: EnvDraft): boolean {
  return (
    gitBranch !== null && project.link !== null && JSON.parse(project.link).productionBranch === gitBranch
  );
}

/** The size that counts towards the limit of an environment, in bytes. */
export const sizeOf = ({ key, value }: Pick<EnvDraft, "key" | "value">): number =>
  Buffer.byteLength(key) + Buffer.byteLength(value);

/** A slot: a target or custom environment, and a branch. Only one variable with the same key can have a slot. */
export interface Slot {
  target: string;
  /** Empty for no branch. */
  branch: string;
}

/** The slots of a variable. The key and the slots identify the variable. @source wire-shapes 4 */
export const slotsOf = (env: Pick<EnvDraft, "target" | "customEnvironmentIds" | "gitBranch">): Slot[] =>
  [...env.target, ...env.customEnvironmentIds].map((target) => ({ target, branch: env.gitBranch ?? "" }));

/**
 * True when a change of the type would make an unreadable value readable.
 * @choice A sensitive variable can become readable only together with a new value.
 */
export const wouldReveal = (from: EnvType, to: EnvType): boolean =>
  from === "sensitive" && to !== "sensitive";

/** The refusals that depend on the caller, on the project or on its other variables. */

export const notOwned = {
  status: 403,
  code: "FORBIDDEN",
  message: "The access token may only use variables that its own integration created.",
} as const satisfies EnvProblem;

export const productionDenied = {
  status: 403,
  code: "FORBIDDEN",
  message: "The caller may not write production variables. Ask an owner of the team to do it.",
  extra: { action: "update", resource: "projectEnvVarsProduction" },
} as const satisfies EnvProblem;

/**
 * True for a readable variable of production or preview, which the policy of a team can forbid.
 * @choice Variables only for custom environments are exempt.
 */
export const isReadableWhereDeployed = ({ type, target }: Pick<EnvDraft, "type" | "target">): boolean =>
  type !== "sensitive" && type !== "system" && target.some((one) => one !== "development");

export const notSensitive: EnvProblem = {
  status: 400,
  code: "BAD_REQUEST",
  message:
    'The policy of the team requires the type sensitive for variables of production and preview. Set the type to "sensitive", and use another variable for development.',
};

export const productionBranch: EnvProblem = {
  status: 400,
  code: "BAD_REQUEST",
  message:
    "gitBranch cannot be the production branch, whose deployments get the variables of production. Use target production.",
};

export const conflictWith = (owner: string, { key, target, customEnvironmentIds }: EnvDraft): EnvProblem => ({
  status: 403,
  code: "ENV_CONFLICT",
  message: `A variable ${key} with the same branch exists for at least one of the targets ${[...target, ...customEnvironmentIds].join(", ")}. Edit the existing variable, or choose other targets.`,
  extra: { envVarId: owner },
});

export const locked: EnvProblem = {
  status: 400,
  code: "NOT_DECRYPTABLE",
  message: "The type of a sensitive variable can only change together with its value. Send a new value.",
};

export const unknownEnvironment: EnvProblem = {
  status: 400,
  code: "ID_NOT_FOUND",
  message: "customEnvironmentIds names an environment that the project does not have. Create it first.",
};

export const branchWithoutPreview: RefusalRow<{
  params: { target: string; gitBranch?: string | undefined };
}> = [
  400,
  "bad_request",
  "gitBranch can only be used with target preview. Leave it out, or set target to preview.",
  ({ params }) => params.gitBranch !== undefined && params.target !== "preview",
];

export const noneOfVariables = (project: string): Refusal =>
  new Refusal(404, "not_found", `The project "${project}" has none of these variables.`);

/** The maximum number of variables in an environment. @source wire-shapes 4 */
export const largestCount = 1000;
/** The maximum size of all variables in an environment, in bytes. @source wire-shapes 4 */
export const largestTotal = 64 * 1024;

export const tooMany: EnvProblem = {
  status: 400,
  code: "MAX_ENVS_EXCEEDED",
  message: `An environment can have at most ${largestCount} variables. Delete some that are not needed.`,
};

export const tooLarge: EnvProblem = {
  status: 400,
  code: "BAD_REQUEST",
  message:
    "The names and values of all variables of an environment can have at most 64 KB. Delete or shorten some.",
};

/** A refusal in the documentation of a route. */
type Known = readonly [status: number, code: string, when: string];

const ofRule = ([code, message]: readonly [string, string, unknown]): Known => [400, code, message];
const ofProblem = ({ status, code, message }: EnvProblem): Known => [status, code, message];

const ofAll = [
  ...rules.map(ofRule),
  ...[unknownEnvironment, productionBranch, notSensitive, tooMany, tooLarge, productionDenied].map(ofProblem),
];

/** The refusals of a new variable. */
export const refusedWhenNew: readonly Known[] = [...missing.map(ofRule), ...ofAll];

/** The refusals of an edit. */
export const refusedWhenEdited: readonly Known[] = [ofRule(disagreement), ofProblem(locked), ...ofAll];
