import { beingTransferred, paymentMethodNeeded, softBlocked } from "../../../server/access/rules";
import { unversioned } from "../../../server/http/router";
import type { RefusalRow } from "../../../server/platform/refusal";
import { routes } from "../../../server/routes";
import { authorization, optionsOf } from "../../support/authorization";
import { useFurnishedServer } from "../../support/furnished";
import { beginTransfer } from "../../support/variables";

/** The writes that a state of a project or account refuses, with the requests of the table of permissions. */

const { world, acme } = useFurnishedServer();

/**
 * Tested in `link.test.ts`, with a project that has no link, and in `project-members.test.ts`, with bodies that name
 * projects.
 */
const ofTransferElsewhere = [
  "POST /projects/:idOrName/link",
  "POST /teams/:teamIdOrSlug/members",
  "PATCH /teams/:teamIdOrSlug/members/:uid",
];

/** The routes that a transfer of their project stops. */
const ofTransfer = [
  "PATCH /projects/:idOrName",
  "DELETE /projects/:idOrName",
  "PATCH /projects/:idOrName/crons",
  "PATCH /projects/:idOrName/protection-bypass",
  "PATCH /projects/:idOrName/deployment-expiration",
  "POST /projects/:idOrName/members",
  "PATCH /projects/:idOrName/members",
  "DELETE /projects/:idOrName/members/:uid",
  "POST /projects/:idOrName/members/batch",
  "DELETE /projects/:idOrName/members/batch",
  "POST /access-groups",
  "POST /access-groups/:idOrName",
  "POST /access-groups/:accessGroupIdOrName/projects",
  "PATCH /access-groups/:accessGroupIdOrName/projects/:projectId",
  "DELETE /access-groups/:accessGroupIdOrName/projects/:projectId",
  "POST /microfrontends/group",
  "PATCH /projects/:projectId/microfrontends",
  "POST /storage/stores/:id/connections",
  "PATCH /storage/stores/:id/connections/:connectionId",
  "DELETE /storage/stores/:id/connections/:connectionId",
  "POST /security/firewall/bypass",
  "DELETE /security/firewall/bypass",
  "PUT /security/firewall/config",
  "PATCH /security/firewall/config",
  "PATCH /security/firewall/config/:configVersion",
  "DELETE /security/firewall/config/:configVersion",
  "POST /security/firewall/config/:configVersion/activate",
  "PUT /bulk-redirects",
  "PATCH /bulk-redirects",
  "DELETE /bulk-redirects",
  "POST /bulk-redirects/restore",
  "POST /bulk-redirects/versions",
  "PUT /projects/:projectId/routes",
  "POST /projects/:projectId/routes",
  "DELETE /projects/:projectId/routes",
  "PATCH /projects/:projectId/routes/:routeId",
  "POST /projects/:projectId/routes/versions",
  "POST /security/attack-mode",
  "PATCH /projects/:idOrName/rolling-release/config",
  "DELETE /projects/:idOrName/rolling-release/config",
  "DELETE /projects/:idOrName/link",
  "PATCH /projects/:idOrName/branch",
  "POST /projects/:idOrName/deploy-hooks",
  "DELETE /projects/:idOrName/deploy-hooks/:id",
  "POST /projects/:idOrName/domains",
  "PATCH /projects/:idOrName/domains/:domain",
  "DELETE /projects/:idOrName/domains/:domain",
  "POST /projects/:idOrName/alias",
  "DELETE /projects/:idOrName/alias",
  "POST /projects/:idOrName/env",
  "PATCH /projects/:idOrName/env/:id",
  "DELETE /projects/:idOrName/env/:id",
  "DELETE /projects/:idOrName/env",
  "POST /projects/:idOrName/custom-environments",
  "PATCH /projects/:idOrName/custom-environments/:environment",
  "DELETE /projects/:idOrName/custom-environments/:environment",
  "PUT /projects/:idOrName/feature-flags/flags",
  "PATCH /projects/:idOrName/feature-flags/flags/:flag",
  "DELETE /projects/:idOrName/feature-flags/flags/:flag",
  "PUT /projects/:idOrName/feature-flags/segments",
  "PATCH /projects/:idOrName/feature-flags/segments/:segment",
  "DELETE /projects/:idOrName/feature-flags/segments/:segment",
  "PUT /projects/:idOrName/feature-flags/sdk-keys",
  "DELETE /projects/:idOrName/feature-flags/sdk-keys/:hashKey",
  "PATCH /projects/:idOrName/feature-flags/settings",
  "POST /deployments",
  "PATCH /aliases/:id/protection-bypass",
  "POST /projects/:idOrName/checks",
  "PATCH /projects/:idOrName/shared-connect-links",
  "POST /projects/:idOrName/transfer-request",
  "POST /web/insights/toggle",
  "POST /speed-insights/toggle",
  "POST /projects/:idOrName/domains/:domain/move",
  "PATCH /projects/:projectId/rollback/:deploymentId/update-description",
  "PATCH /projects/:idOrName/checks/:checkId",
  "DELETE /projects/:idOrName/checks/:checkId",
];

