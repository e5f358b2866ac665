import type { Plain } from "../../../provider/core/values";
import { microfrontendGroup } from "../../../provider/resources/microfrontend-group";
import { microfrontendGroup as makeGroup, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const all = async (w: Harness): Promise<{ group: Plain; projects: Plain[] }[]> =>
  (await w.curl("GET", "/v1/microfrontends/groups")).groups as never;
const patch =
  (body: object): Row["drift"] =>
  (w, id) =>
    w.curl("PATCH", `/v1/teams/acme/microfrontends/${id}`, body);

const prepare = async (w: Harness) => ({ web: (await w.curl("GET", "/v9/projects/web")).id });
const updated = { changed: "update", cleared: "update" } as const;

export const subject: Subject = {
  resource: microfrontendGroup,
  handler: "mfegroup",
  async prepare(w) {
    const known = await projects(w);
    await w.curl("POST", "/v9/projects/web/custom-environments", { slug: "staging" });
    return { given: { name: "shop", defaultAppProjectId: known.web }, known };
  },
  async look(w, id) {
    const { group = {}, projects: members = [] } = (await all(w)).find(({ group }) => group.id === id) ?? {};
    const app = members.find(({ microfrontends }) => (microfrontends as Plain).isDefaultApp);
    const { defaultRoute = "/" } = (app?.microfrontends ?? {}) as Plain;
    return { ...group, defaultAppProjectId: app?.id, defaultRoute, members: members.length };
  },
  all: async (w) =>
    (await all(w)).map(({ group, projects: members }) => [group.name, members.map(({ name }) => name)]),
  listed: {
    query: {},
    names: ["shop"],
    async prepare(w) {
      if ((await all(w)).length === 0) await makeGroup(w, "shop", String((await prepare(w)).web));
    },
  },
  rows: [
    {
      path: "name",
      first: "shop",
      second: "store",
      changed: "update",
      cleared: /^name is missing/,
      shown: (name) => ({ name, slug: name }),
      drift: patch({ name: "others" }),
    },
    {
      path: "defaultAppProjectId",
      first: "@web",
      second: "@other",
      changed: "update",
      cleared: /^defaultAppProjectId is missing/,
      shown: (defaultAppProjectId) => ({ defaultAppProjectId, members: 1 }),
      async drift(w, id) {
        const project = await w.curl("POST", "/v10/projects", { name: "third" });
        const body = { microfrontendsGroupId: id, isDefaultApp: true };
        await w.curl("PATCH", `/v1/projects/${project.id}/microfrontends`, body);
      },
    },
    {
      path: "defaultRoute",
      first: "/home",
      second: "/start",
      ...updated,
      shown: (defaultRoute = "/") => ({ defaultRoute }),
      drift: (w) => w.curl("PATCH", "/v1/projects/web/microfrontends", { defaultRoute: "/by-hand" }),
    },
    {
      path: "fallbackEnvironment",
      first: "PRODUCTION",
      second: "staging",
      ...updated,
      shown: (fallbackEnvironment = "SAME_ENV") => ({ fallbackEnvironment }),
      drift: patch({ fallbackEnvironment: "SAME_ENV" }),
    },
    {
      path: "enablePolyrepoBranchRouting",
      first: true,
      second: false,
      ...updated,
      shown: (enablePolyrepoBranchRouting = false) => ({ enablePolyrepoBranchRouting }),
      drift: (w, id) => {
        const set = async (enablePolyrepoBranchRouting: boolean) =>
          w.curl("PATCH", `/v1/teams/acme/microfrontends/${id}`, { enablePolyrepoBranchRouting });
        return all(w).then(([one]) => set(!one?.group.enablePolyrepoBranchRouting));
      },
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      microfrontendGroup,
      ({ web }) => ({ name: "shop", defaultAppProjectId: web, fallbackEnvironment: "PRODUCTION" }),
      ({ web }) => ({ name: "store", defaultAppProjectId: web, defaultRoute: "/home" }),
      prepare,
    ),
    {
      name: "MicrofrontendGroup: another default application",
      resource: microfrontendGroup,
      async prepare(w) {
        const { id: other } = await w.curl("POST", "/v10/projects", { name: "landing" });
        return { ...(await prepare(w)), other };
      },
      before: ({ web }) => ({ name: "shop", defaultAppProjectId: web }),
      step: "up",
      inputs: ({ other }) => ({ name: "shop", defaultAppProjectId: other }),
    },
    {
      name: "MicrofrontendGroup: adopt",
      resource: microfrontendGroup,
      async prepare(w) {
        const prepared = await prepare(w);
        await makeGroup(w, "shop", String(prepared.web));
        return prepared;
      },
      step: "up",
      inputs: ({ web }) => ({
        ...{ name: "shop", defaultAppProjectId: web, defaultRoute: "/home" },
        ...{ fallbackEnvironment: "PRODUCTION", adopt: true },
      }),
    },
  ],
};
