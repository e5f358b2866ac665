import { beginTransfer, someVariable, useVariables } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const variables = useVariables(world);
const secret = "do-not-tell";

/** Each operation, on a variable that exists. */
const operations = {
  create: () => variables.create({ ...someVariable, key: "NEW", value: secret }),
  list: () => variables.list(),
  read: async () => variables.read((await variables.list()).body.envs[0].id),
  edit: async () => variables.edit((await variables.list()).body.envs[0].id, { value: secret }),
  remove: async () => variables.remove((await variables.list()).body.envs[0].id),
};

const requests: [method: string, path: string, body: unknown][] = [
  ["POST", "/v10/projects/web/env", someVariable],
  ["GET", "/v9/projects/web/env", undefined],
  ["GET", "/v1/projects/web/env/someId", undefined],
  ["PATCH", "/v9/projects/web/env/someId", {}],
  ["DELETE", "/v9/projects/web/env/someId", undefined],
];

describe("each operation on variables", () => {
  // EN-13, EN-25, EN-29, EN-38, EN-44
  it.each(requests)("%s %s is 401 without a token", async (method, path, body) => {
    expect((await world.call(method, path, { body, token: null })).status).toBe(401);
  });

  // EN-16, EN-26, EN-30, EN-39, EN-45
  it.each(requests)("%s %s is 403 without permission", async (method, path, body) => {
    const token = await world.member("VIEWER");
    const answer = await world.call(method, path, { body, token });
    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe("forbidden");
  });

  // EN-12, EN-24, EN-28, EN-37, EN-43
  it.each(requests)("%s %s is 400 for an invalid query value", async (method, path, body) => {
    expect((await world.call(method, `${path}?slug=acme&slug=other`, { body })).status).toBe(400);
  });

  // EN-46
  it.each(requests)("%s %s is 404 for an unknown project", async (method, path, body) => {
    const answer = await world.call(method, path.replace("web", "unknown"), { body });
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe("not_found");
  });

  // AU-12
  it.each(requests)("%s %s does not reach another account's project", async (method, path, body) => {
    const token = await world.user("eve");
    expect((await world.call(method, path, { body, token, team: null })).status).toBe(404);
  });

  // EN-46, X-07
  it.each(requests.slice(2))("%s %s is 404 for an unknown variable", async (method, path, body) => {
    const answer = await world.call(method, path, { body });
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe("not_found");
  });
});

