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
