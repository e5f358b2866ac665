import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { built } from "../support/dist";
import { startLanguageWorkspace } from "../support/language-steps";
import { block } from "../support/pages";
import type { Stack, Workspace } from "../support/pulumi";

const run = promisify(execFile);
/** The text of a block of the guide, without the indentation of its list. */
const guided = (id: string): string => block(id).replace(/^ {3}/gm, "");

let world: Workspace;
let stack: Stack;
beforeAll(async () => {
  world = await startLanguageWorkspace();
  stack = await world.yaml("moving", "");
  const bridge = join(stack.folder, "bridge");
  mkdirSync(bridge);
  // The bridge is not to be had here. What stands for it is started, as the state names it, and asked for nothing.
  cpSync(built("plugin/pulumi-resource-slipway"), join(bridge, "pulumi-resource-vercel"));
  cpSync(built("plugin/schema.json"), join(bridge, "schema.json"));
  program("resources: {}\n");
});
afterAll(() => world.stop());

function program(text: string): void {
  stack.yaml(text);
  const manifest = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
  stack.file("Pulumi.yaml", manifest.replace("providers: [", "providers: [{ name: vercel, path: bridge }, "));
}

const request = async (method: string, path: string, body?: object) =>
  (await world.server.request(method, path, body)).body;

/** What the service has, as the bridge's state would record it: its provider is not to be had here. */
async function stateOfBridge(): Promise<object> {
  const { id: projectId } = await request("POST", "/v10/projects", { name: "web", framework: "nextjs" });
  await request("POST", "/v10/projects/web/domains", { name: "example.com" });
  const variable = async (key: string, rest: object): Promise<string> =>
    (await request("POST", "/v10/projects/web/env", { key, value: `canary-${key}`, type: "plain", ...rest }))
      .created.id;
  const one = await variable("ONE", { target: ["production"] });
  await variable("A", { target: ["production", "preview"] });
  await variable("B", { target: ["preview"], gitBranch: "next" });
  await request("POST", "/v9/projects/web/custom-environments", { slug: "staging" });
  const hook = await request("POST", "/v1/webhooks", {
    url: "http://127.0.0.1:9/hook",
    events: ["deployment.created"],
  });

  const prefix = "urn:pulumi:test::moving::";
  const top = `${prefix}pulumi:pulumi:Stack::moving-test`;
  const provider = `${prefix}pulumi:providers:vercel::default_5_4_1`;
  const held = (type: string, name: string, id: string, outputs: object) => {
    const token = `vercel:index/${type[0]?.toLowerCase()}${type.slice(1)}:${type}`;
    return {
      urn: `${prefix}${token}::${name}`,
      custom: true,
      id,
      type: token,
      inputs: outputs,
      outputs: { id, ...outputs },
      parent: top,
      provider: `${provider}::00000000-0000-4000-8000-000000000000`,
    };
  };
  const variables = ["A", "B"].map((key) => ({ key }));
  return {
    version: 3,
    deployment: {
      manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
      resources: [
        { urn: top, custom: false, type: "pulumi:pulumi:Stack" },
        {
          urn: provider,
          custom: true,
          id: "00000000-0000-4000-8000-000000000000",
          type: "pulumi:providers:vercel",
          inputs: { version: "5.4.1" },
          outputs: { version: "5.4.1" },
          parent: top,
        },
        held("Project", "web", projectId, { name: "web", framework: "nextjs" }),
        held("ProjectDomain", "apex", "example.com", { projectId, domain: "example.com" }),
        held("ProjectEnvironmentVariable", "one", one, { projectId, key: "ONE", targets: ["production"] }),
        held("ProjectEnvironmentVariables", "many", projectId, {
          projectId,
          variables,
        }),
        held("CustomEnvironment", "staging", "env_1", { projectId, name: "staging" }),
        held("Webhook", "hook", hook.id, { events: ["deployment.created"] }),
      ],
    },
  };
}

/** The project as the service has it. */
const everything = async () => JSON.stringify(await request("GET", "/v9/projects/web"));

it("the steps of the Pulumiverse guide move a stack to Slipway without a change", async () => {
  stack.file("state.json", JSON.stringify(await stateOfBridge()));
  const sealed = await stack.cli(["stack", "import", "--file", "state.json", "--force"]);
  expect([sealed.code, sealed.output]).toEqual([0, expect.anything()]);
  const before = await everything();

  const script = guided("docs/guides/coming-from-pulumiverse.md js 1");
  const keep = guided("docs/guides/coming-from-pulumiverse.md sh 1");
  const take = guided("docs/guides/coming-from-pulumiverse.md sh 2");
  const letGo = guided("docs/guides/coming-from-pulumiverse.md sh 3");
  const check = guided("docs/guides/coming-from-pulumiverse.md sh 4");
  expect(check).toContain("--expect-no-changes");
  const step = async (text: string): Promise<void> => {
    const { stdout, stderr } = await run("sh", ["-ec", text], {
      cwd: stack.folder,
      env: world.environment(),
    }).catch((error) => {
      throw new Error(`${text}\n${error.stdout}\n${error.stderr}`);
    });
    // What is imported is printed with the values of variables.
    if (text !== take) world.record(stdout + stderr);
  };
  await step(keep);
  stack.file("move.mjs", script);
  await step("node move.mjs");
  await step(take);
  expect((await stack.resources()).filter(({ type }) => type.startsWith("slipway:"))).toHaveLength(6);
  // A run of the old program, which does not know them, takes nothing away.
  expect((await stack.up({ args: ["--target", "**::apex"] })).code).not.toBe(0);
  await step(letGo);
  expect(await stack.exportText()).not.toContain("vercel:");

  program(readFileSync(join(stack.folder, "generated"), "utf8"));
  const preview = await stack.preview({ args: ["--expect-no-changes"] });
  expect([preview.errors, preview.steps, preview.code]).toEqual([[], [], 0]);
  expect(await everything()).toBe(before);
  const requests = (await world.server.control("GET", "/requests?limit=100")).body;
  expect(JSON.stringify(requests)).not.toContain('"method":"DELETE"');
});
