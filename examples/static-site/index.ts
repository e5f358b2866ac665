import { Deployment, Project, Promotion } from "slipway";

const site = new Project("static-site", {
  // A new deployment does not serve production until it is promoted.
  autoAssignCustomDomains: false,
  ssoProtection: { deploymentType: "preview" },
});

// A changed file makes a new deployment, for which only this file is uploaded. The old deployment stays.
const built = new Deployment("site", { project: site.id, directory: "site", target: "production" });

const live = new Promotion("live", { project: site.id, deployment: built.deploymentId });

export const url = built.url;
export const serving = live.deployment;
