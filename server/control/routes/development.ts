import { developmentAccess } from "../../seed/development-account";
import { controlRoute } from "../route";

/** Returns how to use the development account, for the exports of `slipway env`. */
const getDevelopment = controlRoute({
  method: "GET",
  path: "/development-account",
  operationId: "getDevelopmentAccount",
  summary: "Returns the user, team and tokens of the development account; null if the store has none.",
  handle: async ({ services: { store } }) => ({ account: (await store.read(developmentAccess)) ?? null }),
});

export const developmentRoutes = [getDevelopment];
