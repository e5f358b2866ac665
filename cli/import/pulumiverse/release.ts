import { commandFallback, shellArgument } from "../shell";

/** The largest number of resources in one command, which limits the length of its line. */
const most = 50;

/**
 * The script that removes resources from the state of the stack. Their objects stay at the service.
 * @param urns in the order of their creation
 */
export function releaseScript(urns: readonly string[]): string {
  // Dependent resources are removed first.
  const reversed = [...urns].reverse();
  const commands: string[] = [];
  for (let at = 0; at < reversed.length; at += most) {
    const some = reversed.slice(at, at + most).map((urn) => `  ${shellArgument(urn)}`);
    commands.push(["pulumi state delete --yes --force", ...some].join(" \\\n"));
  }
  return [
    "#!/bin/sh",
    "# Removes the resources of @pulumiverse/vercel from the state of the selected stack. Their objects stay.",
    "set -e",
    ...commandFallback,
    ...commands,
    "",
  ].join("\n");
}

/** The script that removes resources from the state of an SST app. SST removes one resource at a time, by its name. */
export function sstReleaseScript(urns: readonly string[]): string {
  const names = [...urns].reverse().map((urn) => urn.split("::").slice(3).join("::"));
  return [
    "#!/bin/sh",
    "# Removes the resources of @pulumiverse/vercel from the state of the SST app. Their objects stay.",
    "# Run it in the folder of the app. Flags go to sst: sh release.sh --stage production",
    "set -e",
    'command -v sst > /dev/null || sst() { npx sst "$@"; }',
    ...names.map((name) => `sst state remove ${shellArgument(name)} "$@"`),
    "",
  ].join("\n");
}
