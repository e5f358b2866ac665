import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { accountOf } from "../support/account-state";
import { block } from "../support/pages";
import { type Stack, Workspace } from "../support/pulumi";
import { type ReplayedAccount, replayAccount } from "../support/recorded-account";
import { until } from "../support/until";

const run = promisify(execFile);
/** The text of a block of the guide, without the indentation of its list. */
const guided = (id: string): string => block(id).replace(/^ {3}/gm, "");

let world: Workspace;
let stack: Stack;
let account: ReplayedAccount;
beforeAll(async () => {
  world = await Workspace.start();
  const team = (await world.server.request("GET", "/v2/teams/acme")).body.id;
  account = await replayAccount("terraform", team, async (method, path, body) => {
    const answer = await world.server.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  });
  // Until its build ends, the deployment changes its project.
  await until("the deployment serves production", async () => {
    const { targets } = (await world.server.request("GET", "/v9/projects/inline")).body;
    return targets?.production?.readyState === "READY" || undefined;
  });
  stack = await world.stack("moved");
  stack.file("before.tfstate", account.file("terraform.tfstate"));
});
afterAll(() => world.stop());

async function step(id: string): Promise<string> {
  const text = guided(id).replace(/^export .*$/m, "");
  const { stdout, stderr } = await run("sh", ["-ec", text], {
    cwd: stack.folder,
    env: { ...world.environment(), PULUMI_SKIP_CONFIRMATIONS: "true" },
  }).catch((error) => {
    throw new Error(`${text}\n${error.stdout}\n${error.stderr}`);
  });
  world.record(stdout + stderr);
  return stdout + stderr;
}

it("the steps of the Terraform guide move 30 projects without a change, and print no secret", async () => {
  const before = await accountOf(world.server);
  expect(before.projects).toHaveLength(30);
  // The empty program of the stack.
  await run("rm", ["index.ts"], { cwd: stack.folder });

  const output = await step("docs/guides/coming-from-terraform.md sh 2");
  expect(output).toContain("= 80 imported");
  expect(await accountOf(world.server)).toEqual(before);
  const mode = (name: string): number => statSync(join(stack.folder, name)).mode & 0o777;
  expect(["import.json", "secrets.sh"].map(mode)).toEqual([0o600, 0o600]);
  const text = (name: string): string => readFileSync(join(stack.folder, name), "utf8");
  expect(text("secrets.sh")).toContain("canary-password-web");
  for (const name of ["index.ts", "removed.tf", "Pulumi.test.yaml"])
    for (const secret of ["canary", ...account.generated]) expect(text(name)).not.toContain(secret);
  expect(text("removed.tf")).toContain(guided("docs/guides/coming-from-terraform.md hcl 1"));

  const released = await step("docs/guides/coming-from-terraform.md sh 4");
  expect(released).toMatch(/81 unchanged/);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  expect(await accountOf(world.server)).toEqual(before);
  expect(world.leaks(...account.generated)).toEqual([]);

  // The program manages the objects from now on, also those whose values the API never returns.
  const program = text("index.ts");
  stack.file("index.ts", program.replace('comment: "rotated weekly"', 'comment: "rotated daily"'));
  const changed = await stack.up();
  expect(changed.steps.map(({ op, name, diffs }) => [op, name, diffs])).toEqual([
    ["update", "inline-SECRET-production", ["comment"]],
  ]);
});
