import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Writes a line of the result. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Writes a line about the result, such as what was done, to standard error. */
export const say = (line: string): void => void process.stderr.write(`slipway: ${line}\n`);

/** Writes the result of `--json`. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, undefined, 2));

/** Writes one object of a stream. */
export const printJsonLine = (value: unknown): void => print(JSON.stringify(value));

/** Colors a text of standard output on a terminal. NO_COLOR and FORCE_COLOR override this. */
export const paint = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout });

/** Escapes control characters, so that texts from the service cannot control the terminal. */
export const shown = (value: unknown): string =>
  String(value).replace(/\p{Cc}|\p{Cf}/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/** Formats rows as lines, with columns that are separated by two spaces. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - lengthOf(cell)),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** The length of a text without its colors. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const lengthOf = (text: string): number => text.replace(/\u001b\[\d+m/g, "").length;

/** A time in milliseconds as ISO 8601 without fractions. */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
