import { sql } from "kysely";
import * as z from "zod";
import { cover } from "../access/coverage";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred, paymentMethodNeeded, softBlocked } from "../access/rules";
import { envScope } from "../access/scopes";
import { refusedWhenNew } from "../env/rules";
import { createEnvVars } from "../env/write";
import { flag, pageOf, paging, timestamp } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { damagedData } from "../platform/damage";
import { Refusal } from "../platform/refusal";
import { linkTo, webhookForbidden, webhookUnavailable } from "./link";
import { gitProvider } from "./link-routes";
import { loadPresent, withPresence } from "./presence";
import {
  advancedProtectionUnavailable,
  nameTaken,
  protectionAddonMissing,
  trustedIpsNeedEnterprise,
} from "./rules";
import * as wire from "./schema";
import { applyUpdate, insertProject, isNameTaken, deleteProject as removeProject } from "./store";
import { viewProject, viewProjects, viewReadable } from "./view";

/** @source Projects, POST /v10/projects */
const createProject = route({
  method: "POST",
  path: "/v10/projects",
  summary: "Creates a project.",
  scope: ["read-write:project"],
  furtherScope: ({ body }) => (body.environmentVariables?.length ? [envScope] : []),
  body: wire.createProject,
  success: [200, wire.project],
  throws: [
    ...refusedWhenNew,
    [400, "ENV_CONFLICT", "two of the variables have a key, a target and a branch in common"],
  ],
  load: loadLinking,
  refuse: [
    webhookForbidden,
    webhookUnavailable,
    softBlocked,
    paymentMethodNeeded,
    [
      409,
      "conflict",
      ({ body }) => nameTaken(body.name),
      ({ tx, account, body }) => isNameTaken(tx, account.id, body.name),
    ],
    protectionAddonMissing,
    advancedProtectionUnavailable,
  ],
  async handle(call) {
    const { tx, account, body, now, emit } = call;
    const { gitRepository, environmentVariables = [], ...fields } = body;
    const project = await insertProject(
      { tx, now },
      account.id,
      fields,
      gitRepository && linkTo(gitRepository, now),
    );
    // @choice An installation covers the projects that it makes, even if it is limited to selected projects.
    const { installation } = call.caller;
    if (installation?.selected) await cover(tx, installation.id, [project.id]);
    const { failed } = await createEnvVars(call, project, environmentVariables);
    const [problem] = failed;
    if (problem) throw new Refusal(400, problem.error.code, problem.error.message);
    await emit({
      type: "project.created",
      payload: { project: { id: project.id, name: project.name } },
      projectId: project.id,
    });
    return viewProject(call, project);
  },
});

async function loadLinking({
  tx,
  account,
  body: { gitRepository },
}: Call<unknown, unknown, wire.CreateProject>) {
  const provider = gitRepository && (await gitProvider(tx, account.id, gitRepository.type));
  return { repository: gitRepository, provider };
}

/** The largest number of repositories that a list leaves out, since each makes its query longer. @choice */
const mostExcluded = 100;

/** Repositories, separated by commas. */
const excludedRepos = z
  .string()
  .transform((text) => [...new Set(text.split(",").map((repo) => repo.trim()))])
  .refine((repos) => repos.length <= mostExcluded, `must name at most ${mostExcluded} repositories`);

