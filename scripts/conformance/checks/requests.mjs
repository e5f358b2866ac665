import { check } from "../check.mjs";

/** Each operation with the id of the statement that it refuses a request without a token. */
const operations = [
  ["PR-17", "POST", "/v10/projects"],
  ["PR-38", "GET", "/v9/projects"],
  ["PR-42", "GET", "/v9/projects/:project"],
  ["PR-62", "PATCH", "/v9/projects/:project"],
  ["PR-73", "DELETE", "/v9/projects/:project"],
  ["PR-79", "POST", "/v1/projects/:project/pause"],
  ["PR-87", "POST", "/v1/projects/:project/unpause"],
  ["PR-94", "PATCH", "/v1/data-cache/projects/:project"],
  ["PR-102", "PATCH", "/v1/projects/:project/protection-bypass"],
  ["PR-108", "POST", "/v10/projects/:project/promote/dpl_unknown"],
  ["PR-117", "GET", "/v1/projects/:project/promote/aliases"],
  ["DO-18", "POST", "/v10/projects/:project/domains"],
  ["DO-40", "GET", "/v9/projects/:project/domains"],
  ["DO-44", "GET", "/v9/projects/:project/domains/www.example.com"],
  ["DO-54", "PATCH", "/v9/projects/:project/domains/www.example.com"],
  ["DO-60", "DELETE", "/v9/projects/:project/domains/www.example.com"],
  ["DO-71", "POST", "/v9/projects/:project/domains/www.example.com/verify"],
  ["EN-13", "POST", "/v10/projects/:project/env"],
  ["EN-25", "GET", "/v9/projects/:project/env"],
  ["EN-29", "GET", "/v1/projects/:project/env/unknown"],
  ["EN-38", "PATCH", "/v9/projects/:project/env/unknown"],
  ["EN-44", "DELETE", "/v9/projects/:project/env/unknown"],
];
const hosted = { difference: "unknown-token", status: 403, code: "forbidden" };
const pagination = { count: "number", next: "number|null", prev: "number|null" };

export const requestChecks = [
  ...operations.map(([id, method, path]) =>
    check(id, async (t) => {
      const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
      const options = { ...body, token: null };
      await t.refused(method, path.replace(":project", t.web.id), options, 401, "forbidden", hosted);
    }),
  ),
  check("AU-09, AU-10, X-04", async (t) => {
    await t.ok("GET", `/v9/projects/${t.web.id}`);
    for (const token of [null, "slipway-conformance-unknown"])
      await t.refused("GET", "/v9/projects", { token }, 401, "forbidden", hosted);
  }),
  check("AU-06, AU-07", async (t) => {
    const { accountId } = t.web;
    if (!accountId.startsWith("team_")) return;
    const { slug } = await t.ok("GET", `/v2/teams/${accountId}`);
    for (const query of [{ teamId: accountId }, { slug }]) {
      const answer = await t.request("GET", `/v9/projects/${t.web.id}`, { team: null, query });
      t.same(t.status(answer, 200).body.id, t.web.id, "the id of the project");
    }
  }),
  check("X-01, X-02", async (t) => {
    for (const path of ["/v9/projects", "/v9/projects/slipway-conformance-unknown"]) {
      const { headers, request } = await t.request("GET", path);
      t.that(
        /^application\/json\b/.test(headers.get("content-type") ?? ""),
        `${request} has another content type`,
      );
    }
    await t.refused("GET", "/v9/projects/slipway-conformance-unknown", {}, 404);
  }),
  check("X-09", (t) => t.refused("PUT", "/v9/projects", {}, 405, "method_unknown")),
  check("PR-02, DO-02, EN-01", async (t) => {
    const text = "{";
    await t.refused("POST", "/v10/projects", { text }, 400, "bad_request");
    await t.refused("POST", `/v10/projects/${t.web.id}/domains`, { text }, 400, "bad_request");
    await t.refused("POST", `/v10/projects/${t.web.id}/env`, { text }, 400, "bad_request");
  }),
  check("PR-22, PR-01, PR-36, X-12, X-14, LI-06, PR-31, X-13", async (t) => {
    for (let n = 0; n < 3; n += 1) await t.project();
    const all = await t.ok("GET", "/v9/projects", { query: { limit: 100 } });
    t.types(all.pagination, pagination, "pagination");
    t.same(all.pagination.count, all.projects.length, "pagination.count");
    const times = all.projects.map(({ updatedAt }) => updatedAt);
    t.same(
      times.toSorted((a, b) => b - a),
      times,
      "updatedAt of the list, the newest first",
    );
    const walked = [];
    for (let until; ; ) {
      const query = { limit: 2, ...(until !== undefined && { until }) };
      const page = await t.ok("GET", "/v9/projects", { query });
      t.that(page.projects.length <= 2, "a page with limit=2 has more items");
      walked.push(...page.projects.map(({ id }) => id));
      until = page.pagination.next;
      if (until === null || until === undefined || walked.length > all.projects.length) break;
    }
    if (all.projects.length === 100) return;
    t.same(all.pagination.next, null, "pagination.next of the last page");
    t.same(
      walked,
      all.projects.map(({ id }) => id),
      "a walk through the pages",
    );
  }),
  check("PR-37, PR-25", async (t) => {
    const queries = [
      { limit: "x" },
      { limit: 0 },
      { deprecated: "maybe" },
      { gitForkProtection: 2 },
      { from: "x" },
    ];
    for (const query of queries) await t.refused("GET", "/v9/projects", { query }, 400, "bad_request");
  }),
  check("PR-29, PR-30, PR-35, X-38", async (t) => {
    const project = await t.project();
    const idsWith = async (query) =>
      (await t.ok("GET", "/v9/projects", { query: { limit: 100, ...query } })).projects.map(({ id }) => id);
    t.that((await idsWith({ search: project.name })).includes(project.id), "search does not find a name");
    t.that(
      !(await idsWith({ search: `${project.name}-other` })).includes(project.id),
      "search finds another name",
    );
    t.that(
      (await idsWith({ from: project.updatedAt - 1 })).includes(project.id),
      "from leaves out a newer project",
    );
    t.that(!(await idsWith({ from: project.updatedAt })).includes(project.id), "from finds an older project");
    const { gitForkProtection } = project;
    for (const value of [0, 1]) {
      const isListed = (await idsWith({ gitForkProtection: value })).includes(project.id);
      t.same(isListed, Boolean(value) === gitForkProtection, "gitForkProtection as a filter");
    }
  }),
];
