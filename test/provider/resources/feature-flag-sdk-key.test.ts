import type { Plain } from "../../../provider/core/values";
import { featureFlagSdkKey } from "../../../provider/resources/feature-flag-sdk-key";
import { type Harness, recordStack, type Stack, startHarness } from "../stack";

let w: Harness;
let stack: Stack;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
  stack = w.stack(featureFlagSdkKey);
});
afterEach(() => w.close());

const path = "/v1/projects/web/feature-flags/sdk-keys";
const key = { project: "web", environment: "production", type: "server" };
const hashes = async (): Promise<unknown[]> =>
  ((await w.curl("GET", path)) as { data?: Plain[] }).data?.map(({ hashKey }) => hashKey) ?? [];

it("keeps the key of the create through a refresh", async () => {
  await stack.up(key);
  const { sdkKey, connectionString } = stack.state;
  expect(sdkKey).toMatch(/^vf_server_/);
  expect(connectionString).toBe(`flags:sdkKey=${sdkKey}`);
  await stack.refresh(w.another());
  expect(stack.state).toMatchObject({ sdkKey, connectionString });
  expect(await stack.up(key)).toBe("same");
  await stack.destroy();
  expect(await hashes()).toEqual([]);
});

it("creates the new key of a replacement before it deletes the old one", async () => {
  await stack.up(key);
  const { hashKey } = stack.state;
  expect(await stack.up({ ...key, label: "next" })).toBe("replace");
  expect(await hashes()).toEqual([stack.state.hashKey]);
  expect(stack.state.hashKey).not.toBe(hashKey);
});

it("does not know the value of a key that it did not create", async () => {
  const { hashKey } = await w.curl("PUT", path, { sdkKeyType: "server", environment: "production" });
  const { id: project } = await w.curl("GET", "/v9/projects/web");
  expect(await featureFlagSdkKey.read(w.run, `web/${hashKey}`)).toMatchObject({
    state: { projectId: project, hashKey, sdkKey: null, connectionString: null },
    inputs: { ...key, project },
  });
  await expect(featureFlagSdkKey.read(w.run, "web/none")).rejects.toThrow(/no SDK key with this hash/);
});

it("warns about an equal key only if no resource of the stack has it", async () => {
  await stack.up(key);
  const renamed = w.stack(featureFlagSdkKey, "renamed");
  const client = w.another();
  for (const one of [stack, renamed]) one.use(client);
  recordStack([{ type: stack.type, name: stack.name, outputs: stack.state }]);
  await renamed.up(key);
  expect(w.warnings).toEqual([]);
  await w.curl("PUT", path, { sdkKeyType: "server", environment: "production" });
  await w.stack(featureFlagSdkKey, "third").up(key);
  expect(w.warnings).toEqual([expect.stringMatching(/already has an SDK key .*delete it at the service/)]);
});
