import type { ServerProcess } from "./server";

export interface AccountState {
  /** Each with its variables, domains and custom environments, and their ids and times of the last change. */
  projects: unknown[];
  webhooks: unknown;
}

/** Everything that the API tells of the projects and webhooks of an account. */
export async function accountOf({ request }: Pick<ServerProcess, "request">): Promise<AccountState> {
  const get = async (path: string) => (await request("GET", path)).body;
  const { projects } = await get("/v9/projects?limit=100");
  const told = [];
  for (const { id } of projects) {
    const path = `/v9/projects/${id}`;
    told.push({
      project: await get(path),
      domains: await get(`${path}/domains?limit=100`),
      variables: await get(`${path}/env?decrypt=true`),
      environments: await get(`${path}/custom-environments`),
    });
  }
  return { projects: told, webhooks: await get("/v1/webhooks") };
}
