import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accountOf } from "../support/account-state";
import { built } from "../support/dist";
import { startLanguageWorkspace } from "../support/language-steps";
import { follow, replayIn } from "../support/moving";
import { type Stack, Workspace } from "../support/pulumi";
import { root } from "../support/server";
import { inFull } from "../support/slices";

/** The guide of Terraform moves as many projects in every run. */

let world: Workspace;
afterEach(() => world.stop());

/** The state names the plugin of the bridge, which the CLI starts and asks for nothing: this one takes its place. */
function addBridge({ folder }: Stack): void {
  const bridge = join(folder, "bridge");
  mkdirSync(bridge);
  cpSync(built("plugin/pulumi-resource-slipway"), join(bridge, "pulumi-resource-vercel"));
  cpSync(built("plugin/schema.json"), join(bridge, "schema.json"));
  writeFileSync(join(bridge, "package.json"), JSON.stringify({ type: "commonjs" }));
}

const read = ({ folder }: Stack, name: string): string => readFileSync(join(folder, name), "utf8");

async function loadState(stack: Stack, state: string): Promise<void> {
  const own = JSON.parse(await stack.exportText());
  const { secrets_providers } = own.deployment;
  const recorded = JSON.parse(state);
  const deployment = { ...recorded.deployment, secrets_providers };
  stack.file("state.json", JSON.stringify({ ...recorded, deployment }));
  const { code, output } = await stack.cli(["stack", "import", "--file", "state.json", "--force"]);
  expect([code, output]).toEqual([0, expect.stringContaining("Import complete")]);
  rmSync(join(stack.folder, "state.json"));
}

inFull(
  "the steps of the Pulumiverse guide move 30 projects without a change, and print no secret",
  async () => {
    world = await Workspace.start();
    const account = await replayIn(world, "pulumiverse");
    const stack = await world.stack("bridged");
    addBridge(stack);
    const manifest = JSON.parse(read(stack, "Pulumi.yaml"));
    const plugins = { providers: [{ name: "vercel", path: "bridge" }] };
    stack.file("Pulumi.yaml", JSON.stringify({ ...manifest, plugins }));
    await loadState(stack, account.file("stack.json"));
    const before = await accountOf(world.server);
    expect(before.projects).toHaveLength(30);

    await follow(world, stack, "docs/guides/coming-from-pulumiverse.md sh 1");
    const output = await follow(world, stack, "docs/guides/coming-from-pulumiverse.md sh 2");
    expect(output).toContain("= 83 imported");
    for (const name of ["moved/index.ts", "moved/release.sh", "before.json"])
      for (const secret of ["canary", ...account.generated]) expect(read(stack, name)).not.toContain(secret);
    expect(await follow(world, stack, "docs/guides/coming-from-pulumiverse.md sh 3")).toContain(
      "31 resources deleted",
    );
    expect(await stack.exportText()).not.toContain("vercel:index");
    stack.file("index.ts", 'import "./moved/index.ts";\n');
    expect(await follow(world, stack, "docs/guides/coming-from-pulumiverse.md sh 4")).toMatch(/84 unchanged/);
    await follow(world, stack, "docs/guides/coming-from-pulumiverse.md sh 5");
    expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
    expect(await accountOf(world.server)).toEqual(before);
    expect(world.leaks(...account.generated)).toEqual([]);
  },
);

