import * as z from "zod";
import { derivedId } from "../platform/ids";
import { id, idWith, listOf, ownedRow, owner, ownerOf, section, time, times } from "../seed/section";
import { hasRow } from "../store/rows";
import { edgeConfigTokens, edgeConfigs as table } from "./object";
import { createEdgeConfig, edgeConfigSchema, itemDescription, itemKey } from "./schema";
import { addConfig, addToken, changeItems } from "./write";

/** An Edge Config with its items and tokens. */
const row = ownedRow({
  ...owner,
  id: idWith("ecfg_").optional(),
  schema: edgeConfigSchema.optional(),
  items: listOf(
    z.strictObject({
      key: itemKey,
      value: z.unknown(),
      description: itemDescription.optional(),
    }),
    ({ key }) => key,
  ).optional(),
  tokens: listOf(
    z.strictObject({
      id: id.optional(),
      label: z.string().min(1).max(52),
      token: z.string().min(1),
      createdAt: time.optional(),
    }),
    ({ token }) => token,
  ).optional(),
  /** The id of a user. */
  createdBy: z.string().optional(),
  ...times,
  slug: createEdgeConfig.shape.slug,
});

/**
 * Adds an Edge Config with its items and tokens, unless one with this id exists.
 * @choice The limits of the plan do not apply.
 */
export const edgeConfigs = section(
  "edge_configs",
  row,
  async ({ tx, now, services }, given, place) => {
    const account = await ownerOf(tx, given, place);
    const { slug, schema = null, createdBy = null, createdAt = now, updatedAt = createdAt } = given;
    const id = given.id ?? derivedId(table, account.id, slug);
    if (await hasRow(tx, "edge_configs", { id })) return;
    const config = await addConfig({ tx }, { id, accountId: account.id, slug, schema, createdBy, createdAt });
    const operations = (given.items ?? []).map((item) => ({ operation: "upsert" as const, ...item }));
    await changeItems({ tx, now: updatedAt, services }, undefined, config, operations);
    for (const { id: tokenId, token, label, createdAt: tokenTime = createdAt } of given.tokens ?? []) {
      const digest = services.vault.digest(token);
      if (await hasRow(tx, "edge_config_tokens", { edge_config_id: id, digest })) continue;
      const unit = { tx, now: tokenTime, services };
      const row = { id: tokenId ?? derivedId(edgeConfigTokens, id, token), configId: id, label };
      await addToken(unit, row, token);
    }
  },
  ({ team, user, id, slug }) => [id ?? [team, user, slug]],
);
