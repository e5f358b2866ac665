import * as pulumi from "@pulumi/pulumi";
import { EnvVars, Project, type ProjectArgs } from "slipway";

/** The folders of the repository that are deployed, and what is particular to each. */
const apps: Record<string, ProjectArgs> = {
  shop: { framework: "nextjs" },
  docs: { framework: "docusaurus-2", directoryListing: true },
  api: { framework: null, buildCommand: "npm run build", outputDirectory: "dist" },
};

const config = new pulumi.Config();
// Such as acme/monorepo, once the account is connected to GitHub: pushes then deploy what they affect.
const repo = config.get("repo");

const projects = Object.entries(apps).map(([app, settings]) => {
  const project = new Project(app, {
    rootDirectory: `apps/${app}`,
    installCommand: "npm ci --prefix ../..",
    enableAffectedProjectsDeployments: true,
    nodeVersion: "22.x",
    ...(repo && { gitRepository: { type: "github", repo } }),
    ...settings,
  });
  new EnvVars(app, {
    project: project.id,
    variables: { APP: app, TURBO_TOKEN: config.getSecret("turboToken") ?? "change-me" },
  });
  return project;
});

export const ids = pulumi
  .all(projects.map(({ name, id }) => pulumi.all([name, id])))
  .apply(Object.fromEntries);
