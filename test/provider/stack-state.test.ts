import { digest, secretSignature, signatureKey } from "../../provider/core/values";
import { StackState } from "../../provider/stack-state";
import { FakeCli, urnOf } from "../support/fake-cli";

const path = process.env.PATH;
let cli: FakeCli;
beforeAll(() => {
  cli = new FakeCli();
  process.env.PATH = cli.path;
});
afterAll(() => {
  process.env.PATH = path;
  cli.close();
});

const api = "http://api.test";

it("tells the objects of the stack apart from those that a replacement let go", async () => {
  const recorded = (name: string, owner: string) => ({
    type: "EnvVar",
    name,
    id: `prj_1/${name}`,
    outputs: { projectId: "prj_1", at: `${digest(api)}accnt1${digest(`prj_1/${name}`)}${owner}` },
  });
  const urn = urnOf("EnvVar", "new");
  const resources = [
    { ...recorded("retained", "mark-1"), pendingReplacement: true },
    { ...recorded("kept", "mark-2"), pendingReplacement: false },
    // One that was imported by an earlier version has no owner.
    { type: "EnvVar", name: "old", id: "prj_1/old", outputs: { at: "apiapiacc" }, pendingReplacement: true },
  ];
  cli.record(resources, [urn]);
  const stack = new StackState();
  stack.note(urn);
  const snapshot = await stack.step(urn, () => stack.readSnapshot());
  expect(snapshot?.ownerOf(api, ["prj_1/kept"])).toEqual({
    urn: urnOf("EnvVar", "kept"),
    provider: undefined,
    outputs: expect.objectContaining({ projectId: "prj_1" }),
  });
  expect(snapshot?.ownerOf(api, ["prj_1/retained"])).toBeUndefined();
  expect(snapshot?.abandoned).toEqual(["mark-1"]);
  expect([...(snapshot?.projects ?? [])]).toEqual(["prj_1"]);
});

it("passes over resources of other packages, whatever their outputs hold", async () => {
  const name = { [signatureKey]: secretSignature, ciphertext: "v1:x" };
  const urn = urnOf("EnvVar", "new");
  const outputs = { projectId: "prj_1", at: `${digest(api)}accnt1${digest("prj_1/kept")}mark-2` };
  cli.record(
    [
      { type: "random:index/password:EnvVar", name: "other", id: "x", outputs: { name, projectId: "prj_2" } },
      { type: "EnvVar", name: "kept", id: "prj_1/kept", outputs },
    ],
    [urn],
  );
  const stack = new StackState();
  stack.note(urn);
  const snapshot = await stack.step(urn, () => stack.readSnapshot());
  expect([...(snapshot?.projects ?? [])]).toEqual(["prj_1"]);
});

it("finds the stack of an inline program, which runs outside of the folder of its project", async () => {
  const urn = urnOf("EnvVar", "inline");
  cli.record([], [urn], "organization/test/test");
  const stack = new StackState();
  stack.note(urn);
  expect((await stack.step(urn, () => stack.readSnapshot()))?.abandoned).toEqual([]);
});

it("refuses a state in which the steps under way are missing, or which belongs to another project", async () => {
  const urn = urnOf("EnvVar", "lost");
  cli.record([], [urn], "organization/other/test");
  const stack = new StackState();
  expect(await stack.readSnapshot()).toBeUndefined();
  stack.note(urn);
  await expect(stack.step(urn, () => stack.readSnapshot())).rejects.toThrow(
    /export --stack test` failed: error: no project/,
  );
  cli.record([], [urnOf("EnvVar", "another")]);
  await expect(stack.step(urn, () => stack.readSnapshot())).rejects.toThrow(
    /--stack test` is not the state of this run/,
  );
  stack.note(urn.replace("::test::", "::other::"));
  cli.record([{ type: "EnvVar", name: "it", outputs: {} }], []);
  await expect(stack.readSnapshot()).rejects.toThrow(/is not the state of this run/);
});

it("reads the state in a preview, when no step is under way", async () => {
  cli.record([], []);
  const stack = new StackState();
  stack.note(urnOf("EnvVar", "it"));
  expect((await stack.readSnapshot())?.abandoned).toEqual([]);
});

it("reads the state again for a check beside which a step has ended", async () => {
  const urn = urnOf("EnvVar", "beside");
  cli.record([], []);
  const stack = new StackState();
  stack.note(urn);
  const end = Promise.withResolvers<void>();
  const step = stack.step(urn, () => end.promise);
  const read = stack.readSnapshot();
  await new Promise((started) => setImmediate(started));
  end.resolve();
  await step;
  expect((await read)?.abandoned).toEqual([]);
});

it.each([
  ["v3.186.9", false],
  ["v3.187.0", true],
  ["v4.0.0", true],
  ["v2.900.0", false],
  ["", false],
])("trusts what version %j of the CLI records of ignored inputs: %s", async (version, isTrusted) => {
  const urn = urnOf("EnvVar", "ignoring");
  cli.record([], [urn], undefined, { ignoreChanges: ["value"], version });
  const stack = new StackState();
  stack.note(urn);
  const ignored = stack.step(urn, () => stack.ignoredBy(urn));
  if (isTrusted) expect(await ignored).toEqual(["value"]);
  else await expect(ignored).rejects.toThrow(/does not report which inputs the program ignores/);
});
