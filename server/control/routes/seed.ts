import { applySeed } from "../../seed/apply";
import { countAdded } from "../../seed/count";
import { seedDocument } from "../../seed/document";
import { accountsIn, writeOn } from "../locks";
import { controlRoute } from "../route";

/** Applies a seed document, in one transaction. The answer has the number of objects that each section added. */
const postSeed = controlRoute({
  method: "POST",
  path: "/seed",
  operationId: "seed",
  summary: "Applies a seed document in one transaction.",
  example: { projects: [{ team: "acme", name: "web" }] },
  body: seedDocument,
  async handle({ body, services }) {
    const added = await writeOn(services, accountsIn(body), (tx) =>
      countAdded(tx, body, () => applySeed(tx, services, body)),
    );
    return { added };
  },
});

export const seedRoutes = [postSeed];
