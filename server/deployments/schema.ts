import * as z from "zod";
import { commaSeparated, flag, pagination, paging, timestamp } from "../http/query";

/** A deployment in `targets` and `latestDeployments` of a project. @source wire-shapes 3 */
export const deploymentPath = z.object({ id: z.string().describe("Id or host name of the deployment.") });

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
  readyState: z.enum(["BUILDING", "ERROR", "INITIALIZING", "QUEUED", "READY", "CANCELED", "BLOCKED"]),
  target: z.string().optional(),
  type: z.literal("LAMBDAS"),
  /** The names that point to the deployment; none while its project is paused. */
  alias: z.array(z.string()),
  /** When the names of the deployment were assigned, in milliseconds; false before. */
  aliasAssigned: z.union([z.number(), z.literal(false)]),
  /** Whether a production deployment has served production. Only once it is ready. */
  readySubstate: z.enum(["STAGED", "ROLLING", "PROMOTED"]).optional(),
  meta: z.record(z.string(), z.string()),
  /** Absent for production and preview. The slug is absent once the environment is deleted. */
  customEnvironment: z.strictObject({ id: z.string(), slug: z.string().optional() }).optional(),
});
export type DeploymentSummary = z.infer<typeof deploymentSummary>;

/** The largest number of projects in a query. @choice */
const mostIds = 500;

const metaPrefix = "meta-";
const policyPrefix = "policy-";

/** The largest number of members of `meta` in a query, because each of them makes the SQL statement longer. @choice */
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
      .union([z.string(), z.array(z.string()).max(mostIds)])
      .transform((ids) => [ids].flat().flatMap((id) => id.split(",")))
      .refine((ids) => ids.length <= mostIds, `must have at most ${mostIds} values`)
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

const projectSettings = z.strictObject({ commandForIgnoringBuildStep: z.string().nullable() });

/** A deployment in a list. @source recorded answers of the hosted API */
export const deployment = deploymentSummary.extend({
  uid: z.string(),
  state: deploymentSummary.shape.readyState,
  created: z.number(),
  projectId: z.string().optional(),
  /** Null for a preview, and in a custom environment. */
  target: z.string().nullable(),
  /** Null if the build has ended without a name for the deployment. */
  aliasAssigned: deploymentSummary.shape.aliasAssigned.nullable(),
  source: z.enum(["cli", "git"]),
  isRollbackCandidate: z.boolean(),
  /** The page of the deployment on the dashboard. */
  inspectorUrl: z.string(),
  projectSettings,
  /** When the build began. @choice For a deployment without a simulated build, all times are its creation time. */
  buildingAt: z.number(),
  /** When the build ended, also without success. */
  ready: z.number().optional(),
  /** Why the build failed. */
  errorCode: z.string().optional(),
  errorMessage: z.string().optional(),
  /** Why the deployment is blocked, and a page about it. */
  readyStateReason: z.string().optional(),
  errorLink: z.string().optional(),
  seatBlock: z.strictObject({ blockCode: z.string() }).optional(),
});

/** A single deployment has more members than a deployment in a list, because clients require them. */
export const oneDeployment = deployment.extend({
  status: deploymentSummary.shape.readyState,
  bootedAt: z.number(),
  canceledAt: z.number().optional(),
  buildSkipped: z.boolean(),
  /** In the answer with a single deployment, `aliasAssignedAt` has the time. @source the newest official client */
  aliasAssigned: z.boolean(),
  aliasAssignedAt: z.number().nullable(),
  /** Absent if the deployment precedes its project. */
  project: z.strictObject({ id: z.string(), name: z.string(), framework: z.string().nullable() }).optional(),
  public: z.literal(false),
  regions: z.array(z.string()),
  version: z.literal(2),
  /** The names of the variables that the request for the deployment set. */
  build: z.strictObject({ env: z.array(z.string()) }),
  env: z.array(z.string()),
  /** The id of the team or user. The command line promotes a preview in this account. */
  ownerId: z.string(),
  /** The branch and commit in the repository of the project; absent for files that a client has uploaded. */
  gitSource: z
    .looseObject({ type: z.string(), ref: z.string().optional(), sha: z.string().optional() })
    .optional(),
  /** Absent for a user's own account. */
  team: z.strictObject({ id: z.string(), name: z.string(), slug: z.string() }).optional(),
});
export type ListedDeployment = z.infer<typeof deployment>;

