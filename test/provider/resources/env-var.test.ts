import type { Plain } from "../../../provider/core/values";
import { unknown } from "../../../provider/core/values";
import { envVar } from "../../../provider/resources/env-var";
import { byProfile } from "../../support/profile";
import { type Harness, quietStep, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
});
afterEach(() => w.close());

const remote = (id: string): Promise<Plain> => w.curl("GET", `/v1/projects/${web}/env/${id.split("/")[1]}`);
const base = { key: "K", value: "canary-1", target: ["production", "preview"] };

it("is made, found unchanged, and changed in place", async () => {
  const stack = w.stack(envVar);
  const declared = { project: web, ...base, type: "plain", comment: "why" };
  await stack.up(declared);
  const { id } = stack;
  expect(await remote(id)).toMatchObject({ key: "K", value: "canary-1", comment: "why", type: "plain" });
  await stack.refresh();
  expect(await stack.up({ ...declared, target: ["preview", "production"] })).toBe("same");
  const next = {
    project: "web",
    key: "L",
    value: "canary-2",
    type: "encrypted",
    target: ["preview"],
    gitBranch: "dev",
  };
  expect(await stack.up(next)).toBe("update");
  expect(stack.id).toBe(id);
  const now = await remote(id);
  expect(now).toMatchObject({
    key: "L",
    value: "canary-2",
    type: "encrypted",
    target: ["preview"],
    gitBranch: "dev",
  });
  expect(now.comment ?? "").toBe("");
  expect(await stack.up({ ...next, gitBranch: undefined })).toBe("update");
  expect((await remote(id)).gitBranch).toBeUndefined();
  await stack.refresh();
  expect(await stack.up({ ...next, gitBranch: undefined })).toBe("same");
});

it("sees drift of each setting, and puts it right", async () => {
  const stack = w.stack(envVar);
  const declared = { project: web, ...base, type: "encrypted", comment: "why" };
  await stack.up(declared);
  for (const drift of [
    { value: "other" },
    { target: ["preview"] },
    { comment: "x" },
    { key: "M" },
    { type: "plain" },
  ]) {
    await w.curl("PATCH", `/v9/projects/${stack.id.replace("/", "/env/")}`, drift);
    await stack.refresh(w.another());
    expect(await stack.up(declared)).toBe("update");
    expect(await remote(stack.id)).toMatchObject({ ...base, type: "encrypted", comment: "why" });
  }
});

it("rewrites a sensitive value that someone else wrote, and replaces it to make it readable", async () => {
  const stack = w.stack(envVar);
  const declared = { project: web, ...base, type: "sensitive" };
  await stack.up(declared);
  await stack.refresh(w.another());
  expect(await stack.up(declared)).toBe("same");
  await w.server.control.advanceClock(1000);
  await w.curl("PATCH", `/v9/projects/${stack.id.replace("/", "/env/")}`, { value: "other" });
  await stack.refresh(w.another());
  expect(await stack.up(declared)).toBe("update");
  await stack.refresh(w.another());
  expect(await stack.up(declared)).toBe("same");
  expect(await stack.up({ ...declared, type: "plain" })).toBe("replace");
  expect(await remote(stack.id)).toMatchObject({ type: "plain", value: "canary-1" });
});

it("never writes the placeholder of an imported sensitive value, also after a change whose answer was lost", async () => {
  await w.curl("POST", `/v10/projects/${web}/env`, { ...base, type: "sensitive", value: "canary-live" });
  const [{ id = "" } = {}] = (await w.curl("GET", `/v9/projects/${web}/env`)).envs as unknown as {
    id: string;
  }[];
  const imported = await envVar.read(w.run, `${web}/${id}`, undefined);
  // `slipway import` writes an empty text for a value that nobody can read.
  const [key, state] = [`${imported?.id}`, { ...imported?.state, value: "" }];
  const changed = { ...imported?.inputs, value: "", comment: "new" };
  const sent = jest.spyOn(w.client, "send");
  const path = `/v9/projects/${web}/env/${id}`;
  await w.server.control.addFaults({ method: "PATCH", path, times: 50, kind: "drop-after" });
  const change = envVar.update(w.run, quietStep, key, state, changed);
  const failure = await change.catch((error) => error);
  await w.server.control.clearFaults();
  await envVar.update(w.run, quietStep, key, failure.state, changed);
  const bodies = sent.mock.calls.flatMap(([{ method, body }]) => (method === "PATCH" ? [body] : []));
  expect(bodies.length).toBeGreaterThan(1);
  for (const body of bodies) expect(body).not.toHaveProperty("value");
});

