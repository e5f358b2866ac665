import { getProject } from "@pulumi/pulumi";
import { EnvVar, Project, ProjectDomain } from "slipway";

const web = new Project("web", { name: getProject(), framework: "nextjs" });
new EnvVar("greeting", {
  project: web.id,
  key: "GREETING",
  value: "hello",
  type: "plain",
  target: ["production", "preview"],
});
const domain = new ProjectDomain("domain", { project: web.id, name: "www.example.com" });

export const projectId = web.id;
// Publish one of these records to verify the domain.
export const challenges = domain.verification;
