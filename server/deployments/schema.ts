import * as z from "zod";
import { commaSeparated, flag, paging, timestamp } from "../http/query";

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

const metaPrefix = "meta-";
const policyPrefix = "policy-";

/** The largest number of members of `meta` in a query, since each makes its SQL longer. @choice */
const mostMeta = 20;

/**
 * The query parameters of the list of deployments. `meta-KEY=value` finds deployments with this member of `meta`.
 * @choice A rollback candidate is a successful production deployment that does not serve production.
 * @source the newest official client: GET /v7/deployments, and the command line's `ls`
 */
export const deploymentFilters = z
  .looseObject({
    ...paging,
    app: z.string().optional(),
    branch: z.string().optional(),
    from: timestamp.optional(),
    projectId: z.string().optional(),
    /** Repeated, or separated by commas. */
    projectIds: z
      .union([z.string(), z.array(z.string())])
      .transform((ids) => [ids].flat().flatMap((id) => id.split(",")))
      .optional(),
    rollbackCandidate: flag.optional(),
    sha: z.string().optional(),
    state: commaSeparated.transform((states) => states.map((state) => state.toUpperCase())).optional(),
    target: z.enum(["production", "preview"]).optional(),
    to: timestamp.optional(),
    users: commaSeparated.optional(),
  })
  .refine(({ projectId, projectIds }) => projectId === undefined || projectIds === undefined, {
    path: ["projectIds"],
    message: "cannot be used together with projectId",
  })
  .transform((query, context) => {
    const meta: [key: string, value: string][] = [];
    for (const [name, value] of Object.entries(query)) {
      const refuse = (message: string) => context.addIssue({ code: "custom", path: [name], message });
      if (name.startsWith(policyPrefix)) refuse("is not supported by this server");
      if (!name.startsWith(metaPrefix)) continue;
      if (typeof value === "string") meta.push([name.slice(metaPrefix.length), value]);
      else refuse("must be given once");
      if (meta.length > mostMeta) refuse(`is one too many: at most ${mostMeta} members of meta can be given`);
    }
    return { ...query, meta };
  });
export type DeploymentFilters = z.infer<typeof deploymentFilters>;
