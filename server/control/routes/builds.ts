import * as z from "zod";
import { setBuildPlan } from "../../deployments/builds";
import { block } from "../../deployments/schema";
import { controlKey } from "../locks";
import { controlRoute } from "../route";

/** Sets how the next builds go. With `{}`, each build takes a second and succeeds. */
const postBuilds = controlRoute({
  method: "POST",
  path: "/builds",
  operationId: "planBuilds",
  summary:
    "Sets how long the next builds take, and whether they fail or are blocked. With {}, each takes a second and succeeds.",
  example: { buildMs: 60_000, error: { code: "BUILD_FAILED", message: "Command exited with 1" } },
  body: z.strictObject({
    buildMs: z
      .int()
      .min(0)
      .max(24 * 60 * 60 * 1000)
      .optional(),
    error: z
      .strictObject({
        code: z.string().min(1).max(100).default("BUILD_FAILED"),
        message: z.string().min(1).max(1000).default('Command "npm run build" exited with 1'),
      })
      .optional(),
    block: block.optional(),
    skipIgnored: z.boolean().optional(),
  }),
  async handle({ body, services }) {
    await services.store.write((tx) => setBuildPlan(tx, body), controlKey);
    return body;
  },
});

export const buildRoutes = [postBuilds];
