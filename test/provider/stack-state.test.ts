import { recordOf } from "../../provider/core/claims";
import { held, recordedStep } from "../../provider/plugin/stack-state";
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

it("tells what the stack holds apart from what was let go for a replacement that was not ended", async () => {
  const recorded = (name: string, mark: string) => ({
    type: "EnvVar",
    name,
    id: `prj_1/${name}`,
    outputs: { projectId: "prj_1", at: recordOf("apiapiaccount", `prj_1/${name}`, mark).slice(-24) },
  });
  const urn = urnOf("EnvVar", "new");
  const resources = [
    { ...recorded("retained", "mark-1"), pendingReplacement: true },
    { ...recorded("kept", "mark-2"), pendingReplacement: false },
    // One that was imported by an earlier version has no mark.
    { type: "EnvVar", name: "old", id: "prj_1/old", outputs: { at: "apiapiacc" }, pendingReplacement: true },
  ];
  cli.record(resources, [urn]);
  const { text, left } = await recordedStep(urn, held);
  expect(text.split("\n").map((line) => line.slice(13))).toEqual(['EnvVar "kept"']);
  expect(left).toEqual(["mark-1"]);
});

it("finds the stack of an inline program, which runs outside of the folder of its project", async () => {
  const urn = urnOf("EnvVar", "inline");
  cli.record([], [urn], "organization/test/test");
  const { held, recordedStep } = anew();
  expect(await recordedStep(urn, held)).toEqual({ text: "", left: [] });
});

it("says why the stack was not found by its own name, and takes no other state for it", async () => {
  const urn = urnOf("EnvVar", "lost");
  cli.record([], [urn], "organization/other/test");
  const { held, recordedStep } = anew();
  await expect(recordedStep(urn, held)).rejects.toThrow(/export --stack test` failed: error: no project/);
  cli.record([], [urnOf("EnvVar", "another")]);
  await expect(recordedStep(urn, held)).rejects.toThrow(/--stack test` prints is not the state of this run/);
});

/** The module as a new process has it, which has asked nothing yet. */
function anew(): typeof import("../../provider/plugin/stack-state") {
  jest.resetModules();
  return require("../../provider/plugin/stack-state");
}
