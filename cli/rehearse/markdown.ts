import { shown, timeText } from "../core/output";
import type { Change, Report } from "./report";

/** GitHub refuses comments of more than 65,536 characters. */
const longest = 60_000;
const mostRows = 50;

/** The report as a comment on a pull request: the summary, a table, and folded details. */
export function toMarkdown(report: Report): string {
  const { summary, changes, refusals, unknown } = report;
  const parts = [`**${escaped(summary)}**`];
  const own = changes.filter(({ isWithProject }) => !isWithProject);
  if (own.length > 0) parts.push(tableOf(own));
  parts.push(...realOf(report));
  if (refusals.length > 0) {
    parts.push(
      [
        "The command fails:",
        "",
        ...refusals.map(({ resource, message }) => `- ${named(resource)}${inline(message)}`),
      ].join("\n"),
    );
  }
  const fields = changes.filter(({ fields }) => fields.length > 0);
  if (fields.length > 0) parts.push(folded("Fields", fields.map(fieldsOf)));
  const gone = changes.filter(({ isWithProject }) => isWithProject);
  if (gone.length > 0) {
    const lines = gone.map(({ kind, name, project }) => `- ${kind} ${code(name)} of ${code(project ?? "")}`);
    parts.push(folded(`Deleted with their projects: ${gone.length}`, lines));
  }
  parts.push(...aliasesOf(report), ...eventsOf(report));
  if (unknown.length > 0)
    parts.push(
      folded(
        "What could not be known",
        unknown.map((text) => `- ${inline(text)}`),
      ),
    );
  parts.push(`<sub>${footerOf(report)}</sub>`);
  return `${fitting(parts)}\n`;
}

/** The changes outside of the copy that `--allow` permits. */
function realOf({ allowed, real }: Report): string[] {
  if (allowed.length === 0) return [];
  const names = allowed.map(code).join(", ");
  if (real.length === 0) return [`Allowed to run for real: ${names}.`];
  const lines = real.map(({ effect, type, resource }) => `- ${effect} ${code(resource)} (${code(type)})`);
  return [[`Changed for real, outside of the copy (allowed: ${names}):`, "", ...lines].join("\n")];
}

function footerOf({ command, stack, source, snapshot, allowed }: Report): string {
  const when = snapshot?.copiedAt == null ? "" : ` of ${timeText(snapshot.copiedAt)}`;
  const from = snapshot === null ? "" : `, from the snapshot ${code(snapshot.file)}${when}`;
  return `Rehearsed: ${code(command)} with the stack ${code(stack)} on a copy of ${code(source)}${from}.${allowed.length === 0 ? " Nothing was changed there." : ""}`;
}

function tableOf(changes: readonly Change[]): string {
  const rows = changes
    .slice(0, mostRows)
    .map(({ effect, kind, name, project, resource, isProduction, leavesProduction, fields }) => {
      const object = `${isProduction && kind !== "project" ? "production " : ""}${kind} ${code(name)}`;
      const loss = kind === "project" ? "whose production goes offline" : "which leaves production";
      const what = leavesProduction ? `${object}, ${loss}` : object;
      const changed = fields.map(({ field }) => field).join(", ");
      return `| ${effect} | ${what} | ${project === null ? "" : code(project)} | ${resource === null ? "" : code(resource)} | ${cell(changed)} |`;
    });
  const more = changes.length > mostRows ? [`\n…and ${changes.length - mostRows} more.`] : [];
  return ["| | object | project | resource | fields |", "|---|---|---|---|---|", ...rows, ...more].join("\n");
}

function fieldsOf({ kind, name, project, fields }: Change): string {
  const lines = fields.map(({ field, before, after, isSecret }) =>
    isSecret
      ? `  - ${code(field)}: changed (secret)`
      : `  - ${code(field)}: ${textOf(before)} → ${textOf(after)}`,
  );
  const of = project !== null && kind !== "project" ? ` of ${code(project)}` : "";
  return [`- ${kind} ${code(name)}${of}`, ...lines].join("\n");
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "not set";
  const text = JSON.stringify(value);
  return code(text.length > 200 ? `${text.slice(0, 199)}…` : text);
}

function aliasesOf({ aliases }: Report): string[] {
  if (aliases.length === 0) return [];
  const lines = aliases.map(
    ({ alias, from, to }) =>
      `- ${code(alias)}: ${from === null ? "new" : code(from)} → ${to === null ? "gone" : code(to)}`,
  );
  return [folded(`Aliases: ${aliases.length}`, lines)];
}

function eventsOf({ events }: Report): string[] {
  if (events.length === 0) return [];
  const lines = events.map(
    ({ type, count, deliveries }) =>
      `- ${code(type)}: ${count}, to ${deliveries} receiver${deliveries === 1 ? "" : "s"}`,
  );
  return [folded("Events", lines)];
}

const folded = (title: string, lines: readonly string[]): string =>
  `<details><summary>${title}</summary>\n\n${lines.join("\n")}\n\n</details>`;

/** Keeps whole parts up to the first part that does not fit, and drops the rest. */
function fitting(parts: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const part of parts) {
    length += part.length + 2;
    if (length > longest) {
      kept.push("The report is too long for a comment: see the file of --json for the rest.");
      break;
    }
    kept.push(part);
  }
  return kept.join("\n\n");
}

const named = (resource: string | null): string => (resource === null ? "" : `${code(resource)}: `);
/** Escapes a text, so that it is not rendered as markup. */
const escaped = (text: string): string => shown(text).replace(/[\\`*_<>[\]|]/g, "\\$&");
const inline = (text: string): string => escaped(text.replace(/\s*\n\s*/g, " "));
const cell = (text: string): string => escaped(text);
/** Formats a text as code. In a table, `|` would end the cell even in code, so `¦` replaces it. */
const code = (text: string): string =>
  `\`${shown(text.replace(/`/g, "'").replace(/\n/g, " ")).replace(/\|/g, "¦")}\``;
