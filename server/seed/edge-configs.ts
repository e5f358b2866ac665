import { findToken } from "../edge-configs/store";
import { addConfig, addToken, changeItems } from "../edge-configs/write";
import { derivedId } from "../platform/ids";
import type { Services } from "../platform/services";
import type { Unit } from "../store/store";
import { ownerOf } from "./accounts";
import type { Seed } from "./document";
import { hasRow } from "./store";

type SeedEdgeConfig = NonNullable<Seed["edgeConfigs"]>[number];

/**
 * Adds an Edge Config with its items and tokens, unless one with this id exists.
 * @choice The limits of the plan do not apply.
 */
export async function addEdgeConfig(
  { tx, now }: Unit,
  services: Pick<Services, "vault">,
  given: SeedEdgeConfig,
  at: number,
): Promise<void> {
  const account = await ownerOf(tx, given, ["edgeConfigs", at]);
  const { slug, schema = null, createdAt = now, updatedAt = createdAt } = given;
  const id = given.id ?? derivedId("edgeConfig", account.id, slug);
  if (await hasRow(tx, "edge_configs", id)) return;
  const createdBy = given.createdBy ?? null;
  const row = await addConfig({ tx }, { id, accountId: account.id, slug, schema, createdBy, createdAt });
  const operations = (given.items ?? []).map((item) => ({ operation: "upsert" as const, ...item }));
  await changeItems({ tx, now: updatedAt, services }, undefined, row, operations);
  for (const { token, label, ...rest } of given.tokens ?? []) {
    if (await findToken(tx, id, "digest", services.vault.digest(token))) continue;
    const unit = { tx, now: rest.createdAt ?? createdAt, services };
    const tokenId = rest.id ?? derivedId("edgeConfigToken", id, token);
    await addToken(unit, { id: tokenId, configId: id, label }, token);
  }
}