it("is deleted before it is replaced", async () => {
  const stack = w.stack(envVar);
  await stack.up({ project: web, ...base });
  const other = ((await w.curl("POST", "/v10/projects", { name: "other" })) as Plain).id;
  expect(await envVar.diff(w.run, stack.id, stack.state, { project: other, ...base })).toMatchObject({
    replaces: ["project"],
    deleteBeforeReplace: true,
  });
  expect(await stack.up({ project: other, ...base })).toBe("replace");
});

it("has no value as a system variable", async () => {
  const stack = w.stack(envVar);
  await stack.up({ project: web, key: "VERCEL_URL", type: "system", target: ["preview"] });
  await stack.refresh();
  expect(await stack.up({ project: web, key: "VERCEL_URL", type: "system", target: ["preview"] })).toBe(
    "same",
  );
});

it.each([{}, { type: "encrypted" }])(
  "gets its value when it is no system variable any more, with %j",
  async (type) => {
    const stack = w.stack(envVar);
    await stack.up({ project: web, key: "K", type: "system", target: ["preview"] });
    expect(await stack.up({ project: web, key: "K", value: "canary", target: ["preview"], ...type })).toBe(
      "update",
    );
    expect(await remote(stack.id)).toMatchObject({ type: "encrypted", value: "canary" });
  },
);

it("loses its value when it becomes a system variable", async () => {
  const stack = w.stack(envVar);
  await stack.up({ project: web, ...base });
  const system = { project: web, key: "K", type: "system", target: ["preview"] };
  expect(await stack.up(system)).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ type: "system", value: "" });
  await stack.refresh();
  expect(await stack.up(system)).toBe("same");
});

const addEnvironment = async (slug = "staging"): Promise<string> => {
  await w.server.control.changeTeam("acme", { plan: "enterprise" });
  return ((await w.curl("POST", `/v9/projects/${web}/custom-environments`, { slug })) as Plain).id as string;
};

it("takes custom environments beside targets, by an edit as the specification has it", async () => {
  const id = await addEnvironment();
  const stack = w.stack(envVar);
  await stack.up({ project: web, ...base, customEnvironmentIds: [id] });
  expect(await remote(stack.id)).toMatchObject({ customEnvironmentIds: [id] });
  await stack.refresh();
  expect(await stack.up({ project: web, ...base, customEnvironmentIds: [id] })).toBe("same");
  expect(await stack.up({ project: web, ...base })).toBe("update");
  expect((await remote(stack.id)).customEnvironmentIds ?? []).toEqual([]);
});

it("is for custom environments alone, with one request, and is found by them", async () => {
  const id = await addEnvironment();
  const stack = w.stack(envVar);
  const sent = jest.spyOn(w.client, "send");
  const declared = { project: web, key: "K", value: "canary-1", customEnvironmentIds: [id] };
  await stack.up(declared);
  expect(sent.mock.calls.filter(([{ method }]) => method !== "GET")).toHaveLength(1);
  expect(await remote(stack.id)).toMatchObject({ target: [], customEnvironmentIds: [id] });
  await stack.refresh(w.another());
  expect(await stack.up(declared)).toBe("same");
  expect(await envVar.read(w.runOf(w.another()), `web/K/${id}`, undefined)).toMatchObject({ id: stack.id });

  const taken = w.stack(envVar);
  await w.curl("POST", `/v10/projects/${web}/env`, { ...base, type: "plain", customEnvironmentIds: [] });
  const another = { ...declared, value: "canary-2", adopt: true };
  taken.use(w.another());
  await taken.up(another);
  expect(taken.id).toBe(stack.id);
  expect(await remote(stack.id)).toMatchObject({ value: "canary-2", target: [] });
});

