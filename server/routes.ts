import { accessGroupRoutes } from "./access-groups/routes";
import { activityRoutes } from "./accounts/activity-routes";
import { accountRoutes } from "./accounts/routes";
import { tokenRoutes } from "./accounts/token-routes";
import { exceptionRoutes } from "./aliases/exception-routes";
import { aliasRoutes } from "./aliases/routes";
import { blobStoreRoutes } from "./blob-stores/routes";
import { certificateRoutes } from "./certificates/routes";
import { deploymentCheckRoutes } from "./checks/deployment-routes";
import { projectCheckRoutes } from "./checks/project-routes";
import { contentRoutes } from "./deployments/content-routes";
import { createDeploymentRoutes } from "./deployments/create-routes";
import { eventRoutes } from "./deployments/event-routes";
import { fileRoutes } from "./deployments/file-routes";
import { promotionRoutes } from "./deployments/promotion-routes";
import { deploymentRoutes } from "./deployments/routes";
import { accountDomainRoutes } from "./domains/account-routes";
import { addedDomainRoutes } from "./domains/added-routes";
import { claimRoutes } from "./domains/claim-routes";
import { recordRoutes } from "./domains/record-routes";
import { domainRoutes } from "./domains/routes";
import { zoneRoutes } from "./domains/zone-routes";
import { edgeConfigRoutes } from "./edge-configs/routes";
import { envRoutes } from "./env/routes";
import { sharedEnvRoutes } from "./env/shared-routes";
import { customEnvironmentRoutes } from "./environments/routes";
import { featureFlagRoutes } from "./feature-flags/routes";
import { firewallRoutes } from "./firewall/routes";
import type { Route } from "./http/route";
import { oauthRoutes } from "./integrations/oauth-routes";
import { integrationRoutes } from "./integrations/routes";
import { drainRoutes } from "./log-drains/drain-routes";
import { logDrainRoutes } from "./log-drains/routes";
import { projectMemberRoutes } from "./members/project-routes";
import { accessRequestRoutes } from "./members/request-routes";
import { memberRoutes } from "./members/routes";
import { teamRoutes } from "./members/team-routes";
import { projectMicrofrontendRoutes } from "./microfrontends/project-routes";
import { microfrontendRoutes } from "./microfrontends/routes";
import { projectBypassRoutes } from "./projects/bypass-routes";
import { cacheRoutes } from "./projects/cache-routes";
import { deployHookRoutes, hookUrlRoutes } from "./projects/deploy-hook-routes";
import { gitRoutes } from "./projects/git-routes";
import { insightsRoutes } from "./projects/insights-routes";
import { projectLinkRoutes } from "./projects/link-routes";
import { networkRoutes } from "./projects/network-routes";
import { projectRoutes } from "./projects/routes";
import { projectStateRoutes } from "./projects/state-routes";
import { projectTokenRoutes } from "./projects/token-routes";
import { transferRequestRoutes } from "./projects/transfer-routes";
import { rollingReleaseRoutes } from "./rolling-releases/routes";
import { bulkRedirectRoutes } from "./routing/redirect-routes";
import { routingRoutes } from "./routing/route-routes";
import { webhookRoutes } from "./webhooks/routes";

/**
 * Maps other names for the first segment of a path to the names in the routes.
 * @source the newest official client, which calls Edge Configs "Global Configs"
 */
export const otherNames: Readonly<Record<string, string>> = { "global-config": "edge-config" };

/** The routes of the API, by the group in which its documentation shows them. */
const groups: readonly (readonly [tag: string, ...routes: (readonly Route[])[]])[] = [
  [
    "Projects",
    projectRoutes,
    projectStateRoutes,
    cacheRoutes,
    projectTokenRoutes,
    projectBypassRoutes,
    projectLinkRoutes,
    deployHookRoutes,
    insightsRoutes,
    networkRoutes,
    transferRequestRoutes,
  ],
  ["Integrations", hookUrlRoutes, gitRoutes],
  ["Promotions", promotionRoutes],
  ["Rolling releases", rollingReleaseRoutes],
  ["Domains", domainRoutes, accountDomainRoutes, addedDomainRoutes, claimRoutes, recordRoutes, zoneRoutes],
  ["Certificates", certificateRoutes],
  ["Environment variables", envRoutes, sharedEnvRoutes],
  ["Custom environments", customEnvironmentRoutes],
  ["Firewall", firewallRoutes],
  ["Feature flags", featureFlagRoutes],
  ["Redirects and routes", bulkRedirectRoutes, routingRoutes],
  ["Edge Configs", edgeConfigRoutes],
  ["Blob stores", blobStoreRoutes],
  [
    "Deployments",
    deploymentRoutes,
    createDeploymentRoutes,
    fileRoutes,
    contentRoutes,
    eventRoutes,
    aliasRoutes,
    exceptionRoutes,
  ],
  ["Checks", projectCheckRoutes, deploymentCheckRoutes],
  ["Accounts", accountRoutes, memberRoutes, accessRequestRoutes, teamRoutes, tokenRoutes, activityRoutes],
  ["Projects", projectMemberRoutes],
  ["Access groups", accessGroupRoutes],
  ["Microfrontends", microfrontendRoutes, projectMicrofrontendRoutes],
  ["Integrations", integrationRoutes, oauthRoutes],
  ["Webhooks", webhookRoutes],
  ["Log drains", logDrainRoutes, drainRoutes],
];

/** Every route of the API. The routes of the control plane are in `control/`. */
export const routes: readonly Route[] = groups.flatMap(([tag, ...lists]) =>
  lists.flat().map((route) => ({ ...route, tag })),
);
