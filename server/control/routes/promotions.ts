import * as z from "zod";
import { setPromotionPlan } from "../../deployments/promotion";
import { controlKey } from "../locks";
import { controlRoute } from "../route";

/** Sets the delay of the next promotions and the aliases that fail. With `{}`, they finish at once and none fails. */
const postPromotions = controlRoute({
  method: "POST",
  path: "/promotions",
  operationId: "planPromotions",
  summary: "Sets how long the next promotions take and which aliases fail. With {}, they complete at once.",
  example: { delayMs: 1000, failAliases: ["example.com"] },
  body: z.strictObject({ delayMs: z.int().min(0).default(0), failAliases: z.array(z.string()).default([]) }),
  async handle({ body, services }) {
    await services.store.write((tx) => setPromotionPlan(tx, body), controlKey);
    return body;
  },
});

export const promotionRoutes = [postPromotions];
