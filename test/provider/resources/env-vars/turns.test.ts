import { claims, heldText } from "../../../../provider/core/claims";
import { envVar } from "../../../../provider/resources/env-var";
import { envVars } from "../../../../provider/resources/env-vars";
import { type Harness, type Stack, startHarness } from "../../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
});
afterEach(() => w.close());

const production = ["production"];
const one = (key: string, target = production) => ({
  project: "web",
  key,
  value: `one-${key}`,
  type: "plain",
  target,
});
const many = (variables: Record<string, string[]>, more: object = {}) => ({
  project: "web",
  type: "plain",
  variables: Object.fromEntries(
    Object.entries(variables).map(([key, target]) => [key, { value: `many-${key}`, target }]),
  ),
  ...more,
});

async function list(): Promise<{ id: string; key: string; target: string[]; value: string }[]> {
  const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
    envs: { id: string; key: string; target: string[]; value: string }[];
  };
  return envs;
}
const values = async (): Promise<string[]> =>
  (await list()).map(({ key, target, value }) => `${key} ${target.join()} ${value}`).sort();

/** One run over all of them at once, as the engine does it, in a process of its own; then nothing is left to do. */
async function inOneRun(stacks: Stack[], next: object[]): Promise<void> {
  let client = w.another();
  for (const stack of stacks) stack.use(client);
  const run = await Promise.allSettled(stacks.map((stack, i) => stack.up(next[i] as never)));
  expect(run.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []))).toEqual([]);
  client = w.another();
  for (const [i, stack] of stacks.entries()) {
    stack.use(client);
    await stack.refresh();
    expect(await stack.preview(next[i] as never)).toBe("same");
  }
}

describe.each([
  ["first", 0],
  ["last", 1],
])("with the EnvVars %s", (_, at) => {
  /** Both of them in the order of the run. */
  const both = <T>(single: T, together: T): T[] => (at === 0 ? [together, single] : [single, together]);

  it("a variable swaps its key with one of EnvVars", async () => {
    const stacks = both(w.stack(envVar), w.stack(envVars));
    await inOneRun(stacks, both<object>(one("A"), many({ B: production })));
    await inOneRun(stacks, both<object>(one("B"), many({ A: production })));
    expect(await values()).toEqual(["A production many-A", "B production one-B"]);
  });

  it("a variable swaps its targets with one of EnvVars of the same key", async () => {
    const stacks = both(w.stack(envVar), w.stack(envVars));
    await inOneRun(stacks, both<object>(one("A"), many({ A: ["preview"] })));
    const ids = (await list()).map(({ id }) => id).sort();
    await inOneRun(stacks, both<object>(one("A", ["preview"]), many({ A: production })));
    expect(await values()).toEqual(["A preview one-A", "A production many-A"]);
    expect((await list()).map(({ id }) => id).sort()).toEqual(ids);
  });
});

it("a variable swaps its targets with EnvVars that have them for all, with a variable that is not known yet", async () => {
  const [single, together] = [w.stack(envVar), w.stack(envVars)];
  const all = (target: string[]) => ({ project: "web", type: "plain", variables: { A: "many-A" }, target });
  await single.up(one("A", ["preview"]));
  await together.up(all(production));
  const client = w.another();
  for (const stack of [single, together]) stack.use(client);
  expect(await single.preview(one("A", ["preview"]))).toBe("same");
  await expect(together.preview(all(["preview"]))).rejects.toThrow(/A\/preview.* is that, and stays it/);
  await inOneRun([single, together], [one("A"), all(["preview"])]);
  expect(await values()).toEqual(["A preview many-A", "A production one-A"]);
});

it("two EnvVars swap keys, and targets of one key, also through a third", async () => {
  const stacks = [w.stack(envVars), w.stack(envVars), w.stack(envVars)];
  const [x, y, z] = [production, ["preview"], ["development"]];
  await inOneRun(stacks, [many({ A: x, S: x }), many({ B: x, S: y }), many({ C: x, S: z })]);
  await inOneRun(stacks, [many({ B: x, S: y }), many({ C: x, S: z }), many({ A: x, S: x })]);
  expect((await values()).map((line) => line.replace(/ many.*/, ""))).toEqual([
    "A production",
    "B production",
    "C production",
    "S development",
    "S preview",
    "S production",
  ]);
});

