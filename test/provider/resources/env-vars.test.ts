import type { Plain } from "../../../provider/core/values";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { type Harness, quietStep, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
});
afterEach(() => w.close());

type Remote = { id: string; key: string; value: string; type: string; target: string[]; comment?: string };

/** The variables of the project, by key. */
async function remote(): Promise<Record<string, Remote>> {
  return Object.fromEntries((await list()).envs.map((one) => [one.key, one]));
}
async function list(): Promise<{ envs: Remote[] }> {
  const answer = await fetch(`${w.server.url}/v9/projects/${web}/env?slug=acme&decrypt=true`, {
    headers: { authorization: `Bearer ${w.server.token}` },
  });
  const { envs } = (await answer.json()) as { envs: Remote[] };
  // On the profile `hosted`, only an answer about one variable has its value.
  const read = async (one: Remote): Promise<Remote> => {
    if (one.type === "sensitive") return one;
    const { value } = (await w.curl("GET", `/v1/projects/${web}/env/${one.id}`)) as Plain;
    return { ...one, value: value as string };
  };
  return { envs: await Promise.all(envs.map(read)) };
}
const post = (body: object): Promise<unknown> =>
  w.curl("POST", `/v10/projects/${web}/env`, {
    type: "plain",
    value: "theirs",
    target: ["production"],
    ...body,
  });
const patch = (id: string, body: object): Promise<unknown> =>
  w.curl("PATCH", `/v9/projects/${web}/env/${id}`, body);
const drop = (id: string): Promise<unknown> => w.curl("DELETE", `/v9/projects/${web}/env/${id}`);
const variables = {
  A: "canary-a",
  B: { value: "canary-b", target: ["preview"], gitBranch: "dev", comment: "why" },
  C: { value: "canary-c", type: "sensitive" },
};
const declared = () => ({ project: web, variables });

it.each(["constructor", "toString", "__proto__x", "hasOwnProperty"])(
  "has variables that are named like what every object has: %s",
  async (key) => {
    const stack = w.stack(envVars);
    await stack.up({ project: web, variables: { A: "a", [key]: "canary-1" } });
    expect((await remote())[key]).toMatchObject({ value: "canary-1" });
    expect(await stack.up({ project: web, variables: { A: "a" } })).toBe("update");
    expect(Object.keys(await remote())).toEqual(["A"]);
    expect(await stack.up({ project: web, variables: { A: "a", [key]: "canary-2" } })).toBe("update");
    expect((await remote())[key]).toMatchObject({ value: "canary-2" });
    await drop(`${(await remote())[key]?.id}`);
    await stack.refresh(w.another());
    expect(await stack.up({ project: web, variables: { A: "a", [key]: "canary-2" } })).toBe("update");
    expect((await remote())[key]).toMatchObject({ value: "canary-2" });
  },
);

it("deletes a renamed variable that the program does not declare any more, however often it was read", async () => {
  const stack = w.stack(envVars);
  await stack.up({ project: "web", variables: { A: "a", B: "b" } });
  await patch((await remote()).A?.id ?? "", { key: "A__MOVING_4f9a12c0" });
  for (const _ of [1, 2]) await stack.refresh();
  expect(Object.keys(stack.inputs.variables as object)).toEqual(["B"]);
  expect(await stack.up(stack.inputs)).toBe("update");
  expect(Object.keys(await remote())).toEqual(["B"]);
  expect(await stack.up(stack.inputs)).toBe("same");
});

it("says how it gets a variable of another kind that leaves the program", async () => {
  await w.stack(envVar).up({ project: web, key: "K", value: "v", target: ["production"] });
  const stack = w.stack(envVars);
  await stack.up({ project: web, variables: { A: "a" } });
  stack.use(w.another());
  await expect(stack.up({ project: web, variables: { A: "a", K: "k" } })).rejects.toThrow(
    /ENV_CONFLICT: .*The variable K\/production and K\/preview and K\/development already exists .*Adopt it with/,
  );
});

