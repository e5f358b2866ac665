import pino from "pino";

/** The log of a server. */
export interface Log {
  debug(about: object, text: string): void;
  info(about: object, text: string): void;
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}

/** Writes lines of JSON to standard error. @param level from `trace` to `fatal`, or `silent` */
export const openLog = (level: string): Log => pino({ level }, process.stderr);
