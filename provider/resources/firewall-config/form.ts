import { z } from "zod";
import { type Plain, same } from "../../core/values";
import { coreRules } from "../../vocabulary";
import type { Inputs, IpRule, ManagedRulesets, Rule } from "./inputs";

/** The configuration as the service returns it, and in the form of the inputs. */

const ruleSet = z.looseObject({ active: z.boolean(), action: z.string().nullish() });
const ruleSets = z.record(z.string(), ruleSet).nullish();
type RuleSet = z.infer<typeof ruleSet>;

/** A rule as it is sent. The service gives a new rule its id. */
const writtenRule = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  description: z.string().nullish(),
  active: z.boolean(),
  conditionGroup: z.array(
    z.looseObject({
      conditions: z.array(
        z.looseObject({
          type: z.string(),
          op: z.string(),
          neg: z.boolean().nullish(),
          key: z.string().nullish(),
          value: z.union([z.string(), z.number(), z.array(z.string())]).nullish(),
        }),
      ),
    }),
  ),
  action: z.looseObject({ mitigate: z.looseObject({ action: z.string() }).nullish() }),
});
export type SentRule = z.infer<typeof writtenRule>;

const writtenIpRule = z.looseObject({
  id: z.string().optional(),
  hostname: z.string(),
  ip: z.string(),
  notes: z.string().nullish(),
  action: z.string(),
});
export type SentIpRule = z.infer<typeof writtenIpRule>;

export const remoteConfig = z.looseObject({
  firewallEnabled: z.boolean(),
  rules: z.array(writtenRule.extend({ id: z.string() })),
  ips: z.array(writtenIpRule.extend({ id: z.string() })),
  crs: ruleSets,
  managedRules: ruleSets,
});
export type RemoteConfig = z.infer<typeof remoteConfig>;

export const configurationList = z.looseObject({
  active: remoteConfig.nullable(),
  versions: z.array(remoteConfig),
});

/** True for a configuration that no request is affected by. */
export const isEmpty = ({ rules, ips, crs, managedRules }: RemoteConfig): boolean =>
  rules.length + ips.length === 0 &&
  ![crs, managedRules].some((sets) => Object.values(sets ?? {}).some(({ active }) => active));

/** The part of a declared value that is given. */
const present = (value: Plain): Plain =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined && item !== null));

/** A rule as it is sent. @param existing the rule that it changes, whose other settings stay */
export function sentRule(
  { active = true, conditionGroup, action, ...rule }: Rule,
  existing?: SentRule,
): SentRule {
  const {
    action: _,
    rateLimit: __,
    redirect: ___,
    actionDuration: ____,
    ...others
  } = (existing?.action.mitigate ?? {}) as Plain;
  return {
    ...(existing?.id !== undefined && { id: existing.id }),
    ...rule,
    active,
    conditionGroup: conditionGroup.map(({ conditions }) => ({
      conditions: conditions.map(({ values, value = values, ...one }) => ({
        ...one,
        ...(value !== undefined && { value }),
      })),
    })),
    action: { mitigate: { ...others, ...action } },
  };
}

/** A rule of the service in the form of the input, without defaults. */
export const ruleIn = ({ name, description, active, conditionGroup, action: { mitigate } }: SentRule): Rule =>
  present({
    name,
    description: description || undefined,
    active: active ? undefined : false,
    conditionGroup: conditionGroup.map(({ conditions }) => ({
      conditions: conditions.map(({ type, op, neg, key, value }) =>
        present({
          ...{ type, op, neg: neg || undefined, key: key || undefined },
          ...(Array.isArray(value) ? { values: value } : { value: valueIn(op, value) }),
        }),
      ),
    })),
    action: present({
      action: mitigate?.action,
      rateLimit: mitigate?.rateLimit && present(mitigate.rateLimit as Plain),
      redirect: mitigate?.redirect,
      actionDuration: mitigate?.actionDuration || undefined,
    }),
  }) as Rule;

/** @source the Terraform provider: the value of `ex` and `nex` may be an empty text */
const valueIn = (op: string, value: string | number | null | undefined): string | undefined =>
  value == null || op === "ex" || op === "nex" ? undefined : String(value);

export const ipRuleIn = ({ hostname, ip, notes, action }: SentIpRule): IpRule =>
  present({ hostname, ip, notes: notes || undefined, action }) as IpRule;

/** The rules of the service. A rule that is as declared has the declared form. */
export const rulesSeen = ({ rules }: RemoteConfig, declared: readonly Rule[]): Rule[] =>
  rules.map((rule) => {
    const seen = ruleIn(rule);
    return declared.find((one) => one.name === rule.name && same(ruleIn(sentRule(one)), seen)) ?? seen;
  });

const inactive: RuleSet = { active: false, action: "log" };

/** A set of rules in the form of the input; the declared form if it is as declared. */
function setSeen<T extends { active?: boolean | undefined; action: string }>(
  declared: T,
  { active, action }: RuleSet,
): T {
  const isDeclared = active === (declared.active ?? true) && (action ?? declared.action) === declared.action;
  return isDeclared ? declared : ({ ...(!active && { active }), action: action ?? declared.action } as T);
}

/** The names of the sets at the service. */
export const setIds = { botProtection: "bot_protection", aiBots: "ai_bots" } as const;
export const setNames = Object.keys(setIds) as (keyof typeof setIds)[];

/** The parts of the core rule set as they are applied. */
function coreRulesOf({ crs, managedRules }: RemoteConfig): Record<string, RuleSet> {
  const isOff = managedRules?.owasp?.active === false;
  return Object.fromEntries(
    Object.entries(crs ?? {}).map(([part, set]) => [part, isOff ? { ...set, active: false } : set]),
  );
}

/** The declared sets, with the values of the service. */
export function setsSeen(config: RemoteConfig, { owasp, ...sets }: ManagedRulesets): ManagedRulesets {
  const core = coreRulesOf(config);
  const parts = coreRules.flatMap((part) =>
    owasp?.[part] ? [[part, setSeen(owasp[part], core[part] ?? inactive)]] : [],
  );
  const others = setNames.flatMap((name) =>
    sets[name] ? [[name, setSeen(sets[name], config.managedRules?.[setIds[name]] ?? { active: false })]] : [],
  );
  return { ...(owasp && { owasp: Object.fromEntries(parts) }), ...Object.fromEntries(others) };
}

/** The active sets. */
function activeSets(config: RemoteConfig): ManagedRulesets | undefined {
  const isActive = ([, set]: readonly [string, RuleSet | undefined]) => set?.active === true;
  const shown = ([name, set]: readonly [string, RuleSet | undefined]) => [
    name,
    { action: set?.action ?? "log" },
  ];
  const owasp = Object.entries(coreRulesOf(config)).filter(isActive).map(shown);
  const sets = setNames.map((name) => [name, config.managedRules?.[setIds[name]]] as const);
  const all = sets.filter(isActive).map(shown);
  if (owasp.length > 0) all.push(["owasp", Object.fromEntries(owasp)]);
  return all.length > 0 ? (Object.fromEntries(all) as ManagedRulesets) : undefined;
}

/** The inputs of a configuration that a program does not declare yet. */
export function inputsOf(config: RemoteConfig): Partial<Inputs> {
  const { firewallEnabled, rules, ips } = config;
  return present({
    enabled: firewallEnabled ? undefined : false,
    rules: rules.length > 0 ? rules.map(ruleIn) : undefined,
    ipRules: ips.length > 0 ? ips.map(ipRuleIn) : undefined,
    managedRulesets: activeSets(config),
  });
}