it("moves a stack to the plugin, whose generated program has no secrets and is refused without them", async () => {
  world = await startLanguageWorkspace();
  const request = async (path: string, body: object) => (await world.server.request("POST", path, body)).body;
  const { id: projectId } = await request("/v10/projects", { name: "web", framework: "nextjs" });
  const protection = { passwordProtection: { deploymentType: "preview", password: "canary-password" } };
  await world.server.request("PATCH", "/v9/projects/web", protection);
  const { protectionBypass } = (
    await world.server.request("PATCH", "/v1/projects/web/protection-bypass", { generate: {} })
  ).body;
  const [secret = ""] = Object.keys(protectionBypass);
  await request("/v10/projects/web/domains", { name: "example.com" });
  const variable = { type: "sensitive", target: ["production"], value: "canary-one" };
  const { created } = await request("/v10/projects/web/env", { ...variable, key: "ONE" });
  const stack = await world.yaml("moving", "");
  symlinkSync(join(root, "node_modules"), join(stack.folder, "node_modules"));
  addBridge(stack);
  const setProgram = (text: string): void => {
    stack.yaml(text);
    const providers = "providers: [{ name: vercel, path: bridge }, ";
    stack.file("Pulumi.yaml", read(stack, "Pulumi.yaml").replace("providers: [", providers));
  };
  setProgram("resources: {}\n");
  await loadState(
    stack,
    stateOf([
      [
        "Project",
        "web",
        projectId,
        { name: "web", protectionBypassForAutomationSecret: secret, ...protection },
      ],
      ["ProjectDomain", "web", "example.com", { projectId, domain: "example.com" }],
      ["ProjectEnvironmentVariable", "one", created.id, { projectId, key: "ONE", value: "canary-one" }],
    ]),
  );
  const before = await accountOf(world.server);
  await follow(world, stack, "docs/guides/coming-from-pulumiverse.md sh 1");
  await follow(world, stack, "docs/guides/coming-from-pulumiverse.md sh 6");
  expect(await stack.exportText()).not.toContain("vercel:");
  const generated = read(stack, "moved/generated");
  for (const one of ["canary", secret]) expect(generated).not.toContain(one);

  // A user who forgets to declare a secret is stopped before it is overwritten.
  setProgram(generated.replace(/config:(imported-web[\w-]+)/g, (_, key) => `\${${key}}`));
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(/value is "config:imported-one", which stands for the secret imported-one/);
  expect(await accountOf(world.server)).toEqual(before);

  mkdirSync(join(stack.folder, "imported"));
  writeFileSync(join(stack.folder, "imported/generated"), generated);
  await follow(world, stack, "docs/guides/adoption-and-import.md sh 4");
  setProgram(read(stack, "imported/resources.yaml"));
  const preview = await stack.preview({ args: ["--expect-no-changes"] });
  expect([preview.errors, preview.steps, preview.code]).toEqual([[], [], 0]);
  expect((await stack.up()).code).toBe(0);
  expect((await stack.refresh({ args: ["--expect-no-changes"] })).code).toBe(0);
  expect(await accountOf(world.server)).toEqual(before);
  expect(world.leaks(secret)).toEqual([]);
});

/** The state of a stack of the bridge, with secrets in plain text. */
function stateOf(resources: [type: string, name: string, id: string, outputs: object][]): string {
  const prefix = "urn:pulumi:test::moving::";
  const top = `${prefix}pulumi:pulumi:Stack::moving-test`;
  const provider = `${prefix}pulumi:providers:vercel::default_3_15_1`;
  const uuid = "00000000-0000-4000-8000-000000000000";
  const recorded = resources.map(([type, name, id, outputs]) => {
    const token = `vercel:index/${type.charAt(0).toLowerCase()}${type.slice(1)}:${type}`;
    const reference = `${provider}::${uuid}`;
    const urn = `${prefix}${token}::${name}`;
    return { urn, custom: true, id, type: token, outputs: sealed(outputs), parent: top, provider: reference };
  });
  return JSON.stringify({
    version: 3,
    deployment: {
      manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
      resources: [
        { urn: top, custom: false, type: "pulumi:pulumi:Stack" },
        { urn: provider, custom: true, id: uuid, type: "pulumi:providers:vercel", parent: top },
        ...recorded,
      ],
    },
  });
}

/** Marks secrets, so that the backend encrypts them. */
const sealed = (outputs: object): object =>
  Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => [
      key,
      /^(value|passwordProtection|.*Secret)$/.test(key)
        ? {
            "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
            plaintext: JSON.stringify(value),
          }
        : value,
    ]),
  );