it("creates all with one request, and leaves unmanaged variables alone", async () => {
  await post({ key: "THEIRS" });
  const stack = w.stack(envVars);
  const sent = jest.spyOn(w.client, "send");
  await stack.up(declared());
  expect(sent.mock.calls.filter(([{ method }]) => method !== "GET")).toHaveLength(1);
  expect(await remote()).toMatchObject({
    A: { value: "canary-a", type: "encrypted", target: ["production", "preview", "development"] },
    B: { value: "canary-b", gitBranch: "dev", comment: "why" },
    C: { type: "sensitive", target: ["production", "preview"] },
    THEIRS: { value: "theirs" },
  });
  await stack.refresh(w.another());
  expect(await stack.up(declared())).toBe("same");
  await stack.destroy();
  expect(Object.keys(await remote())).toEqual(["THEIRS"]);
});

it("changes, adds and removes what the program does, and nothing else", async () => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  const { A, B } = await remote();
  const sent = jest.spyOn(w.client, "send");
  const next = { A: { value: "canary-a" }, B: { value: "canary-b2", target: ["preview"] }, D: "canary-d" };
  expect(await stack.up({ project: web, variables: next })).toBe("update");
  expect(
    sent.mock.calls
      .map(([{ method }]) => method)
      .filter((method) => method !== "GET")
      .sort(),
  ).toEqual(["DELETE", "PATCH", "POST"]);
  const now = await remote();
  expect(Object.keys(now).sort()).toEqual(["A", "B", "D"]);
  expect(now.A).toEqual(A);
  expect(now.B).toMatchObject({ id: B?.id, value: "canary-b2" });
  expect(now.B?.comment ?? "").toBe("");
  expect(now.B).not.toHaveProperty("gitBranch");
  await stack.refresh(w.another());
  expect(await stack.up({ project: "web", variables: { ...next, A: "canary-a" } })).toBe("same");
});

it.each([
  ["value", "A", { value: "other" }],
  ["target", "A", { target: ["preview"] }],
  ["comment", "B", { comment: "x" }],
  ["branch", "B", { gitBranch: "other" }],
  ["name", "A", { key: "RENAMED" }],
])("sees drift of a %s, and puts it right", async (_, key, drift) => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  const before = await remote();
  await patch(before[key]?.id ?? "", drift);
  await stack.refresh(w.another());
  expect(await stack.up(declared())).toBe("update");
  const { value, target, comment } = before[key] as Remote;
  expect((await remote())[key]).toMatchObject({
    id: before[key]?.id,
    value,
    target,
    ...(comment && { comment }),
  });
  await stack.refresh(w.another());
  expect(await stack.up(declared())).toBe("same");
});

it("sees of drift what differs, without defaults that were not declared", async () => {
  const stack = w.stack(envVars);
  const given = { A: "canary-a", B: { value: "canary-b", comment: "why" }, C: "canary-c" };
  await stack.up({ project: web, variables: given });
  const before = await remote();
  await patch(before.A?.id ?? "", { value: "other" });
  await patch(before.B?.id ?? "", { value: "other" });
  await patch(before.C?.id ?? "", { target: ["preview"] });
  await stack.refresh(w.another());
  expect(stack.inputs.variables).toEqual({
    A: "other",
    B: { value: "other", comment: "why" },
    C: { value: "canary-c", target: ["preview"] },
  });
});

it("rewrites a sensitive value that someone else wrote, and recreates one that is to be readable", async () => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  await w.server.control.advanceClock(1000);
  await patch((await remote()).C?.id ?? "", { value: "other" });
  await stack.refresh(w.another());
  expect(await stack.up(declared())).toBe("update");
  await stack.refresh(w.another());
  expect(await stack.up(declared())).toBe("same");
  const readable = { ...variables, C: { value: "canary-c", type: "plain" } };
  expect(await stack.up({ project: web, variables: readable })).toBe("update");
  expect((await remote()).C).toMatchObject({ type: "plain", value: "canary-c" });
});

