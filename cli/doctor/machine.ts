import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodeProblem } from "../../provider/client/config";
import { version } from "../../provider/client/version";
import { pulumiEnvironment } from "../../provider/pulumi-cli";
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

/** How long the CLI may take to answer, in milliseconds. */
const timeLimitMs = 20_000;

export function checkPulumi(timeout = timeLimitMs): Check {
  const options = { encoding: "utf8", timeout, killSignal: "SIGKILL", env: pulumiEnvironment() } as const;
  const { status, stdout, error } = spawnSync("pulumi", ["version"], options);
  const name = "Pulumi CLI";
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT") {
    const found = `no answer within ${timeout / 1000} s`;
    return { name, state: "problem", found, hint: "Run pulumi version to see why it hangs." };
  }
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

export function checkPlugin(timeout = timeLimitMs): Check {
  const isInstalled =
    listedPlugins(timeout)?.includes(version) ??
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
function listedPlugins(timeout: number): string[] | undefined {
  const { stdout } = spawnSync("pulumi", ["plugin", "ls", "--json"], {
    encoding: "utf8",
    timeout,
    killSignal: "SIGKILL",
    env: pulumiEnvironment(),
  });
  try {
    const plugins = JSON.parse(stdout ?? "") as { name: string; version?: string }[];
    return plugins.filter(({ name }) => name === "slipway").map((plugin) => plugin.version ?? "");
  } catch {
    return undefined;
  }
}
