import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { noSuchTeam } from "../accounts/rules";
import { findVisibleTeam, teamPath } from "../accounts/team";
import { type Route, route } from "../http/route";
import { changeRows, findRow, insertRow, listRows } from "../store/rows";
import type { Tx } from "../store/store";
import { cursorPage, cursorPaging } from "./paging";
import * as wire from "./schema";
import { reachedProjects } from "./store";
import { viewSettings } from "./view";

/** The settings of the feature flags of a project. */

const path = "/v1/projects/:idOrName/feature-flags/settings";

const settingsOf = async (tx: Tx, project: { id: string; account_id: string }): Promise<wire.Settings> =>
  viewSettings(
    project,
    await findRow(tx, "feature_flag_settings", { project_id: project.id }),
    await listRows(tx, "feature_flags", { project_id: project.id }),
    await listRows(tx, "feature_flag_segments", { project_id: project.id }),
  );

const get = route({
  method: "GET",
  path,
  operationId: "getFlagSettings",
  summary: "Returns the settings of the feature flags of a project.",
  scope: ["read:project"],
  params: projectPath,
  success: [200, wire.settings],
  throws: [unknownProject],
  load: loadProject,
  handle: ({ tx, project }) => settingsOf(tx, project),
});

const update = route({
  method: "PATCH",
  path,
  operationId: "updateFlagSettings",
  summary: "Changes the settings of the feature flags of a project: absent members keep their value.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.updateSettings,
  example: { enabled: true },
  success: [200, wire.settings],
  throws: [unknownProject],
  load: loadProject,
  refuse: [beingTransferred],
  async handle({ tx, now, project, body }) {
    const key = { project_id: project.id };
    const row = await findRow(tx, "feature_flag_settings", key);
    const settings = JSON.stringify({ ...(row && JSON.parse(row.settings)), ...body });
    if (row) await changeRows(tx, "feature_flag_settings", key, { settings, updated_at: now });
    else await insertRow(tx, "feature_flag_settings", { ...key, settings, created_at: now, updated_at: now });
    return settingsOf(tx, project);
  },
});

const listOfTeam = route({
  method: "GET",
  path: "/v1/teams/:teamIdOrSlug/feature-flags/settings",
  operationId: "listTeamFlagSettings",
  summary: "Lists the settings of the feature flags of the projects of a team.",
  scope: ["read:project"],
  params: teamPath,
  query: z.object(cursorPaging),
  success: [200, wire.settingsList],
  async handle(call) {
    const team = await findVisibleTeam(call);
    if (!team) throw noSuchTeam();
    const reached = await reachedProjects(call.tx, team.id, call.caller);
    const all = await listRows(call.tx, "projects", { account_id: team.id });
    const { rows, pagination } = cursorPage(
      all.filter(({ id }) => reached.includes(id)),
      call.query,
    );
    const data: wire.Settings[] = [];
    for (const project of rows) data.push(await settingsOf(call.tx, project));
    return { data, pagination };
  },
});

export const settingsRoutes: readonly Route[] = [get, update, listOfTeam];
