import { check } from "../check.mjs";

const list = ({ id }) => `/v9/projects/${id}/env`;
const create = (t, project, body, query = {}) =>
  t.ok("POST", `/v10/projects/${project.id}/env`, { body, query }, 201);
const refuse = (t, project, body, status, code, hosted) =>
  t.refused("POST", `/v10/projects/${project.id}/env`, { body }, status, code, hosted);

let keys = 0;
const variable = (more = {}) => {
  keys += 1;
  return { key: `KEY_${keys}`, value: "one", type: "encrypted", target: ["production", "preview"], ...more };
};

const types = {
  ...{ id: "string", key: "string", value: "?string", type: "string", target: "?array", createdAt: "number" },
  ...{
    configurationId: "?string|null",
    updatedAt: "number",
    createdBy: "?string|null",
    gitBranch: "?string",
  },
  ...{ comment: "?string", customEnvironmentIds: "?array", updatedBy: "?string|null" },
};

export const variableChecks = [
  check("EN-03, EN-04, EN-05, E-01, X-59, X-62, X-66, EN-20, EN-27, X-67, EN-02, ER-05", async (t) => {
    const project = await t.project();
    const body = variable({ comment: "a comment" });
    const { created, failed } = await create(t, project, body);
    t.same(failed, [], "failed");
    t.types(created, types, "the created variable");
    const { envs } = await t.ok("GET", list(project));
    t.same(envs?.length, 1, "the number of variables");
    for (const key of [project.id, project.name]) {
      const read = await t.ok("GET", `/v1/projects/${key}/env/${created.id}`);
      for (const one of [read, envs[0]]) {
        t.types(one, types, "the variable");
        t.same([one.id, one.key, one.type], [created.id, body.key, body.type], "the variable");
        t.same(
          [[...one.target].sort(), one.comment],
          [["preview", "production"], body.comment],
          "the variable",
        );
      }
      t.same([read.value, read.decrypted], ["one", true], "value and decrypted of the variable");
    }
  }),
  check("EN-06", async (t) => {
    const { created, failed } = await create(t, await t.project(), [variable(), variable()]);
    t.same([created?.length, failed], [2, []], "created and failed");
  }),
  check("X-63, X-64", async (t) => {
    const { created, failed } = await create(t, await t.project(), [
      variable(),
      variable({ key: "1 invalid" }),
    ]);
    t.same([created?.length, failed?.length], [1, 1], "the numbers of created and failed variables");
    t.types(failed[0].error, { code: "string", message: "string" }, "the error of the failed variable");
  }),
  check("EN-17, X-65", async (t) => {
    const project = await t.project();
    const body = variable();
    await create(t, project, body);
    const hosted = { difference: "existing-variable", status: 400, code: "ENV_CONFLICT" };
    await refuse(t, project, body, 403, "ENV_CONFLICT", hosted);
    await create(t, project, { ...body, target: ["development"] });
  }),
  check("EN-07", async (t) => {
    const project = await t.project();
    const body = variable();
    const { created } = await create(t, project, body);
    await create(t, project, { ...body, value: "two" }, { upsert: true });
    const { envs } = await t.ok("GET", list(project));
    t.same(
      envs.map(({ id }) => id),
      [created.id],
      "the variables after an upsert",
    );
    t.same((await t.ok("GET", `/v1/projects/${project.id}/env/${created.id}`)).value, "two", "the value");
  }),
  check("EN-08, EN-11, X-60, X-61", async (t) => {
    const wrong = [
      { key: 1 },
      { value: 1 },
      { gitBranch: 1 },
      { comment: 1 },
      { type: "other" },
      { target: "other" },
    ];
    for (const more of wrong) await refuse(t, t.web, variable(more), 400);
  }),
  check("EN-09, EN-10", async (t) => {
    const project = await t.project();
    const { created } = await create(t, project, variable({ type: "plain", target: ["preview"] }));
    t.same([created.type, created.target, created.value], ["plain", ["preview"], "one"], "the variable");
  }),
  check("X-70", (t) => refuse(t, t.web, variable({ type: "sensitive", target: ["development"] }), 400)),
  check("X-74", async (t) => {
    for (const key of ["1A", "A-B", "A".repeat(257)]) await refuse(t, t.web, variable({ key }), 400);
  }),
  check("EN-12, EN-24", async (t) => {
    const options = { query: { upsert: "maybe" }, body: variable() };
    await t.refused("POST", `/v10/projects/${t.web.id}/env`, options, 400, "bad_request");
    await t.refused("GET", list(t.web), { query: { decrypt: "maybe" } }, 400, "bad_request");
  }),
  check("EN-21, X-69, EN-23", async (t) => {
    const project = await t.project();
    for (const type of ["encrypted", "plain", "sensitive"]) await create(t, project, variable({ type }));
    const valuesWith = async (query) => {
      const { envs } = await t.ok("GET", list(project), { query });
      return Object.fromEntries(envs.map(({ type, value }) => [type, value === "one"]));
    };
    const hidden = { encrypted: false, plain: true, sensitive: false };
    t.same(await valuesWith({ source: "any" }), hidden, "the shown values of a list");
    const shown = await valuesWith({ decrypt: true });
    if (!shown.encrypted) t.differences.add("values-in-lists");
    t.same([shown.plain, shown.sensitive], [true, false], "the shown values of a list with decrypt=true");
  }),
  check("EN-31, EN-32, EN-33, EN-35, E-02", async (t) => {
    const project = await t.project();
    const { created } = await create(t, project, variable());
    const changes = [{ value: "two" }, { comment: "changed" }, { target: ["preview"] }, { key: "RENAMED" }];
    for (const body of changes) await t.ok("PATCH", `${list(project)}/${created.id}`, { body });
    const read = await t.ok("GET", `/v1/projects/${project.id}/env/${created.id}`);
    for (const [member, value] of Object.entries(Object.assign({}, ...changes)))
      t.same(read[member], value, `${member} of the changed variable`);
    t.same(read.type, "encrypted", "type of the changed variable");
  }),
  check("EN-36, X-73", async (t) => {
    const { created } = await create(t, t.web, variable());
    for (const body of [{ value: 1 }, { type: "other" }, { target: ["other"] }, { unknownMember: 1 }])
      await t.refused("PATCH", `${list(t.web)}/${created.id}`, { body }, 400);
  }),
  check("EN-41, EN-42, X-68", async (t) => {
    const project = await t.project();
    const { created } = await create(t, project, variable());
    const deleted = await t.ok("DELETE", `${list(project)}/${created.id}`);
    t.same((Array.isArray(deleted) ? deleted[0] : deleted)?.id, created.id, "the id of the deleted variable");
    await t.refused("GET", `/v1/projects/${project.id}/env/${created.id}`, {}, 404, "not_found");
    t.same((await t.ok("GET", list(project))).envs, [], "the variables");
  }),
  check("EN-46, X-07", async (t) => {
    await t.refused("GET", `/v1/projects/${t.web.id}/env/unknown`, {}, 404, "not_found");
    await t.refused("PATCH", `${list(t.web)}/unknown`, { body: { value: "1" } }, 404, "not_found");
    await t.refused("DELETE", `${list(t.web)}/unknown`, {}, 404, "not_found");
    await t.refused("DELETE", "/v9/projects/prj_unknown/env/unknown", {}, 404, "not_found");
  }),
];
