import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson } from "../core/output";
import { control, findTarget, serverNote } from "./control";

export const reset = command({
  summary: "deletes everything, and goes back to the state after the first start",
  description:
    "Deletes everything and goes back to the state after the first start: the seed file, or the development account. " +
    "The clock is not changed.",
  flags: { yes: { short: "y", help: "confirms; without a terminal it is required" } },
  examples: [["slipway reset --yes", "deletes all data of the server, without a question"]],
  notes: serverNote,
  output: z.strictObject({ url: z.string() }),
  async run({ flags: { yes }, json }) {
    const { url } = findTarget();
    if (!yes && !(await confirm(`Delete all data of the server at ${url}?`))) {
      throw new UserError("Nothing was changed. Confirm with --yes.");
    }
    await control("POST", "/reset");
    if (json) printJson({ url });
    else print(`the server at ${url} is as it was after its first start`);
  },
});

/** Asks a question at a terminal. @returns false without a terminal */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { createInterface } = await import("node:readline/promises");
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await dialog.question(`${question} [y/N] `)).trim());
  } finally {
    dialog.close();
  }
}
