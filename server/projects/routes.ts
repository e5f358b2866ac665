import type * as z from "zod";
import { reachOf } from "../access/project-store";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import { envScope } from "../access/scopes";
import { refusedWhenNew } from "../env/rules";
import { type Call, type Route, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { hasRow } from "../store/rows";
import { makeProject, withoutInert } from "./creation";
import { groupByVariables } from "./groups";
import { findGitProvider } from "./link-store";
import { projectFilters } from "./list-query";
import { findProjects } from "./list-store";
import type { ProjectRow } from "./object";
import { loadPresent } from "./presence-store";
import {
  advancedProtectionUnavailable,
  hiddenDeployments,
  invalidRootDirectory,
  nameTaken,
  passwordMissing,
  protectionAddonMissing,
  trustedIpsNeedEnterprise,
  webhookForbidden,
  webhookUnavailable,
} from "./rules";
import * as wire from "./schema";
import { applyUpdate, deleteProject as removeProject } from "./store";
import { viewProject, viewProjects, viewReadable } from "./view";

/** @source Projects, POST /v10/projects */
const createProject = route({
  method: "POST",
  path: "/v10/projects",
  operationId: "createProject",
  summary: "Creates a project.",
  scope: ["read-write:project"],
  furtherScope: ({ body }) => (body.environmentVariables?.length ? [envScope] : []),
  body: wire.createProject,
  example: {
    name: "web",
    framework: "nextjs",
    environmentVariables: [{ key: "GREETING", value: "hello", type: "plain", target: ["preview"] }],
  },
  success: [200, wire.project],
  throws: [
    ...refusedWhenNew,
    [400, "ENV_CONFLICT", "two of the variables have a key, a target and a branch in common"],
  ],
  load: loadCreation,
  refuse: [
    invalidRootDirectory,
    webhookForbidden,
    webhookUnavailable,
    softBlocked,
    paymentMethodNeeded,
    nameTaken,
    hiddenDeployments,
    advancedProtectionUnavailable,
  ],
  async handle(call) {
    return viewProject(call, await makeProject(call, call.body));
  },
});

async function loadCreation(call: Call<unknown, unknown, wire.CreateProject>) {
  const { tx, account, body } = call;
  const { name, gitRepository } = body;
  const provider = gitRepository && (await findGitProvider(tx, account.id, gitRepository.type));
  return { repository: gitRepository, provider, ...(await loadName(call, name)) };
}

/** The facts that decide whether a project may get a name. @param name undefined if the name does not change */
async function loadName({ tx, account, caller }: Pick<Call, "tx" | "account" | "caller">, name?: string) {
  if (name === undefined) return { isNameTaken: false, hasHiddenDeployments: false };
  const isLimited = reachOf(tx, caller) !== undefined;
  return {
    isNameTaken: await hasRow(tx, "projects", { account_id: account.id, name }),
    hasHiddenDeployments: isLimited && (await hasRow(tx, "deployments", { account_id: account.id, name })),
  };
}

/** @source Projects, GET /v9/projects */
const listProjects = route({
  method: "GET",
  path: "/v9/projects",
  operationId: "getProjects",
  summary: "Lists the projects of the account, the most recently changed first.",
  scope: ["read:project"],
  query: projectFilters,
  success: [200, wire.projectList],
  async handle(call) {
    const { rows, pagination } = await findProjects(call, call.query);
    const projects: wire.Project[] = [];
    for (const some of groupByVariables(rows)) projects.push(...(await viewProjects(call, some)));
    return { projects, pagination };
  },
});

/** @source Projects, GET /v9/projects/{idOrName} */
const getProject = route({
  method: "GET",
  path: "/v9/projects/:idOrName",
  operationId: "getProject",
  summary: "Returns a project.",
  scope: ["read:project"],
  params: projectPath,
  query: wire.projectOptions,
  success: [200, wire.project],
  throws: [unknownProject, damagedData],
  load: loadPresent,
  handle: (call) => viewReadable(call, call.project, call.query.rollbackInfo ?? false),
});

/** @source Projects, PATCH /v9/projects/{idOrName} */
const updateProject = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName",
  operationId: "updateProject",
  summary: "Updates a project: absent members keep their value, null clears.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.updateProject,
  example: { framework: "astro", nodeVersion: "22.x" },
  success: [200, wire.project],
  throws: [unknownProject],
  load: loadUpdate,
  refuse: [
    invalidRootDirectory,
    trustedIpsNeedEnterprise,
    passwordMissing,
    softBlocked,
    paymentMethodNeeded,
    nameTaken,
    hiddenDeployments,
    beingTransferred,
    protectionAddonMissing,
    advancedProtectionUnavailable,
  ],
  async handle(call) {
    const { tx, services, project, body, now, emit } = call;
    const updated = await applyUpdate({ tx, now }, services, project, withoutInert(call, body));
    if (updated.name !== project.name) {
      await emit({
        type: "project.renamed",
        payload: { project: { id: project.id, name: updated.name }, previousName: project.name },
        projectId: project.id,
      });
    }
    return viewProject(call, updated);
  },
});

async function loadUpdate(
  call: Call<z.infer<typeof projectPath>, unknown, wire.UpdateProject>,
): Promise<{ project: ProjectRow; isNameTaken: boolean; hasHiddenDeployments: boolean }> {
  const { project } = await loadProject(call);
  const { name } = call.body;
  return { project, ...(await loadName(call, name === project.name ? undefined : name)) };
}

/** @source Projects, DELETE /v9/projects/{idOrName} */
const deleteProject = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName",
  operationId: "deleteProject",
  summary: "Deletes a project with its domains, variables and deployments.",
  scope: ["read-write:project"],
  params: projectPath,
  success: [204, null],
  throws: [unknownProject],
  load: loadProject,
  refuse: [beingTransferred],
  async handle({ tx, project, emit }) {
    await emit({
      type: "project.removed",
      payload: { project: { id: project.id, name: project.name } },
      projectId: project.id,
    });
    await removeProject(tx, project);
  },
});

export const projectRoutes: readonly Route[] = [
  createProject,
  listProjects,
  getProject,
  updateProject,
  deleteProject,
];
