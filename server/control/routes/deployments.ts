import * as z from "zod";
import { emitDeploymentEvents } from "../../deployments/events";
import { deployment, putDeployment } from "../../deployments/seed";
import { findDeployment } from "../../deployments/store";
import { accountsIn, writeOn } from "../locks";
import { controlRoute } from "../route";

/** Adds one deployment, or several in an array, as builds would, or changes existing ones. */
const postDeployments = controlRoute({
  method: "POST",
  path: "/deployments",
  operationId: "putDeployments",
  summary: "Adds deployments, or changes existing ones. The body is one deployment or an array.",
  example: { team: "acme", project: "web", target: "production", readyState: "READY", gitBranch: "main" },
  body: z.union([z.array(deployment), deployment.transform((one) => [one])]),
  async handle({ body, services }) {
    const rows = await writeOn(services, accountsIn(body), async (tx) => {
      const now = services.clock.now();
      const put = [];
      for (const [at, one] of body.entries()) {
        const before = one.id === undefined ? undefined : await findDeployment(tx, one.id);
        const row = await putDeployment({ tx, now }, one, ["deployments", at]);
        await emitDeploymentEvents({ tx, now }, before, row);
        put.push(row);
      }
      return put;
    });
    return {
      deployments: rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        project: row.name,
        target: row.target,
        readyState: row.ready_state,
        url: row.url,
        createdAt: row.created_at,
      })),
    };
  },
});

export const deploymentRoutes = [postDeployments];
