import { createHmac } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { Deployment, EnvVar, Project, Promotion } from "slipway";

const config = new pulumi.Config();

// The first run of a month creates a new secret. To rotate it at another time, set any new text:
// `pulumi config set period 2026-11-b`, and remove it later: `pulumi config rm period`.
const period = config.get("period") ?? new Date().toISOString().slice(0, 7);

// Replace this with what issues your secret. Set the seed: `pulumi config set --secret seed <any text>`.
const seed = config.getSecret("seed") ?? pulumi.secret("an example");
const secret = seed.apply((text) => createHmac("sha256", text).update(period).digest("hex"));

const app = new Project("rotation", {
  autoAssignCustomDomains: false,
  ssoProtection: { deploymentType: "preview" },
});

const apiKey = new EnvVar("api-key", {
  project: app.id,
  key: "API_KEY",
  value: secret,
  target: ["production"],
});

// A new revision creates a new deployment, whose build has the new secret.
const built = new Deployment("app", {
  project: app.id,
  directory: "app",
  target: "production",
  triggers: [apiKey.revision],
});

const live = new Promotion("live", { project: app.id, deployment: built.deploymentId });

export const revision = apiKey.revision;
export const serving = live.deployment;
