import { check, Skipped } from "../check.mjs";

const domainsOf = ({ id }) => `/v9/projects/${id}/domains`;
const types = {
  ...{ name: "string", apexName: "string", projectId: "string", verified: "boolean", createdAt: "?number" },
  ...{ updatedAt: "?number", gitBranch: "?string|null", redirect: "?string|null", verification: "?array" },
  ...{ redirectStatusCode: "?number|null", customEnvironmentId: "?string|null" },
};

const add = (t, project, body) => t.ok("POST", `/v10/projects/${project.id}/domains`, { body });
const refuse = (t, project, body, status, code, hosted) =>
  t.refused("POST", `/v10/projects/${project.id}/domains`, { body }, status, code, hosted);

/** Adds two domains. The second redirects to the first. */
async function addPair(t) {
  const project = await t.project();
  const name = t.session.domain();
  const target = await add(t, project, { name });
  const redirecting = await add(t, project, { name: `www.${name}`, redirect: name, redirectStatusCode: 307 });
  return { project, name, target, redirecting };
}

export const domainChecks = [
  check("DO-04, DO-42, D-01, D-02, D-08, D-09, D-10, DO-03, DO-28", async (t) => {
    const project = await t.project();
    t.same(
      (await t.ok("GET", domainsOf(project))).domains?.map(({ name }) => name).filter(isOwn),
      [],
      "domains",
    );
    const name = `www.${t.session.domain()}`;
    const added = await add(t, project, { name });
    t.same([added.name, added.projectId], [name, project.id], "the added domain");
    for (const key of [project.id, project.name]) {
      const read = await t.ok("GET", `/v9/projects/${key}/domains/${name}`);
      const { domains } = await t.ok("GET", `/v9/projects/${key}/domains`);
      const listed = domains.find((domain) => domain.name === name);
      for (const one of [added, read, listed]) t.types(one, types, "the domain");
      t.same([read.createdAt, listed.createdAt], [added.createdAt, added.createdAt], "createdAt");
    }
  }),
  check("S-10, S-11, D-05, X-48, DO-68, S-14", async (t) => {
    const project = await t.project();
    const name = `www.${t.session.domain()}`;
    const { verified, verification } = await add(t, project, { name });
    if (verified) {
      t.differences.add("domain-verified-at-once");
      return;
    }
    const [challenge] = verification ?? [];
    t.types(
      challenge,
      { type: "string", domain: "string", value: "string", reason: "string" },
      "a challenge",
    );
    t.same(challenge.domain, `_vercel.${name.replace("www.", "")}`, "the name of the challenge");
    t.that(
      /^vc-domain-verify=.+,[0-9a-f]{20}$/.test(challenge.value),
      "the value of the challenge has another form",
    );
    await t.refused("POST", `${domainsOf(project)}/${name}/verify`, {}, 400, "missing_txt_record");
    t.same((await t.ok("GET", `${domainsOf(project)}/${name}`)).verified, false, "verified");
  }),
  check("DO-65, S-13", async (t) => {
    const project = await t.project();
    const name = t.session.domain();
    const { verified } = await add(t, project, { name });
    if (!verified) throw new Skipped("the domain cannot be verified");
    t.same((await t.ok("POST", `${domainsOf(project)}/${name}/verify`)).verified, true, "verified");
  }),
  check("X-51", async (t) => {
    const name = `${t.session.name()}.co.uk`;
    t.same((await add(t, await t.project(), { name: `www.${name}` })).apexName, name, "apexName");
  }),
  check("DO-05, DO-09, DO-11, DO-12, DO-15, DO-08", async (t) => {
    const name = t.session.domain();
    const redirect = `www.${name}`;
    for (const body of [
      {},
      { name: 1 },
      { name, redirect: name },
      { name, redirect, gitBranch: "next" },
      { name, redirect, redirectStatusCode: 300 },
    ])
      await refuse(t, t.web, body, 400, "bad_request");
    await refuse(t, t.web, { name: "not a domain" }, 400, "invalid_domain");
  }),
  check("DO-07, DO-48, X-56", async (t) => {
    const { project, name, redirecting } = await addPair(t);
    t.same([redirecting.redirect, redirecting.redirectStatusCode], [name, 307], "the redirect");
    const path = `${domainsOf(project)}/www.${name}`;
    const cleared = await t.ok("PATCH", path, { body: { redirect: null, redirectStatusCode: null } });
    t.same([cleared.redirect, cleared.redirectStatusCode ?? null], [null, null], "the cleared redirect");
    t.same((await t.ok("PATCH", path, { body: { redirect: name } })).redirect, name, "redirect");
  }),
  check("DO-46, DO-49, DO-50, DO-51", async (t) => {
    const { project, name } = await addPair(t);
    const path = `${domainsOf(project)}/www.${name}`;
    for (const redirectStatusCode of [301, 302, 307, 308]) {
      const changed = await t.ok("PATCH", path, { body: { redirectStatusCode } });
      t.same([changed.redirect, changed.redirectStatusCode], [name, redirectStatusCode], "the redirect");
    }
    t.same((await t.ok("GET", path)).redirectStatusCode, 308, "redirectStatusCode");
    for (const body of [{ redirectStatusCode: 300 }, { redirect: 1 }])
      await t.refused("PATCH", path, { body }, 400, "bad_request");
  }),
  check("DO-17", async (t) => {
    const project = await t.project();
    const name = t.session.domain();
    await add(t, project, { name });
    const hosted = { difference: "existing-domain", status: 409, code: "domain_already_in_use" };
    await refuse(t, project, { name }, 400, "existing_project_domain", hosted);
  }),
  check("DO-57, DO-58, X-57", async (t) => {
    const project = await t.project();
    const name = t.session.domain();
    await add(t, project, { name });
    const path = `${domainsOf(project)}/${name}`;
    t.same(await t.ok("DELETE", path), {}, "the answer to DELETE");
    await t.refused("GET", path, {}, 404, "not_found");
    const { domains } = await t.ok("GET", domainsOf(project));
    t.that(!domains.some((domain) => domain.name === name), "the list has the deleted domain");
  }),
  check("DO-62, X-06, DO-70, S-17", async (t) => {
    const path = `${domainsOf(t.web)}/${t.session.domain()}`;
    await t.refused("GET", path, {}, 404, "not_found");
    await t.refused("DELETE", path, {}, 404, "not_found");
    await t.refused("PATCH", path, { body: {} }, 404, "not_found");
    await t.refused("POST", `${path}/verify`, {}, 400);
    await t.refused("DELETE", "/v9/projects/prj_unknown/domains/www.example.com", {}, 404, "not_found");
  }),
  check("DO-01, DO-30, DO-31, LI-07, X-54, X-55, DO-33, DO-34, DO-37, DO-38", async (t) => {
    const { project, name } = await addPair(t);
    const namesWith = async (query) => {
      const { domains, pagination } = await t.ok("GET", domainsOf(project), { query });
      t.types(pagination, { count: "number", next: "number|null", prev: "number|null" }, "pagination");
      t.same(pagination.count, domains.length, "pagination.count");
      return domains.map((domain) => domain.name).filter(isOwn);
    };
    t.same(await namesWith({}), [`www.${name}`, name], "the list, the newest first");
    t.same(await namesWith({ order: "ASC" }), [name, `www.${name}`], "the list with order=ASC");
    t.same(await namesWith({ redirects: false }), [name], "the list with redirects=false");
    t.same(await namesWith({ redirect: name }), [`www.${name}`], "the list with redirect");
    t.same(await namesWith({ target: "production" }), [`www.${name}`, name], "the list with target");
    t.same((await namesWith({ limit: 1 })).length, 1, "the number of domains with limit=1");
    const both = [...(await namesWith({ verified: true })), ...(await namesWith({ verified: false }))];
    t.same(both.toSorted(), [name, `www.${name}`].toSorted(), "the lists with verified");
  }),
  check("DO-39, DO-32, DO-35, DO-36", async (t) => {
    for (const query of [
      ...[{ limit: "x" }, { limit: 0 }, { order: "UP" }, { production: "maybe" }, { redirects: "maybe" }],
      ...[{ since: "x" }, { until: "x" }, { verified: "maybe" }],
    ])
      await t.refused("GET", domainsOf(t.web), { query }, 400, "bad_request");
  }),
];

/** Projects can have a default domain of the service. */
const isOwn = (name) => !name.endsWith(".vercel.app");
