import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { CommandError, run } from "../setup/run.mjs";

/** Flags of every test container. Machines without systemd refuse the default limits. */
export const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"];

/**
 * Podman with a separate store, without systemd and without an overlay file system.
 * @param {string} folder where the store is created
 * @returns a function that runs podman, one that empties the store, and the flags with which podman uses the store
 */
export async function startPodman(folder) {
  for (const [tool, needed] of [
    ["podman", "It builds and runs the image without a daemon"],
    ["runc", "It starts the containers"],
  ]) {
    if ((await run(tool, ["--version"])).code !== 0) {
      throw new CommandError(`${tool} is missing. ${needed}. Install both: apt-get install podman runc`);
    }
  }
  const store = join(folder, "store");
  mkdirSync(store);
  const flags = ["--runtime", "runc", "--cgroup-manager=cgroupfs", "--storage-driver=vfs"];
  flags.push("--root", `${store}/graph`, "--runroot", `${store}/run`);
  const podman = async (args, { mayFail = false } = {}) => {
    const { code, output, stdout } = await run("podman", [...flags, ...args], { cwd: root });
    if (code !== 0 && !mayFail) throw new CommandError(`podman ${args.join(" ")} failed:\n${output.trim()}`);
    return { code, output, stdout: stdout.trim() };
  };
  /** Removes every container, volume and image of the store. */
  const clear = async () => {
    for (const what of ["container", "volume", "image"]) {
      await podman([what, "rm", "--all", "--force"], { mayFail: true });
    }
  };
  return { podman, clear, flags };
}
