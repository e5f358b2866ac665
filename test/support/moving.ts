import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { block } from "./pages";
import type { Stack, Workspace } from "./pulumi";
import { type ReplayedAccount, replayAccount } from "./recorded-account";
import { until } from "./until";

const run = promisify(execFile);

/** Makes the account that another tool once made, and waits until nothing changes it any more. */
export async function replayIn({ server }: Workspace, tool: string): Promise<ReplayedAccount> {
  const team = (await server.request("GET", "/v2/teams/acme")).body.id;
  const account = await replayAccount(tool, team, async (method, path, body) => {
    const answer = await server.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  });
  // A deployment changes its project until its build ends.
  await until("no build is under way", async () => {
    const { deployments } = (await server.request("GET", "/v6/deployments")).body;
    return deployments.every(({ readyState }: { readyState: string }) => readyState === "READY") || undefined;
  });
  return account;
}

/** Runs a block of a guide in the folder of a stack, without its `export` lines. @returns what it printed */
export async function follow(world: Workspace, stack: Stack, id: string): Promise<string> {
  const text = block(id)
    .replace(/^ {3}/gm, "")
    .replace(/^export .*$/m, "");
  const { stdout, stderr } = await run("sh", ["-ec", text], {
    cwd: stack.folder,
    env: { ...world.environment(), PULUMI_SKIP_CONFIRMATIONS: "true" },
  }).catch((error) => {
    throw new Error(`${text}\n${error.stdout}\n${error.stderr}`);
  });
  world.record(stdout + stderr);
  return stdout + stderr;
}
