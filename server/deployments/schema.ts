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
  readyState: z.enum(["BUILDING", "ERROR", "INITIALIZING", "QUEUED", "READY", "CANCELED", "BLOCKED"]),
  target: z.string().optional(),
  type: z.literal("LAMBDAS"),
  /** The names that point to the deployment; none while its project is paused. */
  alias: z.array(z.string()),
  /** When the names of the deployment were assigned, in milliseconds; false before. */
  aliasAssigned: z.union([z.number(), z.literal(false)]),
  /** Whether a production deployment has served production. Only once it is ready. */
  readySubstate: z.enum(["STAGED", "PROMOTED"]).optional(),
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
  /** The id of the team or user. The command line promotes a preview in this account. */
  ownerId: z.string(),
  /** The branch and commit in the repository of the project; absent if the deployment has neither. */
  gitSource: z
    .looseObject({ type: z.string(), ref: z.string().optional(), sha: z.string().optional() })
    .optional(),
  /** Absent for a user's own account. */
  team: z.strictObject({ id: z.string(), name: z.string(), slug: z.string() }).optional(),
});
export type ListedDeployment = z.infer<typeof deployment>;
export type OneDeployment = z.infer<typeof oneDeployment>;

const text = z.string().max(500);

/** A source of any git provider. The members for the repository differ between providers, so they are not listed. */
const gitSource = z.looseObject({
  type: z.string(),
  ref: text.nullable().optional(),
  sha: text.optional(),
});

/** The largest number of routes of a deployment. @source the documentation of `vercel.json` */
const mostRoutes = 2048;

/** The largest number of members of a deployment's metadata, and the largest length of the metadata as JSON. */
const mostMeta = 100;
const largestMeta = 32_768;

export const fitsMeta = (meta: Record<string, string>): boolean =>
  Object.keys(meta).length <= mostMeta && JSON.stringify(meta).length <= largestMeta;
export const metaLimit = `must have at most ${mostMeta} members, and ${largestMeta} characters as JSON`;
const deploymentMeta = z.record(z.string(), z.string()).refine(fitsMeta, { message: metaLimit });

/** The largest number of files. @choice The members of so many files stay below the limit of values in a body. */
const mostFiles = 5_000;

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

/**
 * A file in the body itself, one that was uploaded before, or an empty folder.
 * @source the official command line, which sends empty folders with their mode and no contents
 */
const deployedFile = z
  .strictObject({
    /** The path from the root. @choice At most 4,096 characters, as for paths on Linux. */
    file: z.string().min(1).max(4_096),
    data: z.string().optional(),
    encoding: z.enum(["base64", "utf-8"]).optional(),
    /** SHA-1 of the contents. */
    sha: z
      .string()
      .regex(/^[0-9a-f]{40}$/, "must be a SHA-1 in hex")
      .optional(),
    size: z.int().min(0).optional(),
    mode: z.int().optional(),
  })
  .refine(
    ({ data, sha, mode = 0 }) => {
      const sources = [data, sha].filter((source) => source !== undefined);
      return sources.length === (isDirectory(mode) ? 0 : 1);
    },
    { message: "needs either data or sha, and neither for a directory" },
  );

/**
 * The other members of `vercel.json`. They only affect real builds, and are accepted and ignored.
 * @source the official command line, which sends all members of the file
 */
const membersOfVercelJson = {
  $schema: z.unknown().optional(),
  alias: z.unknown().optional(),
  bulkRedirectsPath: z.unknown().optional(),
  bunVersion: z.unknown().optional(),
  buildCommand: z.unknown().optional(),
  builds: z.unknown().optional(),
  cleanUrls: z.unknown().optional(),
  crons: z.unknown().optional(),
  devCommand: z.unknown().optional(),
  experimentalServices: z.unknown().optional(),
  fluid: z.unknown().optional(),
  framework: z.unknown().optional(),
  functionFailoverRegions: z.unknown().optional(),
  git: z.unknown().optional(),
  github: z.unknown().optional(),
  headers: z.unknown().optional(),
  ignoreCommand: z.unknown().optional(),
  images: z.unknown().optional(),
  installCommand: z.unknown().optional(),
  outputDirectory: z.unknown().optional(),
  passiveRegions: z.unknown().optional(),
  probes: z.unknown().optional(),
  public: z.unknown().optional(),
  redirects: z.unknown().optional(),
  relatedProjects: z.unknown().optional(),
  rewrites: z.unknown().optional(),
  scope: z.unknown().optional(),
  services: z.unknown().optional(),
  trailingSlash: z.unknown().optional(),
  wildcard: z.unknown().optional(),
};

export const createDeployment = z
  .strictObject({
    /** Ignored if `project` is given: the Terraform provider sends the project's id in both. */
    name: z.string().min(1).max(100).optional(),
    project: z.string().optional(),
    target: z.string().nullable().optional(),
    /** The deployment to redeploy. */
    deploymentId: z.string().optional(),
    gitSource: gitSource.optional(),
    gitMetadata: z.looseObject({ commitRef: text.optional(), commitSha: text.optional() }).optional(),
    meta: deploymentMeta.optional(),
    files: z.array(deployedFile).max(mostFiles).optional(),
    customEnvironmentSlugOrId: z.string().optional(),
    /** `false`: production keeps its deployment. */
    autoAssignCustomDomains: z.boolean().optional(),
    /** Variables of the build. The answer has only their names. */
    env: z.record(z.string(), z.string()).optional(),
    build: z.looseObject({ env: z.record(z.string(), z.string()).optional() }).optional(),
    /** The members from here on only affect real builds. They are accepted and ignored. */
    actor: text.optional(),
    functions: z.unknown().optional(),
    regions: z.array(z.string()).max(100).optional(),
    routes: z.array(z.unknown()).max(mostRoutes).optional(),
    buildMachine: z.unknown().optional(),
    gitAccessToken: z.string().optional(),
    monorepoManager: z.string().nullable().optional(),
    projectSettings: z.unknown().optional(),
    source: text.optional(),
    version: z.literal(2).optional(),
    withLatestCommit: z.boolean().optional(),
    ...membersOfVercelJson,
  })
  .refine(({ name, project }) => project !== undefined || projectName.optional().safeParse(name).success, {
    path: ["name"],
    message: "must be a name that a project can have",
  });
export type CreateDeployment = z.infer<typeof createDeployment>;

/** A new or changed deployment has members about its build, which clients require. */
export const changedDeployment = oneDeployment.extend({
  build: z.strictObject({ env: z.array(z.string()) }),
  env: z.array(z.string()),
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

/** The query parameters of a create. All of them except `prebuilt` are accepted and ignored. */
export const createOptions = z.object({
  forceNew: z.string().optional(),
  prebuilt: z.string().optional(),
  withCache: z.string().optional(),
  skipAutoDetectionConfirmation: z.string().optional(),
});

export type CreateOptions = z.infer<typeof createOptions>;

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
