import * as fc from "fast-check";
import { developmentToken } from "../../server/seed/development-account";
import { useTestServer } from "../support/world";

/**
 * A client that follows `next` meets every item that exists all along exactly once, for every list, order, filter, bound
 * and page size, and whatever is added and removed meanwhile.
 */

const world = useTestServer();
const runs = process.env.SLIPWAY_TEST_LONG ? 150 : 12;
/** For what hangs. */
const timeoutMs = 900_000;

/** A list of one team that items can be added to and removed from. */
interface List {
  path: (team: string) => string;
  /** Query members that choose, each of which a walk may take. */
  filters: readonly Record<string, string>[];
  /** It can be asked for in ascending order. */
  ascends?: true;
  member: string;
  id: string;
  time: string;
  /** Whose list it is, where it is not the team's. */
  token?: (team: string) => string;
  prepare?: (team: string) => Promise<unknown>;
  add: (team: string, at: number) => Promise<unknown>;
  remove: (team: string, id: string) => Promise<unknown>;
}

const call = (team: string | null, method: string, path: string, body?: unknown, query = {}) =>
  world.call(method, path, { team, query, ...(body === undefined ? {} : { body }) });
const project = (team: string) => world.seed({ projects: [{ id: `prj_${team}`, team, name: "web" }] });
/** A member who has left already stays away. */
const leave = (team: string, user: string) => world.askControl("DELETE", `/teams/${team}/members/${user}`);
const forget = (table: "deployments" | "promotion_aliases", id: string) =>
  world.services.store.write((tx) => tx.deleteFrom(table).where("id", "=", id).execute());

const lists: Record<string, List> = {
  "of projects": {
    path: () => "/v9/projects",
    filters: [{ search: "odd" }, { gitForkProtection: "1" }, { from: "1" }, { deprecated: "false" }],
    member: "projects",
    id: "id",
    time: "updatedAt",
    add: (team, at) => call(team, "POST", "/v10/projects", { name: at % 2 ? `odd-${at}` : `even-${at}` }),
    remove: (team, id) => call(team, "DELETE", `/v9/projects/${id}`),
  },
  "of a project's domains": {
    path: () => "/v9/projects/web/domains",
    filters: [{ production: "true" }, { redirects: "false" }, { verified: "false" }, { target: "preview" }],
    ascends: true,
    member: "domains",
    id: "name",
    time: "createdAt",
    // The default domain keeps its time, that of the project, unless another one has it too.
    prepare: async (team) => {
      await project(team);
      await world.advance(1);
    },
    add: (team, at) =>
      call(team, "POST", "/v10/projects/web/domains", {
        name: `d${at}.example.com`,
        ...(at % 2 ? { gitBranch: "next" } : {}),
      }),
    remove: (team, id) => call(team, "DELETE", `/v9/projects/web/domains/${id}`),
  },
  "of an account's domains": {
    path: () => "/v5/domains",
    filters: [],
    member: "domains",
    id: "name",
    time: "createdAt",
    prepare: (team) =>
      world.seed({
        projects: [
          { team, name: "p-0" },
          { team, name: "p-1" },
        ],
      }),
    add: (team, at) => call(team, "POST", `/v10/projects/p-${at % 2}/domains`, { name: `d${at}.com` }),
    remove: async (team, id) => {
      for (const name of ["p-0", "p-1"]) await call(team, "DELETE", `/v9/projects/${name}/domains/${id}`);
    },
  },
  "of variables": {
    path: () => "/v9/projects/web/env",
    filters: [{ target: "production" }, { gitBranch: "next" }],
    member: "envs",
    id: "id",
    time: "createdAt",
    prepare: project,
    add: (team, at) =>
      call(team, "POST", "/v10/projects/web/env", {
        key: `K_${at}`,
        value: "v",
        type: "plain",
        target: [at % 2 ? "production" : "preview"],
      }),
    remove: (team, id) => call(team, "DELETE", `/v9/projects/web/env/${id}`),
  },
  "of deployments": {
    path: () => "/v6/deployments",
    filters: [{ target: "production" }, { state: "READY" }, { app: "web" }, { branch: "odd" }],
    member: "deployments",
    id: "uid",
    time: "created",
    prepare: project,
    add: (team, at) =>
      world.seed({
        deployments: [
          {
            id: `dpl_${team}_${at}`,
            team,
            project: at % 3 ? "web" : "api",
            target: at % 2 ? "production" : "preview",
            ...(at % 2 ? { gitBranch: "odd" } : {}),
          },
        ],
      }),
    remove: (_team, id) => forget("deployments", id),
  },
  "of a promotion's aliases": {
    path: (team) => `/v1/projects/prj_${team}/promote/aliases`,
    filters: [{ failedOnly: "true" }],
    member: "aliases",
    id: "id",
    time: "createdAt",
    prepare: async (team) => {
      await project(team);
      const domains = [1, 2, 3, 4, 5, 6].map((at) => `d${at}.${team}.com`);
      await world.seed({
        domains: domains.map((name) => ({ team, project: "web", name, verified: true })),
        deployments: [{ id: `dpl_${team}`, team, project: "web" }],
      });
      await world.askControl("POST", "/promotions", { failAliases: domains.filter((_, at) => at % 2) });
      await call(team, "POST", `/v10/projects/prj_${team}/promote/dpl_${team}`);
    },
    add: async () => {},
    remove: (_team, id) => forget("promotion_aliases", id),
  },
  "of a team's members": {
    path: (team) => `/v3/teams/${team}/members`,
    filters: [],
    member: "members",
    id: "uid",
    time: "createdAt",
    add: (team, at) =>
      world.seed({
        users: [{ id: `user_${team}_${at}`, username: `u-${team}-${at}` }],
        teams: [{ slug: team, members: [{ user: `user_${team}_${at}`, role: "MEMBER" }] }],
      }),
    // The user of the token stays.
    remove: (team, id) => (id.startsWith("user_t") ? leave(team, id) : Promise.resolve()),
  },
  "of a user's teams": {
    path: () => "/v2/teams",
    filters: [],
    member: "teams",
    id: "slug",
    time: "createdAt",
    token: (team) => `token-of-user-${team}`,
    prepare: async (team) => {
      await world.user(`user-${team}`);
      await world.seed({ teams: [{ slug: team, members: [{ user: `user-${team}`, role: "MEMBER" }] }] });
    },
    add: (team, at) =>
      world.seed({
        teams: [{ slug: `${team}-${at}`, members: [{ user: `user-${team}`, role: "MEMBER" }] }],
      }),
    remove: (team, id) => (id.startsWith(`${team}-`) ? leave(id, `user-${team}`) : Promise.resolve()),
  },
};

