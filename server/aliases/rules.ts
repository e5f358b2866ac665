import type { Account } from "../access/caller";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import type { DeploymentRow } from "../deployments/object";
import { isGiven } from "../domains/names";
import type { RefusalRow } from "../platform/refusal";
import type { AliasRow } from "./object";

/** The facts that decide whether an alias can be assigned. */
export interface Assignment {
  account: Account;
  deployment: DeploymentRow;
  /** undefined if the name is invalid. */
  name: string | undefined;
  /** null if the request has no redirect; undefined if the redirect is not a valid name. */
  redirect: string | null | undefined;
  /** The existing alias with this name, in any account. */
  current: AliasRow | undefined;
  /** True if the caller may not see the deployment of the existing alias. */
  isHidden: boolean;
  /** True for the default domain of a project, and for a project domain that is verified or in this account. */
  isOfProject: boolean;
  /** True if the account has verified the apex of the name. */
  isProved: boolean;
}

/**
 * @choice The name of a project is refused, because promotions decide where it points. The official command line
 *   handles these error codes.
 * @source the official command line: `alias set`
 */
export const assignRefusals: readonly RefusalRow<Assignment>[] = [
  [
    400,
    "invalid_alias",
    "The alias is not a valid domain name. Give one such as docs.example.com.",
    ({ name }) => name === undefined,
  ],
  [
    400,
    "bad_request",
    "The redirect is not a valid domain name. Give one such as example.com.",
    ({ redirect }) => redirect === undefined,
  ],
  [
    400,
    "deployment_not_ready",
    ({ deployment }) =>
      `The deployment is ${deployment.ready_state}. Only a READY deployment can have an alias.`,
    ({ deployment }) => deployment.ready_state !== "READY",
  ],
  softBlocked,
  paymentMethodNeeded,
  [
    403,
    "alias_in_use",
    ({ name }) => `${name} is the name of a project. Promote the deployment, or choose another alias.`,
    ({ isOfProject }) => isOfProject,
  ],
  [
    403,
    "alias_in_use",
    ({ name }) => `${name} is in use by another account. Choose another alias.`,
    ({ account, current }) => current !== undefined && current.account_id !== account.id,
  ],
  [
    403,
    "forbidden",
    ({ name }) =>
      `The caller has no access to the project of ${name}, only to selected projects. Choose another alias.`,
    ({ isHidden }) => isHidden,
  ],
  [
    403,
    "forbidden",
    ({ name }) =>
      `The account has not proved that it owns ${name}. Add the domain to a project and verify it first.`,
    ({ name = "", isProved }) => !isGiven(name) && !isProved,
  ],
  [
    409,
    "conflict",
    ({ name }) => `${name} is an alias of the deployment already.`,
    ({ current, deployment, redirect }) =>
      current?.deployment_id === deployment.id && current.redirect === redirect,
    ({ current }) => ({ uid: current?.id, alias: current?.alias }),
  ],
];

/** Refuses to remove the name of a project and the URL of a deployment, which are not aliases. */
export const removeRefusals: readonly RefusalRow<{
  isOwn: boolean;
  found: { alias: string; url: string };
}>[] = [
  [
    400,
    "bad_request",
    ({ found }) => `${found.alias} is the URL of a deployment. Delete the deployment instead.`,
    ({ found, isOwn }) => !isOwn && found.alias === found.url,
  ],
  [
    400,
    "bad_request",
    ({ found }) => `${found.alias} is the name of a project. Remove the domain from the project instead.`,
    ({ isOwn }) => !isOwn,
  ],
];