/** @source Projects, GET /v9/projects */
const listProjects = route({
  method: "GET",
  path: "/v9/projects",
  summary: "Lists the projects of the account, the last changed first.",
  scope: ["read:project"],
  query: z.object({
    ...paging,
    deprecated: flag.optional(),
    edgeConfigId: z.string().optional(),
    edgeConfigTokenId: z.string().optional(),
    excludeRepos: excludedRepos.optional(),
    from: timestamp.optional(),
    gitForkProtection: z.enum(["0", "1"]).optional(),
    repo: z.string().optional(),
    repoId: z.string().optional(),
    repoUrl: z.string().optional(),
    search: z.string().optional(),
  }),
  success: [200, wire.projectList],
  async handle(call) {
    const { tx, account, caller, query } = call;
    let list = withPresence(tx.selectFrom("projects").selectAll("projects")).where(
      "account_id",
      "=",
      account.id,
    );
    if (query.from !== undefined) list = list.where("updated_at", ">", query.from);
    if (caller.installation?.selected) {
      const covered = tx
        .selectFrom("configuration_projects")
        .select("project_id")
        .where("configuration_id", "=", caller.installation.id);
      list = list.where("id", "in", covered);
    }
    if (query.search !== undefined) {
      list = list.where(
        sql<boolean>`lower(name) like ${`%${escapeLike(query.search.toLowerCase())}%`} escape '\\'`,
      );
    }
    if (query.repo !== undefined) list = list.where(belongsTo(query.repo));
    if (query.repoId !== undefined) list = list.where("repo_id", "=", query.repoId);
    if (query.repoUrl !== undefined) {
      const url = query.repoUrl.toLowerCase().replace(/(\.git)?\/?$/, "");
      list = list.where(sql<boolean>`lower(repo_url) = ${url}`);
    }
    for (const repo of query.excludeRepos ?? []) {
      list = list.where((eb) => eb.or([eb("repo", "is", null), eb.not(belongsTo(repo))]));
    }
    if (query.gitForkProtection !== undefined) {
      list = list.where("git_fork_protection", "=", query.gitForkProtection === "1" ? 1 : 0);
    }
    if (query.deprecated !== undefined) {
      list = list.where("node_version", query.deprecated ? "in" : "not in", deprecatedNodeVersions);
    }
    const { edgeConfigId, edgeConfigTokenId } = query;
    if (edgeConfigId !== undefined || edgeConfigTokenId !== undefined) {
      let connected = tx.selectFrom("edge_connections").select("project_id");
      if (edgeConfigId !== undefined) connected = connected.where("edge_config_id", "=", edgeConfigId);
      if (edgeConfigTokenId !== undefined) connected = connected.where("token_id", "=", edgeConfigTokenId);
      list = list.where("id", "in", connected);
    }
    const { rows, pagination } = await pageOf(list, "updated_at", query);
    return { projects: await viewProjects(call, rows), pagination };
  },
});

/** @choice A project is deprecated when its Node.js version no longer gets fixes. */
const deprecatedNodeVersions = ["16.x", "14.x", "12.x", "10.x", "8.10.x"];

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/**
 * True for projects that are linked to a repository, given with or without its owner.
 * @choice Neither this nor `search`, which finds names that contain the text, is case-sensitive. `excludeRepos` leaves
 *   out what `repo` would find.
 */
const belongsTo = (repo: string) => {
  const name = repo.toLowerCase();
  return sql<boolean>`(lower(repo) = ${name} or lower(repo) like ${`%/${escapeLike(name)}`} escape '\\')`;
};

/** @source Projects, GET /v9/projects/{idOrName} */
const getProject = route({
  method: "GET",
  path: "/v9/projects/:idOrName",
  summary: "Returns a project.",
  scope: ["read:project"],
  params: projectPath,
  success: [200, wire.project],
  throws: [unknownProject, damagedData],
  load: loadPresent,
  handle: (call) => viewReadable(call, call.project),
});

/** @source Projects, PATCH /v9/projects/{idOrName} */
const updateProject = route({
  method: "PATCH",
  path: "/v9/projects/:idOrName",
  summary: "Updates a project: absent members keep their value, null clears.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.updateProject,
  success: [200, wire.project],
  throws: [unknownProject],
  load: loadProject,
  refuse: [
    trustedIpsNeedEnterprise,
    [
      400,
      "bad_request",
      "passwordProtection needs a password, since none is set yet. Send one.",
      ({ body, project }) =>
        body.passwordProtection != null &&
        body.passwordProtection.password == null &&
        project.password === null,
    ],
    softBlocked,
    paymentMethodNeeded,
    [
      409,
      "conflict",
      ({ body }) => nameTaken(body.name ?? ""),
      ({ tx, account, body: { name }, project }) =>
        name !== undefined && name !== project.name && isNameTaken(tx, account.id, name),
    ],
    beingTransferred,
    protectionAddonMissing,
    advancedProtectionUnavailable,
  ],
  async handle(call) {
    const { tx, services, project, body, now, emit } = call;
    const updated = await applyUpdate({ tx, now }, services, project, body);
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

/** @source Projects, DELETE /v9/projects/{idOrName} */
const deleteProject = route({
  method: "DELETE",
  path: "/v9/projects/:idOrName",
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