it("is for nothing without a target or a custom environment", async () => {
  const nothing = { project: web, key: "K", value: "canary-1" };
  for (const where of [
    {},
    { target: [] },
    { customEnvironmentIds: [] },
    { target: [], customEnvironmentIds: [] },
  ])
    await expect(w.stack(envVar).up({ ...nothing, ...where })).rejects.toThrow(
      "target is missing. Give target, customEnvironmentIds, or both.",
    );
  // An unknown value may turn out to be one.
  for (const where of [{ target: unknown }, { target: [], customEnvironmentIds: [unknown] }])
    expect(envVar.check({}, { ...nothing, ...where })).toEqual([]);
});

it("lets no rule judge a list that holds a value not known yet", () => {
  const declared = { project: web, ...base, gitBranch: "dev", target: ["preview"] };
  expect(envVar.check({}, { ...declared, target: ["production", "preview"] })).toHaveLength(1);
  expect(envVar.check({}, { ...declared, target: ["production", unknown] })).toEqual([]);
  expect(envVar.check({}, { ...declared, customEnvironmentIds: [unknown] })).toEqual([]);
  expect(envVar.check({}, { project: web, ...base, type: "sensitive", target: [unknown] })).toEqual([]);
});

it("is told from those of other branches, when it is adopted and when it is read by its name", async () => {
  const post = async (fields: object): Promise<string> => {
    const body = { key: "K", value: "theirs", target: ["preview"], type: "plain", ...fields };
    const { created } = await w.curl("POST", `/v10/projects/${web}/env`, body);
    return `${web}/${(created as unknown as { id: string }).id}`;
  };
  const ids = {
    dev: await post({ gitBranch: "dev" }),
    none: await post({}),
    next: await post({ gitBranch: "next/one" }),
  };
  const read = (id: string) => envVar.read(w.runOf(w.another()), id, undefined);
  expect((await read("web/K/preview"))?.id).toBe(ids.none);
  expect((await read("web/K/preview/dev"))?.id).toBe(ids.dev);
  expect((await read("web/K/preview/next/one"))?.id).toBe(ids.next);
  await expect(read("web/K/preview/other")).rejects.toThrow(/404/);

  const declared = { project: web, key: "K", value: "canary-1", target: ["preview"], adopt: true };
  for (const gitBranch of [undefined, "dev", "next/one"]) {
    const stack = w.stack(envVar);
    await stack.up(gitBranch === undefined ? declared : { ...declared, gitBranch });
    expect(stack.id).toBe(gitBranch === undefined ? ids.none : gitBranch === "dev" ? ids.dev : ids.next);
  }
});

it.each(["plain", "system"])(
  "makes an adopted %s one encrypted, unless it is declared to be plain",
  async (type) => {
    const theirs = { target: ["preview"], type, ...(type === "plain" && { value: "theirs" }) };
    for (const key of ["K", "L"]) await w.curl("POST", `/v10/projects/${web}/env`, { ...theirs, key });
    const declared = { project: web, value: "canary-1", target: ["preview"], adopt: true };
    const [hidden, shown] = [w.stack(envVar), w.stack(envVar)];
    await hidden.up({ ...declared, key: "K" });
    await shown.up({ ...declared, key: "L", type: "plain" });
    expect(await remote(hidden.id)).toMatchObject({ type: "encrypted", value: "canary-1" });
    expect(await remote(shown.id)).toMatchObject({ type: "plain", value: "canary-1" });
    await hidden.refresh(w.another());
    expect(await hidden.up({ ...declared, key: "K" })).toBe("same");
  },
);

it("names the option when it exists, and adopts with it", async () => {
  const body = { key: "K", value: "theirs", target: ["production"], type: "plain" };
  await w.curl("POST", `/v10/projects/${web}/env`, body);
  const stack = w.stack(envVar);
  await expect(stack.up({ project: web, ...base })).rejects.toThrow(
    byProfile(/403 ENV_CONFLICT: .*Adopt it with/, /400 ENV_CONFLICT: .*Adopt it with/),
  );
  await stack.up({ project: web, ...base, adopt: true });
  expect(await remote(stack.id)).toMatchObject({ value: "canary-1", target: ["production", "preview"] });
  await w.curl("PATCH", `/v9/projects/${stack.id.replace("/", "/env/")}`, { target: ["production"] });
  await w.curl("POST", `/v10/projects/${web}/env`, { ...body, target: ["preview"] });
  const adopting = w.stack(envVar);
  adopting.use(w.another());
  await expect(adopting.up({ project: web, ...base, adopt: true })).rejects.toThrow(
    /Several variables named K/,
  );
});

