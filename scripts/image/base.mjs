import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, run } from "../setup/run.mjs";

/**
 * An image of this machine's Node.js: the program, the libraries that it names, and a user. Nothing else is needed.
 * @returns {Promise<string>} its name
 */
export async function localBase(podman, folder) {
  const files = join(folder, "base");
  const put = (from, to) => {
    mkdirSync(dirname(join(files, to)), { recursive: true });
    copyFileSync(from, join(files, to));
  };
  const node = process.execPath;
  const { code, stdout } = await run("ldd", [node]);
  if (code !== 0) throw new CommandError(`ldd ${node} failed: the libraries of Node.js cannot be found.`);
  put(node, "usr/local/bin/node");
  for (const [library] of stdout.matchAll(/\/\S+/g)) put(library, library);
  for (const name of ["etc", "tmp"]) mkdirSync(join(files, name), { recursive: true });
  chmodSync(join(files, "tmp"), 0o1777);
  writeFileSync(join(files, "etc/passwd"), "node:x:1000:1000::/data:/\n");
  writeFileSync(join(files, "etc/group"), "node:x:1000:\n");

  const name = "localhost/slipway-base";
  const archive = join(folder, "base.tar");
  const packed = await run("tar", ["-C", files, "--owner=0", "--group=0", "-cf", archive, "."]);
  if (packed.code !== 0) throw new CommandError(`tar failed: ${packed.output.trim()}`);
  await podman(["import", archive, name]);
  return name;
}
