import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { buildPulumi, goVersion, oldestGo } from "./go-build.mjs";
import { isAlive, withLock } from "./lock.mjs";
import { isExecutable, pathWithoutPackages, pulumiHome, root } from "./paths.mjs";
import { say, step } from "./progress.mjs";
import { CommandError, run } from "./run.mjs";

/** The Pulumi CLI that the package is tested with. */
export const pinnedVersion = "3.276.0";

/** The oldest supported version of a Pulumi CLI on PATH. Older versions do not import resources with their state. */
export const oldestVersion = "3.254.0";

const downloadTimeoutMs = 5 * 60_000;

/** Files that a folder must have to run a Node.js program with dynamic resources. */
const parts = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/**
 * Finds the Pulumi CLI, or downloads or builds it.
 * @returns {Promise<string>} the path of the executable
 */
export async function providePulumi() {
  const found = await findPulumi();
  if (found) return found;
  const versions = join(pulumiHome(), "versions");
  return withLock(
    join(versions, `.${pinnedVersion}.lock`),
    async () => (await findPulumi()) ?? obtain(versions),
  );
}

async function findPulumi() {
  const pinned = join(pulumiHome(), "versions", pinnedVersion, "bin");
  if (parts.every((part) => isExecutable(join(pinned, part)))) return join(pinned, "pulumi");
  const standard = findOnPath("pulumi");
  if (!standard) return undefined;
  const complete = parts.every((part) => isExecutable(join(dirname(standard), part)) || findOnPath(part));
  if (!complete) return undefined;
  const { stdout } = await run(standard, ["version"], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
  });
  return isSupported(stdout.trim()) ? standard : undefined;
}

/** Whether a version such as `v3.276.0` is in the supported range. */
export function isSupported(version) {
  const match = /^v?(\d+)\.(\d+)\.\d+/.exec(version);
  if (!match) return false;
  const [major, minor] = oldestVersion.split(".").map(Number);
  return Number(match[1]) === major && Number(match[2]) >= minor;
}

async function obtain(versions) {
  say(`the Pulumi CLI ${pinnedVersion} is neither in ${versions} nor on PATH (>=${oldestVersion} <4)`);
  removeLeftovers(versions);
  const reasons = [];
  for (const way of [download, build]) {
    // A temporary folder, renamed at the end, so that an interrupted set-up leaves no incomplete version.
    const staging = join(versions, `.${pinnedVersion}-${process.pid}`);
    const removeStaging = () => rmSync(staging, { recursive: true, force: true });
    process.on("exit", removeStaging);
    try {
      const reason = await way(staging);
      if (reason === undefined) {
        putInPlace(staging, join(versions, pinnedVersion));
        return join(versions, pinnedVersion, "bin/pulumi");
      }
      say(`  ${reason}`);
      reasons.push(reason);
    } finally {
      removeStaging();
      process.off("exit", removeStaging);
    }
  }
  throw new CommandError(
    [
      "There is no Pulumi CLI, and set-up could not install one:",
      ...reasons.map((reason) => `- ${reason}`),
      "Do one of these:",
      `1. install Pulumi yourself, so that \`pulumi\` (>=${oldestVersion} <4) is on PATH or version ${pinnedVersion} in ${join(versions, pinnedVersion)};`,
      "2. let this machine reach the vendor's download, if need be through a proxy (HTTPS_PROXY);",
      `3. install Go ${oldestGo} or later and let it reach a Go module proxy (GOPROXY); set-up then builds the CLI.`,
    ].join("\n"),
  );
}

/**
 * Downloads the CLI with the launcher of the npm package `pulumi`, which writes into PULUMI_HOME/versions. For this
 * download, PULUMI_HOME is in `staging`. The launcher does not exist in every version of the CLI, so PULUMI_VERSION names
 * the version.
 * @returns {Promise<string | undefined>} the reason of a failure
 */
async function download(staging) {
  const home = join(staging, "home");
  mkdirSync(home, { recursive: true });
  const { code, output, timedOut } = await step(`downloading Pulumi ${pinnedVersion} from its vendor`, () =>
    run(process.execPath, [join(root, "node_modules/pulumi/run.js"), "version"], {
      env: {
        ...process.env,
        PULUMI_HOME: home,
        PULUMI_VERSION: pinnedVersion,
        PULUMI_SKIP_UPDATE_CHECK: "true",
      },
      timeoutMs: downloadTimeoutMs,
    }),
  );
  const bin = join(home, "versions", pinnedVersion, "bin");
  if (code === 0 && parts.every((part) => isExecutable(join(bin, part)))) {
    renameSync(bin, join(staging, "bin"));
    rmSync(home, { recursive: true, force: true });
    return undefined;
  }
  const why = timedOut ? `no answer within ${downloadTimeoutMs / 60_000} minutes` : lastLine(output);
  return `the vendor's download is out of reach: ${why}`;
}

async function build(staging) {
  const version = await goVersion();
  if (version === undefined) return `building it needs Go ${oldestGo} or later, and there is none on PATH`;
  if (!version.supported) return `building it needs Go ${oldestGo} or later, and this is Go ${version.text}`;
  try {
    await buildPulumi(pinnedVersion, join(staging, "bin"));
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return `building it with Go ${version.text} failed: ${error.message}`;
  }
}

function putInPlace(staging, target) {
  if (existsSync(target)) renameSync(target, `${staging}-replaced`);
  renameSync(staging, target);
  rmSync(`${staging}-replaced`, { recursive: true, force: true });
}

/** Removes the temporary folders of killed set-ups. */
function removeLeftovers(versions) {
  const left = new RegExp(`^\\.${pinnedVersion.replaceAll(".", "\\.")}-(\\d+)(-replaced)?$`);
  for (const name of readdirSync(versions)) {
    const owner = left.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(versions, name), { recursive: true, force: true });
  }
}

function findOnPath(name) {
  return pathWithoutPackages()
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function lastLine(text) {
  return text.trim().split("\n").at(-1)?.trim() || "it printed no error";
}

/** The environment for the CLI, with its helpers and the pinned Node.js, and without requests to the vendor. */
export function pulumiEnvironment(pulumi) {
  return {
    ...process.env,
    PATH: [dirname(pulumi), join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter),
    PULUMI_HOME: pulumiHome(),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}
