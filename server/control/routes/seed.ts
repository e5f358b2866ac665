import { applySeed } from "../../seed/apply";
import { seedDocument } from "../../seed/document";
import { controlRoute } from "../route";

/** Applies a seed document, in one transaction. */
const postSeed = controlRoute({
  method: "POST",
  path: "/seed",
  operationId: "seed",
  summary: "Applies a seed document in one transaction.",
  example: { projects: [{ team: "acme", name: "web" }] },
  body: seedDocument,
  async handle({ body, services }) {
    await services.store.write((tx) => applySeed(tx, services, body));
    return {};
  },
});

export const seedRoutes = [postSeed];
