import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { block } from "../support/pages";
import { canary, type Stack, Workspace } from "../support/pulumi";
import { root } from "../support/server";
import { Shell } from "../support/shell";
import { inFull, someHosts } from "../support/slices";

const dayMs = 24 * 60 * 60 * 1000;
const pack = join(root, "node_modules/slipway/policies");

let world: Workspace;
beforeAll(async () => {
  delete process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE;
  world = await Workspace.start();
});
afterAll(() => world.stop());

/** The arguments that run the policies, in stacks that count as production. */
function policies(stack: Stack, settings: object = {}): string[] {
  const config = join(stack.folder, "policies.json");
  const production = { "production-protected": { stacks: ["test"] } };
  writeFileSync(config, JSON.stringify({ ...production, ...settings }));
  return ["--policy-pack", pack, "--policy-pack-config", config];
}

/** One violation of each policy that can be planted in a program, beside what is close to it and allowed. */
const planted: Record<string, () => Promise<Stack>> = {
  dynamic: () =>
    world.stack(
      "dynamic",
      `const web = new Project("open", { name: "dynamic" });
       new Project("closed", { name: "dynamic-2", ssoProtection: { deploymentType: "all" } }, { protect: true });
       new ProjectDomain("domain", { project: web.id, name: "dynamic.example.com" });
       new ProjectDomain("branch", { project: web.id, name: "b.dynamic.example.com", gitBranch: "b" });
       const one = { project: web.id, target: ["production"] };
       new EnvVar("plain", { ...one, key: "PAYMENTS", value: "sk_live_${canary}", type: "plain" });
       new EnvVar("public", { ...one, key: "NEXT_PUBLIC_DB_PASSWORD", value: "${canary}-public" });
       new EnvVar("readable", { ...one, key: "API_TOKEN", value: "${canary}-token", type: "encrypted" });
       new EnvVar("unknown", { ...one, key: "PROJECT_ID", value: web.id, type: "plain" });
       new EnvVars("shared", {
         project: web.id,
         target: ["production", "preview"],
         variables: { SESSION_SECRET: pulumi.secret("${canary}-session"), REGION: web.id, FLAG: "on" },
       });
       new EnvVar("copied", { ...one, key: "PREVIEW_TOKEN", value: "${canary}-token", target: ["preview"] });`,
    ),
  plugin: () =>
    world.yaml(
      "plugin",
      `resources:
  open: { type: slipway:Project, properties: { name: plugin } }
  closed:
    type: slipway:Project
    properties: { name: plugin-2, ssoProtection: { deploymentType: all } }
    options: { protect: true }
  domain: { type: slipway:ProjectDomain, properties: { project: "\${open.id}", name: plugin.example.com } }
  branch:
    type: slipway:ProjectDomain
    properties: { project: "\${open.id}", name: b.plugin.example.com, gitBranch: b }
  plain:
    type: slipway:EnvVar
    properties: { project: "\${open.id}", target: [production], key: PAYMENTS, value: sk_live_${canary}, type: plain }
  public:
    type: slipway:EnvVar
    properties: { project: "\${open.id}", target: [production], key: NEXT_PUBLIC_DB_PASSWORD, value: ${canary}-public }
  readable:
    type: slipway:EnvVar
    properties: { project: "\${open.id}", target: [production], key: API_TOKEN, value: ${canary}-token, type: encrypted }
  unknown:
    type: slipway:EnvVar
    properties: { project: "\${open.id}", target: [production], key: PROJECT_ID, value: "\${open.id}", type: plain }
  shared:
    type: slipway:EnvVars
    properties:
      project: \${open.id}
      target: [production, preview]
      variables: { SESSION_SECRET: ${canary}-session, REGION: "\${open.id}", FLAG: "on" }
  copied:
    type: slipway:EnvVar
    properties: { project: "\${open.id}", target: [preview], key: PREVIEW_TOKEN, value: ${canary}-token }
`,
    ),
};

const mandatory = ["no-plain-secrets plain", "no-public-secrets public"];
const advisory = [
  "no-production-values-in-previews copied",
  "previews-protected open",
  "production-protected domain",
  "production-protected open",
  "production-secrets-sensitive plain",
  "production-secrets-sensitive readable",
];
/** Pulumi knows nothing of a map before it knows each of its values. */
const notInPreview = ["no-production-values-in-previews shared"];
const withoutMandatory = { "no-plain-secrets": "disabled", "no-public-secrets": "advisory" };

const sorted = (...lists: string[][]): string[] => lists.flat().sort();

