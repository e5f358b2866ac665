import * as z from "zod";
import { command } from "../core/command";
import { columns, paint, print, printJson, shown, timeText } from "../core/output";
import { wholeNumber } from "../core/parse";
import { listNewest, serverNote } from "./control";

const event = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  /** Consecutive within the account. */
  sequence: z.int(),
  type: z.string(),
  payload: z.unknown(),
  /** In milliseconds since the epoch. */
  createdAt: z.int(),
  /** The deliveries to webhooks and integrations. */
  deliveries: z.array(
    z.strictObject({
      receiver: z.string(),
      url: z.string(),
      state: z.string(),
      attempts: z.int(),
      lastError: z.string().nullable(),
    }),
  ),
});
type Event = z.output<typeof event>;

export const events = command({
  summary: "shows the events of the accounts with their deliveries",
  description:
    "Shows the last events of all accounts, newest first, and how far their deliveries to webhooks are.",
  flags: {
    type: { value: "type", help: "only this type, such as deployment.created" },
    account: { value: "id", help: "only this account, by its id" },
    limit: { value: "number", help: "how many", default: 20, parse: wholeNumber(1) },
  },
  examples: [
    ["slipway events", "the last 20 events"],
    ["slipway events --type deployment.promoted --json", "with payloads and deliveries"],
  ],
  notes: serverNote,
  output: z.strictObject({ events: z.array(event) }),
  async run({ flags: { type, account, limit }, json }) {
    const found = await listNewest<Event>("events", { type, account }, { limit });
    if (json) return printJson({ events: found });
    const rows = found.map((one) => [
      paint("gray", timeText(one.createdAt)),
      shown(one.type),
      shown(one.accountId),
      one.deliveries.map(({ state }) => shown(state)).join(", "),
    ]);
    for (const line of columns(rows)) print(line);
  },
});
