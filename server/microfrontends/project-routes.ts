import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { loadDeployment, unknownDeployment } from "../deployments/list-store";
import { type Call, type Route, route } from "../http/route";
import { project as projectAnswer } from "../projects/schema";
import { viewProject } from "../projects/view";
import { countRows, findRow } from "../store/rows";
import * as rules from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { viewLeft, viewMicrofrontend } from "./view";

/** The settings of projects in their microfrontend groups, and the microfrontends.json of deployments. */

const projectPath = z.object({ projectId: z.string().describe("Id or name of the project.") });

/** @choice The time of the change does not move the project to the front of the list of projects. */
const updateProject = route({
  method: "PATCH",
  path: "/v1/projects/:projectId/microfrontends",
  operationId: "updateMicrofrontends",
  summary: "Adds a project to a microfrontend group, changes its settings there, or removes it.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.updateProject,
  example: {
    microfrontendsGroupId: "mfe_12HKQaOmR5t5Uy6vdcQsNIiZgHGB",
    enabled: true,
    defaultRoute: "/docs",
  },
  success: [200, projectAnswer],
  throws: [unknownProject],
  async load(call: Call<z.infer<typeof projectPath>, unknown, wire.UpdateProject>) {
    const { tx, account, body } = call;
    const { project } = await loadProject(call);
    const [current] = await store.microfrontendOf(tx, project.id);
    const id = body.microfrontendsGroupId ?? current?.group_id ?? "";
    const group = await findRow(tx, "microfrontend_groups", { id, account_id: account.id });
    const all = await countRows(tx, "microfrontends", { group_id: id });
    const others = current && current.group_id === id ? all - 1 : all;
    return {
      ...{ project, current, groupId: group?.id, others },
      ...{ role: account.role, plan: account.plan, members: body.enabled === false ? 0 : others + 1 },
    };
  },
  refuse: [
    rules.teamsOnly,
    rules.ownersOnly,
    rules.noGroup,
    rules.inAnotherGroup,
    rules.defaultAppStays,
    rules.settingsOfChildren,
    rules.tooManyProjects,
    beingTransferred,
  ],
  async handle(call) {
    const microfrontends = await changeProject(call);
    return { ...(await viewProject(call, call.project)), microfrontends };
  },
});

/** Changes a project as a request says. @returns its member `microfrontends` */
async function changeProject(
  call: Pick<Call, "tx" | "now"> & rules.Changing & { project: { id: string } },
): Promise<wire.Member> {
  const { tx, now, project, current, groupId, body } = call;
  if (!rules.leaves(call) && groupId !== undefined)
    return viewMicrofrontend(
      await store.putMicrofrontend(call, { project: project.id, group: groupId }, current, body),
    );
  await store.removeMicrofrontend(tx, project.id);
  return viewLeft(now);
}

const deploymentPath = z.object({ deploymentId: z.string().describe("Id or URL of the deployment.") });

const readConfig = route({
  method: "GET",
  path: "/v1/microfrontends/:deploymentId/config",
  operationId: "getMicrofrontendsConfig",
  summary: "Returns the microfrontends.json of a deployment. This server reads none.",
  scope: ["read:deployment"],
  params: deploymentPath,
  success: [200, wire.noConfig],
  throws: [unknownDeployment],
  load: async (call: Call<z.infer<typeof deploymentPath>>) => ({
    deployment: await loadDeployment({ ...call, params: { id: call.params.deploymentId } }),
  }),
  handle: async () => ({ config: null }),
});

const namedPath = z.object({ projectIdOrName: z.string().describe("Id or name of the project.") });

const readProductionConfig = route({
  method: "GET",
  path: "/v1/microfrontends/projects/:projectIdOrName/production-mfe-config",
  operationId: "getMicrofrontendsConfigForProject",
  summary:
    "Returns the microfrontends.json of the deployment that serves production. This server reads none.",
  scope: ["read:project"],
  params: namedPath,
  success: [200, wire.noConfig],
  throws: [unknownProject],
  load: (call: Call<z.infer<typeof namedPath>>) =>
    loadProject({ ...call, params: { projectId: call.params.projectIdOrName } }),
  handle: async () => ({ config: null }),
});

export const projectMicrofrontendRoutes: readonly Route[] = [updateProject, readConfig, readProductionConfig];