it("is not split by adoption: both that want a part are refused, and it stays whole", async () => {
  const body = { key: "K", value: "theirs", target: ["production", "preview"], type: "plain" };
  await w.curl("POST", `/v10/projects/${web}/env`, body);
  const stacks = [w.stack(envVar), w.stack(envVar)];
  const declared = ["production", "preview"].map((target) => ({
    ...{ project: web, key: "K", value: `canary-${target}`, type: "plain" },
    ...{ target: [target], adopt: true },
  }));
  const ups = await Promise.allSettled(stacks.map((stack, i) => stack.up(declared[i] ?? {})));
  expect(ups.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const { envs } = (await w.curl("GET", `/v9/projects/${web}/env`)) as unknown as { envs: Plain[] };
  expect(envs.map(({ target, value }) => [target, value])).toEqual([[["production", "preview"], "theirs"]]);
});

it("is not adopted by two", async () => {
  await w.curl("POST", `/v10/projects/${web}/env`, { ...base, type: "plain" });
  const declared = { project: web, ...base, adopt: true };
  const both = await Promise.allSettled([w.stack(envVar).up(declared), w.stack(envVar).up(declared)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = both.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(String(refused.reason)).toMatch(/belongs to another resource of this program. Declare it once/);
});

it("leaves to others what the program does not change", async () => {
  const stack = w.stack(envVar);
  const declared = { project: web, ...base, type: "encrypted", comment: "one" };
  await stack.up(declared);
  await w.curl("PATCH", `/v9/projects/${stack.id.replace("/", "/env/")}`, { value: "rotated" });
  // As with { ignoreChanges: ["value"] }: the engine puts the old value in the place of the new one.
  expect(await stack.up({ ...declared, comment: "two" })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ value: "rotated", comment: "two" });
});

it("still sees that someone else wrote a sensitive value when something else of it was changed", async () => {
  const stack = w.stack(envVar);
  const declared = { project: web, ...base, type: "sensitive", comment: "one" };
  await stack.up(declared);
  await w.server.control.advanceClock(1000);
  await w.curl("PATCH", `/v9/projects/${stack.id.replace("/", "/env/")}`, { value: "other" });
  await w.server.control.advanceClock(1000);
  expect(await stack.up({ ...declared, comment: "two" })).toBe("update");
  await stack.refresh(w.another());
  expect(await stack.up({ ...declared, comment: "two" })).toBe("update");
  await stack.refresh(w.another());
  expect(await stack.up({ ...declared, comment: "two" })).toBe("same");
});

it("is sent whole after a change of which nobody knows whether it took effect", async () => {
  const stack = w.stack(envVar);
  const declared = { project: web, ...base, comment: "one" };
  await stack.up(declared);
  const path = `/v9/projects/${stack.id.replace("/", "/env/")}`;
  await w.server.control.addFaults({ method: "PATCH", path, times: 10, kind: "drop-after" });
  await expect(stack.up({ ...declared, value: "canary-2" })).rejects.toThrow(/out of reach/);
  await w.server.control.clearFaults();
  expect(await remote(stack.id)).toMatchObject({ value: "canary-2" });
  // The program goes back, and changes something else.
  expect(await stack.up({ ...declared, comment: "two" })).toBe("update");
  expect(await remote(stack.id)).toMatchObject({ value: "canary-1", comment: "two" });
  expect(stack.state).not.toHaveProperty("unsure");
});

it("is made when another one went just before, although the answer gets lost", async () => {
  const declared = { project: web, ...base };
  const stack = w.stack(envVar);
  await stack.up(declared);
  await stack.refresh();
  await stack.destroy();
  const path = `/v10/projects/${web}/env`;
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "drop-after" });
  await w.stack(envVar).up(declared);
  expect(await w.curl("GET", `/v9/projects/${web}/env`)).toMatchObject({ envs: [{ key: "K" }] });
});

it("is made once when the answer gets lost", async () => {
  await w.server.control.addFaults({
    method: "POST",
    path: `/v10/projects/${web}/env`,
    times: 1,
    kind: "drop-after",
  });
  const stack = w.stack(envVar);
  await stack.up({ project: web, ...base });
  expect(await w.curl("GET", `/v9/projects/${web}/env`)).toMatchObject({ envs: [{ key: "K" }] });
});

