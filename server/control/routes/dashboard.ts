import { notFound } from "../../platform/refusal";
import { controlRoute } from "../route";

/**
 * Makes a link to the dashboard that opens one session. The answer has only a path, because clients know the address.
 */
const postDashboard = controlRoute({
  method: "POST",
  path: "/dashboard",
  operationId: "openDashboard",
  summary: "Creates a link that opens one session of the dashboard.",
  async handle({ state }) {
    if (!state.openDashboard) throw notFound("The dashboard, which is switched off,");
    return { path: state.openDashboard() };
  },
});

export const dashboardRoutes = [postDashboard];
