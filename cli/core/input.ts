import { readFileSync } from "node:fs";
import { UserError } from "./errors";

/**
 * Reads a file that the user named; `-` is standard input.
 * @param what the file, as messages name it
 * @throws UserError
 */
export function readInput(file: string, what = file): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UserError(`${what} cannot be read (${(error as Error).message}).`);
  }
}
