import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./command.mjs";
import { localBase } from "./image/base.mjs";
import { tryServer } from "./image/server.mjs";
import { tryStack } from "./image/stack.mjs";
import { root } from "./setup/paths.mjs";
import { CommandError, run } from "./setup/run.mjs";

const usage = `npm run image [-- --base <image>]

Builds the server's image (examples/docker/Dockerfile) with podman and tests it: as an unprivileged user, with a
read-only root and its data on a volume. Sends requests, checks the health, stops it with SIGTERM and starts it again.
At the end, it removes everything, the image included.
If a Docker engine and Pulumi's docker plugin are available, it also runs the stack of examples/docker.

  --base <image>  the base image, such as node:24-slim; by default, this machine's Node.js and its libraries, so that
                  no registry is needed`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    const folder = mkdtempSync(join(tmpdir(), "slipway-image-"));
    const podman = await engine(folder);
    try {
      const at = args.indexOf("--base");
      const base = at >= 0 ? args[at + 1] : await localBase(podman, folder);
      const image = await build(podman, base);
      await tryServer(podman, folder, image);
    } finally {
      for (const what of ["container", "volume", "image"]) {
        await podman([what, "rm", "--all", "--force"], { mayFail: true });
      }
      rmSync(folder, { recursive: true, force: true });
    }
    await tryStack(pulumi);
    return 0;
  },
});

/** Podman with a store of its own, in a way that needs neither systemd nor a file system of overlays. */
async function engine(folder) {
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
  const own = ["--root", `${store}/graph`, "--runroot", `${store}/run`];
  return async (args, { mayFail = false } = {}) => {
    const { code, output, stdout } = await run("podman", [...flags, ...own, ...args], { cwd: root });
    if (code !== 0 && !mayFail) throw new CommandError(`podman ${args.join(" ")} failed:\n${output.trim()}`);
    return { code, stdout: stdout.trim() };
  };
}

async function build(podman, base) {
  const image = "localhost/slipway";
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"];
  const args = ["--build-arg", `BASE=${base}`, "--build-arg", `VERSION=${version}`];
  // Only this format knows health checks.
  const format = ["--format", "docker"];
  const file = ["-f", "examples/docker/Dockerfile", "-t", image, "dist/server"];
  await podman(["build", ...limits, ...format, ...args, ...file]);
  const { stdout } = await podman(["image", "inspect", "--format", "{{.Size}} {{.User}}", image]);
  const [size, user] = stdout.split(" ");
  console.log(`image: built upon ${base}: ${Math.round(size / 1e6)} MB, user ${user}`);
  return image;
}
