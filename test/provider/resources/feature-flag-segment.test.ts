import type { Plain } from "../../../provider/core/values";
import { featureFlagSegment } from "../../../provider/resources/feature-flag-segment";
import { type Harness, type Stack, startHarness } from "../stack";

let w: Harness;
let stack: Stack;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
  stack = w.stack(featureFlagSegment);
});
afterEach(() => w.close());

const base = "/v1/projects/web/feature-flags";
const segment = { project: "web", slug: "staff", label: "Staff" };
const include = { user: { email: ["ada@example.com"] } };
const rules = [{ id: "rule_1", conditions: [], outcome: { type: "all" } }];

const remote = (): Promise<Plain> => w.curl("GET", `${base}/segments/staff`);
const patch = (body: object) => w.curl("PATCH", `${base}/segments/staff`, body);

it("keeps rules, notes and the other list of the dashboard", async () => {
  await stack.up({ ...segment, include });
  const exclude = { user: { id: [{ value: "1", note: "left" }] } };
  const noted = { user: { email: [{ value: "ada@example.com", note: "first" }] } };
  await patch({ data: { rules, include: noted, exclude } });
  await stack.refresh(w.another());
  expect(await stack.up({ ...segment, include })).toBe("same");
  await stack.up({ ...segment, include: { user: { email: ["ada@example.com", "bob@example.com"] } } });
  expect(await remote()).toMatchObject({
    data: {
      ...{ rules, exclude },
      include: {
        user: { email: [{ value: "ada@example.com", note: "first" }, { value: "bob@example.com" }] },
      },
    },
  });
});

it("deletes the entries of a list that leaves the program", async () => {
  await stack.up({ ...segment, include });
  expect(await stack.up(segment)).toBe("update");
  expect(await remote()).toMatchObject({ data: { include: {} } });
  expect(await stack.up(segment)).toBe("same");
});

it("adopts a segment, and writes only what the program declares", async () => {
  const data = { rules, include: { user: { id: [{ value: "1" }] } } };
  await w.curl("PUT", `${base}/segments`, { slug: "staff", label: "Old", hint: "user-id", data });
  await expect(stack.up(segment)).rejects.toThrow(/already exists.*\{ adopt: true \}/);
  await stack.up({ ...segment, adopt: true });
  expect(await remote()).toMatchObject({ label: "Staff", hint: "user-id", data });
});

it("deletes no segment that a rule uses", async () => {
  await stack.up(segment);
  const served = { type: "variant", variantId: "off" };
  const lhs = { type: "segment" };
  const conditions = [{ lhs, cmp: "eq", rhs: stack.state.segmentId }];
  const production = {
    ...{ active: true, pausedOutcome: served, fallthrough: served },
    rules: [{ id: "rule_1", conditions, outcome: served }],
  };
  await w.curl("PUT", `${base}/flags`, { slug: "beta", kind: "boolean", environments: { production } });
  await expect(stack.destroy()).rejects.toThrow(/Rules of beta use this segment/);
});
