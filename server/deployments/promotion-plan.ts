import type { Tx } from "../store/store";

/** How promotions go from now on, as the control plane said. */
export interface PromotionPlan {
  /** How long the names take to move. */
  delayMs: number;
  /** Names that fail to move. */
  failAliases: string[];
}

/** In the store, so that it holds whichever server a request comes to. */
const name = "promotion_plan";

/** Without a plan, all names move at once. */
export async function promotionPlan(tx: Tx): Promise<PromotionPlan> {
  const row = await tx.selectFrom("meta").select("value").where("name", "=", name).executeTakeFirst();
  return row ? JSON.parse(row.value) : { delayMs: 0, failAliases: [] };
}

export async function setPromotionPlan(tx: Tx, plan: PromotionPlan): Promise<void> {
  const value = JSON.stringify(plan);
  await tx
    .insertInto("meta")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export async function clearPromotionPlan(tx: Tx): Promise<void> {
  await tx.deleteFrom("meta").where("name", "=", name).execute();
}
