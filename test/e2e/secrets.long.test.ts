import { canary, type Stack, Workspace } from "../support/pulumi";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";

let world: Workspace;
let stack: Stack;
let proxy: RecordingProxy;
beforeAll(async () => {
  world = await Workspace.start({ gitProviders: [{ team: "acme", type: "github" }] });
  proxy = await openRecordingProxy(world.server.url);
  stack = await world.stack("secrets");
});
afterAll(async () => {
  await proxy.close();
  await world.stop();
});

const given = `${canary}Given`.padEnd(32, "0");

/** Every position that can hold a secret, the token of an explicit provider included. */
const program = (value: string) => `
  import { EdgeConfig, EdgeConfigItem, EdgeConfigToken, UserToken } from "slipway";
  const provider = new Provider("account", { token: process.env.SLIPWAY_TOKEN, team: "acme" });
  const web = new Project("web", {
    passwordProtection: { deploymentType: "all", password: "${value}-password" },
    protectionBypass: { given: { secret: "${given}" }, generated: {} },
    gitRepository: { type: "github", repo: "acme/web" },
    deployHooks: { content: { ref: "main" } },
  }, { provider });
  for (const type of ["plain", "encrypted", "sensitive"] as const) {
    new EnvVar(type, { project: web.id, key: type, type, value: "${value}-" + type, target: ["preview"] }, { provider });
  }
  new EnvVars("many", { project: web.id, target: ["production"], variables: {
    A: "${value}-a", B: { value: "${value}\\"\\n-b", type: "sensitive" },
  } }, { provider });
  const flags = new EdgeConfig("flags", { slug: "flags" }, { provider });
  new EdgeConfigItem("item", {
    edgeConfigId: flags.edgeConfigId, key: "item", value: pulumi.secret({ text: "${value}-item", more: ["${value}-more"] }),
  }, { provider });
  export const connectionString = new EdgeConfigToken("token", {
    edgeConfigId: flags.edgeConfigId, label: "web",
  }, { provider }).connectionString;
  export const bearerToken = new UserToken("deploy", { name: "deploy" }, { provider }).bearerToken;
  export const password = web.passwordProtection;
  export const secrets = web.bypassSecrets;
  export const hooks = web.deployHookUrls;
`;

const env = () => ({ SLIPWAY_API_URL: proxy.url, SLIPWAY_LOG: "debug" });

it("the state, the output and both logs contain no secret in clear, whichever request fails", async () => {
  // The preview reports an invalid input.
  stack.program(`
    new Project("web", {
      passwordProtection: { deploymentType: "${canary}-x", password: "${canary}".repeat(20), more: "${canary}-y" },
      protectionBypass: { given: { secret: "${canary}-too-short" } },
    } as never);
  `);
  const checked = await stack.preview({ env: env() });
  expect(checked.errors.join("\n")).toMatch(/passwordProtection.*(\n.*)*protectionBypass/);

  // A service that refuses every second write and quotes it.
  stack.program(program(canary));
  proxy.before = ({ number, method, body }) =>
    method === "GET" || number % 2 === 0
      ? undefined
      : { status: 400, body: JSON.stringify({ error: { code: "bad_request", message: `Wrong: ${body}` } }) };
  const refused = await stack.up({ env: env() });
  expect(refused.errors.join("\n")).toContain("400 bad_request");
  proxy.before = () => undefined;

  const made = await stack.up({ env: { ...env(), PULUMI_DEBUG_COMMANDS: "true" }, args: ["--diff"] });
  expect(made.errors).toEqual([]);
  expect(made.output).toMatch(/slipway: POST \/v10\/projects\S* 20\d \d+ ms/);
  stack.program(program(`${canary}-2`));
  expect((await stack.up({ env: env(), args: ["--refresh", "--diff"] })).errors).toEqual([]);

  const shown = JSON.parse((await stack.cli(["stack", "export", "--show-secrets"], {}, false)).stdout);
  const project = shown.deployment.resources.find(({ type }: { type: string }) => type.endsWith(":Project"));
  const { plaintext } = project.outputs.bypassSecrets;
  const { generated } = JSON.parse(plaintext);
  expect(generated).toMatch(/^\w{32}$/);
  expect(world.leaks(generated)).toEqual([]);
  const hooks = JSON.parse(project.outputs.deployHookUrls.plaintext);
  const hookSecret = String(hooks.content).split("/").at(-1) ?? "";
  expect(hookSecret).toMatch(/^\w{24}$/);
  expect(world.leaks(hookSecret)).toEqual([]);
  const token = shown.deployment.resources.find(({ type }: { type: string }) =>
    type.endsWith(":EdgeConfigToken"),
  );
  const readToken = JSON.parse(token.outputs.token.plaintext);
  expect(token.outputs.connectionString.plaintext).toContain(readToken);
  expect(world.leaks(readToken)).toEqual([]);
  const userToken = shown.deployment.resources.find(({ type }: { type: string }) =>
    type.endsWith(":UserToken"),
  );
  const bearerToken = JSON.parse(userToken.outputs.bearerToken.plaintext);
  expect(bearerToken).toMatch(/^vcp_/);
  expect(world.leaks(bearerToken)).toEqual([]);
  expect((await stack.destroy({ env: env() })).errors).toEqual([]);
  for (const secret of [generated, readToken, bearerToken]) expect(world.leaks(secret)).toEqual([]);
});