/** The routes that a blocked account is refused, and one whose payment method is not valid any more. */
const ofPayment = [
  "POST /projects",
  "PATCH /projects/:idOrName",
  "POST /projects/:projectId/pause",
  "POST /security/firewall/bypass",
  "PUT /security/firewall/config",
  "PATCH /security/firewall/config",
  "PATCH /security/firewall/config/:configVersion",
  "POST /security/firewall/config/:configVersion/activate",
  "PUT /bulk-redirects",
  "PATCH /bulk-redirects",
  "DELETE /bulk-redirects",
  "POST /bulk-redirects/restore",
  "POST /bulk-redirects/versions",
  "PUT /projects/:projectId/routes",
  "POST /projects/:projectId/routes",
  "DELETE /projects/:projectId/routes",
  "PATCH /projects/:projectId/routes/:routeId",
  "POST /projects/:projectId/routes/versions",
  "POST /security/attack-mode",
  "POST /projects/:idOrName/domains",
  "POST /projects/:idOrName/alias",
  "POST /projects/:idOrName/env",
  "POST /env",
  "PATCH /env",
  "PATCH /env/:id/unlink/:projectId",
  "POST /deployments",
  "POST /deployments/:id/aliases",
  "POST /domains",
  "POST /domains/:domain/records",
  "PUT /domains/:domain/records",
  "PATCH /domains/records/:recordId",
  "POST /edge-config",
  "PUT /edge-config/:id",
  "PATCH /edge-config/:id/items",
  "POST /edge-config/:id/schema",
  "DELETE /edge-config/:id/schema",
  "POST /edge-config/:id/token",
  "POST /storage/stores/blob",
  "PUT /storage/stores/blob/:id",
  "POST /storage/stores/:id/connections",
  "PATCH /storage/stores/:id/connections/:connectionId",
  "POST /edge-config/:id/backups/:backupId/restore",
  "PUT /projects/transfer-request/:code",
];

/** The requests of a route. */
function requestsOf(name: string) {
  const requests = authorization[name];
  if (!requests) throw new Error(`${name} is not in the table`);
  return requests;
}

/** The requests of a route that name an existing project. */
const requestsOfProject = (name: string) => requestsOf(name).filter(({ namesNothing }) => !namesNothing);

/** Sends the requests of routes. @returns the route of each, with the status and the text of its answer */
async function answersOf(
  names: readonly string[],
  requests = requestsOf,
): Promise<[name: string, status: number, text: string][]> {
  const answers: [string, number, string][] = [];
  for (const name of names) {
    for (const access of requests(name)) {
      const method = name.split(" ")[0] ?? "";
      const answer = await world.call(method, access.path(acme()), optionsOf(access, acme()));
      answers.push([name, answer.status, JSON.stringify(answer.body ?? {})]);
    }
  }
  return answers;
}

const refused = (names: readonly string[], status: number, said: string, requests = requestsOf) =>
  names.flatMap((name) => requests(name).map(() => [name, status, expect.stringContaining(said)]));

/** The routes that declare a refusal. */
const declaring = (row: RefusalRow<never>): string[] =>
  routes
    .filter(({ refuse = [] }) => (refuse as readonly unknown[]).includes(row))
    .map(({ method, path }) => `${method} ${unversioned(path)}`);

it("refuses each write of a project that is being transferred, with 409", async () => {
  await beginTransfer(world, "acme-web");
  expect(await answersOf(ofTransfer, requestsOfProject)).toEqual(
    refused(ofTransfer, 409, "is being transferred", requestsOfProject),
  );
});

it.each([
  ["is blocked", { softBlocked: true }, "contact the support"],
  ["has no valid payment method", { paymentMethodNeedsUpdate: true }, "Update it"],
])("refuses the writes of an account that %s, with 402", async (_, state, said) => {
  await world.control.changeTeam("acme", state);
  expect(await answersOf(ofPayment)).toEqual(refused(ofPayment, 402, said));
});

it.each([
  ["a transfer", beingTransferred, [...ofTransfer, ...ofTransferElsewhere]],
  ["a block", softBlocked, ofPayment],
  ["an invalid payment method", paymentMethodNeeded, ofPayment],
])("covers every route that %s stops", (_, row, names) => {
  expect(declaring(row).filter((name) => !names.includes(name))).toEqual([]);
});
