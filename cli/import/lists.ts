import type { z } from "zod";
import type { Client } from "../../provider/client/client";
import { projectPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";

/** All projects of the account, by name. @param shape the members to read */
export async function listProjects<T extends { name: string }, Page extends responses.Page>(
  client: Client,
  shape: z.ZodType<Page>,
  items: (page: Page) => T[],
): Promise<T[]> {
  const all = await client.list("/v9/projects", shape, items, { limit: "100" });
  return [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** All domains of a project. */
export const domainsOf = (client: Client, projectId: string): Promise<responses.Domain[]> =>
  client.list(`${projectPath(projectId)}/domains`, responses.domainList, (page) => page.domains, {
    limit: "100",
  });