it("gives a variable that stood aside when a run was killed its key back", async () => {
  const stack = w.stack(envVars);
  await stack.up(many({ A: production }));
  const [{ id } = { id: "" }] = await list();
  await w.curl("PATCH", `/v9/projects/web/env/${id}`, { key: "A__MOVING_0a1b2c3d" });
  stack.use(w.another());
  expect(await stack.up(many({ A: ["preview"] }))).toBe("update");
  expect(await values()).toEqual(["A preview many-A"]);
});

it("is refused at preview the key that another resource of the program keeps, new or not", async () => {
  const [single, together] = [w.stack(envVar), w.stack(envVars)];
  await single.up(one("A"));
  await together.up(many({ B: production }));
  const client = w.another();
  for (const stack of [single, together]) stack.use(client);
  expect(await single.preview(one("A"))).toBe("same");
  const kept =
    /the variable A\/production is that of EnvVar prj_\w+\/\w+ of this program\. Give one of them another key/;
  await expect(together.preview(many({ A: production, B: production }))).rejects.toThrow(kept);
  await expect(together.preview(many({ A: production, B: production }, { adopt: true }))).rejects.toThrow(
    /^The variable A \(\w+\) is one that another resource of this program has\. Declare it once\.$/,
  );
  const reasons = async (resource: typeof envVar | typeof envVars, news: object): Promise<string> =>
    (await resource.refusals(client, {}, news as never)).map(({ reason }) => reason).join();
  expect(await reasons(envVars, many({ A: production }))).toMatch(kept);
  expect(await together.preview(many({ B: production }))).toBe("same");
  expect(await reasons(envVar, one("B"))).toMatch(/the variable B\/production is that of EnvVars prj_/);
  await expect(single.preview(one("B"))).rejects.toThrow(
    /^EnvVar prj_\w+\/\w+ cannot become the variable B\/production: EnvVars prj_\w+\/\w+ of this program is that/,
  );
  expect(await together.preview(many({ C: production }))).toBe("update");
  expect(await reasons(envVar, one("B"))).toBe("");
});

it("is told at preview what exists already, and adopts it unless the stack has it", async () => {
  const owner = w.stack(envVar);
  await owner.up(one("A"));
  const reasons = async (more: object, held: Stack[]): Promise<string> => {
    const client = w.another();
    claims.learn(heldText(held.map(({ type, state }) => ({ type, name: "held", outputs: state }))));
    const failures = await envVars.refusals(client, {}, many({ A: production }, more) as never);
    return failures.map(({ reason }) => reason).join();
  };
  expect(await reasons({}, [])).toMatch(/the variable A\/production exists already: it is EnvVar prj_/);
  expect(await reasons({ adopt: true }, [])).toBe("");
  expect(await reasons({ adopt: true }, [owner])).toMatch(
    /^The variable A \(\w+\) belongs to EnvVar "held" of this stack, so it is not adopted\./,
  );
  const later = w.stack(envVars);
  await later.up(many({ B: production }, { adopt: true }));
  later.use(w.another());
  claims.learn(heldText([{ type: owner.type, name: "held", outputs: owner.state }]));
  await expect(later.preview(many({ A: production, B: production }, { adopt: true }))).rejects.toThrow(
    /belongs to EnvVar "held" of this stack/,
  );
});

it("takes a name that becomes free, instead of adopting who had it", async () => {
  const [single, together] = [w.stack(envVar), w.stack(envVars)];
  await single.up(one("A"));
  const { id } = single;
  const client = w.another();
  for (const stack of [single, together]) stack.use(client);
  expect(await single.preview(one("B"))).toBe("update");
  const made = together.up(many({ A: production }, { adopt: true }));
  expect(await single.up(one("B"))).toBe("update");
  expect(await made).toBe("create");
  expect(single.id).toBe(id);
  expect(await values()).toEqual(["A production many-A", "B production one-B"]);
});
