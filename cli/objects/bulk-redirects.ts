import { ifAllowed } from "../../provider/client/errors";
import type { Plain } from "../../provider/core/values";
import { bulkRedirects as resource } from "../../provider/resources/bulk-redirects";
import {
  type RemoteRedirect,
  readRedirects,
  redirectPage,
} from "../../provider/resources/bulk-redirects/redirects";
import { itemOfProject, type ProjectKind, present } from "./kind";
import { listOperation } from "./operation";
import { objectOf, textIn } from "./recorded";

/** The redirects of a project that serve production. */
export const bulkRedirects = {
  name: "redirect list",
  owner: "project",
  resource,
  suffix: "redirects",
  weight: 37,
  section: "bulkRedirects",
  async rows({ client }, project) {
    const found = await ifAllowed(readRedirects(client, project.id));
    if (found?.live === undefined) return found && [];
    return [{ id: found.live, redirects: found.redirects.map(rowOf) }];
  },
  items(row) {
    const id = `${row.project}/redirects`;
    return [itemOfProject(row, { key: id, id, name: "redirects" })];
  },
  async discover({ client, add, allowed }, project) {
    const found = readRedirects(client, project.id).then(({ redirects }) => redirects.slice(0, 1));
    for (const _ of await allowed(`the redirects of ${project.name}`, found))
      await add(resource, project.id, `${project.name}-redirects`);
  },
  recorded: {
    vercel_bulk_redirects: (one) => [objectOf(one, resource, textIn(one.values, "project_id"))],
  },
  operations: { list: listOperation("/v1/bulk-redirects", "redirects", redirectPage, "redirects") },
} as const satisfies ProjectKind;

/** A redirect as a request writes it. */
function rowOf({ source, destination, statusCode, permanent, ...flags }: RemoteRedirect): Plain {
  const { caseSensitive, query, preserveQueryParams } = flags;
  const settings = { statusCode, permanent, caseSensitive, query, preserveQueryParams };
  const given = Object.entries(settings).map(([name, value]) => [name, value ?? undefined]);
  return present({ source, destination, ...Object.fromEntries(given) });
}
