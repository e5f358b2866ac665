import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Podman, startPodman } from "./clean-machine";
import { until } from "./until";

const {
  localBase,
}: { localBase(podman: Podman, folder: string): Promise<string> } = require("../../scripts/image/base.mjs");
const {
  buildImage,
}: {
  buildImage(podman: Podman, base: string, image: string): Promise<string>;
} = require("../../scripts/image/build.mjs");

export interface ContainerEngine {
  /** Variables with which clients of Docker, such as Testcontainers, find the engine. */
  env: { DOCKER_HOST: string; TESTCONTAINERS_RYUK_DISABLED: string };
  /** The names of all containers. */
  containers(): Promise<string>;
  /** Ends the engine, and removes what it has. */
  stop(): Promise<void>;
}

/**
 * Starts podman with the API of Docker, and builds the server's image under a name.
 * @param folder an empty folder for the store and the socket
 */
export async function startContainerEngine(folder: string, image: string): Promise<ContainerEngine> {
  const { podman, clear, flags } = await startPodman(folder);
  await buildImage(podman, await localBase(podman, folder), image);
  // Machines without systemd refuse the default limits.
  const settings = join(folder, "containers.conf");
  writeFileSync(settings, '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n');
  const socket = join(folder, "podman.sock");
  const engine = spawn("podman", [...flags, "system", "service", "--time=0", `unix://${socket}`], {
    env: { ...process.env, CONTAINERS_CONF: settings },
    stdio: "ignore",
  });
  await until("podman has its socket", () => existsSync(socket) || undefined);
  return {
    // The image that removes containers after a crash is in a registry only.
    env: { DOCKER_HOST: `unix://${socket}`, TESTCONTAINERS_RYUK_DISABLED: "true" },
    containers: async () => (await podman(["ps", "--all", "--format", "{{.Names}}"])).output.trim(),
    async stop() {
      const ended = once(engine, "close");
      engine.kill("SIGTERM");
      await ended;
      await clear();
    },
  };
}
