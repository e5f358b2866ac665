import { isIP, isIPv4 } from "node:net";
import type { Account } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";
import type { Settings } from "./config-schema";

interface Change {
  account: Pick<Account, "plan">;
  /** The configuration after the request. */
  settings: Settings;
}

/** The first part of a configuration that needs the enterprise plan. */
function enterprisePart({ rules, crs, managedRules }: Settings): string | undefined {
  if (managedRules?.owasp?.active || Object.values(crs).some(({ active }) => active))
    return "The OWASP core rule set";
  const limits = rules.map(({ action }) => action.mitigate?.rateLimit);
  if (limits.some((limit) => limit?.algo === "token_bucket")) return "The algorithm token_bucket";
  if (limits.some((limit) => limit && limit.window > 600)) return "A window of more than 600 seconds";
  const conditions = rules.flatMap(({ conditionGroup }) =>
    conditionGroup.flatMap((group) => group.conditions),
  );
  return conditions.some(({ type }) => type === "ja3_digest")
    ? "A condition of the type ja3_digest"
    : undefined;
}

/**
 * @choice 402, as the command line gets it for other parts of the firewall. A configuration that was stored with a
 *   larger plan cannot be changed until these parts are removed. The number of rules does not depend on the plan.
 * @source the public documentation of the service; the official command line
 */
export const enterpriseOnly: RefusalRow<Change> = [
  402,
  "payment_required",
  ({ settings }) => `${enterprisePart(settings)} is only available on the enterprise plan.`,
  ({ account, settings }) => account.plan !== "enterprise" && enterprisePart(settings) !== undefined,
];

/** @source the official command line: at least /16 for IPv4, and /48 for IPv6 */
function isBlockable(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0) return false;
  const [least, most] = isIPv4(address) ? [16, 32] : [48, 128];
  return (
    length === undefined || (/^\d{1,3}$/.test(length) && Number(length) >= least && Number(length) <= most)
  );
}

const invalidIps = ({ ips }: Settings): string[] => ips.map(({ ip }) => ip).filter((ip) => !isBlockable(ip));

export const invalidIp: RefusalRow<Change> = [
  400,
  "bad_request",
  ({ settings }) =>
    `Invalid body: ${JSON.stringify(invalidIps(settings)[0])} is neither an IP address nor a range of at most /16 (IPv4) or /48 (IPv6).`,
  ({ settings }) => invalidIps(settings).length > 0,
];

/** @choice An id names one rule. */
export const sameIds: RefusalRow<Change> = [
  400,
  "bad_request",
  "Invalid body: two rules have the same id.",
  ({ settings: { rules, ips } }) =>
    [rules, ips].some((list) => new Set(list.map(({ id }) => id)).size < list.length),
];
