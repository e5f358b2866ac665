import { redirectStatusCodes } from "../../provider/vocabulary";
import { newId } from "../platform/ids";
import { badRequest, notFound } from "../platform/refusal";
import type { KnownRule, NewRule, Position, RouteType, Rule } from "./schema";

/** Changes of the routes of a project, without the store. */

/** A route as it is stored. A new route is staged until its version is published. */
export const newRule = (rule: NewRule): Rule => ruleOf(rule, { id: newId("row"), staged: true });

function ruleOf(
  { route, srcSyntax, enabled = true, ...rule }: NewRule,
  known: Pick<Rule, "id" | "staged">,
): Rule {
  const syntax = srcSyntax ?? syntaxOf(route.src);
  const { src, dest } = route;
  return {
    ...known,
    ...rule,
    enabled,
    srcSyntax: syntax,
    rawSrc: src,
    ...(dest !== undefined && { rawDest: dest }),
    route: { ...route, src: compiled(src, syntax) },
  };
}

/** @choice How the syntax of a pattern is inferred: the sources only say that it is. */
const syntaxOf = (src: string): Rule["srcSyntax"] =>
  /[\^$\\|[(]/.test(src) ? "regex" : /[:*{]/.test(src) ? "path-to-regexp" : "equals";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @choice The compiled pattern. The server matches no requests with it, so modifiers of parameters are simplified. */
function compiled(src: string, syntax: Rule["srcSyntax"]): string {
  if (syntax === "regex") return src;
  if (syntax === "equals") return `^${escaped(src)}$`;
  const parts = src.split(/(:\w+[*+?]?)/).map((part) => {
    if (!part.startsWith(":")) return escaped(part);
    return /[*+]$/.test(part) ? "(.*)" : "([^/]+)";
  });
  return `^${parts.join("")}$`;
}

/** A route that a request replaces. Its id and its `staged` stay. */
export function replacedRules(rules: readonly Rule[], id: string, by: NewRule): Rule[] {
  const at = positionOf(rules, id);
  return rules.with(at, ruleOf(by, { id, staged: rules[at]?.staged ?? true }));
}

/** Gives a route the values that it has in production. @throws Refusal 404 */
export function restoredRules(rules: readonly Rule[], live: readonly Rule[], id: string): Rule[] {
  const before = live[positionOf(live, id)] as Rule;
  const at = rules.findIndex((rule) => rule.id === id);
  return at < 0 ? [...rules, before] : rules.with(at, before);
}

/** @throws Refusal 400 if no route has the id of the reference */
export function insertedRule(rules: readonly Rule[], rule: Rule, position?: Position): Rule[] {
  return rules.toSpliced(indexOf(rules, position), 0, rule);
}

function indexOf(
  rules: readonly Rule[],
  { placement, referenceId = "" }: Position = { placement: "end" },
): number {
  if (placement === "start") return 0;
  if (placement === "end") return rules.length;
  const at = rules.findIndex(({ id }) => id === referenceId);
  if (at < 0) throw badRequest(`Invalid body: no route has the id ${JSON.stringify(referenceId)}.`);
  return placement === "before" ? at : at + 1;
}

/** @choice Nothing is removed if one of the ids is unknown. @throws Refusal 404 */
export function withoutRules(rules: readonly Rule[], ids: readonly string[]): Rule[] {
  for (const id of ids) positionOf(rules, id);
  return rules.filter(({ id }) => !ids.includes(id));
}

/** Replaces the routes with the same ids, and adds the others at the end. Routes without changes stay as they are. */
export function mergedRules(
  rules: readonly Rule[],
  given: readonly KnownRule[],
  overwrites: boolean,
): Rule[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const staged = given.map((rule) => stagedRule(rule, known.get(rule.id)));
  if (overwrites) return staged;
  const byId = new Map(staged.map((rule) => [rule.id, rule]));
  const added = staged.filter(({ id }) => !known.has(id));
  return [...rules.map((rule) => byId.get(rule.id) ?? rule), ...added];
}

/** An answer has the compiled pattern, which counts as unchanged. */
function stagedRule(given: KnownRule, before: Rule | undefined): Rule {
  const { id, rawSrc: _, rawDest: __, routeType: ___, staged: ____, action: _____, ...rule } = given;
  const isSameSource = before !== undefined && rule.route.src === before.route.src;
  const route = isSameSource ? { ...rule.route, src: before.rawSrc } : rule.route;
  const srcSyntax = rule.srcSyntax ?? (isSameSource ? before.srcSyntax : undefined);
  return ruleOf({ ...rule, route, ...(srcSyntax && { srcSyntax }) }, { id, staged: before?.staged ?? true });
}

/** The routes of a version that is published. */
export const publishedRules = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => ({ ...rule, staged: false }));

/** @source the official command line */
export function routeTypeOf({ route: { dest, status } }: Rule): RouteType {
  const isRedirect = redirectStatusCodes.some((code) => code === status) || status === 303;
  if (dest !== undefined) return isRedirect ? "redirect" : "rewrite";
  return status === undefined ? "transform" : "set_status";
}

function positionOf(rules: readonly Rule[], id: string): number {
  const at = rules.findIndex((rule) => rule.id === id);
  if (at < 0) throw notFound(`The route ${JSON.stringify(id)}`);
  return at;
}
