import pino from "pino";

/** Where the parts of a server tell what happens inside. */
export interface Log {
  debug(about: object, text: string): void;
  info(about: object, text: string): void;
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}

/** Lines of JSON on standard error. @param level from `trace` to `fatal`, or `silent` */
export const openLog = (level: string): Log => pino({ level }, process.stderr);
