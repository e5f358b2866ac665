import type { Plain } from "../../../provider/core/values";
import { unknown } from "../../../provider/core/values";
import { sharedEnvVar } from "../../../provider/resources/shared-env-var";
import { refuseFailed } from "../../../provider/resources/shared-env-var/records";
import { sharedEnvVarLink } from "../../../provider/resources/shared-env-var-link";
import { type Harness, quietStep, recordStack, type Stack, startHarness } from "../stack";

let w: Harness;
let web: string;
let docs: string;
beforeEach(async () => {
  w = await startHarness();
  const make = async (name: string) =>
    ((await w.curl("POST", "/v10/projects", { name })) as Plain).id as string;
  [web, docs] = [await make("web"), await make("docs")];
});
afterEach(() => w.close());

interface Remote extends Plain {
  id: string;
  projectId: string[];
  updatedAt: number;
}
const remote = (id: string): Promise<Remote> =>
  w.curl("GET", `/v1/env/${id}`) as Promise<Plain> as Promise<Remote>;
const all = async (): Promise<Remote[]> => (await w.curl("GET", "/v1/env")).data as unknown as Remote[];
const change = async (id: string, update: object): Promise<unknown> => {
  await w.server.control.advanceClock(1000);
  return w.curl("PATCH", "/v1/env", { updates: { [id]: update } });
};
const add = async (fields: object = {}): Promise<string> => {
  const body = {
    evs: [{ key: "K", value: "canary-live" }],
    type: "encrypted",
    target: ["preview"],
    ...fields,
  };
  const { created } = (await w.curl("POST", "/v1/env", body)) as unknown as { created: [Remote] };
  return created[0].id;
};
/** Begins a run, as a new process that can read the state of the stack. */
function begin(recorded: readonly Stack[], fresh: readonly Stack[]): void {
  const client = w.another();
  for (const stack of [...recorded, ...fresh]) stack.use(client);
  recordStack(recorded.map(({ type, name, state }) => ({ type, name, outputs: state })));
}
const base = { key: "K", value: "canary-1", target: ["production", "preview"] };

it("is declared once for all custom environments", async () => {
  const declared = { key: "K", value: "canary-1", type: "encrypted", applyToAllCustomEnvironments: true };
  const [one, other] = [w.stack(sharedEnvVar, "one"), w.stack(sharedEnvVar, "other")];
  await one.preview(declared);
  await expect(other.preview({ ...declared, value: "canary-2" })).rejects.toThrow(/ both declare the /);
});

