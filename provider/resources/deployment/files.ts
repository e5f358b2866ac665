// Longer than other files: which files of a folder or a build output are deployed, as the official client decides it.
import { createHash } from "node:crypto";
import type { Dirent, Stats } from "node:fs";
import { access, constants, lstat, open, readdir, readFile, readlink, realpath } from "node:fs/promises";
import { join, posix, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { inParallel } from "../../core/parallel";
import { isPlain } from "../../core/values";

/** Finds and hashes the files to deploy in a folder. Reads contents in pieces, and keeps none in memory. */

export interface SourceFile {
  /** The path in the deployment, with slashes. */
  path: string;
  /** The path on this machine. */
  location: string;
  /** SHA-1 of the content, which identifies the content at the service. */
  sha: string;
  /** The size in bytes. */
  size: number;
  mode: number;
  /** The target of a symbolic link. It is uploaded as the content of the file. */
  link?: string;
}

export interface Folder {
  files: SourceFile[];
  /** Hash of all paths, modes and contents. */
  digest: string;
}

/** How a folder is deployed: as source to build, or as build output. */
export type FolderKind = "directory" | "prebuilt";

/** Files that the official client does not deploy. @source the newest official client: its list of default ignores */
const neverDeployed = [
  ".hg",
  ".git",
  ".gitmodules",
  ".svn",
  ".cache",
  ".next",
  ".now",
  ".vercel",
  ".npmignore",
  ".dockerignore",
  ".gitignore",
  ".*.swp",
  ".DS_Store",
  ".wafpicke-*",
  ".lock-wscript",
  ".env.local",
  ".env.*.local",
  ".venv",
  ".yarn/cache",
  "npm-debug.log",
  "config.gypi",
  "node_modules",
  "__pycache__",
  "venv",
  "CVS",
  ".pnp*",
];

/** The build folder of Rust, which the official client does not deploy from a folder with a Cargo.toml. */
const rustBuild = "/target";

/** Path of the build output in a deployment. The local folder may have another name. */
const outputPath = ".vercel/output";
/** How many files are read at a time. */
const atOnce = 16;

/**
 * Reads a folder and hashes its files.
 * @param only paths of the files to deploy; not given, all files are deployed
 * @throws Error when the path is not a folder, or the folder has no files to deploy, or lacks one of `only`
 */
export async function readFolder(
  kind: FolderKind,
  directory: string,
  only?: readonly string[],
): Promise<Folder> {
  const found = await filesIn(kind, directory, only);
  if (found.length === 0) throw new Error(`${kind} ${directory} has no files to deploy. ${emptyHint[kind]}`);
  const files = await inParallel(found, hashed, atOnce);
  const lines = files.map(({ path, mode, sha }) => JSON.stringify([path, mode, sha]));
  return { files, digest: createHash("sha256").update(lines.join("\n")).digest("hex") };
}

const emptyHint = {
  directory: "Check the path, and .vercelignore or .nowignore.",
  prebuilt: "Run `vercel build` first.",
};

/** @returns why a folder cannot be deployed; undefined if it can */
export async function reasonAgainstFolder(
  kind: FolderKind,
  directory: string,
  only?: readonly string[],
): Promise<string | undefined> {
  try {
    const found = await filesIn(kind, directory, only);
    await inParallel(found, refuseUnreadable, atOnce);
    if (found.length > 0) return undefined;
    return `${kind} ${directory} has no files to deploy. ${emptyHint[kind]}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws Error for a file that cannot be read */
async function refuseUnreadable({ path, location }: FoundFile): Promise<void> {
  if ((await lstat(location)).isSymbolicLink()) return;
  await access(location, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `The file ${path} cannot be read (${error.code}). Make it readable, or list it in .vercelignore.`,
    );
  });
}

type FoundFile = Pick<SourceFile, "path" | "location">;

/** The files to deploy, in the order of their paths. */
async function filesIn(kind: FolderKind, directory: string, paths?: readonly string[]): Promise<FoundFile[]> {
  const only = paths?.map((path) => posix.normalize(path));
  const root = resolve(directory);
  await refuseNoFolder(kind, directory, root);
  const found =
    kind === "directory"
      ? await filesBelow(root, "", await ignoredIn(root))
      : [...(await outputFiles(root)).inside, ...(await filesOfFunctions(root))];
  const byPath = new Map(found.map((file) => [file.path, file]));
  const lacking = only?.find((path) => !byPath.has(path));
  if (lacking !== undefined)
    throw new Error(
      `files has ${lacking}, but ${directory} has no such file to deploy. Give paths within the directory, such as ` +
        "public/index.html. Files that .vercelignore excludes, such as node_modules, are not deployed.",
    );
  return [...byPath.values()]
    .filter(({ path }) => only?.includes(path) ?? true)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function refuseNoFolder(kind: FolderKind, directory: string, root: string): Promise<void> {
  const stats = await lstat(root).catch(() => undefined);
  // A link to a folder is followed.
  const isFolder = stats?.isDirectory() || (await readdir(root).catch(() => undefined)) !== undefined;
  if (!isFolder) {
    throw new Error(
      `${kind} ${directory} is not a folder. Relative paths are resolved from the folder of the program, ` +
        `${process.cwd()}. If a resource of the same run creates the folder, pass the path as its output.`,
    );
  }
  if (kind === "directory") return;
  await access(join(root, "config.json")).catch(() => {
    throw new Error(
      `prebuilt ${directory} has no config.json, so it is not the output of a build. Run \`vercel build\` first.`,
    );
  });
}

