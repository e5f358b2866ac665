import type { Route } from "../route";
import { accountRoutes } from "./account";
import { deploymentRoutes } from "./deployments";
import { domainRoutes } from "./domains";
import { envRoutes } from "./env";
import { integrationRoutes } from "./integrations";
import { logDrainRoutes } from "./log-drains";
import { oauthRoutes } from "./oauth";
import { projectLinkRoutes } from "./project-link";
import { projectStateRoutes } from "./project-state";
import { projectRoutes } from "./projects";
import { promotionRoutes } from "./promotions";
import { webhookRoutes } from "./webhooks";

/** Every route that the server answers beside its control plane. */
export const routes: readonly Route[] = [
  ...projectRoutes,
  ...projectStateRoutes,
  ...projectLinkRoutes,
  ...promotionRoutes,
  ...domainRoutes,
  ...envRoutes,
  ...deploymentRoutes,
  ...accountRoutes,
  ...integrationRoutes,
  ...oauthRoutes,
  ...webhookRoutes,
  ...logDrainRoutes,
];