it("recreates one that was removed, and is gone with its project", async () => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  await drop((await remote()).A?.id ?? "");
  expect(await stack.refresh(w.another())).toBe(true);
  expect(await stack.up(declared())).toBe("update");
  expect((await remote()).A).toMatchObject({ value: "canary-a" });
  await w.curl("DELETE", `/v9/projects/${web}`);
  expect(await stack.refresh(w.another())).toBe(false);
  await stack.destroy(w.another());
});

it("keeps what was made when some cannot be, names the others, and adopts them with the option", async () => {
  await post({ key: "A", value: "theirs-secret" });
  const stack = w.stack(envVars);
  await expect(stack.up(declared())).rejects.toThrow(
    /ENV_CONFLICT: .*The variable A\/production.* already exists .*Adopt it with/,
  );
  expect(Object.keys(stack.state.records as Plain).sort()).toEqual(["B", "C"]);
  await expect(stack.up(declared())).rejects.toThrow(/ENV_CONFLICT/);
  expect(Object.keys(await remote())).toHaveLength(3);
  expect(await stack.up({ ...declared(), adopt: true })).toBe("update");
  expect((await remote()).A).toMatchObject({ value: "canary-a" });
  await stack.refresh(w.another());
  expect(await stack.up({ ...declared(), adopt: true })).toBe("same");
  await post({ key: "D", target: ["preview"] });
  await post({ key: "D", target: ["production"] });
  const double = { project: web, variables: { D: "d" }, adopt: true };
  await expect(w.stack(envVars).up(double)).rejects.toThrow(/Several variables named D/);
});

it("creates only what it does not adopt", async () => {
  await post({ key: "A", target: ["production", "preview", "development"] });
  const sent = jest.spyOn(w.client, "send");
  await w.stack(envVars).up({ ...declared(), adopt: true });
  const created = sent.mock.calls.flatMap(([{ method, body }]) => (method === "POST" ? [body] : []));
  expect(created.map((body) => (body as { key: string }[]).map(({ key }) => key).sort())).toEqual([
    ["B", "C"],
  ]);
});

it("adopts what somebody has made since it looked, unless some of it cannot be adopted", async () => {
  const send = w.client.send.bind(w.client);
  let meanwhile = () => post({ key: "A", target: ["production", "preview", "development"] });
  jest.spyOn(w.client, "send").mockImplementation(async (ask) => {
    if (ask.method === "POST") await meanwhile();
    return send(ask);
  });
  const stack = w.stack(envVars);
  await stack.up({ project: web, variables: { A: "canary-a" }, adopt: true });
  expect(await remote()).toMatchObject({ A: { value: "canary-a" } });
  expect(Object.keys(stack.state.records as Plain)).toEqual(["A"]);
  // Of two that share the targets it cannot be told which one is meant.
  meanwhile = async () => {
    await post({ key: "D", target: ["production"] });
    await post({ key: "D", target: ["preview"] });
  };
  const double = { project: web, variables: { D: "d" }, adopt: true };
  await expect(w.stack(envVars).up(double)).rejects.toThrow(/Several variables named D/);
  expect((await list()).envs.filter(({ key }) => key === "D").map(({ value }) => value)).toEqual([
    "theirs",
    "theirs",
  ]);
});

it("makes each once when the answer gets lost", async () => {
  const path = `/v10/projects/${web}/env`;
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "drop-after" });
  const stack = w.stack(envVars);
  await stack.up(declared());
  expect((await list()).envs).toHaveLength(3);
  await stack.refresh(w.another());
  expect(await stack.up(declared())).toBe("same");
});

it("keeps a variable that another resource has when the others are deleted", async () => {
  const stack = w.stack(envVars);
  await stack.up({ project: web, variables: { A: "canary-a", B: "canary-b" } });
  w.run.ownership.assign("another", [`${web}/${(await remote()).A?.id}`]);
  await stack.destroy();
  expect(Object.keys(await remote())).toEqual(["A"]);
});

