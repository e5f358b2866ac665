import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodeProblem } from "../../provider/client/config";
import { version } from "../../provider/client/version";
import { pulumiHome } from "../core/pulumi-home";
import { isSupportedPulumi, supportedPulumiText } from "../core/pulumi-version";
import type { Check } from "./check";

export function checkNode(): Check {
  const found = process.versions.node;
  const problem = nodeProblem(found);
  return problem === undefined
    ? { name: "Node.js", state: "ok", found, hint: null }
    : { name: "Node.js", state: "problem", found, hint: problem };
}

export function checkPulumi(): Check {
  const { status, stdout, error } = spawnSync("pulumi", ["version"], { encoding: "utf8" });
  const name = "Pulumi CLI";
  if (error || status !== 0) {
    return {
      name,
      state: "problem",
      found: "not on PATH",
      hint: "Install it: https://www.pulumi.com/docs/install/. If it is installed as the npm package pulumi, run npx slipway doctor.",
    };
  }
  const found = stdout.trim().replace(/^v/, "");
  return isSupportedPulumi(found)
    ? { name, state: "ok", found, hint: null }
    : {
        name,
        state: "warning",
        found,
        hint: `Slipway supports ${supportedPulumiText}. Install one of these versions.`,
      };
}

export function checkPlugin(): Check {
  const isInstalled =
    listedPlugins()?.includes(version) ??
    existsSync(join(pulumiHome(), "plugins", `resource-slipway-v${version}`));
  return {
    name: "plugin",
    state: "ok",
    found: isInstalled ? version : "not installed",
    hint: isInstalled
      ? null
      : "Programs in TypeScript do not need it. For other languages: slipway plugin install",
  };
}

/** The versions of the plugin that the Pulumi CLI finds; undefined when the CLI cannot list plugins. */
function listedPlugins(): string[] | undefined {
  const { stdout } = spawnSync("pulumi", ["plugin", "ls", "--json"], {
    encoding: "utf8",
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
  });
  try {
    const plugins = JSON.parse(stdout) as { name: string; version?: string }[];
    return plugins.filter(({ name }) => name === "slipway").map((plugin) => plugin.version ?? "");
  } catch {
    return undefined;
  }
}
