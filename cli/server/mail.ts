import * as z from "zod";
import { command } from "../core/command";
import { paint, print, printJson, say, shown, timeText } from "../core/output";
import { wholeNumber } from "../core/parse";
import { listNewest, serverNote } from "./control";

const message = z.strictObject({
  id: z.string(),
  sequence: z.int(),
  to: z.string(),
  subject: z.string(),
  body: z.string(),
  /** In milliseconds since the epoch. */
  createdAt: z.int(),
  /** The time when the server passed the mail to --smtp, in milliseconds since the epoch; null if it was not sent. */
  sentAt: z.int().nullable(),
});
type Message = z.output<typeof message>;

export const mail = command({
  summary: "shows the mail of the server",
  description: "Shows the last mail, newest first. The server sends it only with --smtp.",
  flags: {
    to: { value: "address", help: "only mail to this address" },
    limit: { value: "number", help: "how many", default: 5, parse: wholeNumber(1) },
  },
  examples: [["slipway mail --to dev@example.com --limit 1", "the last mail to an address"]],
  notes: serverNote,
  output: z.strictObject({ mail: z.array(message) }),
  async run({ flags: { to, limit }, json }) {
    const found = await listNewest<Message>("mail", { to }, { limit });
    if (json) return printJson({ mail: found });
    if (found.length === 0) say("The server has no such mail.");
    for (const one of found) {
      print(
        `${paint("gray", timeText(one.createdAt))}  ${shown(one.to)}  ${paint("bold", shown(one.subject))}`,
      );
      for (const line of one.body.trimEnd().split("\n")) print(`    ${shown(line)}`);
    }
  },
});
