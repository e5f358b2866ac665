import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";
import { CommandError } from "../setup/run.mjs";
import { limits } from "./podman.mjs";

/**
 * Builds the server's image from dist/, and checks its label.
 * @param {string} base the base image, such as `node:24-slim`
 * @returns {Promise<string>} the name of the image
 */
export async function buildImage(podman, base, image = "localhost/slipway") {
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