it("is found by its natural key", async () => {
  const stack = w.stack(envVar);
  await stack.up({ project: web, ...base, target: ["preview"], gitBranch: "feature/x" });
  const found = await envVar.read(w.runOf(w.another()), "web/K/preview/feature/x", {});
  expect(found).toMatchObject({
    id: stack.id,
    inputs: { project: web, value: "canary-1", gitBranch: "feature/x" },
  });
  await expect(envVar.read(w.run, "web/K/production", {})).rejects.toThrow(/404 not_found/);
});

it("has its value when it is found by its natural key in a list without values", async () => {
  const hosted = await startHarness({ profile: "hosted" });
  try {
    await hosted.curl("POST", "/v10/projects", { name: "web" });
    await hosted.stack(envVar).up({ project: "web", ...base, target: ["production"] });
    const found = await envVar.read(hosted.runOf(hosted.another()), "web/K/production", {});
    expect(found).toMatchObject({ inputs: { value: "canary-1" } });
  } finally {
    await hosted.close();
  }
});

it("is read with the others of its project: one list for all, and again where the list hides its value", async () => {
  const stacks = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const stack = w.stack(envVar);
      await stack.up({ project: web, ...base, key: `K${i}` });
      return stack;
    }),
  );
  const reader = w.another();
  const before = (await w.server.control.requests()).length;
  await Promise.all(stacks.map((stack) => stack.refresh(reader)));
  expect((await w.server.control.requests()).length - before).toBe(2 + byProfile(0, stacks.length));
});

it("sends a change with one request, and reads before it only what the answer would hide", async () => {
  const asked = async (type: string): Promise<string[]> => {
    const declared = { project: web, ...base, key: type, type, target: ["production"] };
    const { id, state } = await envVar.create(w.run, quietStep, declared);
    const sent = jest.spyOn(w.client, "send").mockClear();
    await envVar.update(w.run, quietStep, id, state, { ...declared, comment: "why" });
    return sent.mock.calls.map(([{ method }]) => method);
  };
  expect(await asked("encrypted")).toEqual(["PATCH"]);
  // That somebody else wrote its value is told by its time alone.
  expect(await asked("sensitive")).toEqual(["GET", "PATCH"]);
});

it("is read alone where the list shows a value that is still encrypted", async () => {
  const stack = w.stack(envVar);
  await stack.up({ project: web, ...base, type: "encrypted" });
  const reader = w.another();
  const list = reader.list.bind(reader);
  jest
    .spyOn(reader, "list")
    .mockImplementation(async (...asked) =>
      (await list(...asked)).map(
        (one) => ({ ...(one as object), value: "sealed", decrypted: false }) as never,
      ),
    );
  await stack.refresh(reader);
  expect(stack.state).toMatchObject({ value: "canary-1" });
});

it("is seen to be gone, and what the list lacks is asked for by its id", async () => {
  const stack = w.stack(envVar);
  await stack.up({ project: web, ...base });
  await w.curl("DELETE", `/v9/projects/${stack.id.replace("/", "/env/")}`);
  expect(await stack.refresh(w.another())).toBe(false);
  await stack.destroy();
});

it.each([
  [{ type: "system" }, /value cannot be given with type system/],
  [{ type: "sensitive", target: ["development"] }, /type sensitive excludes the target development/],
  [{ gitBranch: "dev", target: ["production"] }, /gitBranch requires preview as the only target/],
  [{ gitBranch: "dev", target: ["preview", "production"] }, /gitBranch requires preview as the only target/],
  [
    { gitBranch: "dev", target: ["preview"], customEnvironmentIds: ["env_1"] },
    /gitBranch requires preview as the only target/,
  ],
  [{ customEnvironmentIds: ["prj_1/env_1"] }, /customEnvironmentIds\[0\] must be the output environmentId/],
  [{ value: undefined }, /value is missing/],
  [{ target: [] }, /target is missing. Give target/],
  [{ target: ["staging"] }, /target\[0\] must be one of production, preview, development/],
  [{ key: "1K" }, /key must consist of letters, digits/],
])("refuses %j without telling the value", async (inputs, reason) => {
  const refusal = w.stack(envVar).up({ project: web, ...base, ...inputs });
  await expect(refusal).rejects.toThrow(reason);
  await expect(refusal).rejects.not.toThrow(/canary/);
});

