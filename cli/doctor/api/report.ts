import * as z from "zod";
import { version } from "../../../provider/client/version";
import { columns, paint } from "../../core/output";
import { differenceKinds, expecting, type Findings } from "./findings";

export const comparison = z.strictObject({
  /** The version of this package. */
  version: z.string(),
  /** The number of requests that the comparison has sent. */
  requests: z.int(),
  /** The operations whose answers were compared. */
  compared: z.array(z.string()),
  differences: z.array(
    z.strictObject({
      operation: z.string(),
      /** The place in the answer, such as projects[].link.type; empty for the whole answer. A key of a map is *. */
      member: z.string(),
      difference: z.enum(differenceKinds),
      expected: z.string(),
      found: z.string(),
      /** provider: the provider cannot read the answer. server: the bundled server answers otherwise. */
      differsFrom: z.array(z.enum(expecting)),
      count: z.int(),
    }),
  ),
  /** The operations whose answers could not be read, with the status or the reason. */
  unread: z.array(z.strictObject({ operation: z.string(), kind: z.string(), reason: z.string() })),
  /** The kinds of objects that the account does not have. */
  withoutObjects: z.array(z.string()),
});
export type Comparison = z.output<typeof comparison>;

export const comparisonOf = (findings: Findings, requests: number): Comparison => ({
  ...{ version, requests },
  ...findings.report(),
});

export function comparisonText(found: Comparison): string[] {
  const rows = found.differences.map((row) => [...cellsOf(row)]);
  return [
    summaryOf(found),
    ...(rows.length > 0 ? ["", ...columns([header.map((name) => paint("bold", name)), ...rows])] : []),
    ...notesOf(found).flatMap((note) => ["", note]),
  ];
}

export function comparisonMarkdown(found: Comparison): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rows = found.differences.map((row) =>
    line(
      cellsOf(row).map((cell, at) => (at < 2 && cell !== "" ? `\`${cell}\`` : cell.replaceAll("|", "\\|"))),
    ),
  );
  return [
    "## Answers of the API",
    "",
    summaryOf(found),
    ...(rows.length > 0 ? ["", line(header), line(header.map(() => "---")), ...rows] : []),
    ...notesOf(found).flatMap((note) => ["", note]),
  ];
}

const header = ["operation", "member", "difference", "expected", "found", "differs from", "count"];

function cellsOf(row: Comparison["differences"][number]): string[] {
  const { operation, member, difference, expected, found, differsFrom, count } = row;
  return [operation, member, difference, expected, found, differsFrom.join(", "), `${count}`];
}

function summaryOf({ version, requests, compared, differences, unread }: Comparison): string {
  const what = `The answers of ${countOf(compared.length, "operation")} were compared with Slipway ${version} (${countOf(requests, "request")})`;
  const result = differences.length === 0 ? "no differences" : countOf(differences.length, "difference");
  const rest = unread.length > 0 ? `. ${countOf(unread.length, "operation")} could not be read` : "";
  return `${what}: ${result}${rest}.`;
}

function notesOf({ unread, withoutObjects }: Comparison): string[] {
  const refused = unread.map(({ operation, kind, reason }) => `${kind} (${operation}: ${reason})`);
  return [
    ...(refused.length > 0 ? [`Could not read, and not compared: ${refused.join(", ")}.`] : []),
    ...(withoutObjects.length > 0
      ? [`Not compared, because the account has none: ${withoutObjects.join(", ")}.`]
      : []),
  ];
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
