import { coreRules } from "../../provider/vocabulary";
import { newId } from "../platform/ids";
import { notFound } from "../platform/refusal";
import type { ConfigChange, NewIpRule, NewRule, PutConfig, Settings } from "./config-schema";

/** Changes of a configuration of the firewall, without the store. */

/** Returns the random part of an id. @param names of the rule */
type NewSuffix = (...names: string[]) => string;
const randomSuffix: NewSuffix = () => newId("row").slice(-6);

/** @source the Terraform provider: parts of the core rule set that were never set are inactive */
const inactive = Object.fromEntries(
  coreRules.map((part) => [part, { active: false, action: "log" }]),
) as Settings["crs"];

/**
 * A configuration as it is stored. Rules without an id get one.
 * @choice The id that a body names is kept, also if no rule has it.
 */
export const settingsOf = (
  { rules = [], ips = [], crs, ...others }: PutConfig,
  suffix = randomSuffix,
): Settings => ({
  ...others,
  crs: { ...inactive, ...crs },
  rules: rules.map((rule) => withRuleId(rule, suffix)),
  ips: ips.map((rule) => withIpId(rule, suffix)),
});

/** @source the Terraform provider: the id of a rule begins with its name */
function withRuleId(
  { valid: _, validationErrors: __, ...rule }: NewRule,
  suffix = randomSuffix,
): Settings["rules"][number] {
  const name = rule.name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return { ...rule, id: rule.id ?? `rule_${name}_${suffix(rule.name)}` };
}

const withIpId = (rule: NewIpRule, suffix = randomSuffix): Settings["ips"][number] => ({
  ...rule,
  id: rule.id ?? `ip_${suffix(rule.hostname, rule.ip)}`,
});

/**
 * Applies one change. A new rule is the last one.
 * @throws Refusal 404 if no rule has the id
 */
export function changedSettings(settings: Settings, change: ConfigChange): Settings {
  const { rules, ips } = settings;
  switch (change.action) {
    case "firewallEnabled":
      return { ...settings, firewallEnabled: change.value };
    case "rules.insert":
      return { ...settings, rules: [...rules, withRuleId(change.value)] };
    case "rules.update":
      return {
        ...settings,
        rules: replaced(rules, change.id, withRuleId({ ...change.value, id: change.id })),
      };
    case "rules.remove":
      return { ...settings, rules: replaced(rules, change.id) };
    case "rules.priority":
      return { ...settings, rules: moved(rules, change.id, change.value) };
    case "ip.insert":
      return { ...settings, ips: [...ips, withIpId(change.value)] };
    case "ip.update":
      return { ...settings, ips: replaced(ips, change.id, { ...change.value, id: change.id }) };
    case "ip.remove":
      return { ...settings, ips: replaced(ips, change.id) };
    default:
      return { ...settings, ...changedRuleSets(settings, change) };
  }
}

type RuleSetChange = Extract<
  ConfigChange,
  { action: `${"crs" | "managedRules" | "botId" | "logHeaders"}.${string}` }
>;

function changedRuleSets(settings: Settings, change: RuleSetChange): Partial<Settings> {
  switch (change.action) {
    case "crs.update":
      return { crs: { ...settings.crs, [change.id]: change.value } };
    case "crs.disable":
      return { crs: inactive };
    case "managedRules.update":
      return { managedRules: { ...settings.managedRules, [change.id]: change.value } };
    case "botId.toggle":
      return { botIdEnabled: change.value };
    case "logHeaders.update":
      return { logHeaders: change.value };
  }
}

function replaced<T extends { id: string }>(rules: readonly T[], id: string, ...by: T[]): T[] {
  const at = positionOf(rules, id);
  return rules.toSpliced(at, 1, ...by);
}

function moved<T extends { id: string }>(rules: readonly T[], id: string, to: number): T[] {
  const at = positionOf(rules, id);
  return rules.toSpliced(at, 1).toSpliced(to, 0, ...rules.slice(at, at + 1));
}

function positionOf(rules: readonly { id: string }[], id: string): number {
  const at = rules.findIndex((rule) => rule.id === id);
  if (at < 0) throw notFound(`The rule ${JSON.stringify(id)}`);
  return at;
}
