import type { Account } from "../access/caller";
import { protectionAddon } from "../access/rules";
import type { RefusalRow } from "../platform/refusal";
import type { ChangeException } from "./exception-schema";

interface Change {
  account: Account;
  body: ChangeException;
  found: { id: string | null; alias: string; url: string; project_id: string | null };
}

const createsOverride = ({ body }: Change): boolean =>
  "override" in body && body.override.action === "create";

/**
 * @choice Only aliases and URLs of deployments have exceptions. To make a domain of a project public, change the
 *   deployment type of the protection.
 * @source the public documentation of the service: exceptions need an enterprise plan, or the add-on on the pro plan
 */
export const exceptionRefusals: readonly RefusalRow<Change>[] = [
  [
    400,
    "bad_request",
    ({ found }) =>
      `${found.alias} is a domain of a project. Only aliases and URLs of deployments have exceptions from the protection.`,
    ({ found }) => found.id === null && found.alias !== found.url,
  ],
  [
    400,
    "bad_request",
    ({ found }) => `${found.alias} points to a deployment without a project, which has no protection.`,
    ({ found }) => found.project_id === null,
  ],
  [
    428,
    "upgrade_required",
    "The account lacks the add-on for advanced deployment protection, which exceptions need. Buy it first.",
    (call) =>
      createsOverride(call) && call.account.plan === "pro" && !call.account.addons.includes(protectionAddon),
  ],
  [
    428,
    "plan_not_supported",
    "Exceptions from deployment protection are unavailable on the account's plan. Upgrade the plan first.",
    (call) => createsOverride(call) && call.account.plan === "hobby",
  ],
];
