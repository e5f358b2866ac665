import { type ScopeName, scopeSubjects } from "../../../server/access/scopes";
import { unversioned } from "../../../server/http/router";
import { routes } from "../../../server/routes";
import { developmentToken } from "../../../server/seed/development-account";
import { tableNames } from "../../../server/store/tables";
import { authorization, bypassOf, furnishTeam, optionsOf, type Things } from "../../support/authorization";
import { useFurnishedServer } from "../../support/furnished";
import { isLong, oneOf } from "../../support/slices";
import type { Answer } from "../../support/world";

const { world, acme: furnished } = useFurnishedServer();

const everything = scopeSubjects.map((subject): ScopeName => `read-write:${subject}`);
const noVariables = everything.filter((scope) => !scope.endsWith("env-vars"));
const lines = Object.entries(authorization).flatMap(([name, all]) =>
  all.map(
    (access, at) =>
      [all.length > 1 ? `${name} (${at + 1})` : name, name.split(" ")[0] ?? "", access] as const,
  ),
);
type Line = (typeof lines)[number];

/** Every set that tells a scope apart: none, each alone, each missing, each lowered to reading, all. */
const scopeSets: readonly (readonly ScopeName[])[] = [
  [],
  everything,
  scopeSubjects.map((subject): ScopeName => `read:${subject}`),
  ...scopeSubjects.flatMap((subject): ScopeName[][] => {
    const others = everything.filter((scope) => !scope.endsWith(`:${subject}`));
    return [[`read:${subject}`], [`read-write:${subject}`], others, [...others, `read:${subject}`]];
  }),
];

/** Without the long run: the general sets, those of the route's own subjects, and each sixth of the others. */
function setsFor([name, , access]: Line): readonly (readonly ScopeName[])[] {
  if (isLong) return scopeSets;
  const own = new Set(access.scopes.flat().map((scope) => scope.split(":")[1]));
  const at = lines.findIndex(([other]) => other === name);
  const subjectOf = (set: number) => scopeSubjects[Math.floor((set - 3) / 4)];
  return scopeSets.filter((_, set) => set < 3 || own.has(subjectOf(set)) || (set + at) % 6 === 0);
}

/** Installs integrations of their own. @returns their tokens */
async function installAll(installations: { id: string; scopes: readonly ScopeName[] }[]): Promise<string[]> {
  await world.seed({
    integrations: installations.map(({ id, scopes }) => ({
      slug: id,
      owner: "dev",
      clientSecret: "s",
      redirectUrl: "http://127.0.0.1:9/callback",
      scopes: [...scopes],
    })),
    installations: installations.map(({ id, scopes, ...more }) => ({
      id: `icfg_${id}`,
      integration: id,
      team: "acme",
      scopes: [...scopes],
      token: `token-${id}`,
      ...more,
    })),
  });
  return installations.map(({ id }) => `token-${id}`);
}

/** Installs an integration of its own. @returns its token */
async function install(id: string, scopes: readonly ScopeName[], more: object = {}): Promise<string> {
  const [token = ""] = await installAll([{ id, scopes, ...more }]);
  return token;
}

/** The things of another team of the same user, which the saved state `with-second` has too. */
let second: Things;
beforeAll(async () => {
  await world.seed({ teams: [{ slug: "second", members: [{ user: "dev", role: "OWNER" }] }] });
  second = await furnishTeam(world, "second", developmentToken);
  await world.control.saveState("with-second");
});

const send = ([, method, access]: Line, at: Things, token: string, team = "acme"): Promise<Answer> => {
  const options = optionsOf(access, at);
  return world.call(method, access.path(at), { ...options, token, query: { slug: team, ...options.query } });
};

/** The stored rows that contain the id of the team or of its project. */
async function rowsOf(at: Things, tables: readonly string[] = tableNames): Promise<string[]> {
  return world.services.store.read(async (tx) => {
    const found: string[] = [];
    for (const table of tables) {
      for (const row of await tx
        .selectFrom(table as "projects")
        .selectAll()
        .execute()) {
        const text = JSON.stringify(row);
        if ([at.team, at.project].some((id) => text.includes(`"${id}"`))) found.push(`${table} ${text}`);
      }
    }
    return found.sort();
  });
}
const ofAcme = /acme-(value|env|web|drain)|acmexxx/;

/** A project with a deployment and a verified domain, beside the furnished one. */
async function coverAnother(): Promise<Pick<Things, "project" | "deployment" | "domain">> {
  await world.seed({
    projects: [{ id: "prj_covered", team: "acme", name: "covered" }],
    deployments: [{ id: "dpl_covered", team: "acme", project: "covered", target: "production" }],
    domains: [{ team: "acme", project: "covered", name: "covered.net", verified: true }],
  });
  return { project: "prj_covered", deployment: "dpl_covered", domain: "covered.net" };
}

