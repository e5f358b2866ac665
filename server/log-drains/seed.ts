import * as z from "zod";
import { derivedId } from "../platform/ids";
import { httpUrl, id, ownedRow, owner, ownerOf, section, times } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { logDrains as table } from "./object";
import { sealSettings } from "./settings";

const row = ownedRow({
  ...owner,
  id: id.optional(),
  name: z.string(),
  url: httpUrl,
  deliveryFormat: z.enum(["json", "ndjson"]),
  projectIds: z.array(z.string()).optional(),
  sources: z
    .array(z.enum(["build", "edge", "lambda", "static", "external", "firewall", "redirect"]))
    .optional(),
  environments: z.array(z.enum(["preview", "production"])),
  headers: z.record(z.string(), z.string()).optional(),
  samplingRate: z.number().optional(),
  secret: z.string().min(1).optional(),
  ...times,
});

/** Adds a log drain, unless the account has it. */
export const logDrains = section(
  "log_drains",
  row,
  async ({ tx, now, services: { vault } }, given, place) => {
    const { team, user, id: givenId, secret, createdAt = now, updatedAt = null, ...settings } = given;
    const account = await ownerOf(tx, { team, user }, place);
    const id = givenId ?? derivedId(table, account.id, settings.name, settings.url);
    if (await hasRow(tx, "log_drains", { id })) return;
    await insertRow(tx, "log_drains", {
      id,
      account_id: account.id,
      configuration_id: null,
      settings: sealSettings(vault, id, settings),
      secret: secret === undefined ? null : vault.seal(id, secret),
      created_at: createdAt,
      updated_at: updatedAt,
    });
  },
  ({ team, user, id, name, url }) => [id ?? [team, user, name, url]],
);
