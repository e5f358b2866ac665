/** How promotions go from now on. */
export interface PromotionPlan {
  next(): { delayMs: number; failAliases: string[] };
  set(plan: { delayMs: number; failAliases: string[] }): void;
  clear(): void;
}

export function promotionPlan(): PromotionPlan {
  const none = { delayMs: 0, failAliases: [] };
  let plan: { delayMs: number; failAliases: string[] } = none;
  return {
    next: () => plan,
    set(given) {
      plan = given;
    },
    clear() {
      plan = none;
    },
  };
}
