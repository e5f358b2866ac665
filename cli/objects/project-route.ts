import { ifAllowed } from "../../provider/client/errors";
import { isPlain, type Plain } from "../../provider/core/values";
import { projectRoute as resource } from "../../provider/resources/project-route";
import { liveRoutes, routeList } from "../../provider/resources/project-route/routes";
import { itemOfProject, type ProjectKind, present } from "./kind";
import { listOperation } from "./operation";
import { ofProject } from "./recorded";

const itemsIn = ({ routes }: Plain): Plain[] => (Array.isArray(routes) ? routes.filter(isPlain) : []);

/** The routes of a project that serve production, in their order. */
export const projectRoute = {
  name: "route",
  owner: "project",
  resource,
  suffix: "route",
  weight: 38,
  section: "projectRoutes",
  async rows({ client }, project) {
    const found = await ifAllowed(liveRoutes(client, project.id));
    if (!found?.length) return found;
    const routes = found.map(({ id, name, description, enabled, srcSyntax, rawSrc, rawDest, route }) =>
      present({
        ...{ id, name, description: description || undefined },
        enabled: enabled ?? undefined,
        srcSyntax: srcSyntax ?? undefined,
        route: present({ ...route, src: rawSrc || route.src, dest: rawDest ?? route.dest ?? undefined }),
      }),
    );
    return [{ routes }];
  },
  // A change of the order changes which route matches first.
  items: (row) =>
    itemsIn(row).map((route, position) => {
      const id = `${row.project}/${route.id}`;
      const { id: _, ...fields } = route;
      return itemOfProject(row, { key: id, id, name: String(route.name), fields: { ...fields, position } });
    }),
  async discover({ client, add, allowed }, project) {
    for (const { id, name } of await allowed(`the routes of ${project.name}`, liveRoutes(client, project.id)))
      await add(resource, `${project.id}/${id}`, `${project.name}-route-${name}`);
  },
  recorded: { vercel_project_route: ofProject(resource, "id") },
  operations: {
    list: listOperation("/v1/projects/{projectId}/routes", "routes", routeList, "routes"),
  },
} as const satisfies ProjectKind;
