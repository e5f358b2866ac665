import { type Scope, type ScopeName, scopeSubjects } from "../../../server/access/scopes";
import type { Route } from "../../../server/http/route";
import { unversioned } from "../../../server/http/router";
import { routes } from "../../../server/routes";
import { type Endpoint, endpoints, furnish, sendTo } from "../../support/endpoints";
import { addIntegration } from "../../support/integrations";
import { type Answer, useWorld } from "../../support/world";

const world = useWorld();

/** Every right that there is. */
const everything = scopeSubjects.map((subject): ScopeName => `read-write:${subject}`);
const alternatives = (scope: Scope): readonly ScopeName[] =>
  typeof scope === "string" ? [scope] : scope.any;
const subjectOf = (name: ScopeName): string => name.replace(/^.*:/, "");

/** The statements that tell of the scopes. */
const statements: Record<string, string> = {
  "integration-configuration": "AU-20",
  deployment: "AU-21",
  project: "AU-24",
  "project-env-vars": "AU-25",
  "global-project-env-vars": "AU-27",
  team: "AU-28",
  user: "AU-29",
  "log-drain": "AU-30",
  domain: "AU-31",
};
/** The statements that scopes prove, as a test's name carries them. */
const idsOf = (scopes: readonly ScopeName[]): string =>
  [...new Set(scopes.map((scope) => `[${statements[subjectOf(scope)]}]`))].join(" ");

let count = 0;

/** A token of an installation on `acme` that has these scopes and no others. */
async function tokenWith(scopes: readonly ScopeName[]): Promise<string> {
  count += 1;
  const token = `token-${count}`;
  await world.seed({
    installations: [{ id: `icfg_${count}`, integration: "cron", team: "acme", scopes: [...scopes], token }],
  });
  return token;
}

describe("the endpoints of the specification", () => {
  beforeEach(() => furnish(world));

  const send = (endpoint: Endpoint, token: string): Promise<Answer> => sendTo(world, endpoint, { token });

  test.each(endpoints.map((endpoint) => [idsOf(endpoint[4]), endpoint] as const))(
    "[X-82] [AU-11] %s %j is refused without each of its scopes, and succeeds with them alone",
    async (_ids, endpoint) => {
      const [, , , success, needed] = endpoint;
      for (const name of needed) {
        // Without the scope, and where writing is needed with the right to read alone.
        const others = everything.filter((other) => subjectOf(other) !== subjectOf(name));
        const lower = name.startsWith("read:") ? [] : [name.replace("read-write:", "read:") as ScopeName];
        const token = await tokenWith([...others.filter((other) => !isVariables(name, other)), ...lower]);
        const before = await world.control.snapshot();
        const refused = await send(endpoint, token);
        expect(refused.body.error.code).toBe("forbidden");
        expect(refused.status).toBe(403);
        expect(await world.control.snapshot()).toEqual(before);
      }
      const allowed = await send(endpoint, await tokenWith(needed));
      expect(allowed.status).toBe(success);
    },
  );

  /** Either of the variable scopes opens the endpoints, so a refusal takes both away. */
  const isVariables = (name: ScopeName, other: ScopeName): boolean =>
    subjectOf(name) === "global-project-env-vars" && subjectOf(other) === "project-env-vars";

  test("[AU-25] [AU-26] [AU-44] project-env-vars manages what its installation made, and nothing else", async () => {
    const token = await tokenWith(["read-write:project-env-vars"]);
    const made = await world.call("POST", "/v10/projects/web/env", {
      token,
      body: { key: "MINE", value: "v", type: "plain", target: ["preview"] },
    });
    expect(made.status).toBe(201);
    expect(made.body.created.configurationId).toBe(`icfg_${count}`);
    const { envs } = (await world.call("GET", "/v9/projects/web/env")).body;
    const other = envs.find(({ key }: { key: string }) => key === "KEY");
    expect((await world.call("GET", "/v9/projects/web/env", { token })).body.envs).toHaveLength(1);
    const path = (id: string): string => `/v9/projects/web/env/${id}`;
    expect((await world.call("PATCH", path(other.id), { token, body: { value: "w" } })).status).toBe(403);
    expect((await world.call("DELETE", path(other.id), { token })).status).toBe(403);
    expect(
      (await world.call("PATCH", path(made.body.created.id), { token, body: { value: "w" } })).status,
    ).toBe(200);
    expect((await world.call("DELETE", path(made.body.created.id), { token })).status).toBe(200);
  });

  test.each([
    ["AU-32", "project"],
    ["AU-33", "domain"],
  ])("[%s] a domain is not updated with write permission on the %s alone", async (_id, subject) => {
    const token = await tokenWith([`read-write:${subject}` as ScopeName]);
    const { status } = await world.call("PATCH", "/v9/projects/web/domains/www.example.com", {
      token,
      body: { redirect: null },
    });
    expect(status).toBe(403);
  });

  test("[AU-34] a domain is updated with write permission on both", async () => {
    const token = await tokenWith(["read-write:project", "read-write:domain"]);
    const { status } = await world.call("PATCH", "/v9/projects/web/domains/www.example.com", {
      token,
      body: { redirect: null },
    });
    expect(status).toBe(200);
  });

  test.each([
    ["AU-22", "deployment-check"],
    ["AU-23", "edge-config"],
  ])("[%s] %s alone opens no endpoint", async (_id, subject) => {
    const token = await tokenWith([`read-write:${subject}` as ScopeName]);
    const statuses = new Set<number>();
    for (const endpoint of endpoints) statuses.add((await send(endpoint, token)).status);
    expect([...statuses]).toEqual([403]);
  });

  test("[AU-20] the installation itself is read with the right to read, and removed with the right to write", async () => {
    const reading = await tokenWith(["read:integration-configuration"]);
    const path = `/v1/integrations/configuration/icfg_${count}`;
    expect((await world.call("GET", path, { token: reading })).status).toBe(200);
    expect((await world.call("DELETE", path, { token: reading })).status).toBe(403);
    const writing = await tokenWith(["read-write:integration-configuration"]);
    const own = `/v1/integrations/configuration/icfg_${count}`;
    expect((await world.call("DELETE", own, { token: writing })).status).toBe(204);
  });
});

