import { existsSync } from "node:fs";
import { join } from "node:path";
import { runSteps, startLanguageWorkspace } from "../support/language-steps";
import type { Language } from "../support/languages";
import { byProfile } from "../support/profile";
import { comparable, Rehearsals } from "../support/rehearsal";
import { root } from "../support/server";
import { isLong } from "../support/slices";

/** Their hosts are built, and packages fetched: YAML, in `yaml.test.ts`, stands for them in a short run. */
const languages: Language[] = isLong ? ["typescript", "python", "go"] : [];

jest.setTimeout(1_200_000);

/** A table must not be empty. */
const describeIn = (some: Language[]) =>
  some.length > 0 ? describe.each(some) : describe.skip.each(["typescript"] as Language[]);

it("a test program exists for each language", () => {
  for (const language of ["typescript", "python", "go"]) {
    expect([language, existsSync(join(root, "test/e2e/programs", language))]).toEqual([language, true]);
  }
});

describeIn(languages)("a program in %s, with the SDK generated from the plugin", (language) => {
  it("is created, changed, repaired, imported and destroyed", async () => {
    const world = await startLanguageWorkspace();
    try {
      const stack = await world.program(language, join(root, "test/e2e/programs", language));
      await runSteps(language, world, stack);
    } finally {
      await world.stop();
    }
  });
});

describeIn(languages.filter((language) => language !== "typescript"))("the example in %s", (language) => {
  it("creates the objects of the quickstart, as its rehearsal tells", async () => {
    const world = await startLanguageWorkspace();
    const stack = await world.program(language, join(root, "examples", language));
    const rehearsals = await Rehearsals.of(world);
    const { env } = rehearsals;
    const { report } = await rehearsals.rehearse(stack);
    expect([report.exitCode, report.refusals]).toEqual([0, []]);
    const done = await rehearsals.carryOut(stack, async () => {
      const run = await stack.up({ env });
      expect(run.errors).toEqual([]);
      expect(run.steps).toHaveLength(6);
    });
    expect(comparable(done)).toEqual(comparable(report));
    expect(await stack.outputs()).toMatchObject({ challenges: byProfile([{ type: "TXT" }], []) });
    expect((await stack.up({ env })).steps).toEqual([]);
    expect((await stack.destroy({ env })).errors).toEqual([]);
    await rehearsals.close();
    await world.stop();
  });
});
