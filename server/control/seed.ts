import { seedDocument } from "../seed/document";
import { plant } from "../seed/plant";
import { controlRoute } from "./route";

/** Carries out a seed document, whole or not at all. */
const postSeed = controlRoute({
  method: "POST",
  path: "/seed",
  body: seedDocument,
  async handle({ body, services }) {
    await services.store.write((tx) => plant(tx, services, body));
    return {};
  },
});

export const seedRoutes = [postSeed];
