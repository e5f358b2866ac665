import { type Scope, type ScopeName, scopeSubjects } from "../../../server/access/scopes";
import type { Route } from "../../../server/http/route";
import { unversioned } from "../../../server/http/router";
import { routes } from "../../../server/routes";
import { type Endpoint, endpoints, seedEndpoints, sendTo } from "../../support/endpoints";
import { addIntegration } from "../../support/integrations";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();

/** Every right that there is. */
const everything = scopeSubjects.map((subject): ScopeName => `read-write:${subject}`);
const alternatives = (scope: Scope): readonly ScopeName[] =>
  typeof scope === "string" ? [scope] : scope.any;
const subjectOf = (name: ScopeName): string => name.replace(/^.*:/, "");

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
  beforeEach(() => seedEndpoints(world));

  const send = (endpoint: Endpoint, token: string): Promise<Answer> => sendTo(world, endpoint, { token });

  // X-82, AU-11, AU-20, AU-21, AU-24, AU-25, AU-27, AU-28, AU-29, AU-30, AU-31
  test.each(endpoints.map((endpoint) => [endpoint]))(
    "%j is refused without each of its scopes, and succeeds with them alone",
    async (endpoint) => {
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

  // AU-25, AU-26, AU-44
  test("project-env-vars manages what its installation made, and nothing else", async () => {
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
    ["project"], // AU-32
    ["domain"], // AU-33
  ])("a domain is not updated with write permission on the %s alone", async (subject) => {
    const token = await tokenWith([`read-write:${subject}` as ScopeName]);
    const { status } = await world.call("PATCH", "/v9/projects/web/domains/www.example.com", {
      token,
      body: { redirect: null },
    });
    expect(status).toBe(403);
  });

  // AU-34
  test("a domain is updated with write permission on both", async () => {
    const token = await tokenWith(["read-write:project", "read-write:domain"]);
    const { status } = await world.call("PATCH", "/v9/projects/web/domains/www.example.com", {
      token,
      body: { redirect: null },
    });
    expect(status).toBe(200);
  });

  test.each([
    ["deployment-check"], // AU-22
    ["edge-config"], // AU-23
  ])("%s alone opens no endpoint", async (subject) => {
    const token = await tokenWith([`read-write:${subject}` as ScopeName]);
    const statuses = new Set<number>();
    for (const endpoint of endpoints) statuses.add((await send(endpoint, token)).status);
    expect([...statuses]).toEqual([403]);
  });

  // AU-20
  test("the installation itself is read with the right to read, and removed with the right to write", async () => {
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

  //
  test("stands in the mapping, deploy hooks and the token exchange aside", () => {
    expect(known.filter(({ scope }) => scope.length === 0).map(nameOf)).toEqual([]);
    expect(routes.filter(({ open }) => open).map(nameOf)).toEqual([
      "POST /integrations/deploy/:projectId/:secret",
      "GET /integrations/deploy/:projectId/:secret",
      "POST /oauth/access_token",
    ]);
  });

  //
  test("writes need a right to write", () => {
    const rights = (route: Route): ScopeName[] => route.scope.flatMap(alternatives);
    const writing = known.filter(({ method }) => method !== "GET");
    expect(
      writing.filter((route) => rights(route).some((name) => name.startsWith("read:"))).map(nameOf),
    ).toEqual([]);
  });

  // X-82, AU-20, AU-21, AU-24, AU-25, AU-27, AU-28, AU-29, AU-30, AU-31
  test.each(known.map((route) => [nameOf(route), route] as const))(
    "%s is refused without each of its scopes, and not with them",
    async (_name, route) => {
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
  const groups: [what: string, belongs: (path: string) => boolean][] = [
    ["domain", (path) => /domain|\/alias$/.test(path)], // T-02
    ["variable", (path) => /\/env(\/|$)/.test(path)], // T-03
    ["project", (path) => /^\/(data-cache\/)?projects(\/|$)/.test(path)], // T-01
    ["other", () => true], // T-04
  ];
  const groupOf = (route: Route): string =>
    groups.find(([, belongs]) => belongs(unversioned(route.path)))?.[0] ?? "";

  beforeEach(() => seedEndpoints(world));

  // T-05
  test.each(groups)("is refused by every %s endpoint, and nothing changes", async (what) => {
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
      // The path names an existing object: nothing but the refusal keeps the request from its effect.
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

  // T-01, T-02, T-03
  test("every endpoint of the specification is among them", () => {
    const paths = new Set(known.map(nameOf));
    const shapes = endpoints.map(([method, path]) => `${method} ${unversioned(path.replace(/\?.*/, ""))}`);
    const isServed = (shape: string): boolean =>
      [...paths].some((path) => new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+")}$`).test(shape));
    expect(shapes.filter((shape) => !isServed(shape))).toEqual([]);
  });
});

it("a billing member reads everything and changes nothing", async () => {
  const token = await world.member("BILLING");
  for (const path of ["/v2/teams/acme", "/v2/user", "/v9/projects", "/v5/domains", "/v1/webhooks"])
    expect([path, (await world.call("GET", path, { token })).status]).toEqual([path, 200]);
  expect((await world.call("POST", "/v10/projects", { token, body: { name: "web" } })).status).toBe(403);
});
