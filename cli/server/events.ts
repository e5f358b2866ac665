import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { columns, paint, print, printJson, say, shown, timeText } from "../core/output";
import { wholeNumber } from "../core/parse";
import { suggestion } from "../core/suggest";
import { control, listNewest, serverNote } from "./control";

const event = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  /** The slug of the team, or the name of the user; null if the account was deleted. */
  account: z.string().nullable(),
  /** A consecutive number within the account. */
  sequence: z.int(),
  type: z.string(),
  /** A domain, the key of a variable, or a deployment; null for the account. */
  subject: z.string().nullable(),
  project: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
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
  summary: "shows events, and their deliveries to webhooks",
  description:
    "Shows the last events of all accounts, newest first, with the states of their deliveries to webhooks.",
  flags: {
    type: { value: "type", help: "only this type, such as deployment.created" },
    account: { value: "account", help: "only this team or user, by slug, name or id" },
    limit: { value: "number", help: "how many", default: 20, parse: wholeNumber(1) },
  },
  examples: [
    ["slipway events", "the last 20 events"],
    ["slipway events --type deployment.promoted --json", "promotions, with payloads and deliveries"],
  ],
  notes: serverNote,
  output: z.strictObject({ events: z.array(event) }),
  async run({ flags: { type, account, limit }, json }) {
    const accountId = account === undefined ? undefined : await idOfAccount(account);
    const found = await listNewest<Event>("events", { type, account: accountId }, { limit });
    if (json) return printJson({ events: found });
    if (found.length === 0) say("The server has no such events.");
    const rows = found.map((one) => [
      paint("gray", timeText(one.createdAt)),
      shown(one.type),
      shown(one.account ?? one.accountId),
      one.project === null ? "" : shown(one.project.name),
      one.subject === null || one.subject === one.project?.name ? "" : shown(one.subject),
      one.deliveries.map(({ state }) => shown(state)).join(", "),
    ]);
    for (const line of columns(rows)) print(line);
  },
});

/** @param given the slug of a team, the name of a user, or an id @throws UserError if there is no such account */
async function idOfAccount(given: string): Promise<string> {
  const { accounts } = (await control("GET", "/snapshot")) as { accounts: { id: string; slug: string }[] };
  const found = accounts.find(({ id, slug }) => id === given || slug === given);
  if (found !== undefined) return found.id;
  const slugs = accounts.map(({ slug }) => slug);
  throw new UserError(
    `There is no account ${shown(given)}.${suggestion(given, slugs)} The accounts are ${slugs.map(shown).join(", ")}.`,
  );
}
