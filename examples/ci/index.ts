import * as pulumi from "@pulumi/pulumi";
import { EnvVar, Project } from "slipway";

const config = new pulumi.Config();

const web = new Project("web", {
  framework: "nextjs",
  nodeVersion: "22.x",
  ssoProtection: { deploymentType: "preview" },
});

new EnvVar("session-secret", {
  project: web.id,
  key: "SESSION_SECRET",
  value: config.getSecret("sessionSecret") ?? "change-me",
  type: "sensitive",
  target: ["production"],
});

export const projectId = web.id;