type Item = Record<string, unknown>;
type Page = { items: Item[]; next: number | null };

const walks = (list: List) =>
  fc.record({
    before: fc.integer({ min: 0, max: 7 }),
    limit: fc.integer({ min: 1, max: 4 }),
    filter: fc.constantFrom({}, ...list.filters),
    ascending: list.ascends ? fc.boolean() : fc.constant(false),
    bound: fc.constantFrom("none", "since", "until", "both"),
    /** The items to add and remove before each further page: an item of the list so far, by its place; -1 is a new item. */
    changes: fc.array(fc.array(fc.integer({ min: -1, max: 9 }), { maxLength: 3 }), { maxLength: 6 }),
  });

let teams = 0;

//
test.each(Object.entries(lists))(
  "a walk through the list %s",
  async (_name, list) => {
    await fc.assert(
      fc.asyncProperty(walks(list), async ({ before, limit, filter, ascending, bound, changes }) => {
        const team = `t${++teams}`;
        await world.seed({ teams: [{ slug: team, members: [{ user: "dev", role: "OWNER" }] }] });
        await list.prepare?.(team);
        let made = 0;
        for (; made < before; made++) await list.add(team, made);

        const ask = async (query: Record<string, string>): Promise<Page> => {
          const { status, body } = await world.call("GET", list.path(team), {
            token: list.token?.(team) ?? developmentToken,
            query: { slug: team, ...query },
          });
          expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
          expect(body.pagination.count).toBe(body[list.member].length);
          return { items: body[list.member], next: body.pagination.next };
        };
        const idOf = (item: Item): string => String(item[list.id]);
        const timeOf = (item: Item): number => Number(item[list.time]);
        const order: Record<string, string> = ascending ? { order: "ASC" } : {};

        const all = (await ask({ limit: "100" })).items;
        const bounds: Record<string, string> = {};
        const [newest, oldest] = [all[1] ?? all[0], all.at(-2) ?? all.at(-1)];
        if (oldest && bound !== "none" && bound !== "until") bounds.since = String(timeOf(oldest) - 1);
        if (newest && bound !== "none" && bound !== "since") bounds.until = String(timeOf(newest) + 1);

        const wanted = { ...order, ...filter, ...bounds };
        const first = new Set((await ask({ ...wanted, limit: "100" })).items.map(idOf));
        const visited: string[] = [];
        let page = await ask({ ...wanted, limit: String(limit) });
        for (let step = 0; ; step++) {
          expect(page.items.length).toBeLessThanOrEqual(limit);
          visited.push(...page.items.map(idOf));
          if (page.next === null) break;
          if (step > 50) throw new Error("the walk does not end");
          for (const change of changes[step] ?? []) {
            const victim = all[change];
            if (change < 0) await list.add(team, made++);
            else if (victim) await list.remove(team, idOf(victim));
          }
          const onward = { [ascending ? "since" : "until"]: String(page.next) };
          page = await ask({ ...wanted, ...onward, limit: String(limit) });
        }
        const left = (await ask({ ...wanted, limit: "100" })).items.map(idOf);
        const stayed = left.filter((id) => first.has(id));
        expect(new Set(visited).size).toBe(visited.length);
        expect(stayed.filter((id) => !visited.includes(id))).toEqual([]);
      }),
      { numRuns: runs },
    );
  },
  timeoutMs,
);

//
test.each(Object.entries(lists))(
  "a last page that is full names no next page, in the list %s",
  async (_name, list) => {
    const team = `t${++teams}`;
    await world.seed({ teams: [{ slug: team, members: [{ user: "dev", role: "OWNER" }] }] });
    await list.prepare?.(team);
    for (let made = 0; made < 2; made++) await list.add(team, made);
    const token = list.token?.(team) ?? developmentToken;
    const ask = (limit: number) =>
      world.call("GET", list.path(team), { token, query: { slug: team, limit: String(limit) } });
    const { length } = (await ask(100)).body[list.member];
    expect((await ask(length)).body.pagination).toMatchObject({ count: length, next: null });
    expect((await ask(length - 1)).body.pagination).toMatchObject({
      count: length - 1,
      next: expect.any(Number),
    });
  },
);