it("goes on where a change failed half-way", async () => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  const next = { project: web, variables: { A: "canary-a2", B: "canary-b2", D: "canary-d" }, type: "plain" };
  const path = `/v9/projects/${web}/env/${(await remote()).B?.id}`;
  await w.server.control.addFaults({ method: "PATCH", path, times: 9, kind: "status", status: 503 });
  await expect(stack.up(next)).rejects.toThrow(/503/);
  await w.server.control.clearFaults();
  await stack.up(next);
  expect(await remote()).toEqual({
    A: expect.objectContaining({ value: "canary-a2", type: "plain" }),
    B: expect.objectContaining({ value: "canary-b2", type: "plain" }),
    D: expect.objectContaining({ value: "canary-d", type: "plain" }),
  });
  await stack.refresh(w.another());
  expect(await stack.up(next)).toBe("same");
});

it("fails only after all of its writes have ended, and records those that succeeded", async () => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  const { A, B } = await remote();
  const path = (one: Remote | undefined) => `/v9/projects/${web}/env/${one?.id}`;
  await w.server.control.addFaults({ method: "PATCH", path: path(A), kind: "status", status: 400 });
  let answer = (): void => {};
  const isRefused = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let running = 0;
  const { send } = w.client;
  jest.spyOn(w.client, "send").mockImplementation(async (request) => {
    running += 1;
    // The slow write ends after the refused one.
    if (request.method === "PATCH" && request.path === path(B)) await isRefused;
    return send.call(w.client, request).finally(() => {
      running -= 1;
      if (request.path === path(A)) setImmediate(answer);
    });
  });
  const changed = { ...variables, A: "canary-a2", B: { ...variables.B, value: "canary-b2" } };
  await expect(stack.up({ project: web, variables: changed })).rejects.toThrow(/400/);
  expect(running).toBe(0);
  expect(stack.state.variables).toMatchObject({ A: { value: "canary-a" }, B: { value: "canary-b2" } });
});

it("puts right what a lost change had done, when the program goes back, and nothing else", async () => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  const { A, B } = await remote();
  const path = `/v9/projects/${web}/env/${A?.id}`;
  await w.server.control.addFaults({ method: "PATCH", path, times: 9, kind: "drop-after" });
  await expect(stack.up({ project: web, variables: { ...variables, A: "canary-a2" } })).rejects.toThrow(
    /out of reach/,
  );
  await w.server.control.clearFaults();
  expect(await remote()).toMatchObject({ A: { value: "canary-a2" } });
  expect(await stack.up(declared())).toBe("update");
  expect(await remote()).toMatchObject({ A: { value: "canary-a" }, B });
});

it("is deleted before it is replaced", async () => {
  const stack = w.stack(envVars);
  await stack.up(declared());
  const other = ((await w.curl("POST", "/v10/projects", { name: "other" })) as Plain).id;
  expect(await envVars.diff(w.run, stack.id, stack.state, { project: other, variables })).toMatchObject({
    replaces: ["project"],
    deleteBeforeReplace: true,
  });
  expect(await stack.up({ project: other, variables })).toBe("replace");
  expect(await remote()).toEqual({});
});

it("writes some at a time, so that none of many spends its time on waiting for the others", async () => {
  const stack = w.stack(envVars);
  const many = (value: string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`K${i}`, `${value}-${i}`]));
  await stack.up({ project: web, variables: many("canary") });
  let running = 0;
  let most = 0;
  const { send } = w.client;
  jest.spyOn(w.client, "send").mockImplementation(async (request) => {
    most = Math.max(most, ++running);
    return send.call(w.client, request).finally(() => running--);
  });
  await stack.up({ project: web, variables: many("other") });
  await stack.destroy();
  expect(most).toBeLessThanOrEqual(16);
  expect(await remote()).toEqual({});
});

