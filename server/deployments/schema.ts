import * as z from "zod";

/** A deployment in `targets` and `latestDeployments` of a project. @source wire-shapes 3 */
export const deploymentSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  deploymentHostname: z.string(),
  createdAt: z.number(),
  createdIn: z.string(),
  creator: z.strictObject({ uid: z.string(), email: z.string(), username: z.string() }).nullable(),
  userId: z.string(),
  teamId: z.string().optional(),
  plan: z.enum(["pro", "enterprise", "hobby"]),
  private: z.boolean(),
  readyState: z.enum(["BUILDING", "ERROR", "INITIALIZING", "QUEUED", "READY", "CANCELED"]),
  target: z.string().optional(),
  type: z.literal("LAMBDAS"),
  /** The names that lead to the deployment; none while its project is paused. */
  alias: z.array(z.string()),
  aliasAssigned: z.boolean(),
  meta: z.record(z.string(), z.string()),
});
export type DeploymentSummary = z.infer<typeof deploymentSummary>;