describe("a shared variable", () => {
  it("is made with its links, found unchanged, and changed in place", async () => {
    const stack = w.stack(sharedEnvVar);
    const declared = { ...base, type: "encrypted", comment: "why", projectIds: [docs, web] };
    await stack.up(declared);
    const { id } = stack;
    expect(await remote(id)).toMatchObject({
      key: "K",
      value: "canary-1",
      comment: "why",
      type: "encrypted",
    });
    expect((await remote(id)).projectId.sort()).toEqual([docs, web].sort());
    await stack.refresh(w.another());
    expect(await stack.up({ ...declared, projectIds: [web, docs] })).toBe("same");
    const next = { ...base, key: "L", value: "canary-2", target: ["preview"], projectIds: [web] };
    expect(await stack.up({ ...next, type: "encrypted" })).toBe("update");
    expect(stack.id).toBe(id);
    expect(await remote(id)).toMatchObject({
      key: "L",
      value: "canary-2",
      target: ["preview"],
      projectId: [web],
    });
    expect(await remote(id)).not.toHaveProperty("comment");
  });

  it("does not manage links without projectIds, also when these leave the program", async () => {
    const stack = w.stack(sharedEnvVar);
    await stack.up({ ...base, projectIds: [web] });
    expect(await stack.up(base)).toBe("update");
    expect((await remote(stack.id)).projectId).toEqual([web]);
    await change(stack.id, { projectIdUpdates: { link: [docs] } });
    await stack.refresh(w.another());
    expect(await stack.up(base)).toBe("same");
    expect(await stack.up({ ...base, comment: "c" })).toBe("update");
    expect((await remote(stack.id)).projectId.sort()).toEqual([docs, web].sort());
    expect((stack.state.linkedProjectIds as string[]).sort()).toEqual([docs, web].sort());
  });

  it("is sensitive by default, and encrypted for development or where the configuration says so", () => {
    const typeOf = (inputs: object, more = {}): unknown =>
      sharedEnvVar.complete({ ...w.client.settings, ...more }, {}, { ...base, ...inputs }).type;
    expect(typeOf({})).toBe("sensitive");
    expect(typeOf({ target: ["development"] })).toBe("encrypted");
    expect(typeOf({ target: undefined, applyToAllCustomEnvironments: true })).toBe("sensitive");
    expect(typeOf({}, { defaultVariableType: "encrypted" })).toBeUndefined();
  });

  it("rewrites a sensitive value that someone else wrote", async () => {
    const stack = w.stack(sharedEnvVar);
    const declared = { ...base, type: "sensitive" };
    await stack.up(declared);
    await stack.refresh(w.another());
    expect(await stack.up(declared)).toBe("same");
    await change(stack.id, { value: "other" });
    await stack.refresh(w.another());
    expect(await stack.up(declared)).toBe("update");
    await stack.refresh(w.another());
    expect(await stack.up(declared)).toBe("same");
  });

  it("asks to be refreshed before an update only where its value cannot be read", async () => {
    const refreshed = async (type: string): Promise<boolean> => {
      const made = await sharedEnvVar.create(w.run, quietStep, { ...base, key: type, type });
      return sharedEnvVar.needsRefresh(made.state);
    };
    expect([await refreshed("sensitive"), await refreshed("encrypted")]).toEqual([true, false]);
  });

  it("does not take the link of a project for another value", async () => {
    const stack = w.stack(sharedEnvVar);
    const declared = { ...base, type: "sensitive" };
    await stack.up(declared);
    await change(stack.id, { projectIdUpdates: { link: [web] } });
    await stack.refresh(w.another());
    expect(await stack.up(declared)).toBe("same");
    await change(stack.id, { value: "other" });
    // A change of something else must not hide it.
    expect(await stack.up({ ...declared, comment: "c" })).toBe("update");
    await stack.refresh(w.another());
    expect(await stack.up({ ...declared, comment: "c" })).toBe("update");
  });

  it("never writes the placeholder of an imported sensitive value", async () => {
    const id = await add({ type: "sensitive" });
    const imported = await sharedEnvVar.read(w.run, id, undefined);
    expect(imported?.inputs).toEqual({ key: "K", type: "sensitive", target: ["preview"] });
    const state = { ...imported?.state, value: "" };
    const changed = { ...imported?.inputs, value: "", comment: "new" };
    const sent = jest.spyOn(w.client, "send");
    await w.server.control.addFaults({ method: "PATCH", path: "/v1/env", times: 50, kind: "drop-after" });
    const failure = await sharedEnvVar.update(w.run, quietStep, id, state, changed).catch((error) => error);
    await w.server.control.clearFaults();
    await sharedEnvVar.update(w.run, quietStep, id, failure.state, changed);
    const bodies = sent.mock.calls.flatMap(([{ method, body }]) => (method === "PATCH" ? [body] : []));
    expect(bodies.length).toBeGreaterThan(1);
    expect(JSON.stringify(bodies)).not.toContain('"value"');
  });

  it("is imported with its links, by its id or KEY/target", async () => {
    const id = await add({ projectId: [web] });
    const inputs = {
      key: "K",
      value: "canary-live",
      type: "encrypted",
      target: ["preview"],
      projectIds: [web],
    };
    for (const name of [id, "K/preview"])
      expect(await sharedEnvVar.read(w.run, name, undefined)).toMatchObject({ id, inputs });
    await expect(sharedEnvVar.read(w.run, "K/production", undefined)).rejects.toThrow(/404 not_found/);
    await expect(sharedEnvVar.read(w.run, "K/a/b", undefined)).rejects.toThrow(
      /^The id of a shared variable is /,
    );
  });

  it("is created once when the answer gets lost", async () => {
    for (const kind of ["drop-after", "drop-before"] as const) {
      await w.server.control.addFaults({ method: "POST", path: "/v1/env", times: 1, kind });
      const stack = w.stack(sharedEnvVar, kind);
      const key = kind.replace("-", "_");
      await stack.up({ ...base, key, projectIds: [web] });
      expect((await all()).filter((one) => one.key === key)).toMatchObject([
        { id: stack.id, projectId: [web] },
      ]);
    }
  });

  it("refuses one that is there already, and names what to do", async () => {
    const id = await add();
    await expect(w.stack(sharedEnvVar).up(base)).rejects.toThrow(
      new RegExp(
        `The shared variable K/production and K/preview already exists \\(${id}\\).*Adopt it with \\{ adopt: true \\}`,
      ),
    );
    expect(await all()).toHaveLength(1);
  });

  it("refuses the key of a resource that leaves under another name, whose links would be lost", async () => {
    const [old, renamed] = [w.stack(sharedEnvVar, "old"), w.stack(sharedEnvVar, "renamed")];
    await old.up(base);
    begin([old], [renamed]);
    await expect(renamed.up(base)).rejects.toThrow(/belongs to SharedEnvVar "old" of this stack.*aliases/);
    expect(await all()).toMatchObject([{ id: old.id }]);
  });

  it("is refused where the answer to a batch says so, without the value", async () => {
    const stack = w.stack(sharedEnvVar);
    await stack.up(base);
    const failed = [{ code: "FORBIDDEN", message: "no canary-2 for you" }];
    jest.spyOn(w.client, "send").mockResolvedValueOnce({ record: undefined, failed });
    const news = { ...base, value: "canary-2" };
    const said = await sharedEnvVar.update(w.run, quietStep, stack.id, stack.state, news).catch(String);
    expect(said).toMatch(/PATCH \/v1\/env: 403 FORBIDDEN: no .* for you/);
    expect(said).not.toContain("canary-2");
  });

  it("needs a team, and says where to set it, at preview and for a token that is not refused there", async () => {
    const client = w.another({ team: "" });
    const run = w.runOf(client);
    const says = /belongs to a team: set SLIPWAY_TEAM, the configuration slipway:team/;
    expect(await sharedEnvVar.declare(run, {}, base)).toEqual([
      { property: "key", reason: expect.stringMatching(says) },
    ]);
    await expect(sharedEnvVar.create(run, quietStep, base)).rejects.toThrow(says);
  });

  it("is refused at preview by the policy of the team, and with an empty sensitive value", async () => {
    await w.server.control.changeTeam("acme", { sensitiveEnvironmentVariablePolicy: "on" });
    const refusals = (news: Plain) => sharedEnvVar.declare(w.runOf(w.another()), {}, news);
    expect(await refusals({ ...base, type: "encrypted" })).toMatchObject([{ property: "type" }]);
    expect(await refusals({ ...base, type: "sensitive" })).toEqual([]);
    expect(await refusals({ ...base, type: "sensitive", value: "" })).toMatchObject([{ property: "value" }]);
  });

  it.each([
    [{ target: [] }, /^target is missing/],
    [{ target: undefined, applyToAllCustomEnvironments: false }, /^target is missing/],
    [{ type: "sensitive", target: ["development"] }, /^type sensitive excludes/],
    [{ value: undefined }, /^value is missing/],
    [{ type: "plain" }, /^type/],
    [{ key: "A-B" }, /^key must consist/],
  ])("refuses %j before anything is asked", async (inputs, reason) => {
    await expect(w.stack(sharedEnvVar).up({ ...base, ...inputs } as Plain)).rejects.toThrow(reason);
  });

  it("accepts what is not known at preview", () => {
    expect(sharedEnvVar.check({}, { ...base, value: unknown, target: unknown, projectIds: unknown })).toEqual(
      [],
    );
    const news = { ...base, target: undefined, applyToAllCustomEnvironments: unknown };
    expect(sharedEnvVar.check({}, news)).toEqual([]);
  });
});

