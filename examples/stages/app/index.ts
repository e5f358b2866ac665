import * as pulumi from "@pulumi/pulumi";
import { EnvVars, ProjectDomain } from "slipway";

/** The application's part of a stage: its domain and its variables, in the project that the platform's stack declares. */
const stage = pulumi.getStack();
const config = new pulumi.Config();

const platform = new pulumi.StackReference("platform", {
  name: `${config.get("organization") ?? "organization"}/slipway-stages-platform/${stage}`,
});
const project = platform.requireOutput("projectId");

new ProjectDomain(
  "domain",
  { project, name: config.require("domain") },
  // As the project: the domain of production stays.
  { protect: stage === "production" },
);

new EnvVars("settings", {
  project,
  target: ["production"],
  variables: {
    STAGE: { value: stage, type: "plain" },
    API_URL: { value: config.require("apiUrl"), type: "plain" },
  },
});
