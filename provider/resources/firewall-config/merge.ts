import { same, sameJson } from "../../core/values";
import { coreRules } from "../../vocabulary";
import {
  type RemoteConfig,
  ruleIn,
  type SentIpRule,
  type SentRule,
  sentRule,
  setIds,
  setNames,
} from "./form";
import type { Inputs, IpRule, ManagedRulesets, Rule } from "./inputs";

/**
 * Changes a configuration as a program declares it. A request replaces the configuration as a whole, so what the program
 * does not declare is sent as the service has it. Rules are removed only if the state has them: the preview has shown the
 * removal. A rule or set that the program does not change stays as the service has it.
 */

/** The parts of a configuration that a program declares. */
export type Setting = "enabled" | "rules" | "ipRules" | "managedRulesets";
export const settings: readonly Setting[] = ["enabled", "rules", "ipRules", "managedRulesets"];

/** The declarations of the last run. */
export type Known = Partial<Pick<Inputs, Setting>> & {
  ruleIds?: readonly string[] | undefined;
  /** True if the outcome of the last run is not known. Everything that is declared is then written. */
  isUnsure?: boolean;
};

const none: RemoteConfig = { firewallEnabled: true, rules: [], ips: [] };

/** The body of the request. @param changed the parts to change */
export function merged(
  current: RemoteConfig = none,
  declared: Partial<Pick<Inputs, Setting>>,
  known: Known,
  changed: ReadonlySet<string>,
) {
  const { firewallEnabled, rules, ips, rulesets, botIdEnabled, logHeaders } = current;
  return {
    firewallEnabled: changed.has("enabled") ? (declared.enabled ?? true) : firewallEnabled,
    rules: changed.has("rules") ? mergedRules(rules, declared.rules ?? [], known) : (rules as SentRule[]),
    ips: changed.has("ipRules") ? mergedIpRules(ips, declared.ipRules ?? [], known) : ips,
    ...(changed.has("managedRulesets")
      ? mergedSets(current, declared.managedRulesets, known.managedRulesets, known.isUnsure)
      : mergedSets(current)),
    // An absent member is not sent.
    ...{ rulesets, botIdEnabled, logHeaders },
  };
}

/**
 * The rules after a change. A rule keeps its id when its content changes, and also when only its name does. A rule that
 * somebody else added stays behind the rule that it follows.
 */
function mergedRules(
  current: readonly SentRule[],
  declared: readonly Rule[],
  { rules = [], ruleIds = [], isUnsure = false }: Known,
): SentRule[] {
  const free = new Set(current);
  const take = (isMeant: (rule: SentRule) => boolean): SentRule | undefined => {
    const rule = [...free].find(isMeant);
    if (rule) free.delete(rule);
    return rule;
  };
  const isKnown = ({ id = "" }: SentRule): boolean => ruleIds.includes(id);
  const byId = declared.map(({ name }) =>
    take(({ id = "" }) => rules.some((rule, at) => rule.name === name && ruleIds[at] === id)),
  );
  const byName = declared.map(({ name }, at) => byId[at] ?? take((rule) => rule.name === name));
  const matches = declared.map(
    (rule, at) => byName[at] ?? take((other) => isKnown(other) && hasContent(other, rule)),
  );
  const isUnchanged = (rule: Rule): boolean => !isUnsure && rules.some((one) => sameJson(one, rule));
  const result = declared.map((rule, at) => {
    const match = matches[at];
    return match && isUnchanged(rule) ? match : sentRule(rule, match);
  });
  let before: string | undefined;
  for (const rule of current) {
    if (free.has(rule) && !isKnown(rule))
      result.splice(before === undefined ? 0 : result.findIndex(({ id }) => id === before) + 1, 0, rule);
    if (result.some(({ id }) => id === rule.id)) before = rule.id;
  }
  return result;
}

/** True for a rule that differs from a declared one in its name only. */
const hasContent = (rule: SentRule, declared: Rule): boolean =>
  same({ ...ruleIn(rule), name: declared.name }, ruleIn(sentRule(declared)));

/** The address and host of a rule, which only one rule has. */
export const addressOf = ({ ip, hostname }: Pick<IpRule, "ip" | "hostname">): string => `${ip} ${hostname}`;

function mergedIpRules(
  current: readonly SentIpRule[],
  declared: readonly IpRule[],
  { ipRules: known = [], isUnsure = false }: Known,
): SentIpRule[] {
  const isUnchanged = (rule: SentIpRule): boolean => !isUnsure && known.some((one) => sameJson(one, rule));
  const wanted = new Map<string, SentIpRule>(declared.map((rule) => [addressOf(rule), rule]));
  const kept = current.flatMap((rule) => {
    const changed = wanted.get(addressOf(rule));
    if (changed && !wanted.delete(addressOf(rule))) return [];
    if (changed) return [isUnchanged(changed) ? rule : { id: rule.id, ...changed }];
    return known.some((one) => addressOf(one) === addressOf(rule)) ? [] : [rule];
  });
  return [...kept, ...wanted.values()];
}

interface RuleSet {
  active?: boolean | undefined;
  action?: string | null | undefined;
}

/** A set after a change. A set that leaves the program is turned off. */
function mergedSet(current?: RuleSet, declared?: RuleSet, known?: RuleSet, isUnsure = false) {
  if (current && declared && !isUnsure && sameJson(declared, known)) return sentSet(current);
  const left = known && { ...current, active: false };
  const set = declared ? { ...declared, active: declared.active ?? true } : (left ?? current);
  return set && sentSet(set);
}

const sentSet = ({ active, action }: RuleSet) => ({
  active: active ?? false,
  ...(action != null && { action }),
});

function mergedSets(
  config: RemoteConfig,
  declared: ManagedRulesets = {},
  known: ManagedRulesets = {},
  isUnsure = false,
) {
  const crs = mergedCore(config.crs ?? {}, declared.owasp, known.owasp, isUnsure);
  const isActive = Object.values(crs).some((set) => set.active);
  const isManaged = Boolean(declared.owasp ?? known.owasp);
  const managedRules = {
    ...mergedOthers(config.managedRules ?? {}, declared, known, isUnsure),
    // Parts that somebody else has turned on stay on.
    ...(isManaged && { owasp: { active: declared.owasp !== undefined || isActive } }),
  };
  return {
    // The service may refuse the core rule set of an account that does not have it, also if no part is active.
    ...((isActive || isManaged) && { crs }),
    ...(Object.keys(managedRules).length > 0 && { managedRules }),
  };
}

type Sets = Readonly<Record<string, RuleSet>>;
type Owasp = ManagedRulesets["owasp"];

const mergedCore = (crs: Sets, declared: Owasp, known: Owasp, isUnsure: boolean) =>
  mapped(coreRules, (part) => mergedSet(crs[part], declared?.[part], known?.[part], isUnsure));

function mergedOthers(sets: Sets, declared: ManagedRulesets, known: ManagedRulesets, isUnsure: boolean) {
  const all = mapped(Object.keys(sets), (id) => mergedSet(sets[id]));
  for (const name of setNames) {
    const set = mergedSet(sets[setIds[name]], declared[name], known[name], isUnsure);
    if (set) all[setIds[name]] = set;
  }
  return all;
}

const mapped = <K extends string, T>(keys: readonly K[], of: (key: K) => T | undefined): Record<string, T> =>
  Object.fromEntries(keys.map((key) => [key, of(key)] as const).filter(([, value]) => value)) as Record<
    string,
    T
  >;
