import * as z from "zod";
import { derivedId, newSecret } from "../platform/ids";
import { httpUrl, id, ownedRow, owner, ownerOf, section, times } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { webhooks as table } from "./object";

const row = ownedRow({
  ...owner,
  id: id.optional(),
  url: httpUrl,
  events: z.array(z.string()).min(1),
  projectIds: z.array(z.string()).optional(),
  secret: z.string().min(1).optional(),
  ...times,
});

/** Adds a webhook, unless the account has it. @choice A webhook without a secret gets a new one. */
export const webhooks = section(
  "webhooks",
  row,
  async ({ tx, now, services: { vault } }, given, place) => {
    const account = await ownerOf(tx, given, place);
    const { url, events, projectIds, createdAt = now, updatedAt = createdAt } = given;
    const id = given.id ?? derivedId(table, account.id, url, ...events);
    if (await hasRow(tx, "webhooks", { id })) return;
    await insertRow(tx, "webhooks", {
      id,
      account_id: account.id,
      url,
      events: JSON.stringify(events),
      project_ids: projectIds ? JSON.stringify(projectIds) : null,
      secret: vault.seal(id, given.secret ?? newSecret(32)),
      created_at: createdAt,
      updated_at: updatedAt,
    });
  },
  ({ team, user, id, url, events }) => [id ?? [team, user, url, ...events]],
);