describe("without a state", () => {
  beforeEach(async () => {
    await w.stack(envVars).up(declared());
    await post({ key: "D", value: "canary-d", target: ["production", "preview", "development"] });
  });

  it.each(["web/A,B", "web/B,A"])("is found by the keys in %s, as what changes nothing", async (id) => {
    const found = await envVars.read(w.runOf(w.another()), id, {});
    const { A, B } = variables;
    expect(found?.id).toBe(web);
    expect(found?.inputs).toEqual({ project: web, variables: { A, B } });
    const { changes } = await envVars.diff(
      w.runOf(w.another()),
      web,
      found?.state ?? {},
      found?.inputs ?? {},
    );
    expect(changes).toEqual([]);
    expect(Object.keys(found?.state.records as Plain).sort()).toEqual(["A", "B"]);
  });

  it("is found by a project alone, without the value of what cannot be read", async () => {
    const found = await envVars.read(w.run, "web", {});
    expect(found?.inputs.variables).toEqual({
      ...variables,
      C: { type: "sensitive" },
      D: { type: "plain", value: "canary-d" },
    });
  });

  it("says which key is not there, and which is there more than once", async () => {
    await expect(envVars.read(w.run, "web/NOPE", {})).rejects.toThrow(/has no variable NOPE/);
    await post({ key: "B", target: ["production"] });
    await expect(envVars.read(w.runOf(w.another()), "web/A,B", {})).rejects.toThrow(
      /has 2 variables B.*an EnvVar/,
    );
  });
});

it.each([
  [{ A: { value: "canary", type: "system" } }, /variables\.A has type system/],
  [{ A: { value: "canary", type: "sensitive", target: ["development"] } }, /variables\.A has type sensitive/],
  [{ A: { value: "canary", target: ["production"], gitBranch: "dev" } }, /variables\.A has a gitBranch/],
  [
    { A: { value: "canary", target: ["preview", "production"], gitBranch: "dev" } },
    /variables\.A has a gitBranch/,
  ],
  [{ A: { type: "plain" } }, /variables\.A has no value/],
  [{ "1A": "canary" }, /variables\.1A is not a valid key/],
  [{ TZ: "canary" }, /variables\.TZ is the key of a variable that the runtime sets/],
  [{ VERCEL_URL: "canary" }, /variables\.VERCEL_URL is the key of a system variable/],
  [{ A: { value: "canary", targets: [] } }, /variables\.A/],
])("refuses %j without telling the value", async (wrong, reason) => {
  const refusal = w.stack(envVars).up({ project: web, variables: wrong });
  await expect(refusal).rejects.toThrow(reason);
  await expect(refusal).rejects.not.toThrow(/canary/);
});

it("recreates a sensitive variable when its type leaves the program", async () => {
  const stack = w.stack(envVars);
  const target = ["preview"];
  await stack.up({ project: web, variables: { K: { value: "canary-k", type: "sensitive", target } } });
  expect(await stack.up({ project: web, variables: { K: { value: "canary-k", target } } })).toBe("update");
  expect((await remote()).K).toMatchObject({ type: "encrypted", value: "canary-k" });
});

it("are for custom environments beside their targets or alone, and go by what they say", async () => {
  const environment = async (slug: string): Promise<string> =>
    ((await w.curl("POST", `/v9/projects/${web}/custom-environments`, { slug })) as Plain).id as string;
  const [one, two] = [await environment("one"), await environment("two")];
  const stack = w.stack(envVars);
  const value = "canary-1";
  const variables = {
    ALONE: { value, customEnvironmentIds: [one] },
    BESIDE: { value, target: ["preview"], customEnvironmentIds: [one, two] },
    USUAL: { value, customEnvironmentIds: [] },
  };
  const declared = { project: web, target: ["production"], variables };
  await stack.up(declared);
  expect(await remote()).toMatchObject({
    ALONE: { target: [], customEnvironmentIds: [one] },
    BESIDE: { target: ["preview"], customEnvironmentIds: [one, two] },
    USUAL: { target: ["production"] },
  });
  await stack.refresh(w.another());
  expect(await stack.up(declared)).toBe("same");
  const { id } = (await remote()).ALONE as Remote;
  await stack.up({ ...declared, variables: { ALONE: { value } } });
  expect(await remote()).toMatchObject({ ALONE: { id, target: ["production"] } });
  const nowhere = { project: web, variables: { A: { value, target: [] } } };
  await expect(w.stack(envVars).up(nowhere)).rejects.toThrow(/variables.A has no target/);
  const branch = { value, gitBranch: "dev", customEnvironmentIds: [one] };
  await expect(w.stack(envVars).up({ project: web, variables: { A: branch } })).rejects.toThrow(/gitBranch/);
});

