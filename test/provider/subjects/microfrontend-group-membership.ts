import type { Plain } from "../../../provider/core/values";
import { microfrontendGroupMembership } from "../../../provider/resources/microfrontend-group-membership";
import { container, microfrontendGroup, ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const made = async (w: Harness, name: string): Promise<string> =>
  String((await w.curl("POST", "/v10/projects", { name })).id);

const prepare = async (w: Harness) => ({
  group: await microfrontendGroup(w, "shop", await made(w, "shell")),
});
const patch = (body: object) => (w: Harness) => w.curl("PATCH", "/v1/projects/web/microfrontends", body);

/** The rows of a switch. */
const switchRow = (path: string): Row => ({
  path,
  first: true,
  second: false,
  changed: "update",
  cleared: "update",
  shown: (value = false) => ({ [path]: value }),
  async drift(w) {
    const { microfrontends = {} as Plain } = await w.curl("GET", "/v9/projects/web");
    await patch({ [path]: !(microfrontends as Plain)[path] })(w);
  },
});

export const subject: Subject = {
  resource: microfrontendGroupMembership,
  handler: "mfemember",
  async prepare(w) {
    const known = {
      ...(await projects(w)),
      ...(await prepare(w)),
      otherGroup: await microfrontendGroup(w, "news", await made(w, "front")),
    };
    return { given: { project: known.web, microfrontendGroupId: known.group }, known };
  },
  async look(w, id) {
    const { microfrontends } = await w.curl("GET", `/v9/projects/${id.split("/")[0]}`);
    const { groupIds = [], ...settings } = (microfrontends ?? {}) as { groupIds?: string[] };
    const defaults = {
      ...{ defaultRoute: "/", routeObservabilityToThisProject: false },
      doNotRouteWithMicrofrontendsRouting: false,
    };
    return { ...defaults, ...settings, microfrontendGroupId: groupIds[0] };
  },
  async all(w) {
    const { groups } = await w.curl("GET", "/v1/microfrontends/groups");
    return (groups as unknown as { projects: Plain[] }[]).map(({ projects: some }) =>
      some.map(({ name }) => name),
    );
  },
  listed: {
    query: { microfrontendGroup: "shop" },
    names: ["app-1"],
    async prepare(w) {
      const { groups } = await w.curl("GET", "/v1/microfrontends/groups");
      const [found] = groups as unknown as { group: Plain }[];
      const web = String((await w.curl("GET", "/v9/projects/web")).id);
      const microfrontendsGroupId = found?.group.id ?? (await microfrontendGroup(w, "shop", web));
      await w.curl("PATCH", "/v1/projects/app-1/microfrontends", { microfrontendsGroupId });
    },
  },
  rows: [
    ofProject,
    container("microfrontendGroupId", "@group", "@otherGroup", (microfrontendGroupId) => ({
      microfrontendGroupId,
    })),
    {
      path: "defaultRoute",
      first: "/docs",
      second: "/help",
      changed: "update",
      cleared: "update",
      shown: (defaultRoute = "/") => ({ defaultRoute }),
      drift: patch({ defaultRoute: "/by-hand" }),
    },
    switchRow("routeObservabilityToThisProject"),
    switchRow("doNotRouteWithMicrofrontendsRouting"),
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      microfrontendGroupMembership,
      ({ group }) => ({ project: "web", microfrontendGroupId: group, defaultRoute: "/docs" }),
      ({ group }) => ({ project: "web", microfrontendGroupId: group, defaultRoute: "/help" }),
      prepare,
    ),
    {
      name: "MicrofrontendGroupMembership: adopt",
      resource: microfrontendGroupMembership,
      async prepare(w) {
        const prepared = await prepare(w);
        await patch({ microfrontendsGroupId: prepared.group })(w);
        return prepared;
      },
      step: "up",
      inputs: ({ group }) => ({
        project: "web",
        microfrontendGroupId: group,
        defaultRoute: "/docs",
        adopt: true,
      }),
    },
  ],
};
