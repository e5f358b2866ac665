import type { envTargets, envTypes } from "../../provider/vocabulary";
import type { ProjectRow } from "../store/schema";

/** What a variable may be. Pure: no HTTP, no SQL. @source Environment variable; wire-shapes 4 */

export type EnvType = (typeof envTypes)[number];
type EnvTarget = (typeof envTargets)[number];

/** A variable as a request would have it, before it is known to be fit. */
export interface EnvDraft {
  key: string;
  value: string;
  type: EnvType;
  target: readonly EnvTarget[];
  customEnvironmentIds: readonly string[];
  gitBranch: string | null;
  comment: string | null;
  /** The value was not sent: what is sealed stays. */
  keepsValue?: boolean;
  /** It has lost its environments and is not given any: what else it is can be changed nevertheless. */
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

/** Of lists that name each thing once. */
export const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

type Visibility = "config" | "secret";

/** Whether the value of a type can be read; undefined where the service sets it. */
export function visibilityOf(type: EnvType): Visibility | undefined {
  if (type === "system") return undefined;
  return type === "sensitive" ? "secret" : "config";
}

/** The type that a visibility asks for: the one that a variable has, where it fits, else the usual one. */
export function typeFor(visibility: Visibility | undefined, held?: EnvType): EnvType | undefined {
  if (visibility === undefined || (held !== undefined && visibilityOf(held) === visibility)) return held;
  return visibility === "secret" ? "sensitive" : "encrypted";
}

type Rule<T> = readonly [code: string, message: string, holds: (env: T) => boolean];

const largestKey = 256;
const largestValue = 65536;

const disagreement: Rule<{ type?: EnvType | undefined; visibility?: Visibility | undefined }> = [
  "BAD_REQUEST",
  "visibility and type disagree: a sensitive variable is secret, an encrypted or a plain one is config.",
  ({ type, visibility }) =>
    type !== undefined && visibility !== undefined && visibilityOf(type) !== visibility,
];

const missing: readonly Rule<{
  key?: string | undefined;
  value?: string | undefined;
  type?: EnvType | undefined;
  visibility?: Visibility | undefined;
  target?: readonly EnvTarget[] | undefined;
  customEnvironmentIds?: readonly string[] | undefined;
}>[] = [
  ["MISSING_KEY", "A variable needs a key.", ({ key }) => key === undefined],
  [
    "MISSING_VALUE",
    "A variable needs a value.",
    ({ value, type }) => value === undefined && type !== "system",
  ],
  [
    "MISSING_TARGET",
    "A variable needs a target, or a custom environment.",
    ({ target, customEnvironmentIds = [] }) => target === undefined && customEnvironmentIds.length === 0,
  ],
  disagreement,
];

const rules: readonly Rule<EnvDraft>[] = [
  [
    "KEY_INVALID_LENGTH",
    `A key has 1 to ${largestKey} characters.`,
    ({ key }) => key.length === 0 || key.length > largestKey,
  ],
  [
    "KEY_INVALID_CHARACTERS",
    "A key may have letters, digits and '_', and does not begin with a digit.",
    ({ key }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key),
  ],
  ["KEY_RESERVED", "The key is one that the runtime sets.", ({ key }) => runtimeKeys.has(key)],
  [
    "RESERVED_ENV_VARIABLE",
    "The key is a system variable's: it can only be of type system.",
    ({ key, type }) => type !== "system" && systemKeys.has(key),
  ],
  [
    "VALUE_INVALID_LENGTH",
    `A value has at most ${largestValue} characters.`,
    ({ value }) => value.length > largestValue,
  ],
  [
    "MISSING_TARGET",
    "A variable needs a target, or a custom environment.",
    ({ target, customEnvironmentIds, unassigned }) =>
      !unassigned && target.length + customEnvironmentIds.length === 0,
  ],
  [
    "BAD_REQUEST",
    "A variable of type sensitive is for production and preview only.",
    ({ type, target }) => type === "sensitive" && target.includes("development"),
  ],
  [
    "BAD_REQUEST",
    "gitBranch can only be used with target preview, and no other.",
    ({ gitBranch, target, customEnvironmentIds }) =>
      gitBranch !== null && (target.join() !== "preview" || customEnvironmentIds.length > 0),
  ],
  [
    "BAD_REQUEST",
    "gitBranch has 1 to 250 characters.",
    ({ gitBranch }) => gitBranch !== null && (gitBranch.length === 0 || gitBranch.length > 250),
  ],
  ["BAD_REQUEST", "comment has at most 500 characters.", ({ comment }) => (comment?.length ?? 0) > 500],
];

/** Names of the runtime. @source wire-shapes 4 */
const runtimeKeys = new Set([
  "AWS_SECRET_KEY",
  "AWS_EXECUTION_ENV",
  "AWS_LAMBDA_LOG_GROUP_NAME",
  "AWS_LAMBDA_LOG_STREAM_NAME",
  "AWS_LAMBDA_FUNCTION_NAME",
  "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  "AWS_LAMBDA_FUNCTION_VERSION",
  "NOW_REGION",
  "TZ",
  "LAMBDA_TASK_ROOT",
  "LAMBDA_RUNTIME_DIR",
]);

/** @choice The documented system variables are reserved, the rest of their prefix is not. @source wire-shapes 4 */
const systemKeys = new Set(
  [
    ...["ENV", "TARGET_ENV", "URL", "BRANCH_URL", "PROJECT_PRODUCTION_URL", "REGION", "DEPLOYMENT_ID"],
    ...["PROJECT_ID", "SKEW_PROTECTION_ENABLED", "AUTOMATION_BYPASS_SECRET", "OIDC_TOKEN", "GIT_PROVIDER"],
    ...["GIT_REPO_SLUG", "GIT_REPO_OWNER", "GIT_REPO_ID", "GIT_COMMIT_REF", "GIT_COMMIT_SHA"],
    ...["GIT_COMMIT_MESSAGE", "GIT_COMMIT_AUTHOR_LOGIN", "GIT_COMMIT_AUTHOR_NAME", "GIT_PREVIOUS_SHA"],
    "GIT_PULL_REQUEST_ID",
  ].map((name) => `VERCEL_${name}`),
);

/** What a variable that is to be created lacks. */
export const findMissing = (item: Parameters<(typeof missing)[number][2]>[0]): EnvProblem | undefined =>
  findBroken(missing, item);

/** What is wrong with an edit itself. */
export const findDisagreement = (body: Parameters<(typeof disagreement)[2]>[0]): EnvProblem | undefined =>
  findBroken([disagreement], body);

/** The first rule that a variable breaks. */
export const findUnfit = (env: EnvDraft): EnvProblem | undefined => findBroken(rules, env);

function findBroken<T>(list: readonly Rule<T>[], env: T): EnvProblem | undefined {
  const broken = list.find(([, , holds]) => holds(env));
  return broken && { status: 400, code: broken[0], message: broken[1] };
}

/**
 * A preview variable cannot be for the branch that production is built from.
 * @source vercel/vercel#15763
 */
export function isForProductionBranch(project: Pick<ProjectRow, "link">, { gitBranch }: EnvDraft): boolean {
  return (
    gitBranch !== null && project.link !== null && JSON.parse(project.link).productionBranch === gitBranch
  );
}

/** What counts towards the limit on an environment's names and values, in bytes. */
export const sizeOf = ({ key, value }: Pick<EnvDraft, "key" | "value">): number =>
  Buffer.byteLength(key) + Buffer.byteLength(value);

/** A place that one variable at most can hold under its key: a target or custom environment, and a branch. */
export interface Slot {
  target: string;
  /** Empty: no branch. */
  branch: string;
}

/** The identity of a variable, beside its key. @source wire-shapes 4 */
export const slotsOf = (env: Pick<EnvDraft, "target" | "customEnvironmentIds" | "gitBranch">): Slot[] =>
  [...env.target, ...env.customEnvironmentIds].map((target) => ({ target, branch: env.gitBranch ?? "" }));

/**
 * Whether a variable can take another type with the value that it has.
 * @choice What was sensitive stays hidden: a readable type needs a new value.
 */
export const wouldReveal = (from: EnvType, to: EnvType): boolean =>
  from === "sensitive" && to !== "sensitive";
