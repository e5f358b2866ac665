import type { Plain } from "../../../provider/core/values";
import { featureFlag } from "../../../provider/resources/feature-flag";
import { type Harness, type Stack, startHarness } from "../stack";

let w: Harness;
let stack: Stack;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
  stack = w.stack(featureFlag);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await w.close();
});

const base = "/v1/projects/web/feature-flags/flags";
const variants = [
  { id: "treatment", value: "b" },
  { id: "control", value: "a" },
];
const flag = { project: "web", slug: "checkout", kind: "string", variants };
const serving = { enabled: true, defaultVariantId: "treatment", disabledVariantId: "control" };

interface Remote extends Plain {
  environments: Record<string, Plain>;
  variants: Plain[];
}
const remote = async (): Promise<Remote> => (await w.curl("GET", `${base}/checkout`)) as unknown as Remote;
const patch = (body: object) => w.curl("PATCH", `${base}/checkout`, body);
const served = (variantId: string) => ({ type: "variant", variantId });

it("begins with every environment disabled, and serves what the program declares", async () => {
  await stack.up({ ...flag, preview: serving });
  const off = { active: false, fallthrough: served("control"), pausedOutcome: served("control"), rules: [] };
  expect((await remote()).environments).toMatchObject({
    production: off,
    development: off,
    preview: { active: true, fallthrough: served("treatment"), pausedOutcome: served("control") },
  });
});

it.each([
  [
    [
      { id: "on", value: true },
      { id: "off", value: false },
    ],
    "boolean",
    "off",
  ],
  [
    [
      { id: "one", value: 1 },
      { id: "two", value: 2 },
    ],
    "number",
    "one",
  ],
])("begins disabled with the variant that stands for off: %j", async (all, kind, id) => {
  await stack.up({ ...flag, kind, variants: all });
  expect((await remote()).environments.production).toMatchObject({ pausedOutcome: served(id) });
});

it("leaves environments that it does not declare to the dashboard", async () => {
  await stack.up({ ...flag, preview: serving });
  const production = {
    active: true,
    rules: [],
    fallthrough: served("treatment"),
    pausedOutcome: served("control"),
  };
  await patch({ environments: { production } });
  await stack.refresh(w.another());
  expect(await stack.up({ ...flag, preview: serving })).toBe("same");
  await stack.up({ ...flag, preview: { ...serving, enabled: false } });
  expect((await remote()).environments).toMatchObject({ production, preview: { active: false } });
});

it("keeps rules and targets of an environment that it declares", async () => {
  await stack.up({ ...flag, production: serving });
  const rules = [{ id: "rule_1", conditions: [], outcome: served("control") }];
  const targets = { control: { user: { id: [{ value: "ada", note: "us" }] } } };
  const { revision: _, ...production } = (await remote()).environments.production as Plain;
  await patch({ environments: { production: { ...production, rules, targets } } });
  await stack.refresh(w.another());
  expect(await stack.up({ ...flag, production: serving })).toBe("same");
  await stack.up({ ...flag, production: { ...serving, enabled: false } });
  expect((await remote()).environments.production).toMatchObject({ active: false, rules, targets });
});

it("sees a split and a link of a declared environment, and ends both", async () => {
  await stack.up({ ...flag, production: serving });
  const base = { type: "entity", kind: "user", attribute: "id" };
  const production = {
    ...{ active: true, rules: [], pausedOutcome: served("control") },
    fallthrough: { type: "split", base, weights: { treatment: 1 }, defaultVariantId: "control" },
    reuse: { active: true, environment: "preview" },
  };
  await patch({ environments: { production } });
  await stack.refresh(w.another());
  expect(await stack.up({ ...flag, production: serving })).toBe("update");
  expect((await remote()).environments.production).toMatchObject({
    fallthrough: served("treatment"),
    reuse: { active: false },
  });
});

