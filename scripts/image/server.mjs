import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../setup/run.mjs";
import { limits } from "./podman.mjs";

const readyTimeoutMs = 60_000;
const token = "slipway-image-token";

/** Runs the image, and checks the statements about the image in docs/server.md. @throws CommandError */
export async function tryServer(podman, folder, image) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const seed = join(folder, "seed.json");
  writeFileSync(
    seed,
    JSON.stringify({
      users: [{ username: "ada", email: "ada@example.com" }],
      tokens: [{ token, user: "ada" }],
    }),
  );
  // The container runs as another user, who must be able to read the files.
  chmodSync(seed, 0o644);
  chmodSync(folder, 0o755);
  const name = "slipway";
  const settings = { SLIPWAY_HOST: "127.0.0.1", SLIPWAY_PORT: port, SLIPWAY_SEED: "/seed.json" };
  await podman([
    ...["run", "--detach", "--name", name, "--network", "host"],
    ...limits,
    ...["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
    ...["--volume", `${seed}:/seed.json:ro`, "--volume", "slipway-data:/data"],
    ...Object.entries(settings).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    image,
  ]);
  const { version } = await waitUntilReady(podman, name, url);
  console.log(`image: serves at ${url}, version ${version}`);

  const uid = (await podman(["exec", name, "node", "-p", "process.getuid()"])).stdout;
  expect(uid === "1000", `the container runs as user ${uid}, not as 1000`);
  const healthy = (await podman(["healthcheck", "run", name], { mayFail: true })).code === 0;
  expect(healthy, "the health check fails");
  await ask(url, "POST", "/v10/projects", { name: "web" });
  console.log("image: runs as user 1000, is healthy, and created a project");

  await podman(["stop", "--time", "15", name]);
  const ended = (await podman(["inspect", "--format", "{{.State.ExitCode}}", name])).stdout;
  expect(ended === "0", `the server exited with ${ended} on SIGTERM`);
  await podman(["start", name]);
  await waitUntilReady(podman, name, url);
  const { projects } = await ask(url, "GET", "/v9/projects");
  expect(projects.length === 1, "the project does not exist after a restart");
  console.log("image: exited with 0 on SIGTERM, and kept its data");
  await podman(["rm", "--force", name]);
  await tryWithoutAccounts(podman, image);
}

/** Runs the image as a service of CI: the server starts without accounts, and the control plane adds an account. */
async function tryWithoutAccounts(podman, image) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    SLIPWAY_PORT: port,
    SLIPWAY_SEED: "/app/empty.json",
    SLIPWAY_CONTROL_TOKEN: token,
    SLIPWAY_DATA: "memory",
  };
  const name = "slipway-service";
  await podman([
    ...["run", "--detach", "--name", name, "--network", "host", ...limits],
    ...Object.entries(settings).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    image,
  ]);
  await waitUntilReady(podman, name, url);
  await ask(url, "POST", "/_control/seed", {
    users: [{ username: "ada", email: "ada@example.com" }],
    tokens: [{ token, user: "ada" }],
  });
  const { projects } = await ask(url, "GET", "/v9/projects");
  expect(projects.length === 0, "a new account has projects");
  console.log("image: starts without accounts, and the control plane added one");
  await podman(["rm", "--force", name]);
}

async function waitUntilReady(podman, name, url) {
  for (const deadline = Date.now() + readyTimeoutMs; ; await sleep(100)) {
    try {
      const response = await fetch(`${url}/_ready`);
      if (response.ok) return await response.json();
    } catch {
      // The server does not answer yet.
    }
    const { stdout } = await podman(["inspect", "--format", "{{.State.Status}}", name]);
    if (stdout !== "running" || Date.now() > deadline) {
      const { stdout: log } = await podman(["logs", name], { mayFail: true });
      throw new CommandError(`image: the container is ${stdout} and not ready:\n${log}`);
    }
  }
}

async function ask(url, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${method} ${path} answered ${response.status}`);
  return response.json();
}

function expect(holds, otherwise) {
  if (!holds) throw new CommandError(`image: ${otherwise}`);
}

/** A port that was free a moment ago. */
function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer().on("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}
