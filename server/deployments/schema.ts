import * as z from "zod";
import { projectName } from "../access/projects";
import { commaSeparated, flag, pagination, paging, timestamp } from "../http/query";

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
const mostMetaFilters = 20;

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
      if (meta.length > mostMetaFilters)
        refuse(`is one too many: at most ${mostMetaFilters} members of meta can be given`);
    }
    return { ...query, meta };
  });
export type DeploymentFilters = z.infer<typeof deploymentFilters>;

/** A deployment in a list. */
export const deployment = deploymentSummary.extend({
  uid: z.string(),
  state: deploymentSummary.shape.readyState,
  created: z.number(),
  projectId: z.string().optional(),
  /** This server has no page for a deployment. */
  inspectorUrl: z.null(),
});

/** A single deployment has more members than one in a list; clients require them. */
export const oneDeployment = deployment.extend({
  status: deploymentSummary.shape.readyState,
  /** @choice All times of the build are the same, since the server builds nothing. */
  buildingAt: z.number(),
  bootedAt: z.number(),
  buildSkipped: z.literal(false),
  public: z.literal(false),
  regions: z.array(z.string()),
  version: z.literal(2),
  /** The branch and commit in the repository of the project; absent without either. */
  gitSource: z
    .looseObject({ type: z.string(), ref: z.string().optional(), sha: z.string().optional() })
    .optional(),
  /** Absent for a user's own account. */
  team: z.strictObject({ id: z.string(), name: z.string(), slug: z.string() }).optional(),
});
export type ListedDeployment = z.infer<typeof deployment>;
export type OneDeployment = z.infer<typeof oneDeployment>;

const text = z.string().max(500);

/** A source of any git provider. They name the repository differently and the commit alike. */
const gitSource = z.looseObject({
  type: z.string(),
  ref: text.nullable().optional(),
  sha: text.optional(),
});

/** The largest number of members of a deployment's metadata, and the largest length of all, as JSON. */
const mostMeta = 100;
const largestMeta = 32_768;

export const fitsMeta = (meta: Record<string, string>): boolean =>
  Object.keys(meta).length <= mostMeta && JSON.stringify(meta).length <= largestMeta;
export const metaLimit = `must have at most ${mostMeta} members, and ${largestMeta} characters as JSON`;
const deploymentMeta = z.record(z.string(), z.string()).refine(fitsMeta, { message: metaLimit });

export const createDeployment = z
  .strictObject({
    /** Ignored beside `project`: the Terraform provider sends the project's id here too. */
    name: z.string().min(1).max(100).optional(),
    project: z.string().optional(),
    target: z.string().nullable().optional(),
    /** The deployment to redeploy. */
    deploymentId: z.string().optional(),
    gitSource: gitSource.optional(),
    gitMetadata: z.looseObject({ commitRef: text.optional(), commitSha: text.optional() }).optional(),
    meta: deploymentMeta.optional(),
    files: z.array(z.unknown()).optional(),
    customEnvironmentSlugOrId: z.string().optional(),
    /** Of the variables of a build, the answer has the names. */
    env: z.record(z.string(), z.string()).optional(),
    build: z.looseObject({ env: z.record(z.string(), z.string()).optional() }).optional(),
    /** Members that only affect builds are accepted and ignored. */
    functions: z.unknown().optional(),
    regions: z.array(z.string()).optional(),
    routes: z.array(z.unknown()).optional(),
    buildMachine: z.unknown().optional(),
    gitAccessToken: z.string().optional(),
    monorepoManager: z.string().nullable().optional(),
    projectSettings: z.unknown().optional(),
    withLatestCommit: z.boolean().optional(),
  })
  .refine(({ name, project }) => project !== undefined || projectName.optional().safeParse(name).success, {
    path: ["name"],
    message: "must be a name that a project can have",
  });
export type CreateDeployment = z.infer<typeof createDeployment>;

/** A new deployment has members about its build, which clients require. */
export const createdDeployment = oneDeployment.extend({
  ownerId: z.string(),
  build: z.strictObject({ env: z.array(z.string()) }),
  env: z.array(z.string()),
  routes: z.array(z.never()),
  projectSettings: z.strictObject({}),
  isInConcurrentBuildsQueue: z.literal(false),
  isInSystemBuildsQueue: z.literal(false),
});

/** How a deployment is made. Both are accepted and ignored. */
export const createOptions = z.object({
  forceNew: z.string().optional(),
  skipAutoDetectionConfirmation: z.string().optional(),
});

const aliasStatuses = ["pending", "in-progress", "completed", "failed", "skipped"] as const;

/** The aliases of the last promotion; an empty object before the first one. */
export const promotionAliases = z.union([
  z.strictObject({}),
  z.strictObject({
    aliases: z.array(
      z.strictObject({
        id: z.string(),
        alias: z.string(),
        status: z.enum(aliasStatuses),
        deploymentId: z.string(),
        createdAt: z.number(),
      }),
    ),
    pagination,
  }),
]);
