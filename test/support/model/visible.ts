import type { Answer, TestServer } from "../world";
import type { Model, Side } from "./model";

type Get = (path: string, query?: Record<string, string>) => Promise<Answer>;

/** One account as a person sees it, page by page. */
export async function visible(world: TestServer, token: string, slug: string): Promise<unknown[]> {
  const get: Get = async (path, query = {}) => {
    const answer = await world.call("GET", path, { token, team: slug, query });
    if (answer.status !== 200)
      throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const state: unknown[] = [];
  for (const project of await all(get, "/v9/projects", "projects")) {
    const path = `/v9/projects/${project.id}`;
    expect((await get(path)).body).toEqual(project);
    const domains = await all(get, `${path}/domains`, "domains");
    const variables = await all(get, `${path}/env`, "envs", { decrypt: "true" });
    state.push({
      id: project.id,
      name: project.name,
      framework: project.framework,
      paused: project.paused,
      autoAssign: project.autoAssignCustomDomains,
      linked: project.link !== undefined,
      moving: project.transferToAccountId !== undefined,
      alias: project.alias.map(({ domain }: { domain: string }) => domain),
      domains: domains.map(
        ({ name, apexName, verified, redirect, redirectStatusCode, gitBranch, verification }) => ({
          name,
          apex: apexName,
          verified,
          redirect,
          redirectStatusCode,
          gitBranch,
          challenge: verification?.[0].value ?? null,
        }),
      ),
      shown: project.env.map(({ id }: { id: string }) => id),
      variables: variables.map(({ id, key, value, type, target, gitBranch, comment }) => ({
        ...{ id, key, value, type, target: [...target].sort() },
        ...{ gitBranch: gitBranch ?? null, comment: comment ?? null },
      })),
    });
  }
  return state;
}

async function all(get: Get, path: string, member: string, query: Record<string, string> = {}) {
  const items: Answer["body"][] = [];
  for (let until: number | null | undefined; until !== null; ) {
    const { body } = await get(path, {
      ...{ ...query, limit: "2" },
      ...(until === undefined ? {} : { until: String(until) }),
    });
    items.push(...body[member]);
    until = body.pagination.next;
  }
  return items;
}

/** The domain that a project has from its creation on. */
const defaultDomain = (project: string) => ({
  name: `${project}.vercel.app`,
  apex: "vercel.app",
  verified: true,
  redirect: null,
  redirectStatusCode: null,
  gitBranch: null,
  challenge: null,
});

/** One account in the model, in the same form. */
export function expectedOf(model: Model, side: Side): unknown[] {
  return model.projects
    .filter((one) => one.side === side)
    .sort((a, b) => b.changed - a.changed)
    .map(({ id, name, framework, paused, autoAssign, linked, movingTo, domains, variables }) => ({
      ...{ id, name, framework, paused, autoAssign, linked, moving: movingTo !== undefined },
      alias: [
        `${name}.vercel.app`,
        ...domains.filter((one) => one.verified && one.gitBranch === null).map((one) => one.name),
      ],
      domains: [
        defaultDomain(name),
        ...domains.map((one) => ({ ...one, challenge: one.verified ? null : one.challenge })),
      ].reverse(),
      shown: variables.map((one) => one.id),
      variables: variables
        .map(({ id, key, value, type, target, gitBranch, comment }) => ({
          ...{ id, key, value: type === "sensitive" ? "" : value, type },
          ...{ target: [...target].sort(), gitBranch, comment },
        }))
        .reverse(),
    }));
}
