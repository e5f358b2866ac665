import { readFileSync } from "node:fs";
import { UserError } from "./errors";

/**
 * Reads a file that the user named; `-` is standard input.
 * @param what the name of the file in messages
 * @param hint the advice if the file cannot be read
 * @throws UserError
 */
export function readInput(file: string, what = file, hint?: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const message = `${what} cannot be read (${(error as Error).message}).`;
    throw new UserError(hint === undefined ? message : `${message} ${hint}`);
  }
}
