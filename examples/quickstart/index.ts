import * as pulumi from "@pulumi/pulumi";
import { DomainVerification, EnvVar, Project, ProjectDomain, Promotion } from "slipway";
import { TxtRecord } from "./txt-record.ts";

const config = new pulumi.Config();

const project = new Project("quickstart", {
  framework: "nextjs",
  nodeVersion: "22.x",
  buildCommand: "npm run build",
  outputDirectory: ".next",
  // Previews ask for a login.
  ssoProtection: { deploymentType: "preview" },
});

// A TXT record verifies the domain.
const apex = new ProjectDomain("apex", { project: project.id, name: "example.com" });
const proof = new TxtRecord("proof", {
  name: "_vercel.example.com",
  values: apex.verification.apply((challenges) => challenges.map(({ value }) => value)),
});
const verified = new DomainVerification(
  "apex",
  { project: project.id, name: apex.name },
  { dependsOn: [proof] },
);
const www = new ProjectDomain(
  "www",
  { project: project.id, name: "www.example.com", redirect: apex.name, redirectStatusCode: 308 },
  { dependsOn: [verified] },
);

new EnvVar("site-url", {
  project: project.id,
  key: "SITE_URL",
  value: pulumi.interpolate`https://${apex.name}`,
  type: "plain",
  target: ["production"],
});
new EnvVar("session-secret", {
  project: project.id,
  key: "SESSION_SECRET",
  value: config.getSecret("sessionSecret") ?? "change-me",
  type: "sensitive",
  target: ["production"],
});
new EnvVar("feature-flags", {
  project: project.id,
  key: "FEATURE_FLAGS",
  value: "new-checkout",
  type: "plain",
  target: ["preview"],
  gitBranch: "checkout",
});

const live = new Promotion("live", { project: project.id, deployment: "dpl_quickstart_2" });

export const projectId = project.id;
export const domains = [
  { name: apex.name, verified: verified.verified },
  { name: www.name, verified: www.verified, redirect: www.redirect },
];
export const production = live.deployment;
