import { closest } from "../../../provider/core/suggest";
import { unknown } from "../../../provider/core/values";
import { envVars } from "../../../provider/resources/env-vars";
import { project } from "../../../provider/resources/project";
import { frameworks, nodeVersions, regions } from "../../../provider/vocabulary";

const left = "has a value that this version does not know, so the service decides whether it is valid.";

describe("a value of tomorrow", () => {
  it.each([
    ["framework", "nxtjs", " Did you mean nextjs?"],
    ["framework", "something-of-next-year", ""],
    ["nodeVersion", "26.x", " Did you mean 24.x?"],
    ["serverlessFunctionRegion", "iad9", " Did you mean iad1?"],
  ])("of %s passes, with a word to the user", async (key, value, meant) => {
    const declared = { name: "web", [key]: value };
    expect(project.check({}, declared)).toEqual([]);
    expect(await project.warnings(declared)).toEqual([`${key} ${left}${meant}`]);
  });

  it("is named with the whole path of its input", async () => {
    const declared = { name: "web", resourceConfig: { functionDefaultMemoryType: "standrd" } };
    expect(await project.warnings(declared)).toEqual([
      expect.stringMatching(/^resourceConfig\.functionDefaultMemoryType has a value/),
    ]);
  });

  it("is none of those that are known, nor what is not known yet", async () => {
    const none = [{ framework: null }, { framework: unknown }, { nodeVersion: unknown }, {}];
    const known = [
      ...frameworks.map((framework) => ({ framework })),
      ...nodeVersions.map((nodeVersion) => ({ nodeVersion })),
      ...regions.map((serverlessFunctionRegion) => ({ serverlessFunctionRegion })),
    ];
    for (const one of [...none, ...known])
      expect(await project.warnings({ name: "web", ...one })).toEqual([]);
  });

  it("still is a text", () => {
    for (const framework of [5, true, {}, ""])
      expect(project.check({}, { name: "web", framework })).toHaveLength(1);
  });
});

describe("an input that there is not", () => {
  const reasons = (inputs: object): string[] =>
    project.check({}, { name: "web", ...inputs }).map(({ reason }) => reason);

  it("is answered with the one that may have been meant", () => {
    expect(reasons({ frameWork: "nextjs" })).toEqual(["unknown input frameWork. Did you mean framework?"]);
    expect(reasons({ bildCommand: "a", outputDirectroy: "b" })).toEqual([
      "unknown inputs bildCommand, outputDirectroy. Did you mean buildCommand, outputDirectory?",
    ]);
  });

  it("is answered with those of its place, also inside of others", () => {
    const address = { value: "10.0.0.1", nota: "office" };
    const trustedIps = { deploymentType: "all", protectionMode: "additional", addresses: [address] };
    expect(reasons({ trustedIps })).toEqual([
      "unknown input nota in trustedIps.addresses[0]. Did you mean note?",
    ]);
    expect(reasons({ dataCache: { disabled: true, colour: "red" } })).toEqual([
      "unknown input colour in dataCache. Remove it, or correct its name. Inputs are: disabled.",
    ]);
    const variables = { K: { value: "canary", tagret: ["preview"] } };
    expect(envVars.check({}, { project: "web", variables }).map(({ reason }) => reason)).toEqual([
      "unknown input tagret in variables.K. Did you mean target?",
    ]);
  });

  it("is answered with all that there are when none is near", () => {
    expect(reasons({ colour: "red" })[0]).toMatch(
      /^unknown input colour\. Remove it, or correct its name\. Inputs are: name, /,
    );
  });
});

it.each([
  ["nextjs", "nextjs"],
  ["NextJS", "nextjs"],
  ["netxjs", "nextjs"],
  ["next", "nextjs"],
  ["vue3", "vue"],
  ["astrojs", "astro"],
  ["zzz", undefined],
  ["", undefined],
])("takes %j for %s", (word, meant) => {
  expect(closest(word, frameworks)).toBe(meant);
});