/**
 * The rows of a team that no installation limited to the project `covered` may change. A count of events changes with
 * every event of the team.
 */
async function teamRows(at: Things): Promise<string[]> {
  const rows = await world.services.store.read(async (tx) => {
    const found: string[] = [];
    for (const table of tableNames) {
      if (["events", "deliveries", "receivers", "mail", "retired_ids"].includes(table)) continue;
      const all = await tx
        .selectFrom(table as "projects")
        .selectAll()
        .execute();
      for (const row of all)
        found.push(`${table} ${JSON.stringify(row).replace(/"event_sequence":\d+,?/, "")}`);
    }
    return found.sort();
  });
  const ids = Object.values(at).map((id) => JSON.stringify(id));
  const mine = /covered|icfg_selected|fresh/;
  return rows.filter(
    (row) =>
      (ids.some((id) => row.includes(id)) || /^(members|tokens|configuration)/.test(row)) && !mine.test(row),
  );
}

//
test("every route stands in the table, and nothing else does; deploy hooks and the token exchange ask for no token", () => {
  const known = routes
    .filter(({ open }) => !open)
    .map(({ method, path }) => `${method} ${unversioned(path)}`);
  expect(Object.keys(authorization).sort()).toEqual([...known].sort());
  expect(routes.filter(({ open }) => open).map(({ path }) => unversioned(path))).toEqual([
    "/integrations/deploy/:projectId/:secret",
    "/integrations/deploy/:projectId/:secret",
    "/oauth/access_token",
  ]);
});

/** Routes that are also called by those who get at a part of the team. */
const calledByLimited = new Set(oneOf(3, lines).map(([name]) => name));

