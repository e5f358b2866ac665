import type { Tx } from "../store/store";
import { isSymlink } from "./schema";

/** The files that deployments were created with, and the tree of files that the API shows. */

export interface DeploymentFile {
  /** From the root of the deployment, such as `src/index.ts`. */
  path: string;
  /** SHA-1 of the contents; absent for an empty folder. */
  sha?: string;
  mode: number;
}

/** An entry of the tree. @source the newest official client: listDeploymentFiles */
export interface TreeEntry {
  name: string;
  type: "directory" | "file" | "symlink";
  mode: number;
  /** SHA-1 of the contents; absent for folders. */
  uid?: string;
  children?: TreeEntry[];
}

/** The mode of a folder that is known only from the paths of its files. */
const directoryMode = 0o040755;

export async function recordFiles(
  tx: Tx,
  deployment: string,
  files: readonly DeploymentFile[],
): Promise<void> {
  await tx
    .insertInto("deployment_files")
    .values({ deployment_id: deployment, files: JSON.stringify(files) })
    .execute();
}

/** The files of a deployment; undefined if the deployment was created without files. */
export async function filesOf(tx: Tx, deployment: string): Promise<DeploymentFile[] | undefined> {
  const row = await tx
    .selectFrom("deployment_files")
    .select("files")
    .where("deployment_id", "=", deployment)
    .executeTakeFirst();
  return row && (JSON.parse(row.files) as DeploymentFile[]);
}

interface Folder {
  entries: TreeEntry[];
  folders: Map<string, Folder>;
}

/** Makes the tree of files. Directories come first, and each level is ordered by name. */
export function treeOf(files: readonly DeploymentFile[]): TreeEntry[] {
  const root: Folder = { entries: [], folders: new Map() };
  for (const { path, sha, mode } of files) {
    const steps = path.split("/").filter((step) => step !== "" && step !== ".");
    const name = steps.pop();
    if (name === undefined) continue;
    let folder = root;
    for (const step of steps) folder = folder.folders.get(step) ?? addFolder(folder, step);
    if (sha !== undefined)
      folder.entries.push({ name, type: isSymlink(mode) ? "symlink" : "file", mode, uid: sha });
    else if (!folder.folders.has(name)) addFolder(folder, name, mode);
  }
  return ordered(root.entries);
}

function addFolder({ entries, folders }: Folder, name: string, mode = directoryMode): Folder {
  const folder: Folder = { entries: [], folders: new Map() };
  folders.set(name, folder);
  entries.push({ name, type: "directory", mode, children: folder.entries });
  return folder;
}

const ordered = (entries: readonly TreeEntry[]): TreeEntry[] =>
  [...entries]
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map((entry) => (entry.children ? { ...entry, children: ordered(entry.children) } : entry));

const rank = ({ type }: TreeEntry): number => (type === "directory" ? 0 : 1);