/**
 * The rules in .vercelignore, or in .nowignore, the older name of this file. They have the syntax of .gitignore.
 * @throws Error if there are both files, which the official client refuses too
 */
async function ignoredIn(root: string): Promise<Ignore> {
  const [rules, older] = await Promise.all([
    textIn(join(root, ".vercelignore")),
    textIn(join(root, ".nowignore")),
  ]);
  if (rules !== undefined && older !== undefined)
    throw new Error(
      `${root} has a .vercelignore and a .nowignore. Move the rules into .vercelignore, and delete .nowignore.`,
    );
  const isRust = (await textIn(join(root, "Cargo.toml"))) !== undefined;
  // The official client accepts rules that begin with "./".
  return ignore()
    .add(neverDeployed)
    .add(isRust ? [rustBuild] : [])
    .add((rules ?? older ?? "").replace(/^(!?)\.\//gm, "$1"));
}

/** The content of a file; undefined if it does not exist. */
const textIn = (location: string): Promise<string | undefined> =>
  readFile(location, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

/** The files of a build output, without the symbolic links that lead out of it: their targets are not deployed. */
async function outputFiles(root: string): Promise<{ inside: FoundFile[]; links: FoundFile[] }> {
  const all = await filesBelow(root, `${outputPath}/`);
  const leads = await inParallel(all, ({ location }) => leadsOut(root, location), atOnce);
  return { inside: all.filter((_, i) => !leads[i]), links: all.filter((_, i) => leads[i]) };
}

/** True for a symbolic link whose target is not in a folder, or does not exist. */
async function leadsOut(root: string, location: string): Promise<boolean> {
  if (!(await lstat(location)).isSymbolicLink()) return false;
  const [folder, target] = await Promise.all([realpath(root), realpath(location).catch(() => undefined)]);
  return target === undefined || (target !== folder && !target.startsWith(folder + sep));
}

/** The maximum number of links in a warning. */
const mostLinks = 5;

/** Warns about symbolic links of a build output that are not deployed. */
export async function linkWarnings(kind: FolderKind, directory: string): Promise<string[]> {
  if (kind !== "prebuilt") return [];
  const { links } = await outputFiles(resolve(directory)).catch(() => ({ links: [] as FoundFile[] }));
  if (links.length === 0) return [];
  const names = links.map(({ path }) => path.slice(outputPath.length + 1)).sort();
  const more = names.length - mostLinks;
  const list = [...names.slice(0, mostLinks), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return [
    `Symbolic links that lead out of ${directory}, or nowhere, are not deployed: ${list}. Copy the files into the ` +
      "output, or name them in the filePathMap of the function.",
  ];
}

/** Node.js decodes bytes that are not UTF-8 to this character. */
const replacementCharacter = "\ufffd";

/** @throws Error for a name that is not valid UTF-8, which cannot be sent */
function refuseInvalidName(name: string): void {
  if (name.includes(replacementCharacter))
    throw new Error(`The name of ${name} is not valid UTF-8. Rename the file, or list it in .vercelignore.`);
}

/** Symbolic links are treated as files. Sockets, devices and pipes are left out. */
const isDeployed = (entry: Dirent): boolean => entry.isFile() || entry.isSymbolicLink();

/** @param path the subfolder to read, with a slash at the end; empty for the whole folder */
async function filesBelow(folder: string, prefix: string, ignored?: Ignore, path = ""): Promise<FoundFile[]> {
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  const found: FoundFile[] = [];
  for (const entry of entries) {
    const name = path + entry.name;
    const subfolder = entry.isDirectory() ? `${name}/` : undefined;
    if (ignored?.ignores(subfolder ?? name)) continue;
    refuseInvalidName(name);
    if (subfolder) found.push(...(await filesBelow(folder, prefix, ignored, subfolder)));
    else if (isDeployed(entry)) found.push({ path: prefix + name, location: join(folder, name) });
  }
  return found;
}

/**
 * Finds the files to which the functions of a build output refer. Files outside the project's folder are left out.
 * @param output the folder with the build output
 * @source the newest official client, which reads the build output's `.vc-config.json`: filePathMap
 */
async function filesOfFunctions(output: string): Promise<FoundFile[]> {
  const project = resolve(output, "../..");
  const functions = (await filesBelow(output, "")).filter(({ path }) =>
    path.endsWith(".func/.vc-config.json"),
  );
  const named = await inParallel(
    functions,
    async ({ location }) => {
      const config: unknown = JSON.parse(await readFile(location, "utf8"));
      const map = isPlain(config) && isPlain(config.filePathMap) ? config.filePathMap : {};
      return Object.values(map).filter((file): file is string => typeof file === "string");
    },
    atOnce,
  );
  return named.flat().flatMap((file) => {
    const location = resolve(project, file);
    const path = relative(project, location).split(sep).join("/");
    return path === ".." || path.startsWith("../") ? [] : [{ path, location }];
  });
}

async function hashed({ path, location }: FoundFile): Promise<SourceFile> {
  const stats = await lstat(location);
  if (stats.isSymbolicLink()) {
    const link = await readlink(location);
    return { path, location, sha: sha1(link), size: Buffer.byteLength(link), mode: 0o120777, link };
  }
  return { path, location, ...(await contentOf(location, stats.size)), mode: modeOf(stats) };
}

/** The most bytes of a file that are read at a time. */
const pieceBytes = 64 * 1024;

/** Reads all pieces of a file into the same buffer. A stream would allocate a buffer for each piece. */
export async function contentOf(
  location: string,
  expected: number,
): Promise<Pick<SourceFile, "sha" | "size">> {
  const hash = createHash("sha1");
  // One byte more than expected, so that one read finds the end of a small file.
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, expected + 1));
  const file = await open(location);
  try {
    for (let size = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
      if (bytesRead === 0 || (size === expected && bytesRead < buffer.length))
        return { sha: hash.digest("hex"), size };
    }
  } finally {
    await file.close();
  }
}

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

/** @choice The mode that Git records, so that the same files have the same digest on every machine. */
const modeOf = ({ mode }: Stats): number => (mode & 0o100 ? 0o100755 : 0o100644);
