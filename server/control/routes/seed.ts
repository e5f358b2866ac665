import { applySeed } from "../../seed/apply";
import { seedDocument } from "../../seed/document";
import { controlRoute } from "../route";

/** Carries out a seed document, whole or not at all. */
const postSeed = controlRoute({
  method: "POST",
  path: "/seed",
  body: seedDocument,
  async handle({ body, services }) {
    await services.store.write((tx) => applySeed(tx, services, body));
    return {};
  },
});

export const seedRoutes = [postSeed];
