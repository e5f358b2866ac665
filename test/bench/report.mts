import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const page = path.join(import.meta.dirname, "../../docs/benchmarks.md");

/** The middle value; the upper one of two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/**
 * Columns are as wide as their widest member, as the formatter has it.
 * @param rows one member per column; the first row is the head
 */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const widths = head.map((_, at) => Math.max(3, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, at) => (row[at] ?? "").padEnd(width)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rest].map(line).join("\n");
}

/** Tells on standard error what is being done. */
export function progress(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
}

/** Where and when something was measured, for the line under a table. */
export function machine(): string {
  const [cpu] = os.cpus();
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${os.cpus().length} cores (${cpu?.model.trim()}), Node.js ${process.versions.node}.`;
}

/**
 * Replaces what was measured in `docs/benchmarks.md`, between the two comments that name a part; the text
 * around them stays.
 */
export function writeMeasured(part: string, text: string): void {
  const [begin, end] = [`<!-- measured: ${part} -->`, `<!-- end: ${part} -->`];
  const before = existsSync(page) ? readFileSync(page, "utf8") : "";
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${page} has no place for ${part}: ${begin} … ${end}`);
  writeFileSync(page, `${before.slice(0, from)}${begin}\n\n${text}\n\n${before.slice(to)}`);
}
