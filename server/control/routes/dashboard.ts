import { notFound } from "../../platform/refusal";
import { controlRoute } from "../route";

/** Makes a link that opens one session of the dashboard. Returns only a path: clients know the server's address. */
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
