import * as z from "zod";
import { changeProject } from "../access/project-store";
import { loadProject, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { type Call, type Route, type RouteName, route } from "../http/route";
import { newId } from "../platform/ids";
import { settingsOf } from "./store";

const toggle = z.strictObject({ value: z.boolean() });
type Toggle = Call<unknown, { projectId: string }, z.infer<typeof toggle>>;

/**
 * Makes the route that turns a kind of insights on or off.
 * @choice The server counts no visitors. The answer of a project shows since when the insights are on or off.
 * @source the newest official client: createWebInsightsToggle, createSpeedInsightsToggle
 */
const toggleOf = (setting: "webAnalytics" | "speedInsights", name: RouteName): Route =>
  route({
    method: "POST",
    ...name,
    scope: ["read-write:project"],
    query: z.object({ projectId: z.string() }),
    body: toggle,
    example: { value: true },
    success: [200, toggle],
    throws: [unknownProject],
    load: (call: Toggle) => loadProject({ ...call, params: { projectId: call.query.projectId } }),
    refuse: [beingTransferred],
    async handle(call) {
      const { project, now, body } = call;
      const settings = settingsOf(project);
      const { disabledAt, ...before } = settings[setting] ?? { id: newId("row"), disabledAt: 0 };
      if (body.value === (disabledAt !== undefined)) {
        const change = { ...before, ...(body.value ? { enabledAt: now } : { disabledAt: now }) };
        await changeProject(call, project, { settings: JSON.stringify({ ...settings, [setting]: change }) });
      }
      return body;
    },
  });

export const insightsRoutes: readonly Route[] = [
  toggleOf("webAnalytics", {
    path: "/web/insights/toggle",
    operationId: "createWebInsightsToggle",
    summary: "Turns Web Analytics of a project on or off.",
  }),
  toggleOf("speedInsights", {
    path: "/speed-insights/toggle",
    operationId: "createSpeedInsightsToggle",
    summary: "Turns Speed Insights of a project on or off.",
  }),
];
