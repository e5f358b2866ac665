import * as pulumi from "@pulumi/pulumi";
import { getDeploymentOutput, Project, Promotion } from "slipway";

// The color that serves: `pulumi config set live green`, then `pulumi up`. Each color is a branch.
const live = new pulumi.Config().get("live") ?? "blue";

const shop = new Project("blue-green", {
  framework: "nextjs",
  ssoProtection: { deploymentType: "preview" },
  // A new build does not serve production until it is promoted.
  autoAssignCustomDomains: false,
});

const deployment = getDeploymentOutput({ project: shop.id, branch: live, waitUntilReady: true });

const promotion = new Promotion("live", {
  project: shop.id,
  deployment: deployment.id,
  onDelete: "rollback",
});

export const serving = promotion.deployment;
export const movedDomains = promotion.aliases;