describe.each(lines)("%s", (...line) => {
  const [name, , access] = line;
  const ofLimited = calledByLimited.has(name) ? test : test.skip;
  let acme: Things;

  beforeEach(async () => {
    acme = furnished();
    if (access.first) await world.call(access.first[0], access.first[1](acme));
  });

  const satisfied = (scopes: readonly ScopeName[]): boolean =>
    access.scopes.every((alternatives) => alternatives.some((scope) => scopes.includes(scope)));
  const lacks = ({ status, body }: Answer): boolean =>
    status === 403 && /lacks the permission/.test(body.error.message);

  // X-82, AU-11
  test("is open to exactly the scope sets that the table says", async () => {
    const sets = setsFor(line);
    const names = await installAll(sets.map((scopes, at) => ({ id: `set_${at}`, scopes })));
    const tokens = names.map((token, at) => [token, sets[at] ?? []] as const);
    const before = await rowsOf(acme);
    for (const [token, scopes] of tokens) {
      if (satisfied(scopes)) continue;
      const answer = await send(line, acme, token);
      expect({ scopes, lacks: lacks(answer) }).toEqual({ scopes, lacks: true });
    }
    expect(await rowsOf(acme)).toEqual(before);
    for (const [token, scopes] of tokens) {
      if (!satisfied(scopes)) continue;
      const answer = await send(line, acme, token);
      expect({ scopes, lacks: lacks(answer) }).toEqual({ scopes, lacks: false });
    }
  });

  // AU-12, AU-24
  test("succeeds for who may, and is refused to whom it is not for", async () => {
    const installation = await install("whole", everything);
    const own = { ...acme, configuration: "icfg_whole" };
    if (access.people) {
      const before = await rowsOf(acme);
      expect((await send(line, own, installation)).status).toBe(403);
      expect(await rowsOf(acme)).toEqual(before);
    }
    const isDrain = line[0] === "DELETE /integrations/log-drains/:id";
    const token = access.installations ? installation : developmentToken;
    const answer = await send(line, isDrain ? acme : own, token);
    const { error } = answer.status < 300 ? {} : answer.body;
    expect({ status: answer.status, error }).toEqual({
      status: access.success ?? 200,
      error: access.refuses === undefined ? undefined : expect.objectContaining({ code: access.refuses }),
    });
  });

  // AU-05, AU-12
  test("neither shows nor changes what another account has, a team of the same user either", async () => {
    await world.control.loadState("with-second");
    if (access.first) await world.call(access.first[0], access.first[1](acme));
    const otherTeam = await world.team("other");
    const bound = "token-bound-to-acme";
    await world.seed({ tokens: [{ token: bound, user: "dev", team: "acme" }] });
    const installation = await install("whole", everything);
    const before = await rowsOf(second);

    // On an account of their own, with the things of another one, in whole or in part.
    const parts = Object.keys(second) as (keyof Things)[];
    const mixtures = [second, ...parts.map((part): Things => ({ ...acme, [part]: second[part] }))];
    for (const token of [developmentToken, bound, installation, otherTeam]) {
      for (const [at, things] of mixtures.entries()) {
        const names = [access.path, access.query, access.body].some(
          (part) => JSON.stringify(part?.(things)) !== JSON.stringify(part?.(acme)),
        );
        // The team or the token that a path names is reached by itself, whichever team the request is on.
        const isOwn = access.ofUser || line[0].includes(":teamIdOrSlug");
        const isReached = token === developmentToken && isOwn;
        if (!names || isReached || access.ofAnybody) continue;
        const answer = await send(line, things, token, token === otherTeam ? "other" : "acme");
        if (answer.status < 300)
          expect({ at, token, told: answer.body }).toEqual({ at, token, told: access.ofUnknown });
        const told = JSON.stringify(answer.body).replaceAll(JSON.stringify(access.body?.(things)), "");
        expect(told).not.toMatch(/second-(value|env|web|drain)|secondxxx/);
      }
    }
    // On the other account itself.
    for (const token of [bound, installation, otherTeam]) {
      const answer = await send(line, second, token, "second");
      expect([answer.status, answer.body.error.code]).toEqual([403, "team_unauthorized"]);
    }
    for (const token of [bound, installation]) {
      const { status, body } = await world.call("GET", "/v2/teams/second", { token });
      expect([status, body.error.code]).toEqual([403, "team_unauthorized"]);
    }
    if (access.namesNothing) {
      for (const token of [bound, installation, otherTeam]) {
        const answer = await send(line, acme, token, token === otherTeam ? "other" : "acme");
        expect(JSON.stringify(answer.body ?? "")).not.toMatch(/second/);
      }
    }
    expect(await rowsOf(second)).toEqual(before);
  });

  // AU-05
  ofLimited("an installation reads and changes nothing of a project that it does not cover", async () => {
    const covered = await coverAnother();
    const token = await install("selected", everything, { projects: ["covered"] });
    const own = { configuration: "icfg_selected" };
    // Objects of the other project, by themselves and together with the installation's own project and deployment.
    const mixtures = [
      { ...acme, ...own },
      { ...acme, ...own, project: covered.project },
      { ...acme, ...own, deployment: covered.deployment },
      { ...acme, ...own, ...covered },
    ];
    const [first, ...others] = mixtures;
    const before = await teamRows(acme);
    const { status, body } = await send(line, first ?? acme, token);
    expect({ status, error: body?.error }).toMatchObject({
      status: access.limited ?? access.success ?? 200,
    });
    expect(JSON.stringify(body ?? "")).not.toMatch(ofAcme);
    for (const things of others) {
      const answer = await send(line, things, token);
      expect(JSON.stringify(answer.body ?? "")).not.toMatch(ofAcme);
    }
    if (!access.ofTeam) expect(await teamRows(acme)).toEqual(before);
  });

  // AU-25, AU-26, X-26
  ofLimited.each([
    ["without a scope for variables", noVariables],
    [
      "with the scope for its own variables alone",
      [...noVariables, "read-write:project-env-vars"] as ScopeName[],
    ],
  ])("%s, an installation gets at no variable of the project", async (_what, scopes) => {
    const token = await install("limited", scopes);
    const before = await rowsOf(acme, ["env_vars"]);
    const answer = await send(line, { ...acme, configuration: "icfg_limited" }, token);
    expect(JSON.stringify(answer.body ?? "")).not.toMatch(/acme-value|acmexxx/);
    const after = await rowsOf(acme, ["env_vars"]);
    const removed = access.removesProject && answer.status === access.success;
    const left = after.filter((row) => !row.includes('"configuration_id":"icfg_limited"'));
    expect(left).toEqual(removed ? [] : before);
  });

  //
  ofLimited("a member who only reads sees no variable and no secret", async () => {
    const token = await world.member("VIEWER");
    const before = await rowsOf(acme, ["env_vars", "bypass_secrets"]);
    const answer = await send(line, acme, token);
    expect(JSON.stringify(answer.body ?? "")).not.toMatch(/acme-value|acmexxx/);
    expect(await rowsOf(acme, ["env_vars", "bypass_secrets"])).toEqual(before);
  });
});

test("the mark of a bypass secret is one that the tests look for", () => {
  expect(bypassOf("acme")).toMatch(/^acmexxx/);
});