it("is not created again from the placeholder of a value that nobody can read", async () => {
  const imported = { project: "web", key: "HIDDEN", value: "", type: "sensitive", target: ["production"] };
  const [failure] = await envVar.declare(w.run, {}, imported);
  expect(failure?.reason).toBe(
    "The sensitive variable HIDDEN cannot be created with an empty value, which stands for a value that nobody can read. " +
      "If the variable was deleted at the service, declare its value again, without " +
      'ignoreChanges: ["value"]. Otherwise remove it from the program.',
  );
  await expect(w.stack(envVar).up(imported)).rejects.toThrow(failure?.reason);
  expect((await w.curl("GET", "/v9/projects/web/env")).envs).toEqual([]);
  expect(await envVar.declare(w.run, imported, imported)).toEqual([]);
});

describe("the revision", () => {
  const declared = { key: "K", value: "canary-1", type: "plain", target: ["production"] };

  it.each([
    ["value", { value: "canary-2" }, true],
    ["type", { type: "encrypted" }, true],
    ["target", { target: ["production", "preview"] }, true],
    ["key", { key: "L" }, true],
    ["comment", { comment: "why" }, false],
    ["order of the target", { target: ["preview", "production"] }, false],
  ])("changes with its %s: %j %p", async (_what, change, isNew) => {
    const before = {
      ...declared,
      project: web,
      ...("target" in change && !isNew && { target: ["production", "preview"] }),
    };
    const stack = w.stack(envVar);
    await stack.up(before);
    const { revision } = stack.state;
    expect(revision).toMatch(/^[\w-]{12}$/);
    const after = { ...before, ...change };
    expect(envVar.planned(after, stack.state).revision === revision).toBe(!isNew);
    await stack.up(after);
    expect(stack.state.revision === revision).toBe(!isNew);
    await stack.refresh(w.another());
    expect(await stack.up(after)).toBe("same");
  });

  it("is another one for the same value, so that it tells nothing about it", async () => {
    const [one, two] = [w.stack(envVar), w.stack(envVar)];
    await one.up({ ...declared, project: web });
    await two.up({ ...declared, project: web, key: "L" });
    expect(one.state.revision).not.toBe(two.state.revision);
  });

  it("changes when others change the value, and when the program sets it back", async () => {
    const stack = w.stack(envVar);
    await stack.up({ ...declared, project: web });
    const revisions = [stack.state.revision];
    await w.curl("PATCH", `/v9/projects/${web}/env/${stack.id.split("/")[1]}`, { value: "theirs" });
    await stack.refresh(w.another());
    revisions.push(stack.state.revision);
    await stack.up({ ...declared, project: web });
    revisions.push(stack.state.revision);
    expect(new Set(revisions).size).toBe(3);
  });

  it("is not set in the state of an earlier version until the value changes", async () => {
    const stack = w.stack(envVar);
    await stack.up({ ...declared, project: web });
    const { revision: _, ...earlier } = stack.state;
    stack.state = earlier;
    await stack.refresh(w.another());
    expect(await stack.up({ ...declared, project: web })).toBe("same");
    await stack.up({ ...declared, project: web, comment: "why" });
    expect(stack.state.revision).toBeUndefined();
    await stack.up({ ...declared, project: web, value: "canary-2" });
    expect(stack.state.revision).toEqual(expect.any(String));
  });

  it("is not known at preview after a change of which nobody knows whether it took effect", async () => {
    const stack = w.stack(envVar);
    const before = { ...declared, project: web };
    await stack.up(before);
    const path = `/v9/projects/${stack.id.replace("/", "/env/")}`;
    await w.server.control.addFaults({ method: "PATCH", path, times: 10, kind: "drop-after" });
    await expect(stack.up({ ...before, value: "canary-2" })).rejects.toThrow(/out of reach/);
    await w.server.control.clearFaults();
    const { revision } = stack.state;
    expect(envVar.planned(before, stack.state).revision).toBe(unknown);
    await stack.up(before);
    expect(stack.state.revision).not.toBe(revision);
  });

  it("is not known at preview while the value is not", () => {
    const state = { ...declared, revision: "r" };
    expect(envVar.planned({ ...declared, value: unknown }, state).revision).toBe(unknown);
  });
});
