import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runSteps, startLanguageWorkspace } from "../support/language-steps";
import { hasHcl, type Language } from "../support/languages";
import { block } from "../support/pages";
import { byProfile } from "../support/profile";
import { comparable, Rehearsals } from "../support/rehearsal";
import { root } from "../support/server";
import { isLong } from "../support/slices";

/** Their hosts are built, and packages fetched: YAML, in `yaml.test.ts`, stands for them in a short run. */
const languages: Language[] = isLong
  ? ["typescript", "python", "go", ...(hasHcl ? ["hcl" as const] : [])]
  : [];

jest.setTimeout(1_200_000);

/** A table must not be empty. */
const describeIn = (some: Language[]) =>
  some.length > 0 ? describe.each(some) : describe.skip.each(["typescript"] as Language[]);

it("a test program exists for each language", () => {
  for (const language of ["typescript", "python", "go", "hcl"]) {
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

/** In other languages, the successor is created first; in HCL, only with `create_before_destroy`. */
(languages.includes("hcl") ? it.each : it.skip.each)([true, false])(
  "in HCL, create_before_destroy decides when a replaced object is deleted (%s)",
  async (isFirst) => {
    const world = await startLanguageWorkspace();
    try {
      const stack = await world.program("hcl", join(root, "examples/hcl"));
      const whole = readFileSync(join(stack.folder, "main.tf"), "utf8");
      const text = isFirst ? whole : whole.replace(/\n +lifecycle \{[^}]*\}\n/g, "");
      stack.file("main.tf", text);
      expect((await stack.up()).errors).toEqual([]);
      stack.file("main.tf", text.replace('"www.hcl.example.com"', '"next.hcl.example.com"'));
      const { errors, steps } = await stack.up();
      const ops = steps.filter(({ name }) => name === "www").map(({ op }) => op);
      const [made, deleted] = [ops.indexOf("create-replacement"), ops.indexOf("delete-replaced")];
      expect([errors, made >= 0, deleted >= 0, made < deleted]).toEqual([[], true, true, isFirst]);
      expect((await stack.destroy()).errors).toEqual([]);
    } finally {
      await world.stop();
    }
  },
);

(languages.includes("hcl") ? it : it.skip)("the program in HCL of the guide is made", async () => {
  const world = await startLanguageWorkspace();
  try {
    const stack = await world.yaml("guide", "");
    const manifest = block("docs/guides/other-languages.md yaml 2").replace("/path/to/slipway", root);
    stack.file("Pulumi.yaml", manifest.replace("name: web", `name: ${stack.name}`));
    stack.file("main.tf", block("docs/guides/other-languages.md hcl 1"));
    const run = await stack.up();
    expect([run.errors, run.steps.map(({ name }) => name)]).toEqual([[], ["web"]]);
    expect((await stack.destroy()).errors).toEqual([]);
  } finally {
    await world.stop();
  }
});
