import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { foreground } from "./command.mjs";
import { secret } from "./local-server.mjs";
import { isAlive } from "./setup/lock.mjs";
import { localFolder, root } from "./setup/paths.mjs";
import { pulumiEnvironment } from "./setup/pulumi.mjs";
import { CommandError, run } from "./setup/run.mjs";

const state = join(localFolder, "state");
const project = "slipway-quickstart";
const stack = "dev";

/** The environment of the root stack, with its state in .slipway/. @param server the variables that select the API */
export function stackEnvironment(pulumi, server) {
  mkdirSync(state, { recursive: true });
  secret("passphrase");
  const { PULUMI_CONFIG_PASSPHRASE: _, ...environment } = pulumiEnvironment(pulumi);
  return {
    ...environment,
    // `metadata=skip` avoids attribute files next to the state, because a killed run can leave them empty.
    PULUMI_BACKEND_URL: `${pathToFileURL(state).href}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE_FILE: join(localFolder, "passphrase"),
    // Selects the stack for commands without --stack, instead of the selection in the user's PULUMI_HOME.
    PULUMI_STACK: stack,
    ...server,
  };
}

/** Runs one command of the Pulumi CLI on the root stack, in the foreground. */
export const onStack = (pulumi, env, [name, ...args]) =>
  foreground(pulumi, [name, "--cwd", root, "--stack", stack, ...args], env, { isOneInterrupt: true });

const checkpoint = join(state, ".pulumi/stacks", project, `${stack}.json`);

/** True when the state has resources. */
export function stackHoldsResources() {
  if (!existsSync(checkpoint)) return false;
  return (JSON.parse(readFileSync(checkpoint, "utf8")).checkpoint.latest?.resources ?? []).length > 0;
}

/** Creates the stack on first use, and removes the lock of a killed run. */
export async function selectStack(pulumi, env) {
  if (!existsSync(checkpoint)) {
    await quietly(pulumi, env, ["stack", "init", stack, "--secrets-provider", "passphrase"]);
  } else if (isLockedByTheDead()) {
    await quietly(pulumi, env, ["cancel", stack, "--yes"]);
  }
}

async function quietly(pulumi, env, args) {
  const { code, output } = await run(pulumi, [...args, "--cwd", root, "--non-interactive"], {
    cwd: root,
    env,
  });
  if (code !== 0) throw new CommandError(`pulumi ${args.join(" ")} failed:\n${output.trim()}`);
}

function isLockedByTheDead() {
  const folder = join(state, ".pulumi/locks/organization", project, stack);
  const locks = existsSync(folder) ? readdirSync(folder) : [];
  return (
    locks.length > 0 &&
    locks.every((name) => {
      const { pid, hostname: host } = JSON.parse(readFileSync(join(folder, name), "utf8"));
      return host === hostname() && !isAlive(pid);
    })
  );
}
