import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, run } from "../setup/run.mjs";

/** An image with only this machine's Node.js. @returns {Promise<string>} its name */
export const localBase = (podman, folder) =>
  importFiles(podman, folder, "localhost/slipway-base", { "/usr/local/bin/node": process.execPath });

/**
 * An image with some programs of this machine, the libraries that they need, and a user.
 * @param {Record<string, string>} programs the paths on this machine, by path in the image
 * @param {string[]} libraries other files on this machine: the image gets the libraries that these need
 * @returns {Promise<string>} its name
 */
export async function importFiles(podman, folder, name, programs, libraries = []) {
  const files = join(folder, "base");
  const put = (from, to) => {
    mkdirSync(dirname(join(files, to)), { recursive: true });
    copyFileSync(from, join(files, to));
  };
  for (const [to, from] of Object.entries(programs)) put(from, to);
  for (const file of [...Object.values(programs), ...libraries]) {
    const { code, stdout, output } = await run("ldd", [file]);
    if (code !== 0 && output.includes("not a dynamic executable")) continue;
    if (code !== 0) throw new CommandError(`ldd ${file} failed: its libraries cannot be found.`);
    for (const [library] of stdout.matchAll(/\/\S+/g)) put(library, library);
  }
  for (const directory of ["etc", "tmp"]) mkdirSync(join(files, directory), { recursive: true });
  chmodSync(join(files, "tmp"), 0o1777);
  writeFileSync(join(files, "etc/passwd"), "root:x:0:0::/root:/\nnode:x:1000:1000::/data:/\n");
  writeFileSync(join(files, "etc/group"), "root:x:0:\nnode:x:1000:\n");

  const archive = join(folder, "base.tar");
  const packed = await run("tar", ["-C", files, "--owner=0", "--group=0", "-cf", archive, "."]);
  if (packed.code !== 0) throw new CommandError(`tar failed: ${packed.output.trim()}`);
  await podman(["import", archive, name]);
  return name;
}