it("are what the program says when the service tells of no target for those of custom environments", async () => {
  const { id } = (await w.curl("POST", `/v9/projects/${web}/custom-environments`, { slug: "one" })) as Plain;
  const variables = { ALONE: { value: "canary-1", customEnvironmentIds: [id] } };
  const stack = w.stack(envVars);
  await stack.up({ project: web, variables });
  const reader = w.another();
  const [list, get] = [reader.list.bind(reader), reader.get.bind(reader)];
  const withoutTarget = (one: unknown): never => ({ ...(one as object), target: null }) as never;
  jest
    .spyOn(reader, "list")
    .mockImplementation(async (...asked) => (await list(...asked)).map(withoutTarget));
  jest.spyOn(reader, "get").mockImplementation(async (path, ...rest) => {
    const answer = await get(path, ...rest);
    return path.includes("/env/") ? withoutTarget(answer) : (answer as never);
  });
  await stack.refresh(reader);
  expect(await stack.up({ project: web, variables })).toBe("same");
});

it("changes one variable of many with one request, though it could adopt", async () => {
  const adopting = (A: string) => ({ project: web, variables: { A, B: "canary-b" }, adopt: true });
  const { id, state } = await envVars.create(w.run, quietStep, adopting("canary-a") as never);
  const sent = jest.spyOn(w.client, "send");
  await envVars.update(w.run, quietStep, id, state, adopting("canary-2") as never);
  expect(sent.mock.calls.map(([{ method }]) => method)).toEqual(["PATCH"]);
});

it("are not left plain when they are adopted without a type", async () => {
  await post({ key: "A", target: ["preview"] });
  await w.stack(envVars).up({ project: web, target: ["preview"], variables: { A: "canary-1" }, adopt: true });
  expect(await remote()).toMatchObject({ A: { type: "encrypted", value: "canary-1" } });
});

it.each([
  ["a value", { A: "canary-2", B: { value: "canary-b", type: "plain" } }, true],
  ["a type", { A: "canary-1", B: { value: "canary-b", type: "encrypted" } }, true],
  [
    "a target",
    { A: { value: "canary-1", target: ["preview"] }, B: { value: "canary-b", type: "plain" } },
    true,
  ],
  [
    "a variable that is added",
    { A: "canary-1", B: { value: "canary-b", type: "plain" }, C: "canary-c" },
    true,
  ],
  ["a variable that is removed", { A: "canary-1" }, true],
  ["a comment", { A: "canary-1", B: { value: "canary-b", type: "plain", comment: "why" } }, false],
  ["another notation", { A: { value: "canary-1" }, B: { value: "canary-b", type: "plain" } }, false],
])("has a revision that changes with %s: %j %p", async (_what, changed, isNew) => {
  const stack = w.stack(envVars);
  await stack.up({ project: web, variables: { A: "canary-1", B: { value: "canary-b", type: "plain" } } });
  const { revision } = stack.state;
  expect(revision).toMatch(/^[\w-]{12}$/);
  const after = { project: web, variables: changed };
  expect(envVars.planned(after, stack.state).revision === revision).toBe(!isNew);
  await stack.up(after);
  expect(stack.state.revision === revision).toBe(!isNew);
});