describe("an adoption", () => {
  it("writes the declared settings that differ, and leaves links that are not declared", async () => {
    const id = await add({ projectId: [web], evs: [{ key: "K", value: "canary-live", comment: "theirs" }] });
    const stack = w.stack(sharedEnvVar);
    await stack.up({ ...base, target: ["preview", "production"], adopt: true });
    expect(stack.id).toBe(id);
    const shown = { value: "canary-1", comment: "theirs", type: "encrypted", projectId: [web] };
    expect(await remote(id)).toMatchObject(shown);
  });

  it.each([
    ["an environment", { target: ["production"] }, { target: ["production", "preview"] }, "preview"],
    ["a project", { projectIds: [] }, {}, "prj_"],
    [
      "custom environments",
      { applyToAllCustomEnvironments: false },
      { applyToAllCustomEnvironments: true },
      "custom environments",
    ],
  ])("never takes the variable from %s", async (_, declared, there, lost) => {
    const id = await add({ projectId: [web], ...there });
    const before = await remote(id);
    const adopting = { ...base, target: ["preview", "production"], ...declared, adopt: true };
    await expect(w.stack(sharedEnvVar).up(adopting as Plain)).rejects.toThrow(
      new RegExp(`Adopting it as declared would take it from ${lost}`),
    );
    expect(await remote(id)).toEqual(before);
  });

  it("is refused when several are in the way", async () => {
    await add();
    await add({ target: ["production"] });
    await expect(w.stack(sharedEnvVar).up({ ...base, adopt: true })).rejects.toThrow(
      /Several shared variables named K exist/,
    );
  });
});