it("keeps texts of variants that it does not declare", async () => {
  await stack.up(flag);
  await patch({ variants: variants.map((variant) => ({ ...variant, label: `label of ${variant.id}` })) });
  await stack.refresh(w.another());
  expect(await stack.up(flag)).toBe("same");
  await stack.up({ ...flag, variants: [...variants, { id: "other", value: "c" }] });
  expect((await remote()).variants).toEqual([
    { id: "treatment", label: "label of treatment", value: "b" },
    { id: "control", label: "label of control", value: "a" },
    { id: "other", value: "c" },
  ]);
});

it("sees that the order of a value has changed", async () => {
  const declared = (value: unknown) => ({ ...flag, kind: "json", variants: [{ id: "list", value }] });
  await stack.up(declared([1, 2]));
  expect(await stack.up(declared([2, 1]))).toBe("update");
  expect((await remote()).variants).toEqual([{ id: "list", value: [2, 1] }]);
});

it("archives a flag before it deletes it", async () => {
  await stack.up(flag);
  await stack.destroy();
  await expect(remote()).rejects.toThrow(/404/);
});

it("replaces a flag of another kind after its deletion, and one with another slug before", async () => {
  await stack.up(flag);
  expect(await stack.up({ ...flag, kind: "json" })).toBe("replace");
  expect(await remote()).toMatchObject({ kind: "json" });
  expect(await stack.up({ ...flag, kind: "json", slug: "basket" })).toBe("replace");
  await expect(remote()).rejects.toThrow(/404/);
});

it("adopts an archived flag, and writes only what the program declares", async () => {
  await w.curl("PUT", base, {
    ...{ slug: "checkout", kind: "string", variants, tags: ["shop"] },
    environments: {},
  });
  await patch({ state: "archived", description: "old" });
  await expect(stack.up(flag)).rejects.toThrow(/already exists.*\{ adopt: true \}/);
  await stack.up({ ...flag, archived: false, adopt: true });
  expect(await remote()).toMatchObject({ state: "active", description: "old", tags: ["shop"] });
});

it("adopts no flag of another kind", async () => {
  await w.curl("PUT", base, { slug: "checkout", kind: "boolean", environments: {} });
  await expect(stack.up({ ...flag, adopt: true })).rejects.toThrow(/exists with the kind boolean/);
});

const reasons = (inputs: Plain): string[] =>
  featureFlag.check({}, { ...flag, ...inputs }).map(({ reason }) => reason);

it.each([
  ["two variants with the same id", { variants: [variants[0], variants[0]] }, /have the same id/],
  ["a value of another kind", { variants: [{ id: "one", value: 1 }] }, /"one" is not a string/],
  [
    "a boolean flag with one variant",
    { kind: "boolean", variants: [{ id: "on", value: true }] },
    /must be two/,
  ],
  ["an unknown variant", { preview: { ...serving, defaultVariantId: "none" } }, /names "none"/],
])("refuses at preview %s", (_what, inputs, reason) => {
  expect(reasons(inputs)).toEqual([expect.stringMatching(reason)]);
});

it("refuses at preview to remove a variant that is still named where the program does not decide", async () => {
  const named = w.stack(featureFlag, "flag");
  const third = { id: "third", value: "c" };
  const stays = { ...flag, production: serving };
  await named.up({ ...stays, variants: [...variants, third] });
  const { environments } = await remote();
  const { preview, production } = environments;
  const refused = async (): Promise<void> => {
    await expect(named.preview(stays)).rejects.toThrow(/The environment \w+ still names the variant third/);
    await expect(named.up(stays)).rejects.toThrow("third");
  };
  await patch({ environments: { preview: { ...preview, fallthrough: served("third") } } });
  await refused();
  const rule = { id: "rule_1", conditions: [], outcome: served("third") };
  await patch({ environments: { preview, production: { ...production, rules: [rule] } } });
  await refused();
  await patch({ environments: { production } });
  await named.preview(stays);
  expect(await named.up(stays)).toBe("update");
  expect((await remote()).variants).toHaveLength(2);
});