/** Why a deployment is blocked, as the control plane and seeds set it. */
export const block = z.strictObject({
  code: z.string().min(1).max(100).default("COMMIT_AUTHOR_REQUIRED"),
  reason: z
    .string()
    .min(1)
    .max(1000)
    .default("The Deployment was blocked because the committer has no access to the team."),
  link: z.url().default("https://example.com/docs/deployments/blocked"),
});
export type OneDeployment = z.infer<typeof oneDeployment>;

/** The largest number of members of a deployment's metadata, and the largest length of the metadata as JSON. */
const mostMeta = 100;
const largestMeta = 32_768;

export const fitsMeta = (meta: Record<string, string>): boolean =>
  Object.keys(meta).length <= mostMeta && JSON.stringify(meta).length <= largestMeta;
export const metaLimit = `must have at most ${mostMeta} members, and ${largestMeta} characters as JSON`;
/** An entry in the tree of files of a deployment. @source the newest official client: listDeploymentFiles */
export const treeEntry = z
  .strictObject({
    name: z.string(),
    type: z.enum(["directory", "file", "symlink"]),
    mode: z.int(),
    uid: z.string().optional(),
    get children() {
      return z.array(treeEntry).optional();
    },
  })
  .meta({ id: "FileTree" });

/** The bits of a mode that tell the type of a file. */
const typeBits = 0o170000;
export const isSymlink = (mode: number): boolean => (mode & typeBits) === 0o120000;
export const isDirectory = (mode: number): boolean => (mode & typeBits) === 0o040000;

/** A new or changed deployment has members about its build, which clients require. */
export const changedDeployment = oneDeployment.extend({
  routes: z.array(z.never()),
  projectSettings: projectSettings.extend({
    buildCommand: z.string().nullable(),
    devCommand: z.string().nullable(),
    framework: z.string().nullable(),
    installCommand: z.string().nullable(),
    outputDirectory: z.string().nullable(),
  }),
  isInConcurrentBuildsQueue: z.literal(false),
  isInSystemBuildsQueue: z.literal(false),
});

export type ChangedDeployment = z.infer<typeof changedDeployment>;

/** True for `1` and `true`. The command line sends an empty text for false. */
const numericFlag = z
  .enum(["", "0", "1", "false", "true"])
  .transform((text) => text === "1" || text === "true");

/** The query parameters of a log. @source the newest official client, and the command line */
export const eventFilters = z.object({
  direction: z.enum(["forward", "backward"]).default("forward"),
  follow: numericFlag.default(false),
  format: z.enum(["json", "lines"]).default("json"),
  /** The largest number of lines; -1: all lines. Default: all lines. */
  limit: z
    .string()
    .regex(/^(-1|\d{1,9})$/, "must be a whole number, or -1")
    .transform(Number)
    .optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
  name: z.string().optional(),
  builds: numericFlag.optional(),
  delimiter: numericFlag.optional(),
  statusCode: z.string().optional(),
});
export type EventFilters = z.infer<typeof eventFilters>;

/** A line of a build's log. */
export const logLine = z.strictObject({
  type: z.enum(["stdout", "stderr"]),
  created: z.number(),
  date: z.number(),
  deploymentId: z.string(),
  id: z.string(),
  /** Orders the lines of a log. */
  serial: z.string(),
  text: z.string(),
  level: z.enum(["error", "warning"]).optional(),
  info: z.strictObject({ type: z.literal("build"), name: z.string(), entrypoint: z.string() }),
});
export type LogLine = z.infer<typeof logLine>;

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
