import * as z from "zod";
import { setPromotionPlan } from "../../deployments/promotion";
import { controlRoute } from "../route";

/** How promotions go from now on: after what delay, and which of their names fail to move. `{}`: at once, none. */
const postPromotions = controlRoute({
  method: "POST",
  path: "/promotions",
  body: z.strictObject({ delayMs: z.int().min(0).default(0), failAliases: z.array(z.string()).default([]) }),
  async handle({ body, services }) {
    await services.store.write((tx) => setPromotionPlan(tx, body));
    return body;
  },
});

export const promotionRoutes = [postPromotions];
