import { someVariable, useVariables } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const variables = useVariables(world);
const half = "v".repeat(32 * 1024);

/** So many small variables in one request. */
const many = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ ...someVariable, value: "", key: `KEY_${n}`, ...fields }));

describe("the number of variables", () => {
  //
  it("is 1000 per environment, whatever the branch", async () => {
    expect((await variables.create(many(999, { target: ["production", "preview"] }))).status).toBe(201);
    expect((await variables.create({ ...someVariable, gitBranch: "next" })).status).toBe(201);
    for (const target of ["preview", ["development", "preview"]]) {
      const answer = await variables.create({ ...someVariable, key: "MORE", target });
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe("MAX_ENVS_EXCEEDED");
    }
    expect((await variables.create({ ...someVariable, key: "MORE", target: "production" })).status).toBe(201);
    expect((await variables.create({ ...someVariable, key: "MORE", target: "development" })).status).toBe(
      201,
    );
  });

  //
  it("counts within one request", async () => {
    await variables.create(many(2));
    const { status, body } = await variables.create(
      many(1000).map(({ key, ...rest }) => ({ ...rest, key: `N${key}` })),
    );
    expect(status).toBe(201);
    expect(body.created).toHaveLength(998);
    expect(body.failed).toHaveLength(2);
    expect(body.failed[0]).toMatchObject({ error: { code: "MAX_ENVS_EXCEEDED", key: "NKEY_998" } });
  });

  //
  it("counts no removed variable, and an edit of one is no further one", async () => {
    const { body } = await variables.create(many(1000));
    const { id } = body.created[0];
    expect((await variables.edit(id, { key: "OTHER" })).status).toBe(200);
    await variables.remove(id);
    expect((await variables.create(someVariable)).status).toBe(201);
  });

  //
  it("refuses an edit into a full environment", async () => {
    const { id } = await variables.add({ target: ["production"] });
    await variables.create(many(1000));
    expect((await variables.edit(id, { target: ["preview"] })).body.error.code).toBe("MAX_ENVS_EXCEEDED");
  });
});

describe("the names and values of an environment", () => {
  //
  it("are 64 KB at most, in bytes", async () => {
    expect((await variables.create({ ...someVariable, key: "A", value: "v".repeat(65535) })).status).toBe(
      201,
    );
    expect((await variables.create({ ...someVariable, key: "B", value: "" })).status).toBe(400);
    const inProduction = { ...someVariable, target: ["production"] };
    expect((await variables.create({ ...inProduction, value: "ä".repeat(32 * 1024) })).status).toBe(400);
    expect((await variables.create({ ...inProduction, value: "ä".repeat(32 * 1000) })).status).toBe(201);
  });

  //
  it("of a branch count with those of no branch, and not with those of another", async () => {
    await variables.add({ key: "ALL", value: "v".repeat(1024) });
    await variables.add({ key: "OF_NEXT", value: half, gitBranch: "next" });
    await variables.add({ key: "OF_OTHER", value: half, gitBranch: "other" });
    expect((await variables.create({ ...someVariable, value: half, gitBranch: "next" })).status).toBe(400);
    expect((await variables.create({ ...someVariable, value: half })).status).toBe(400);
    expect((await variables.create({ ...someVariable, value: half, target: "production" })).status).toBe(201);
  });

  //
  it("of no branch count with those of the largest branch alone, not with those of all branches", async () => {
    for (const gitBranch of ["one", "two", "three"])
      await variables.add({ key: "OF_BRANCH", value: half, gitBranch });
    const rest = half.slice("OF_BRANCH".length + "KEY".length);
    const variable = { ...someVariable, key: "KEY" };
    expect((await variables.create({ ...variable, value: `${rest}v` })).status).toBe(400);
    const { status, body } = await variables.create({ ...variable, value: rest });
    expect(status).toBe(201);
    expect((await variables.edit(body.created.id, { value: `${rest}v` })).status).toBe(400);
    expect((await variables.edit(body.created.id, { comment: "full" })).status).toBe(200);
  });

  //
  it("may be more in development, where nothing is deployed", async () => {
    for (const key of ["A", "B", "C"]) await variables.add({ key, value: half, target: ["development"] });
    expect(await variables.keys()).toHaveLength(3);
  });

  //
  it("limit edits, and upsert counts the new value instead of the old", async () => {
    const { id } = await variables.add({ key: "A", value: half });
    await variables.add({ key: "B", value: "v".repeat(1024) });
    expect((await variables.edit(id, { value: `${half}${half}` })).status).toBe(400);
    expect((await variables.edit(id, { value: `${half}${half.slice(2048)}` })).status).toBe(200);
    const again = { ...someVariable, key: "A", value: half };
    expect((await variables.create(again, { query: { upsert: true } })).status).toBe(201);
    expect((await variables.read(id)).body.value).toBe(half);
  });
});

//
it("a variable that is refused for its size takes no room from the next one of the same request", async () => {
  const { body } = await variables.create([
    { ...someVariable, key: "A", value: half },
    { ...someVariable, key: "TOO_LARGE", value: `${half}${half}` },
    { ...someVariable, key: "B", value: half.slice(1024) },
  ]);
  expect(body.failed.map(({ error }: { error: object }) => error)).toEqual([
    expect.objectContaining({ key: "TOO_LARGE" }),
  ]);
  expect(await variables.keys()).toEqual(expect.arrayContaining(["A", "B"]));
});

//
it("what is counted is what there is, after whatever was written", async () => {
  const environments = "/v9/projects/web/custom-environments";
  const staging = (await world.call("POST", environments, { body: { slug: "staging" } })).body;
  const a = await variables.add({ key: "A", target: ["production", "preview"] });
  const b = await variables.add({ key: "B", gitBranch: "next" });
  await variables.create([...many(3), { ...someVariable, key: "A" }, { ...someVariable, key: "not-good" }]);
  await variables.create({ ...someVariable, key: "A", value: "new" }, { query: { upsert: true } });
  await variables.edit(a.id, { target: ["development"], customEnvironmentIds: [staging.id] });
  await variables.edit(b.id, { gitBranch: null, value: "longer than it was before" });
  await variables.edit(b.id, { key: "KEY_0" });
  await world.call("POST", environments, { body: { slug: "qa", copyEnvVarsFrom: "preview" } });
  await variables.remove((await variables.list()).body.envs[0].id);
  await world.call("DELETE", `${environments}/staging`, {
    body: { deleteUnassignedEnvironmentVariables: true },
  });
  const { kept, counted } = await world.services.store.read(async (tx) => ({
    kept: await tx.selectFrom("projects").select("env_totals").executeTakeFirstOrThrow(),
    counted: await tx
      .selectFrom("env_slots as s")
      .innerJoin("env_vars as v", "v.id", "s.env_id")
      .select((eb) => [
        "s.target",
        "s.git_branch",
        eb.fn.countAll().as("count"),
        eb.fn.sum("v.size").as("size"),
      ])
      .groupBy(["s.target", "s.git_branch"])
      .execute(),
  }));
  const expected: Record<string, Record<string, number[]>> = {};
  for (const { target, git_branch, count, size } of counted) {
    expected[target] = { ...expected[target], [git_branch]: [Number(count), Number(size)] };
  }
  expect(counted.length).toBeGreaterThan(2);
  expect(JSON.parse(kept.env_totals)).toEqual(expected);
});
