import { InvalidArgumentError } from "commander";
import * as z from "zod";
import { command } from "../core/command";
import { UsageError } from "../core/errors";
import { print, printJson, timeText } from "../core/output";
import { duration } from "../core/parse";
import { control, serverNote } from "./control";

export const clock = command({
  summary: "shows the server's clock, or advances it",
  description:
    "Advances the server's clock and does the work that becomes due, such as builds, deliveries and expiry. Time " +
    "only goes forward. Without a duration, shows the time.",
  arguments: [
    {
      name: "duration",
      isOptional: true,
      help: "such as +30d or +1h30m, in w, d, h, m, s and ms; at most ten years",
      isSigned: true,
    },
  ],
  examples: [
    ["slipway clock", "shows the server's time"],
    ["slipway clock +30d", "advances it by 30 days"],
  ],
  notes: serverNote,
  output: z.strictObject({
    /** The server's time, in milliseconds since the epoch. */
    now: z.int(),
    advancedMs: z.int(),
  }),
  async run({ args: [text], json }) {
    const advanceMs = text === undefined ? 0 : parsed(text);
    const { now } = (await control("POST", "/clock", { advanceMs })) as { now: number };
    if (json) printJson({ now, advancedMs: advanceMs });
    else print(timeText(now));
  },
});

/** The longest duration that the server accepts at once: ten years, in milliseconds. */
const longestMs = duration("3652d12h");

function parsed(text: string): number {
  const size = text.replace(/^[+-]/, "");
  try {
    const ms = duration(size);
    if (text.startsWith("-"))
      throw new UsageError(`The clock only goes forward. Advance it with: slipway clock +${size}`);
    if (ms > longestMs)
      throw new UsageError(`${text} is too long: the clock advances by at most ten years at once.`);
    return ms;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`${text} is not a duration. ${error.message}`);
  }
}
