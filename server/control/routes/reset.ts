import { clearPromotionPlan } from "../../deployments/promotion";
import { emptyStore } from "../../store/tables";
import { controlRoute } from "../route";

/**
 * Puts the server back to how its first start leaves it: with its seed file or its development account.
 * @choice The clock stays where it is: time only goes forward.
 */
const reset = controlRoute({
  method: "POST",
  path: "/reset",
  async handle({ services, state }) {
    await services.store.write(async (tx) => {
      await emptyStore(tx);
      await clearPromotionPlan(tx);
      await state.restore(tx);
    });
    state.faults.clear();
    state.requests.clear();
    return {};
  },
});

export const resetRoutes = [reset];
