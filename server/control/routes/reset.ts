import { clearBuildPlan } from "../../deployments/builds";
import { clearPromotionPlan } from "../../deployments/promotion";
import { controlRoute } from "../route";
import { clearFaults } from "../state";
import { emptyStore } from "../state-store";

/**
 * Resets the server to the state after its first start, with its seed file or its development account.
 * @choice The clock is not reset, because time only moves forward.
 */
const reset = controlRoute({
  method: "POST",
  path: "/reset",
  operationId: "reset",
  summary: "Restores the data that the server started with.",
  async handle({ services, state }) {
    // Delayed requests take effect before the data goes, and not after it.
    await clearFaults(state);
    await services.store.write(async (tx) => {
      await emptyStore(tx);
      await clearBuildPlan(tx);
      await clearPromotionPlan(tx);
      await state.restore(tx);
    });
    state.consistency.set(0);
    state.requests.clear();
    state.bodies.clear();
    return {};
  },
});

export const resetRoutes = [reset];
