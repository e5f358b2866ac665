import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import { resources } from "../../provider/resources";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { project } from "../../provider/resources/project";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";
import { oneOf } from "../support/slices";
import { given, operations, quickBuildMs } from "./operations";
import { type Harness, startHarness } from "./stack";
import type { Operation } from "./subject";

let w: Harness;
let proxy: RecordingProxy;
beforeAll(async () => {
  w = await startHarness();
  proxy = await openRecordingProxy(w.server.url);
});
afterAll(async () => {
  await proxy.close();
  await w.close();
});

/** JSON writes it in another way than it reads. */
const hard = 'canary"\\\n';

/** The operation, with values that are hard to hide. */
function hardened({ inputs, before, ...rest }: Operation): Operation {
  const escaped = JSON.stringify(hard).slice(1, -1);
  const swap =
    (make: NonNullable<Operation["inputs"]>): NonNullable<Operation["inputs"]> =>
    (prepared) =>
      JSON.parse(JSON.stringify(make(prepared)).replaceAll('"canary', () => `"${escaped}`));
  return { ...rest, ...(inputs && { inputs: swap(inputs) }), ...(before && { before: swap(before) }) };
}

/** They write nothing, since what they adopt is as declared, or repeat a write that is refused once. */
const settled = [
  ...[
    "FirewallBypass: adopt",
    "BlobStore: adopt",
    "DeploymentProtectionException: adopt",
    "DeploymentProtectionException: update",
  ],
  ...["AccessGroup: adopt", "AccessGroupMember: adopt", "AccessGroupMember: update"],
  ...["AccessGroup: create", "AccessGroup: update"],
];
const writing = operations.filter(({ step, name }) => step === "up" && !settled.includes(name)).map(hardened);
/** The bypass secrets that the operations give. */
const given32 = /(.)\1{31}/;

/**
 * Runs the operation at a service that refuses one of its writes and quotes what it was sent, in every place that a
 * message could take it from. @returns what was said; undefined when there are fewer writes
 */
async function refused(operation: Operation, number: number, status: number): Promise<string[] | undefined> {
  await w.server.control.reset();
  await w.server.control.planBuilds({ buildMs: quickBuildMs });
  await w.server.control.seed(given);
  const prepared = (await operation.prepare?.(w)) ?? {};
  const stack = w.stack(operation.resource);
  if (operation.before) await stack.up(operation.before(prepared));
  stack.use(w.another({ apiUrl: proxy.url }));
  let writes = 0;
  proxy.before = ({ method, body }) => {
    if (method === "GET" || ++writes !== number) return undefined;
    return { status, body: JSON.stringify({ error: { code: body, message: `Wrong: ${body}` } }) };
  };
  const error: unknown = await stack.up(operation.inputs?.(prepared) ?? {}).then(
    () => undefined,
    (error) => error,
  );
  if (writes < number) return undefined;
  // One that was settled all the same, as a secret that exists already.
  if (error === undefined) return [];
  const generated = Object.values((stack.state.bypassSecrets ?? {}) as Record<string, string>);
  const texts = [error, error instanceof Error ? error.cause : undefined].map(String);
  return texts.map((text) => generated.reduce((rest, secret) => rest.replaceAll(secret, "canary"), text));
}

it.each(oneOf(2, writing))(
  "$name: no message quotes a secret, though the service does",
  async (operation) => {
    let messages = 0;
    for (const status of [400, 409]) {
      for (let number = 1; ; number++) {
        const said = await refused(operation, number, status);
        if (!said) break;
        messages += said.length;
        expect([number, said.filter((text) => text.includes("canary") || given32.test(text))]).toEqual([
          number,
          [],
        ]);
      }
    }
    expect(messages).toBeGreaterThan(0);
  },
);

const long = "canary".repeat(20_000);
it.each<[string, Resource, Plain]>([
  ["a bypass secret", project, { name: "web", protectionBypass: { ci: { secret: "canary" } } }],
  ["a password", project, { name: "web", passwordProtection: { deploymentType: "canary", password: long } }],
  ["a member", project, { name: "web", passwordProtection: "canary" }],
  ["a value", envVar, { project: "web", key: "K", value: long, target: ["preview"] }],
  ["no value", envVar, { project: "web", key: "K", value: ["canary"], target: ["preview"] }],
  [
    "a system value",
    envVar,
    { project: "web", key: "K", type: "system", value: "canary", target: ["preview"] },
  ],
  ["one of many", envVars, { project: "web", variables: { A: long } }],
  ["a member of many", envVars, { project: "web", variables: { A: { value: "canary", type: "canary" } } }],
])("%s that is wrong is refused without being quoted", (_what, resource, inputs) => {
  const failures = resource.check({}, inputs);
  expect(failures.length).toBeGreaterThan(0);
  expect(JSON.stringify(failures)).not.toContain("canary");
});

// Frozen: what is no longer marked is shown in clear, and written to the state.
it("these inputs and outputs of resources are secret", () => {
  const marked = Object.values<Resource>(resources).map(({ type, traits }) => [type, traits.secret] as const);
  expect(Object.fromEntries(marked.filter(([, secret]) => secret.length > 0))).toEqual({
    AuditLogDrain: ["headers", "secret"],
    BlobStore: ["readWriteToken"],
    CustomCertificate: ["privateKey"],
    Deployment: ["environment"],
    EdgeConfigToken: ["token", "connectionString"],
    EnvVar: ["value", "valueDigest"],
    EnvVars: ["variables", "valueDigest"],
    FeatureFlagSdkKey: ["sdkKey", "connectionString"],
    LogDrain: ["headers", "secret"],
    Project: ["passwordProtection", "protectionBypass", "bypassSecrets", "deployHookUrls"],
    SharedEnvVar: ["value", "valueDigest"],
    TraceDrain: ["headers", "secret"],
    UserToken: ["bearerToken"],
    Webhook: ["secret"],
  });
});
