import pino from "pino";
import { lineWriter } from "./log-lines";

/** The log of a server. */
export interface Log {
  debug(about: object, text: string): void;
  info(about: object, text: string): void;
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}

/** `lines`: for people at a terminal. `json`: one object per line, for programs. */
export type LogFormat = "lines" | "json";

/** Writes to standard error. @param level from `trace` to `fatal`, or `silent` */
export const openLog = (level: string, format: LogFormat = "json"): Log =>
  format === "json"
    ? pino({ level }, process.stderr)
    : pino({ level }, { write: lineWriter(process.stderr, hasColours()) });

/** Colours are for terminals, unless NO_COLOR is set (https://no-color.org). */
const hasColours = (): boolean => process.stderr.isTTY === true && !process.env.NO_COLOR;