const known = routes.filter(({ open }) => !open);
const nameOf = ({ method, path }: Route): string => `${method} ${unversioned(path)}`;
/** A request to a route whose path names nothing that is there. */
const askRoute = ({ method, path }: Route, token: string): Promise<Answer> =>
  world.call(method, path.replace(/:[^/]+/g, "none"), { token });
const lacks = ({ status, body }: Answer): boolean =>
  status === 403 && /lacks the permission/.test(body.error.message);

describe("every route", () => {
  beforeEach(() => addIntegration(world));

  test("[X-82] [X-77] stands in the mapping, the token exchange aside", () => {
    expect(known.filter(({ scope }) => scope.length === 0).map(nameOf)).toEqual([]);
    expect(routes.filter(({ open }) => open).map(nameOf)).toEqual(["POST /oauth/access_token"]);
  });

  test("[X-82] writes need a right to write", () => {
    const rights = (route: Route): ScopeName[] => route.scope.flatMap(alternatives);
    const writing = known.filter(({ method }) => method !== "GET");
    expect(
      writing.filter((route) => rights(route).some((name) => name.startsWith("read:"))).map(nameOf),
    ).toEqual([]);
  });

  test.each(known.map((route) => [idsOf(route.scope.flatMap(alternatives)), nameOf(route), route] as const))(
    "[X-82] %s %s is refused without each of its scopes, and not with them",
    async (_ids, _name, route) => {
      for (const scope of route.scope) {
        const subjects = alternatives(scope).map(subjectOf);
        const token = await tokenWith(everything.filter((name) => !subjects.includes(subjectOf(name))));
        expect(lacks(await askRoute(route, token))).toBe(true);
      }
      const choices = Math.max(...route.scope.map((scope) => alternatives(scope).length));
      for (let choice = 0; choice < choices; choice++) {
        const token = await tokenWith(route.scope.flatMap((scope) => alternatives(scope)[choice] ?? []));
        expect(lacks(await askRoute(route, token))).toBe(false);
      }
    },
  );
});

describe("a disabled configuration", () => {
  const groups: [id: string, what: string, belongs: (path: string) => boolean][] = [
    ["T-02", "domain", (path) => /domain|\/alias$/.test(path)],
    ["T-03", "variable", (path) => /\/env(\/|$)/.test(path)],
    ["T-01", "project", (path) => /^\/(data-cache\/)?projects(\/|$)/.test(path)],
    ["T-04", "other", () => true],
  ];
  const groupOf = (route: Route): string =>
    groups.find(([, , belongs]) => belongs(unversioned(route.path)))?.[1] ?? "";

  beforeEach(() => furnish(world));

  test.each(groups)("[%s] [T-05] is refused by every %s endpoint, and nothing changes", async (_id, what) => {
    await world.member("MEMBER");
    await world.seed({
      installations: [
        {
          id: "icfg_orphan",
          integration: "cron",
          team: "acme",
          installedBy: "member-of-acme",
          scopes: everything,
          token: "orphan",
        },
      ],
    });
    await world.control.removeMember("acme", "member-of-acme");
    const before = await world.control.snapshot();
    const ofGroup = known.filter((route) => groupOf(route) === what);
    expect(ofGroup.length).toBeGreaterThan(0);
    for (const route of ofGroup) {
      // What the path names is there: nothing but the refusal keeps the request from its effect.
      const path = route.path
        .replace(/:(idOrName|projectId)\b/, "prj_web")
        .replace(/:domain\b/, "www.example.com")
        .replace(/:deploymentId\b/, "dpl_1")
        .replace(/:[^/]+/g, "icfg_orphan");
      for (const query of [{ slug: "acme" }, { slug: "acme", teamId: "" }]) {
        const { status, body } = await world.call(route.method, path, { token: "orphan", query });
        expect({ route: nameOf(route), query, status, code: body.error.code }).toEqual({
          route: nameOf(route),
          query,
          status: 403,
          code: "integration_configuration_disabled",
        });
      }
    }
    expect(await world.control.snapshot()).toEqual(before);
  });

  test("[T-01] [T-02] [T-03] every endpoint of the specification is among them", () => {
    const paths = new Set(known.map(nameOf));
    const shapes = endpoints.map(([method, path]) => `${method} ${unversioned(path.replace(/\?.*/, ""))}`);
    const isServed = (shape: string): boolean =>
      [...paths].some((path) => new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+")}$`).test(shape));
    expect(shapes.filter((shape) => !isServed(shape))).toEqual([]);
  });
});