describe.each(someHosts(Object.keys(planted)))("a program with violations, through the %s host", (host) => {
  it("is refused, and its state is analyzed", async () => {
    const stack = await (planted[host] as () => Promise<Stack>)();
    const preview = await stack.preview({ args: policies(stack) });
    expect(preview.violations).toEqual(sorted(mandatory, advisory));
    expect(preview.code).not.toBe(0);

    const refused = await stack.up({ args: policies(stack) });
    expect(refused.code).not.toBe(0);
    // The first refusal ends the run.
    expect(refused.violations.filter((one) => mandatory.includes(one))).not.toEqual([]);
    const { body } = await world.server.request("GET", `/v9/projects/${stack.name}/env`);
    const keys = (body.envs ?? []).map(({ key }: { key: string }) => key);
    expect(keys).not.toContain("PAYMENTS");
    expect(keys).not.toContain("NEXT_PUBLIC_DB_PASSWORD");

    const permitted = await stack.up({ args: policies(stack, withoutMandatory) });
    expect(permitted.errors).toEqual([]);
    expect(permitted.violations).toEqual(sorted(["no-public-secrets public"], advisory, notInPreview));

    const state = join(stack.folder, "state.json");
    writeFileSync(state, aged(await stack.exportText(), ["readable", "shared"]));
    const args = ["--file", state, ...policies(stack)];
    const all = await stack.analyze(args);
    const rotated = ["variables-rotated readable", "variables-rotated shared"];
    expect(all.violations).toEqual(sorted(mandatory, advisory, notInPreview, rotated));
    expect(all.code).not.toBe(0);

    // Without the passphrase, values are not known: no name of an EnvVars, and no value of any.
    const redacted = await stack.analyze(args, { PULUMI_CONFIG_PASSPHRASE: "another" });
    expect(redacted.output).toContain("secret values redacted");
    const byValue = ["no-production-values-in-previews copied", "production-secrets-sensitive plain"];
    expect(redacted.violations).toEqual(
      sorted(
        ["no-public-secrets public", "variables-rotated readable"],
        advisory.filter((one) => !byValue.includes(one)),
      ),
    );
  }, 180_000);
});

/** A state in which variables were last changed two years ago. */
function aged(text: string, names: readonly string[]): string {
  const state = JSON.parse(text);
  const then = Date.now() - 730 * dayMs;
  for (const { urn, outputs } of state.deployment.resources) {
    if (!names.includes(urn.split("::").at(-1))) continue;
    if (outputs.updatedAt !== undefined) outputs.updatedAt = then;
    for (const record of Object.values<{ updatedAt: number }>(outputs.records ?? {})) record.updatedAt = then;
  }
  return JSON.stringify(state);
}

it("the policies are configured, and part of another pack, as the guide shows", async () => {
  const stack = await world.stack(
    "guide",
    `const web = new Project("docs", {});
     new EnvVar("token", { project: web.id, key: "API_TOKEN", value: "canary", type: "encrypted", target: ["production"] });`,
  );
  const shell = new Shell(stack.folder, world.environment());
  writeFileSync(join(stack.folder, "policy-config.json"), block("docs/guides/policies.md json 1"));
  const configured = await shell.attempt(block("docs/guides/policies.md sh 2"));
  expect(configured.code).not.toBe(0);
  expect(configured.output).toMatch(/\[mandatory\].* production-secrets-sensitive/);
  expect(configured.output).not.toContain("previews-protected");

  const { errors } = await stack.up();
  expect(errors).toEqual([]);
  const analyzed = await shell.run(block("docs/guides/policies.md sh 3"));
  expect(analyzed).toMatch(/\[advisory\].* production-secrets-sensitive/);
  expect(analyzed).toMatch(/\[advisory\].* previews-protected/);

  const own = join(stack.folder, "policies");
  mkdirSync(own);
  writeFileSync(join(own, "PulumiPolicy.yaml"), block("docs/guides/policies.md yaml 1"));
  writeFileSync(join(own, "package.json"), JSON.stringify({ name: "policies", version: "1.2.3" }));
  writeFileSync(join(own, "index.js"), block("docs/guides/policies.md js 1"));
  const withOwn = await stack.analyze(["--policy-pack", own]);
  expect(withOwn.violations).toEqual(["previews-protected docs", "production-secrets-sensitive token"]);
  expect(withOwn.output).toContain('"acme":"1.2.3"');
}, 180_000);

inFull("finds nothing in the quickstart, in TypeScript and in YAML", async () => {
  const typescript = await world.stack("quickstart");
  cpSync(join(root, "examples/quickstart"), typescript.folder, { recursive: true });
  const shell = new Shell(typescript.folder, world.environment());
  const preview = await shell.run(block("docs/guides/policies.md sh 1"));
  expect(preview).toMatch(/✅ slipway@v\d/);
  expect(preview).not.toMatch(/advisory|mandatory/);

  const program = readFileSync(join(root, "examples/yaml/Pulumi.yaml"), "utf8");
  const yaml = await world.yaml("example", program.slice(program.indexOf("config:")));
  const { errors, violations, output } = await yaml.preview({ args: ["--policy-pack", pack] });
  expect([errors, violations]).toEqual([[], []]);
  expect(output).toMatch(/✅ slipway@v\d/);
});
