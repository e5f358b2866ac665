import { kindNamed } from "../objects";
import type { Change, Report } from "./report";

type Found = Pick<Report, "changes" | "aliases" | "refusals" | "exitCode">;

/**
 * The most important effect of a run, in a sentence. Deletions, replacements and losses of production come first, then
 * a failure, then moved aliases, then other changes.
 */
export function summarize(found: Found, operation: string): string {
  const { changes, refusals, exitCode, aliases } = found;
  const isFailed = exitCode !== 0;
  const own = changes.filter(({ isWithProject }) => !isWithProject);
  const moves = aliases.filter(({ from, to }) => from !== null && to !== null);
  const losses = aliases.filter(({ from, to }) => from !== null && to === null);
  const firsts = aliases.filter(({ from, to }) => from === null && to !== null);
  const count = own.length;
  const failure = isFailed ? failureOf(refusals) : undefined;
  const top = mostImportant(changes);
  const isGrave =
    top !== undefined && (top.effect === "delete" || top.effect === "replace" || top.leavesProduction);
  if (top && (isGrave || (failure === undefined && moves.length + losses.length === 0))) {
    const together = deletedTogether(top, own);
    const others = count - together.length + (moves.length > 0 ? 1 : 0);
    const rest = others > 0 ? `, and makes ${others} other change${others === 1 ? "" : "s"}` : "";
    const what = together.length > 1 ? deletedDomains(together) : phrase(top, changes);
    return `${what}${rest}.${failure === undefined ? "" : ` ${failure}`}`;
  }
  const changed = count > 0 ? `, after ${count} change${count === 1 ? "" : "s"}` : "";
  if (failure !== undefined) return failure.replace(/:/, `${changed}:`);
  const rest = count > 0 ? `, and makes ${count} other change${count === 1 ? "" : "s"}` : "";
  if (losses.length > 0) return `Takes ${aliasNames(losses)} offline${rest}.`;
  if (moves.length > 0) return `Moves ${aliasNames(moves)} to another deployment${rest}.`;
  if (firsts.length > 0) return `Points ${aliasNames(firsts)} to a deployment for the first time${rest}.`;
  return operation === "preview" ? "A preview changes nothing: rehearse pulumi up." : "Changes nothing.";
}

function aliasNames(aliases: Report["aliases"]): string {
  const [first] = aliases;
  const names = aliases.length === 1 ? first?.alias : `${aliases.length} names`;
  return `${names} of ${namesOf(aliases.map(({ project }) => project ?? "no project"))}`;
}

/** The change of one object, as a sentence without its period. */
function phrase(change: Change, all: readonly Change[]): string {
  const { effect, kind, name, project, isProduction, fields } = change;
  const verb = { create: "Creates", change: "Changes", delete: "Deletes", replace: "Replaces" }[effect];
  const what = `${isProduction && kind !== "project" ? "production " : ""}${kind} ${name}`;
  const of = project !== null && kind !== "project" ? ` of project ${project}` : "";
  if (change.leavesProduction && kind === "variable") return lostVariable(change);
  if (change.leavesProduction && kind === "project")
    return `Pauses the project ${name}, whose production goes offline`;
  if (change.leavesProduction) return `Takes the ${kind} ${name}${of} off production`;
  const target = fields.find(({ field }) => effect === "replace" && field === "project")?.after;
  if (target !== undefined) return `Moves the ${what}${of} to project ${target}`;
  const domains = all.filter(
    (other) => other.isWithProject && other.project === name && other.kind === "domain" && other.isProduction,
  );
  const withDomains =
    kind === "project" && domains.length > 0
      ? ` with the production domain${domains.length === 1 ? "" : "s"} ${namesOf(domains.map(({ name }) => name))}`
      : "";
  return `${verb} the ${what}${of}${withDomains}`;
}

/** The phrase for a variable that production no longer has under its former key. */
function lostVariable({ name, project, fields }: Change): string {
  const valuesOf = (field: string) => fields.find((one) => one.field === field);
  const renamed = valuesOf("key");
  const targets = valuesOf("target")?.after ?? ["production"];
  const key = renamed?.before ?? name.replace(/ \(.*/, "");
  return renamed !== undefined && Array.isArray(targets) && targets.includes("production")
    ? `Renames ${key} to ${renamed.after} in production of project ${project}`
    : `Removes ${key} from production of project ${project}`;
}

/** If the most important change deletes a production domain, all such deletions; otherwise only this change. */
const deletedTogether = (top: Change, own: readonly Change[]): Change[] =>
  top.effect === "delete" && top.kind === "domain" && top.isProduction
    ? own.filter(({ effect, kind, isProduction }) => effect === "delete" && kind === "domain" && isProduction)
    : [top];

function deletedDomains(all: readonly Change[]): string {
  const projects = [...new Set(all.map(({ project }) => project ?? "no project"))];
  const of = `project${projects.length === 1 ? "" : "s"} ${namesOf(projects)}`;
  return `Deletes the production domains ${namesOf(all.map(({ name }) => name))} of ${of}`;
}

const namesOf = (names: readonly string[]): string => {
  const all = [...new Set(names)];
  return all.length > 3 ? `${all.slice(0, 3).join(", ")} and ${all.length - 3} more` : all.join(", ");
};

function failureOf(refusals: Report["refusals"]): string {
  const [first] = refusals;
  if (!first) return "The command fails: see its output.";
  const of = first.resource === null ? "" : `${first.resource}: `;
  const more = refusals.length > 1 ? ` (and ${refusals.length - 1} more)` : "";
  return `The command fails: ${of}${firstSentence(first.message)}${more}`;
}

/** The first line, with the next one if the first only introduces it, such as the exception of a program. */
const firstSentence = (text: string): string => {
  const [first = "", next = ""] = text.split("\n").filter((line) => line.trim() !== "");
  const line = first.endsWith(":") ? `${first} ${next.trim()}`.trim() : first;
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
};

const effectWeights = { delete: 3000, replace: 2000, change: 1000, create: 0 };

function mostImportant(changes: readonly Change[]): Change | undefined {
  const weight = (change: Change): number => {
    const { effect, kind, isProduction } = change;
    // A production domain is more important than a project that serves nothing.
    const production = isProduction ? 100 : 0;
    const ofEffect = change.leavesProduction ? effectWeights.replace : effectWeights[effect];
    return ofEffect + production + kindNamed(kind).weight;
  };
  return changes
    .filter(({ isWithProject }) => !isWithProject)
    .reduce<Change | undefined>((top, one) => (top && weight(top) >= weight(one) ? top : one), undefined);
}