describe("a link", () => {
  it("links one project and unlinks it, and leaves the others", async () => {
    const id = await add({ projectId: [docs] });
    const stack = w.stack(sharedEnvVarLink);
    await stack.up({ sharedEnvVarId: id, project: "web" });
    expect(stack.id).toBe(`${web}/${id}`);
    expect((await remote(id)).projectId.sort()).toEqual([docs, web].sort());
    await stack.refresh(w.another());
    expect(await stack.up({ sharedEnvVarId: id, project: web })).toBe("same");
    await stack.destroy();
    expect((await remote(id)).projectId).toEqual([docs]);
  });

  it("that was removed elsewhere is made again", async () => {
    const id = await add();
    const stack = w.stack(sharedEnvVarLink);
    await stack.up({ sharedEnvVarId: id, project: web });
    await change(id, { projectIdUpdates: { unlink: [web] } });
    expect(await stack.refresh(w.another())).toBe(false);
    expect(await stack.up({ sharedEnvVarId: id, project: web })).toBe("create");
    expect((await remote(id)).projectId).toEqual([web]);
  });

  it("that exists is taken over, also by another logical name, whose old resource then keeps it", async () => {
    const id = await add({ projectId: [web] });
    const [old, renamed] = [w.stack(sharedEnvVarLink, "old"), w.stack(sharedEnvVarLink, "renamed")];
    const declared = { sharedEnvVarId: id, project: web };
    await old.up(declared);
    begin([old], [renamed]);
    await renamed.up(declared);
    await old.destroy();
    expect((await remote(id)).projectId).toEqual([web]);
    expect(await renamed.refresh(w.another())).toBe(true);
  });

  it.each([
    ["an update", { ...base }, { ...base, projectIds: ["web"] }],
    ["an unchanged variable", { ...base, projectIds: ["web"] }, { ...base, projectIds: ["web"] }],
  ])("keeps the project when projectIds of the program declare it, in %s", async (_, before, after) => {
    const ids = (declared: object): Plain =>
      "projectIds" in declared ? { ...declared, projectIds: [web] } : { ...declared };
    const [variable, link] = [w.stack(sharedEnvVar, "variable"), w.stack(sharedEnvVarLink, "link")];
    await variable.up(ids(before));
    await link.up({ sharedEnvVarId: variable.id, project: web });
    begin([variable, link], []);
    await variable.up(ids(after));
    await link.destroy();
    expect((await remote(variable.id)).projectId).toEqual([web]);
  });

  it("keeps the project when an adopted variable declares it", async () => {
    const id = await add();
    const [variable, link] = [w.stack(sharedEnvVar, "variable"), w.stack(sharedEnvVarLink, "link")];
    await link.up({ sharedEnvVarId: id, project: web });
    begin([link], [variable]);
    const declared = { key: "K", value: "canary-live", type: "encrypted", target: ["preview"] };
    await variable.up({ ...declared, projectIds: [web], adopt: true });
    await link.destroy();
    expect((await remote(id)).projectId).toEqual([web]);
  });

  it("warns when projectIds of the program lack the project, which the next update unlinks", async () => {
    const [variable, link] = [w.stack(sharedEnvVar, "variable"), w.stack(sharedEnvVarLink, "link")];
    await variable.up({ ...base, projectIds: [docs] });
    await link.up({ sharedEnvVarId: variable.id, project: web });
    expect(w.warnings).toEqual([
      `projectIds of the SharedEnvVar ${variable.id} does not contain ${web}, so an update of the variable after a refresh unlinks ` +
        "the project. Add the project to projectIds, or remove projectIds from the program.",
    ]);
  });

  it("is gone with the variable or the project", async () => {
    const id = await add();
    const stack = w.stack(sharedEnvVarLink);
    await stack.up({ sharedEnvVarId: id, project: web });
    await w.curl("DELETE", "/v1/env", { ids: [id] });
    await stack.destroy();
  });

  it("says what to do without the variable, and by which id it is found", async () => {
    const declared = { sharedEnvVarId: "env_unknown", project: web };
    await expect(w.stack(sharedEnvVarLink).up(declared)).rejects.toThrow(
      /404 not_found: .*Give the id of a SharedEnvVar of this team/,
    );
    const id = await add();
    await expect(sharedEnvVarLink.read(w.run, `web/${id}`, undefined)).rejects.toThrow(
      /404 not_found: web is not linked to K/,
    );
    await expect(sharedEnvVarLink.read(w.run, id, undefined)).rejects.toThrow(/^The id of a link is /);
  });

  it("refuses an id with a slash", async () => {
    await expect(w.stack(sharedEnvVarLink).up({ sharedEnvVarId: "a/b", project: web })).rejects.toThrow(
      /must be the id of a SharedEnvVar/,
    );
  });
});

it.each([
  ["ENV_NOT_FOUND", 404],
  ["ENV_CONFLICT", 409],
  ["KEY_ALREADY_EXISTS", 409],
  ["FORBIDDEN", 403],
  ["no_permission", 403],
  ["BAD_REQUEST", 400],
])("a refusal of an item with the code %s has the status %d, and no secret", (code, status) => {
  const failed = [
    { code, message: "no canary-1" },
    { code: "OTHER", message: "second" },
  ];
  const refuse = () => refuseFailed({ method: "PATCH", path: "/v1/env" }, failed, ["canary-1"]);
  expect(refuse).toThrow(expect.objectContaining({ status, code, said: "no [secret]" }));
  expect(() => refuseFailed({ method: "PATCH", path: "/v1/env" }, [], [])).not.toThrow();
});
