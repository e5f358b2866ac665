import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../setup/paths.mjs";
import { CommandError, run } from "../setup/run.mjs";

/**
 * Copies the files that Git tracks, so that a release is built from nothing else and can have its own version. The
 * modes of the copies do not depend on the umask of the clone.
 * @throws CommandError without a Git repository
 */
export async function copySources(folder) {
  const listed = (await git("ls-files", "-z")).split("\0");
  // Git also lists files that were deleted since the last commit.
  const names = listed.filter((name) => name !== "" && existsSync(join(root, name)));
  for (const name of names) {
    const [from, to] = [join(root, name), join(folder, name)];
    mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
    copyFileSync(from, to);
    chmodSync(to, statSync(from).mode & 0o100 ? 0o755 : 0o644);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

/** The number of commits. */
export const countCommits = async () => Number(await git("rev-list", "--count", "HEAD"));

/** @throws CommandError in a clone without the whole history, because the number of commits would differ */
export async function refuseShallow() {
  if ((await git("rev-parse", "--is-shallow-repository")).trim() === "false") return;
  throw new CommandError(
    "This clone lacks a part of the history. The version of a pre-release contains the number of commits. Run git fetch --unshallow.",
  );
}

/** Whether tracked files differ from the last commit, from which the release is built. */
export const hasChanges = async () =>
  (await git("status", "--porcelain", "--untracked-files=no")).trim() !== "";

async function git(...args) {
  const { code, stdout, output } = await run("git", args, { cwd: root });
  if (code === 0) return stdout;
  throw new CommandError(
    `A release is built from a clone of the repository, and git failed:\n${output.trim()}`,
  );
}
