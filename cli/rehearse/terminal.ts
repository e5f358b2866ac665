import { paint, shown, timeText } from "../core/output";
import type { Change, Report } from "./report";

/** The report for a terminal: the summary, one line for each change with its fields below, and the rest as lists. */
export function toTerminal(report: Report): string {
  const { changes, refusals, unknown } = report;
  const own = changes.filter(({ isWithProject }) => !isWithProject);
  const gone = changes.filter(({ isWithProject }) => isWithProject);
  const parts = [
    [paint("bold", shown(report.summary))],
    own.flatMap(linesOf),
    titled(
      "Deleted with their projects:",
      gone.map(({ kind, name, project }) => `${kind} ${shown(name)} of ${shown(project ?? "")}`),
    ),
    realOf(report),
    titled(
      "The command fails:",
      refusals.map(
        ({ resource, message }) => `${resource === null ? "" : `${shown(resource)}: `}${line(message)}`,
      ),
    ),
    titled("Aliases:", report.aliases.map(aliasOf)),
    titled(
      "Events:",
      report.events.map(
        ({ type, count, deliveries }) =>
          `${shown(type)}: ${count}, to ${deliveries} receiver${deliveries === 1 ? "" : "s"}`,
      ),
    ),
    titled("Not known:", unknown.map(line)),
    [paint("dim", footerOf(report))],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

const styles = { create: "green", change: "yellow", delete: "red", replace: "magenta" } as const;

function linesOf(change: Change): string[] {
  const { effect, kind, name, project, resource, isProduction, leavesProduction, fields } = change;
  const loss = kind === "project" ? ", whose production goes offline" : ", which leaves production";
  const object = [
    isProduction && kind !== "project" ? "production " : "",
    `${kind} ${shown(name)}`,
    project !== null && kind !== "project" ? ` of ${shown(project)}` : "",
    leavesProduction ? loss : "",
    resource === null ? "" : ` (${shown(resource)})`,
  ].join("");
  const values = fields.map(({ field, before, after, isSecret }) => {
    const difference = isSecret ? "changed (secret)" : `${textOf(before)} → ${textOf(after)}`;
    return `             ${shown(field)}: ${difference}`;
  });
  return [`  ${paint(styles[effect], effect.padEnd(9))}${object}`, ...values];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "not set";
  const text = shown(JSON.stringify(value));
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** The changes outside of the copy that `--allow` permits. */
function realOf({ allowed, real }: Report): string[] {
  if (allowed.length === 0) return [];
  const names = allowed.map(shown).join(", ");
  if (real.length === 0) return [`Allowed to run for real: ${names}.`];
  return titled(
    `Changed for real, outside of the copy (allowed: ${names}):`,
    real.map(({ effect, type, resource }) => `${effect} ${shown(resource)} (${shown(type)})`),
  );
}

const aliasOf = ({ alias, from, to }: Report["aliases"][number]): string =>
  `${shown(alias)}: ${shown(from ?? "new")} → ${shown(to ?? "gone")}`;

function footerOf({ command, stack, source, snapshot, allowed }: Report): string {
  const when = snapshot?.copiedAt == null ? "" : ` of ${timeText(snapshot.copiedAt)}`;
  const from = snapshot === null ? "" : `, from the snapshot ${shown(snapshot.file)}${when}`;
  const end = allowed.length === 0 ? " Nothing was changed there." : "";
  return `Rehearsed: ${shown(command)} with the stack ${shown(stack)} on a copy of ${shown(source)}${from}.${end}`;
}

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((text) => `  ${text}`)];

const line = (text: string): string => shown(text.replace(/\s*\n\s*/g, " "));
