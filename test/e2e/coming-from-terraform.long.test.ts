import { readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { accountOf } from "../support/account-state";
import { follow, replayIn } from "../support/moving";
import { block } from "../support/pages";
import { Workspace } from "../support/pulumi";
import type { ReplayedAccount } from "../support/recorded-account";
import { root } from "../support/server";
import { inFull } from "../support/slices";

let world: Workspace;
let account: ReplayedAccount;
beforeEach(async () => {
  world = await Workspace.start();
  account = await replayIn(world, "terraform");
});
afterEach(() => world.stop());

it("the steps of the Terraform guide move 30 projects without a change, and print no secret", async () => {
  const stack = await world.stack("moved");
  stack.file("before.tfstate", account.file("terraform.tfstate"));
  const before = await accountOf(world.server);
  expect(before.projects).toHaveLength(30);
  // The empty program of the stack.
  rmSync(join(stack.folder, "index.ts"));

  const output = await follow(world, stack, "docs/guides/coming-from-terraform.md sh 2");
  expect(output).toContain("= 80 imported");
  expect(await accountOf(world.server)).toEqual(before);
  const mode = (name: string): number => statSync(join(stack.folder, name)).mode & 0o777;
  expect(["import.json", "secrets.sh"].map(mode)).toEqual([0o600, 0o600]);
  const text = (name: string): string => readFileSync(join(stack.folder, name), "utf8");
  expect(text("secrets.sh")).toContain("canary-password-web");
  for (const name of ["index.ts", "removed.tf", "Pulumi.test.yaml"])
    for (const secret of ["canary", ...account.generated]) expect(text(name)).not.toContain(secret);
  const removed = block("docs/guides/coming-from-terraform.md hcl 1").replace(/^ {3}/gm, "");
  expect(text("removed.tf")).toContain(removed);

  expect(await follow(world, stack, "docs/guides/coming-from-terraform.md sh 4")).toMatch(/81 unchanged/);
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

inFull(
  "the same 30 projects move to a program in YAML, which the CLI generates without a secret",
  async () => {
    const stack = await world.yaml("moved", "resources: {}\n");
    symlinkSync(join(root, "node_modules"), join(stack.folder, "node_modules"));
    stack.file("before.tfstate", account.file("terraform.tfstate"));
    const before = await accountOf(world.server);
    const output = await follow(world, stack, "docs/guides/coming-from-terraform.md sh 5");
    expect(output).toContain("= 80 imported");
    const generated = readFileSync(join(stack.folder, "generated"), "utf8");
    for (const secret of ["canary", ...account.generated]) expect(generated).not.toContain(secret);
    // As the guide's command does, which writes to another folder.
    stack.yaml(generated.replace(/config:(imported-[\w-]+)/g, (_, key) => `\${${key}}`));
    const preview = await stack.preview({ args: ["--expect-no-changes"] });
    expect([preview.errors, preview.steps, preview.code]).toEqual([[], [], 0]);
    expect((await stack.up()).steps).toEqual([]);
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
    expect(await accountOf(world.server)).toEqual(before);
    expect(world.leaks(...account.generated)).toEqual([]);
  },
);
