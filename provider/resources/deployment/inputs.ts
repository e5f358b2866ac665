import { z } from "zod";
import { openList } from "../../core/known-values";
import { frameworks, nodeVersions } from "../../vocabulary";
import { deploymentId, durationMs, environmentId, projectRef, rootDirectory } from "../names";

const command = z.string().max(256).nullable().optional();

const folder = z.string().min(1).max(4_096);

/** The members of the metadata that Slipway adds, by which a later run finds the deployment of a resource. */
export const ownMetaKeys = ["slipwayResource", "slipwayInputs"] as const;
/** The length of their values. */
export const ownMetaLength = 32;
const ownMeta = Object.fromEntries(ownMetaKeys.map((key) => [key, "x".repeat(ownMetaLength)]));

/** The limits of the service, 100 members and 32,768 characters as JSON, without the members that Slipway adds. */
const [mostMeta, largestMeta] = [100 - ownMetaKeys.length, 32_768 - JSON.stringify(ownMeta).length + 1];

const meta = z
  .record(z.string(), z.string())
  .refine(
    (declared) => Object.keys(declared).length <= mostMeta && JSON.stringify(declared).length <= largestMeta,
    `must have at most ${mostMeta} members, and ${largestMeta} characters as JSON. Remove or shorten some`,
  );

export const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the deployment. */
  project: projectRef,
  /**
   * Branch or commit of the linked repository. Changing it replaces the deployment. A push to the branch does not
   * replace the deployment. Give exactly one of `ref`, `redeploy`, `directory` and `prebuilt`.
   */
  ref: z.string().min(1).max(500).optional(),
  /**
   * Id of an existing deployment of the project. The source of that deployment is built again, with the current
   * environment variables. Changing it replaces the deployment.
   */
  redeploy: deploymentId.optional(),
  /**
   * Folder whose files are deployed, except files that `.vercelignore` excludes. A relative path is resolved from the
   * folder of the program. A changed file creates a new deployment. If the path changes but the files do not, no
   * deployment is created.
   */
  directory: folder.optional(),
  /**
   * Paths of files in `directory`, such as public/index.html. Only these files are deployed, instead of all. A change of
   * the list creates a new deployment.
   */
  files: z.array(z.string().min(1).max(4_096)).min(1).max(15_000).optional(),
  /**
   * Folder with the output of `vercel build`, such as .vercel/output. The output is deployed without another build. A
   * changed file creates a new deployment.
   */
  prebuilt: folder.optional(),
  /** Environment of the deployment. Default: preview. Changing it replaces the deployment. */
  target: z.enum(["production", "preview"]).optional(),
  /** Id of the custom environment of the deployment, instead of `target`. Changing it replaces the deployment. */
  customEnvironmentId: environmentId.optional(),
  /** List of any values, such as the output `revision` of an `EnvVar`. Changing it replaces the deployment. */
  triggers: z.array(z.unknown()).optional(),
  /**
   * Environment variables for the build and the functions of this deployment, in addition to the variables of the
   * project. Always secret. A change takes effect with the next deployment.
   */
  environment: z.record(z.string(), z.string().max(65_536)).optional(),
  /**
   * Build settings of this deployment, which override the settings of the project. A change takes effect with the next
   * deployment.
   */
  projectSettings: z
    .strictObject({
      /** Framework whose build defaults apply; null for none. */
      framework: openList(frameworks).nullable().optional(),
      /** Build command; null for the default of the framework. */
      buildCommand: command,
      /** Command that decides whether a commit is built: exit code 0 skips the build. */
      commandForIgnoringBuildStep: command,
      /** Command that installs dependencies; null for the default of the package manager. */
      installCommand: command,
      /** Folder that contains the build output; null for the default of the framework. */
      outputDirectory: command,
      /** Folder of the source that contains the project; null for the root of the source. */
      rootDirectory: rootDirectory.optional(),
      /** Node.js version of the build and its functions. */
      nodeVersion: openList(nodeVersions).optional(),
    })
    .optional(),
  /**
   * Metadata of the deployment, at most 98 members. A request to the API can list the deployments with given metadata.
   * A change takes effect with the next deployment.
   */
  meta: meta.optional(),
  /** Whether to wait until the deployment is built. If true, a failed build fails the run. Default: true. */
  waitUntilReady: z.boolean().optional(),
  /**
   * How long to wait for the build (milliseconds). After a timeout, the run fails, but the build continues. Default:
   * 2700000 (45 minutes).
   */
  timeoutMs: durationMs.optional(),
  /**
   * Whether destroying the resource keeps or deletes its deployment. Earlier deployments, which this deployment
   * replaced, are always kept. Default: keep.
   */
  onDestroy: z.enum(["keep", "delete"]).optional(),
});

export const outputs = z.object({
  /** Id of the deployment. */
  deploymentId: z.string(),
  /** Id of the project. */
  projectId: z.string(),
  /** Host name of the deployment, without https://. */
  url: z.string(),
  /**
   * Domains that served the deployment when the build ended. A later promotion can move a domain to another deployment
   * without changing this output.
   */
  aliases: z.array(z.string()),
  /** State of the deployment when it was last read: QUEUED, INITIALIZING, BUILDING, READY, ERROR, CANCELED or BLOCKED. */
  readyState: z.string(),
  /** When the deployment was created (milliseconds since the epoch). */
  createdAt: z.number(),
  /** Hash of the paths and contents of the deployed files; null for `ref` and `redeploy`. */
  sourceDigest: z.string().nullable(),
});

export type Inputs = z.output<typeof inputs>;
export type Outputs = z.output<typeof outputs>;

/** The inputs that name the source. A deployment has exactly one of them. */
export const sources = ["ref", "redeploy", "directory", "prebuilt"] as const;

/** @choice The longest time that the hosted service gives a build. */
export const buildTimeoutMs = 2_700_000;

export const defaults = {
  target: "preview",
  waitUntilReady: true,
  timeoutMs: buildTimeoutMs,
  onDestroy: "keep",
} as const;
