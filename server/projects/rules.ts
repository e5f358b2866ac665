import type { Account } from "../access/caller";
import { protectionAddon } from "../access/rules";
import { badRequest, Refusal, type RefusalRow } from "../platform/refusal";
import { linkOf, type Repository } from "./link";
import type { ProjectRow } from "./object";
import type { UpdateProject } from "./schema";

/** @source POST /v10/projects and PATCH /v9/projects/{idOrName}, 409 */
export const nameTaken: RefusalRow<{ body: { name?: string | undefined }; isNameTaken: boolean }> = [
  409,
  "conflict",
  ({ body }) => `Project ${JSON.stringify(body.name)} already exists.`,
  ({ isNameTaken }) => isNameTaken,
];

/**
 * @choice A project gets the account's earlier deployments of its name. A caller that is limited to some projects may
 *   not see them, so it may not take their name either.
 */
export const hiddenDeployments: RefusalRow<{
  body: { name?: string | undefined };
  hasHiddenDeployments: boolean;
}> = [
  403,
  "forbidden",
  ({ body }) =>
    `The account has deployments of the name ${JSON.stringify(body.name)}, to which the caller has no access, only to selected projects. Choose another name.`,
  ({ hasHiddenDeployments }) => hasHiddenDeployments,
];

/** @source the public API, which refuses these paths with this code */
export const invalidRootDirectory: RefusalRow<{ body: { rootDirectory?: string | null | undefined } }> = [
  400,
  "invalid_root_directory",
  "rootDirectory must be the path of a folder below the root, such as apps/web, without `.`, `..` and slashes at the ends.",
  ({ body }) => {
    const path = body.rootDirectory ?? "";
    return path !== "" && (path.includes("\\") || path.split("/").some((step) => /^\.{0,2}$/.test(step)));
  },
];

export const passwordMissing: RefusalRow<{ body: UpdateProject; project: ProjectRow }> = [
  400,
  "bad_request",
  "passwordProtection needs a password, since none is set yet. Send one.",
  ({ body, project }) =>
    body.passwordProtection != null && body.passwordProtection.password == null && project.password === null,
];

type Subject = { account: Account; body: UpdateProject };

/** @source PATCH /v9/projects/{idOrName}, 400 */
export const trustedIpsNeedEnterprise: RefusalRow<Subject> = [
  400,
  "bad_request",
  "Trusted IPs are only available on the enterprise plan.",
  ({ account, body }) => body.trustedIps != null && account.plan !== "enterprise",
];

/**
 * @choice The specification does not say which settings are advanced. On this server, only password protection is. All
 *   plans have log-in protection and the allowlist for OPTIONS requests.
 */
const wantsAddon = ({ body }: Subject): boolean => body.passwordProtection != null;

/** @choice The free plan does not include log-in protection for all deployments, production domains among them. */
const wantsPaidPlan = (call: Subject): boolean =>
  wantsAddon(call) || call.body.ssoProtection?.deploymentType === "all";

/** @choice A pro account needs the add-on; an enterprise plan includes it. @source PATCH /v9/projects/{idOrName}, 428 */
export const protectionAddonMissing: RefusalRow<Subject> = [
  428,
  "upgrade_required",
  "The account lacks the add-on for advanced deployment protection. Buy it, or leave the setting out.",
  (call) => wantsAddon(call) && call.account.plan === "pro" && !call.account.addons.includes(protectionAddon),
];

/** @source PATCH /v9/projects/{idOrName}, 428 */
export const advancedProtectionUnavailable: RefusalRow<Subject> = [
  428,
  "plan_not_supported",
  "Advanced deployment protection is unavailable on the account's plan. Upgrade the plan, or leave the setting out.",
  (call) => wantsPaidPlan(call) && call.account.plan === "hobby",
];

export const notLinked: RefusalRow<{ project: ProjectRow }> = [
  400,
  "bad_request",
  "The project is not linked to a repository. Link one first.",
  ({ project }) => project.link === null,
];

/** @choice The maximum number of deploy hooks of a project. */
const mostDeployHooks = 10;

export const tooManyDeployHooks: RefusalRow<{ project: ProjectRow }> = [
  400,
  "bad_request",
  `A project has at most ${mostDeployHooks} deploy hooks. Delete one that is not needed.`,
  ({ project }) => (linkOf(project)?.deployHooks.length ?? 0) >= mostDeployHooks,
];

/** The rights of an account at its git provider. */
export interface GitProvider {
  /** The accessible repositories; null for all of them. */
  repos: string[] | null;
  webhooks: "ok" | "forbidden" | "unavailable";
}

interface Linking {
  /** The repository to link, if any. */
  repository: Repository | undefined;
  provider: GitProvider | undefined;
}

/**
 * @choice The specification has two conditions that depend on the git provider. This is the first: the account has no
 *   rights on the repository.
 * @source Projects, POST /v10/projects, 400
 */
export const webhookForbidden: RefusalRow<Linking> = [
  400,
  "bad_request",
  "The webhook for the repository could not be created: the account has no rights on it at the git provider. Grant them there, then try again.",
  ({ repository, provider }) =>
    repository !== undefined &&
    (provider?.webhooks === "forbidden" ||
      (provider?.repos != null && !provider.repos.includes(repository.repo))),
];

/** @source Projects, POST /v10/projects, 400 */
export const webhookUnavailable: RefusalRow<Linking> = [
  400,
  "bad_request",
  "The webhook for the repository could not be created: the git provider accepts no more webhooks for it. Remove one there, then try again.",
  ({ provider }) => provider?.webhooks === "unavailable",
];

export const alreadyLinked: RefusalRow<{ project: ProjectRow }> = [
  400,
  "bad_request",
  "The project is already linked to a repository. Unlink that one first.",
  ({ project }) => project.link !== null,
];

export const branchInUse: RefusalRow<{ body: { branch: string }; isBranchInUse: boolean }> = [
  400,
  "bad_request",
  ({ body }) =>
    `The branch ${body.branch} has domains or variables of its own. Remove these, or choose another branch.`,
  ({ isBranchInUse }) => isBranchInUse,
];

/** Pause and unpause accept only an id, not a name. */
export const unknownProjectId = (id: string): Refusal =>
  badRequest(
    `There is no project with the id ${JSON.stringify(id)}. Give the id of the project, not its name.`,
  );

export const bypassSecretExists = (): Refusal =>
  new Refusal(
    409,
    "conflict",
    "The project has this bypass secret already. Choose another one, or let the server make one.",
  );

export const lastBypassVariable = (): Refusal =>
  badRequest("One secret must be the variable of deployments. Set isEnvVar on another secret instead.");

/** The refusals of a transfer to another account, which only the control plane starts. */
export const transferRefused = {
  running: ({ name, transfer_to_account_id }: ProjectRow): Refusal =>
    conflict(`The project "${name}" is already being transferred, to ${transfer_to_account_id}.`),
  sameAccount: ({ name }: ProjectRow): Refusal =>
    badRequest(`The project "${name}" is already in that account.`),
  notStarted: ({ name }: ProjectRow): Refusal =>
    conflict(`The project "${name}" is not being transferred. Start a transfer first.`),
  nameTaken: ({ name }: ProjectRow): Refusal =>
    conflict(
      `Project ${JSON.stringify(name)} already exists in the other account. Rename one of them first.`,
    ),
  domainTaken: (domain: string): Refusal =>
    conflict(`The other account has the domain ${domain} already. Remove it from one of them first.`),
};

const conflict = (message: string): Refusal => new Refusal(409, "conflict", message);
