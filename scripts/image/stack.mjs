import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../setup/paths.mjs";
import { pulumiEnvironment } from "../setup/pulumi.mjs";
import { CommandError, run } from "../setup/run.mjs";

/** Runs the whole stack of examples/docker. If this machine lacks a tool for it, prints which one. */
export async function tryStack(pulumi) {
  const missing = await findMissing(pulumi);
  if (missing) {
    console.log(`image: the stack of examples/docker was not run: ${missing}`);
    return;
  }
  const state = mkdtempSync(join(tmpdir(), "slipway-docker-"));
  const env = {
    ...pulumiEnvironment(pulumi),
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: "try",
  };
  const inStack = async (args) => {
    const { code, output } = await run(pulumi, [...args, "--non-interactive", "--stack", "try"], {
      cwd: join(root, "examples/docker"),
      env,
    });
    if (code !== 0) throw new CommandError(`pulumi ${args[0]} failed:\n${output.trim()}`);
    return output.trim();
  };
  try {
    await inStack(["stack", "init", "--secrets-provider", "passphrase"]);
    await inStack(["config", "set", "--secret", "token", "slipway-image-token"]);
    await inStack(["config", "set", "port", "4871"]);
    await inStack(["up", "--yes", "--skip-preview"]);
    const response = await fetch("http://127.0.0.1:4871/_ready");
    if (!response.ok) throw new CommandError(`image: the stack's server answered ${response.status}`);
    console.log("image: the stack of examples/docker was created and destroyed");
  } finally {
    await inStack(["destroy", "--yes", "--skip-preview"]);
    rmSync(join(root, "examples/docker/Pulumi.try.yaml"), { force: true });
    rmSync(state, { recursive: true, force: true });
  }
}

async function findMissing(pulumi) {
  const engine = await run("docker", ["version", "--format", "{{.Server.Version}}"], { timeoutMs: 10_000 });
  if (engine.code !== 0) return "no Docker engine answers (docker version)";
  const plugins = await run(pulumi, ["plugin", "ls", "--json"]);
  if (/"name": *"docker"/.test(plugins.stdout)) return undefined;
  return "Pulumi's docker plugin is missing (pulumi plugin install resource docker 5.2.0)";
}
