import * as pulumi from "@pulumi/pulumi";
import { EnvVars, getProject, ProjectDomain } from "slipway";

/**
 * A stack for each branch: `pulumi stack init checkout`, `pulumi up`, and `pulumi destroy` when the branch is deleted.
 * The name of the stack is the name of the branch, unless you set one: `pulumi config set branch feat/checkout`.
 * Another stack declares the project.
 */
const config = new pulumi.Config();
const branch = config.get("branch") ?? pulumi.getStack();
const project = await getProject({ project: config.get("project") ?? "storefront" });

const label = branch
  .toLowerCase()
  .replace(/[^a-z0-9]+/g, "-")
  .slice(0, 40)
  .replace(/^-|-$/g, "");
const domain = new ProjectDomain("preview", {
  project: project.id,
  name: `${label}.preview.example.com`,
  gitBranch: branch,
});

new EnvVars("preview", {
  project: project.id,
  target: ["preview"],
  variables: {
    DATABASE_URL: {
      value: pulumi.interpolate`postgres://app:${config.getSecret("databasePassword") ?? "change-me"}@db/${label}`,
      gitBranch: branch,
    },
  },
});

export const url = pulumi.interpolate`https://${domain.name}`;
