import { applySeed } from "../../seed/apply";
import { seedDocument } from "../../seed/document";
import { accountsIn, writeOn } from "../locks";
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
    await writeOn(services, accountsIn(body), (tx) => applySeed(tx, services, body));
    return {};
  },
});

export const seedRoutes = [postSeed];
