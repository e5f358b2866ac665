import { storedSettings } from "../access/project-store";
import { buildRecordOf } from "../deployments/build-record";
import type { DeploymentRow } from "../deployments/object";
import { isSymlink } from "../deployments/schema";
import type { DeploymentFile } from "../deployments/tree-store";
import type { ProjectRow } from "../projects/object";

/** The files of a deployment by their paths, without symbolic links. */
export interface Site {
  /** SHA-1s of the contents, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
}

/** The segments of a path, without empty ones and `.`. */
const segmentsOf = (path: string): string[] =>
  path.split("/").filter((segment) => segment !== "" && segment !== ".");

export function siteOf(all: readonly DeploymentFile[]): Site {
  const files = new Map<string, string>();
  const folders = new Set([""]);
  for (const { path, sha, mode } of all) {
    if (sha === undefined || isSymlink(mode)) continue;
    const segments = segmentsOf(path);
    files.set(segments.join("/"), sha);
    for (let depth = 1; depth < segments.length; depth++) folders.add(segments.slice(0, depth).join("/"));
  }
  return { files, folders };
}

/**
 * The folder of a site that is served.
 * @choice A prebuilt deployment serves its static output. Other deployments serve the output folder of the project,
 *   which is `public` by default, if they have files there, and otherwise the root folder of the project.
 * @source the public documentation of the service, on the output folder of a project without a framework
 */
export function rootOf(
  { folders }: Site,
  deployment: DeploymentRow,
  project: ProjectRow | undefined,
): string {
  if (buildRecordOf(deployment)?.isPrebuilt) return ".vercel/output/static";
  const { rootDirectory, outputDirectory } = (project && storedSettings(project)) ?? {};
  const base = typeof rootDirectory === "string" ? rootDirectory : "";
  const output = typeof outputDirectory === "string" ? outputDirectory : "public";
  const candidates = [`${base}/${output}`, base].map((path) => segmentsOf(path).join("/"));
  return candidates.find((path) => folders.has(path)) ?? "";
}

/** The segments of the path of a request, decoded. @returns undefined if the percent-encoding is malformed */
export function decodePath(path: string): string[] | undefined {
  try {
    // Decoded as a whole, so that an encoded slash separates segments too.
    return decodeURIComponent(path).split("/").slice(1);
  } catch {
    return undefined;
  }
}

/** Files that configure a deployment. */
const configuration = ["vercel.json", "package.json"];

/**
 * Segments that never name a served file.
 * @choice Hidden files are not served, except below `.well-known`, because they often are uploaded by mistake.
 */
const isHidden = (segments: readonly string[]): boolean =>
  segments.some((segment) => segment.startsWith(".") && segment !== ".well-known") ||
  (segments.length === 1 && configuration.includes(segments[0] ?? ""));

/**
 * Finds the file of a path: the file itself, or `index.html` in the folder.
 * @param root the folder that is served @param path decoded segments
 * @returns the path of the file in the deployment
 */
export function findFile({ files }: Site, root: string, path: readonly string[]): string | undefined {
  const segments = path.filter((segment) => segment !== "");
  if (isHidden(segments)) return undefined;
  const file = [...segmentsOf(root), ...segments].join("/");
  const isFolder = path.at(-1) === "";
  const candidates = [...(isFolder ? [] : [file]), [...segmentsOf(file), "index.html"].join("/")];
  return candidates.find((candidate) => files.has(candidate));
}
