import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./command.mjs";
import { localBase } from "./image/base.mjs";
import { limits, startPodman } from "./image/podman.mjs";
import { tryServer } from "./image/server.mjs";
import { tryStack } from "./image/stack.mjs";
import { root } from "./setup/paths.mjs";
import { CommandError } from "./setup/run.mjs";

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
    const { podman, clear } = await startPodman(folder);
    try {
      const at = args.indexOf("--base");
      const base = at >= 0 ? args[at + 1] : await localBase(podman, folder);
      const image = await build(podman, base);
      await tryServer(podman, folder, image);
    } finally {
      await clear();
      rmSync(folder, { recursive: true, force: true });
    }
    await tryStack(pulumi);
    return 0;
  },
});

async function build(podman, base) {
  const image = "localhost/slipway";
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const args = ["--build-arg", `BASE=${base}`, "--build-arg", `VERSION=${version}`];
  // Only this format supports health checks.
  const format = ["--format", "docker"];
  const file = ["-f", "examples/docker/Dockerfile", "-t", image, "dist/server"];
  await podman(["build", ...limits, ...format, ...args, ...file]);
  const { stdout: labels } = await podman(["image", "inspect", "--format", "{{json .Labels}}", image]);
  const { "org.opencontainers.image.version": labelled } = JSON.parse(labels);
  if (labelled !== version)
    throw new CommandError(`image: the label has version ${labelled}, not ${version}`);
  const { stdout } = await podman(["image", "inspect", "--format", "{{.Size}} {{.User}}", image]);
  const [size, user] = stdout.split(" ");
  console.log(`image: built on ${base}: ${Math.round(size / 1e6)} MB, user ${user}`);
  return image;
}
