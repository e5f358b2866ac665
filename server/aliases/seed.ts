import * as z from "zod";
import { derivedId } from "../platform/ids";
import { SeedConflict } from "../seed/error";
import { id, ownedRow, owner, ownerOf, section, times } from "../seed/section";
import { findRow, insertRow } from "../store/rows";

const row = ownedRow({
  ...owner,
  id: id.optional(),
  alias: z.string().min(1),
  /** The id of the deployment that the alias points to. */
  deployment: z.string(),
  redirect: z.string().optional(),
  /** The id of a user. */
  creator: z.string().optional(),
  ...times,
});

/** Adds an alias, unless an alias with this name exists. */
export const aliases = section(
  "aliases",
  row,
  async ({ tx, now }, given, place) => {
    const account = await ownerOf(tx, given, place);
    const { alias, redirect = null, createdAt = now, updatedAt = createdAt } = given;
    const deployment = await findRow(tx, "deployments", { id: given.deployment, account_id: account.id });
    if (!deployment)
      throw new SeedConflict([...place, "deployment"], `there is no deployment ${given.deployment}`);
    const id = given.id ?? derivedId("row", alias);
    if ((await findRow(tx, "aliases", { id })) ?? (await findRow(tx, "aliases", { alias }))) return;
    await insertRow(tx, "aliases", {
      id,
      account_id: account.id,
      deployment_id: deployment.id,
      alias,
      redirect,
      creator_id: given.creator ?? deployment.creator_id,
      created_at: createdAt,
      updated_at: updatedAt,
    });
  },
  ({ alias }) => [alias],
);
