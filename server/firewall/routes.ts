import type * as z from "zod";
import { loadProject, unknownProject } from "../access/projects";
import { changeRefusals } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { attackRoutes } from "./attack-routes";
import { bypassRoutes } from "./bypass-routes";
import { configRoutes } from "./config-routes";
import * as wire from "./schema";
import { securityOf, writeSecurity } from "./store";

/**
 * @source the newest official client and the Terraform provider: POST /v1/security/attack-mode
 * @choice The server only stores the mode, because it has no visitors to challenge. A request that sets the current
 *   mode does not change `attackModeUpdatedAt`.
 */
const updateAttackMode = route({
  method: "POST",
  path: "/v1/security/attack-mode",
  operationId: "updateAttackChallengeMode",
  summary: "Turns the attack challenge mode of a project on or off.",
  scope: ["read-write:project"],
  body: wire.updateAttackMode,
  example: { projectId: "prj_web", attackModeEnabled: true },
  success: [200, wire.attackMode],
  throws: [unknownProject],
  load: (call: Call<unknown, unknown, z.infer<typeof wire.updateAttackMode>>) =>
    loadProject({ ...call, params: { projectId: call.body.projectId } }),
  refuse: changeRefusals,
  async handle(call) {
    const { project, body, now } = call;
    const { attackModeEnabled, attackModeActiveUntil = null } = body;
    const before = securityOf(project);
    const isSame =
      before?.attackModeEnabled === attackModeEnabled &&
      before.attackModeActiveUntil === attackModeActiveUntil;
    const attackModeUpdatedAt = isSame ? before.attackModeUpdatedAt : now;
    if (!isSame)
      await writeSecurity(call, project, { attackModeEnabled, attackModeUpdatedAt, attackModeActiveUntil });
    return { attackModeEnabled, attackModeUpdatedAt };
  },
});

export const firewallRoutes: readonly Route[] = [
  updateAttackMode,
  ...attackRoutes,
  ...bypassRoutes,
  ...configRoutes,
];
