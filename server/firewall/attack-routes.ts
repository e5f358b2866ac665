import * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { timestamp } from "../http/query";
import { type Call, type Route, route } from "../http/route";

/**
 * The attacks that the firewall of a project has seen, and its actions.
 * @choice The lists are always empty, because the server filters no requests.
 * @source the newest official client: /v1/security/firewall/attack-status, /v1/security/firewall/events
 */

const ofProject = z.object({ projectId: z.string() });
const load = (call: Call<unknown, { projectId: string }>) =>
  loadProject({ ...call, params: { projectId: call.query.projectId } });

const getAttackStatus = route({
  method: "GET",
  path: "/v1/security/firewall/attack-status",
  operationId: "getActiveAttackStatus",
  summary: "Lists the attacks on a project. The list is always empty.",
  scope: ["read:project"],
  query: ofProject.extend({
    since: z.coerce.number().int().min(1).max(30).optional().describe("Only attacks of so many last days."),
  }),
  success: [200, z.strictObject({ anomalies: z.array(z.never()) })],
  throws: [unknownProject],
  load,
  handle: async () => ({ anomalies: [] }),
});

const getEvents = route({
  method: "GET",
  path: "/v1/security/firewall/events",
  operationId: "getSecurityFirewallEvents",
  summary: "Lists the actions of a project's firewall. The list is always empty.",
  scope: ["read:project"],
  query: ofProject.extend({
    startTimestamp: timestamp.optional().describe("Only actions since this time."),
    endTimestamp: timestamp.optional().describe("Only actions until this time."),
    hosts: z.string().optional().describe("Only actions on these hosts, separated by commas."),
  }),
  success: [200, z.strictObject({ actions: z.array(z.never()) })],
  throws: [unknownProject],
  load,
  handle: async () => ({ actions: [] }),
});

export const attackRoutes: readonly Route[] = [getAttackStatus, getEvents];
