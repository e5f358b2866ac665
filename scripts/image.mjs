import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "./command.mjs";
import { localBase } from "./image/base.mjs";
import { buildImage } from "./image/build.mjs";
import { startPodman } from "./image/podman.mjs";
import { tryServer } from "./image/server.mjs";
import { tryStack } from "./image/stack.mjs";

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
      const image = await buildImage(podman, base);
      await tryServer(podman, folder, image);
    } finally {
      await clear();
      rmSync(folder, { recursive: true, force: true });
    }
    await tryStack(pulumi);
    return 0;
  },
});
