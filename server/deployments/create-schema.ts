import * as z from "zod";
import { projectName } from "../access/projects";
import { updateProject } from "../projects/schema";
import { fitsMeta, isDirectory, metaLimit } from "./schema";

/** The body and query of a request that creates a deployment. */

const text = z.string().max(500);

/** A source of any git provider. The members for the repository differ between providers, so they are not listed. */
const gitSource = z.looseObject({
  type: z.string(),
  ref: text.nullable().optional(),
  sha: text.optional(),
});

/** The largest number of routes of a deployment. @source the documentation of `vercel.json` */
const mostRoutes = 2048;

const deploymentMeta = z.record(z.string(), z.string()).refine(fitsMeta, { message: metaLimit });

/** The largest number of files. @choice The members of so many files stay below the limit of values in a body. */
const mostFiles = 5_000;

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

/**
 * Settings of the build. The first deployment of a name needs them, and its project gets them. On an existing project,
 * they are checked and have no effect, because nothing is built.
 * @source the newest official client
 */
const projectSettings = updateProject.pick({
  buildCommand: true,
  commandForIgnoringBuildStep: true,
  devCommand: true,
  framework: true,
  installCommand: true,
  nodeVersion: true,
  outputDirectory: true,
  rootDirectory: true,
  serverlessFunctionRegion: true,
  skipGitConnectDuringLink: true,
  sourceFilesOutsideRootDirectory: true,
});

export const createDeployment = z
  .strictObject({
    /**
     * Ignored if `project` is given: the Terraform provider sends the project's id in both. The official command line
     * sends the id of the project when it promotes a preview.
     */
    name: z.string().min(1).max(100).optional(),
    project: z.string().optional(),
    target: z.string().nullable().optional(),
    /** The deployment to redeploy. */
    deploymentId: z.string().optional(),
    gitSource: gitSource.optional(),
    /** The commit of the client's working copy. */
    gitMetadata: z
      .looseObject({
        commitRef: text.optional(),
        commitSha: text.optional(),
        commitMessage: z.string().optional(),
        commitAuthorName: z.string().optional(),
      })
      .optional(),
    meta: deploymentMeta.optional(),
    files: z.array(deployedFile).max(mostFiles).optional(),
    customEnvironmentSlugOrId: z.string().optional(),
    projectSettings: projectSettings.optional(),
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
    source: text.optional(),
    version: z.literal(2).optional(),
    withLatestCommit: z.boolean().optional(),
    ...membersOfVercelJson,
  })
  .superRefine(({ name, project, deploymentId }, context) => {
    // Without `project`, the name is that of a project, which the deployment may create. A redeployment may name it by id.
    if (project !== undefined || deploymentId !== undefined) return;
    for (const { message } of projectName.optional().safeParse(name).error?.issues ?? [])
      context.addIssue({ code: "custom", path: ["name"], message });
  });
export type CreateDeployment = z.infer<typeof createDeployment>;

/** The query parameters of a create. `forceNew` and `withCache` are accepted and ignored. */
export const createOptions = z.object({
  forceNew: z.string().optional(),
  prebuilt: z.string().optional(),
  withCache: z.string().optional(),
  /** `1`: the first deployment of a name may lack `projectSettings`. */
  skipAutoDetectionConfirmation: z.string().optional(),
});

export type CreateOptions = z.infer<typeof createOptions>;