describe("what is no JSON, or of another JSON type", () => {
  // EN-01
  it.each(["{", "undefined", "{'key':1}"])("a create of %s is 400", async (text) => {
    expect((await variables.create(text)).status).toBe(400);
  });

  // EN-01
  it("an edit of what is no JSON is 400", async () => {
    const { id } = await variables.add();
    expect((await variables.edit(id, "{")).status).toBe(400);
  });

  // EN-11
  it.each([
    [{ key: 1 }], // EN-08
    [{ value: 1 }], // EN-08
    [{ value: { of: secret } }], // EN-08
    [{ value: null }], // EN-08
    [{ gitBranch: 1 }], // EN-08
    [{ comment: [] }], // EN-08
    [{ type: "clear" }],
    [{ type: 1 }],
    [{ target: ["staging"] }],
    [{ target: "staging" }],
    [{ target: [1] }], // EN-10
    [{ target: null }], // EN-10
    [{ customEnvironmentIds: "env_1" }], // E-03
    [{ customEnvironmentIds: [1] }], // E-03
    [{ unknown: true }], // EN-11
  ])("a create with %j is 400", async (fields) => {
    const answer = await variables.create({ ...someVariable, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("bad_request");
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect(await variables.keys()).toEqual([]);
  });

  // EN-11
  it.each([[[]], ["text"], [null], [[null]], [Array(1001).fill(someVariable)]])(
    "a body of another form is 400",
    async (body) => {
      expect((await variables.create(body === "text" ? '"text"' : body)).status).toBe(400);
    },
  );

  it.each([
    [{ ...someVariable, key: 1 }, "member key"],
    [[{ ...someVariable, target: "staging" }], "member [0].target"],
  ])("the message names the member: %j", async (body, member) => {
    expect((await variables.create(body)).body.error.message).toContain(member);
  });

  //
  it.each([
    ["a number as key", { key: 1 }, { target: ["preview"] }],
    ["a type that there is not", { type: "clear" }, { key: "BAD", envVarKey: "BAD", target: ["preview"] }],
    ["a target that there is not", { target: "staging" }, { key: "BAD", envVarKey: "BAD" }],
    ["a target that there is not, in a list", { target: ["staging"] }, { key: "BAD", target: ["staging"] }],
    ["a member that there is not", { unknown: true }, { key: "BAD" }],
  ])("an item of an array with %s stands in failed, and the others are created", async (_, fields, told) => {
    const bad = { ...someVariable, key: "BAD", value: secret, ...fields };
    const answer = await variables.create([bad, someVariable, { ...someVariable, key: "no-key" }]);
    expect(answer.status).toBe(201);
    expect(answer.body.created).toMatchObject([{ key: "API_URL" }]);
    expect(answer.body.failed).toMatchObject([
      { error: { code: "bad_request", message: expect.stringContaining("body member [0]"), ...told } },
      { error: { code: "KEY_INVALID_CHARACTERS", key: "no-key" } },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  //
  it.each([[null], ["text"], [7], [[someVariable]]])(
    "an item of an array that is no object stands in failed: %j",
    async (item) => {
      const { status, body } = await variables.create([someVariable, item]);
      expect([status, body.failed]).toEqual([
        201,
        [{ error: { code: "bad_request", message: expect.stringContaining("body member [1]") } }],
      ]);
    },
  );

  //
  it("an array of malformed items alone is an error answer, which tells of each", async () => {
    const { status, body } = await variables.create([{ ...someVariable, key: 1 }, null]);
    expect([status, body.error.code, body.failed.length]).toEqual([400, "bad_request", 2]);
    expect(await variables.keys()).toEqual([]);
  });

  // EN-36
  it.each([
    [{ key: 1 }], // EN-32
    [{ key: null }], // EN-32
    [{ value: 1 }], // EN-32
    [{ value: null }], // EN-32
    [{ comment: 1 }], // EN-32
    [{ gitBranch: 1 }], // EN-32
    [{ type: "clear" }], // EN-32
    [{ type: null }], // EN-32
    [{ target: ["staging"] }], // EN-33
    [{ customEnvironmentIds: "env_1" }], // EN-34
    [{ customEnvironmentIds: [1] }], // EN-34
    [{ unknown: true }],
    [{ id: "other" }],
  ])("an edit with %j is 400", async (change) => {
    const { id } = await variables.add();
    const answer = await variables.edit(id, change);
    expect(answer.status).toBe(400);
    expect((await variables.read(id)).body).toMatchObject(someVariable);
  });

  it.each([
    ["POST", { upsert: "yes" }], // EN-12
    ["GET", { decrypt: "yes" }], // EN-24
    ["GET", { limit: "many" }], // EN-24
    ["GET", { since: "yesterday" }], // EN-24
  ])("%s with the query %j is 400", async (method, query) => {
    const body = method === "POST" ? someVariable : undefined;
    const answer = await world.call(method, "/v10/projects/web/env", { query, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("bad_request");
  });
});

describe("what a variable may not be", () => {
  const invalid: [what: string, code: string, fields: object][] = [
    ["an empty key", "KEY_INVALID_LENGTH", { key: "" }],
    ["a key of 257 characters", "KEY_INVALID_LENGTH", { key: "K".repeat(257) }],
    ["a key with a dash", "KEY_INVALID_CHARACTERS", { key: "A-B" }],
    ["a key that begins with a digit", "KEY_INVALID_CHARACTERS", { key: "1A" }],
    ["a key with a letter of another alphabet", "KEY_INVALID_CHARACTERS", { key: "KÄSE" }],
    ["a key that ends with a line", "KEY_INVALID_CHARACTERS", { key: "A\n" }],
    ["a key of the runtime", "KEY_RESERVED", { key: "AWS_LAMBDA_FUNCTION_NAME" }],
    ["a key of the system", "RESERVED_ENV_VARIABLE", { key: "VERCEL_GIT_COMMIT_SHA" }],
    ["a value of 65537 characters", "VALUE_INVALID_LENGTH", { value: "v".repeat(65537) }],
    ["a comment of 501 characters", "BAD_REQUEST", { comment: "c".repeat(501) }],
    ["a branch of 251 characters", "BAD_REQUEST", { gitBranch: "b".repeat(251) }],
    ["an empty branch", "BAD_REQUEST", { gitBranch: "" }],
    ["no target", "MISSING_TARGET", { target: [] }],
    //
    ["a sensitive one for development", "BAD_REQUEST", { type: "sensitive", target: ["development"] }],
    //
    [
      "a sensitive one for all",
      "BAD_REQUEST",
      { type: "sensitive", target: ["production", "preview", "development"] },
    ],
    ["a branch for production", "BAD_REQUEST", { gitBranch: "next", target: ["production"] }],
    //
    [
      "a branch for preview and production",
      "BAD_REQUEST",
      { gitBranch: "next", target: ["preview", "production"] },
    ],
  ];
  const missing: [what: string, code: string, fields: object][] = [
    ["no key", "MISSING_KEY", { key: undefined }], // EN-11
    ["no value", "MISSING_VALUE", { value: undefined }], // EN-11
    ["no target at all", "MISSING_TARGET", { target: undefined }], // EN-11
  ];

  // EN-11
  it.each([...missing, ...invalid])("%s is 400 with %s on create", async (_, code, fields) => {
    const answer = await variables.create({ ...someVariable, value: secret, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe(code);
    expect(answer.body.failed).toMatchObject([{ error: { code } }]);
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect(await variables.keys()).toEqual([]);
  });

  //
  it.each([...missing, ...invalid])(
    "%s stands in failed with %s beside a good one",
    async (_, code, fields) => {
      const bad = { ...someVariable, value: secret, ...fields };
      const { status, body } = await variables.create([bad, { ...someVariable, key: "GOOD" }]);
      expect(status).toBe(201);
      expect(body.created).toMatchObject([{ key: "GOOD" }]);
      expect(body.failed).toMatchObject([{ error: { code } }]);
      expect(JSON.stringify(body)).not.toContain(secret);
      expect(Object.values(body.failed[0].error)).not.toContain(null);
    },
  );

  // EN-36
  it.each(invalid)("%s is 400 with %s on edit", async (_, code, fields) => {
    const { id } = await variables.add({ value: secret });
    const answer = await variables.edit(id, fields);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe(code);
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect((await variables.read(id)).body).toMatchObject({ ...someVariable, value: secret });
  });

  //
  it.each(["branch-of-production", "main"])(
    "the production branch is no preview branch: %s",
    async (branch) => {
      await world.call("POST", "/v10/projects", {
        body: { name: "linked", gitRepository: { type: "github", repo: "acme/web" } },
      });
      const path = "/v10/projects/linked/env";
      const answer = await world.call("POST", path, { body: { ...someVariable, gitBranch: branch } });
      expect(answer.status).toBe(branch === "main" ? 400 : 201);
    },
  );

  //
  it("accepts what is as long as it may be", async () => {
    expect((await variables.create({ ...someVariable, key: "K".repeat(256) })).status).toBe(201);
    const longest = { key: "V", value: "v".repeat(65536), target: ["development"] };
    expect((await variables.create(longest)).status).toBe(201);
    const rest = { key: "R", comment: "c".repeat(500), gitBranch: "b".repeat(250) };
    expect((await variables.create({ ...someVariable, ...rest })).status).toBe(201);
  });
});

describe("the state of account and project", () => {
  beforeEach(() => variables.add());

  it.each([
    ["soft-blocked", { softBlocked: true }], // EN-14
    ["in need of a payment method", { paymentMethodNeedsUpdate: true }], // EN-15
  ])("%s: create is 402 and changes nothing", async (_, fields) => {
    await world.control.changeTeam("acme", fields);
    const answer = await operations.create();
    expect(answer.status).toBe(402);
    expect(answer.body.error.code).toBe("payment_required");
    expect(await variables.keys()).toEqual(["API_URL"]);
  });

  it.each(["list", "read", "edit", "remove"] as const)(
    "a blocked account does not refuse %s",
    async (name) => {
      await world.control.changeTeam("acme", { softBlocked: true, paymentMethodNeedsUpdate: true });
      expect((await operations[name]()).status).toBe(200);
    },
  );

  // T-06
  it.each([
    ["create"], // EN-19
    ["edit"], // EN-40
    ["remove"], // EN-47
  ] as const)("being transferred: %s is 409 and changes nothing", async (name) => {
    await beginTransfer(world);
    const before = (await variables.list()).body;
    const answer = await operations[name]();
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe("conflict");
    expect((await variables.list()).body).toEqual(before);
  });

  // T-07
  it.each(["list", "read"] as const)("being transferred does not refuse %s", async (name) => {
    await beginTransfer(world);
    expect((await operations[name]()).status).toBe(200);
  });

  it("answers the first reason in the specification's order", async () => {
    await beginTransfer(world);
    expect((await variables.create(someVariable)).status).toBe(403);
    await world.control.changeTeam("acme", { softBlocked: true });
    expect((await variables.create(someVariable)).status).toBe(402);
    expect((await variables.create({ ...someVariable, key: "1" })).status).toBe(400);
  });
});
