import * as z from "zod";
import { derivedId } from "../platform/ids";
import { idWith, ownedRow, owner, ownerOf, section, time } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { certificates as table } from "./object";
import { timeOfNew } from "./store";

const row = ownedRow({
  ...owner,
  id: idWith("cert_").optional(),
  cns: z.array(z.string().min(1)).min(1),
  autoRenew: z.boolean().optional(),
  expiresAt: time,
  createdAt: time.optional(),
});

/** Adds a certificate without its content, unless the account has it. */
export const certificates = section(
  "certificates",
  row,
  async ({ tx, now }, given, place) => {
    const account = await ownerOf(tx, given, place);
    const { cns, autoRenew = false, expiresAt, createdAt = now } = given;
    const id = given.id ?? derivedId(table, account.id, `${expiresAt}`, ...cns);
    if (await hasRow(tx, "certificates", { id })) return;
    await insertRow(tx, "certificates", {
      id,
      account_id: account.id,
      cns: JSON.stringify(cns),
      auto_renew: autoRenew ? 1 : 0,
      expires_at: expiresAt,
      created_at: await timeOfNew(tx, account.id, createdAt),
    });
  },
  ({ team, user, id, cns, expiresAt }) => [id ?? [team, user, expiresAt, ...cns]],
);
