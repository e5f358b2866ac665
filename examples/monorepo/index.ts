import * as pulumi from "@pulumi/pulumi";
import { EnvVars, Project, type ProjectArgs } from "slipway";

/** The deployed folders of the repository, with the settings of each. */
const apps: Record<string, ProjectArgs> = {
  shop: { framework: "nextjs" },
  docs: { framework: "docusaurus-2", directoryListing: true },
  api: { framework: null, buildCommand: "npm run build", outputDirectory: "dist" },
};

const config = new pulumi.Config();
// For example acme/monorepo, if the account is connected to GitHub: pushes then deploy the affected projects.
const repo = config.get("repo");

const projects = Object.entries(apps).map(([app, settings]) => {
  const project = new Project(app, {
    rootDirectory: `apps/${app}`,
    installCommand: "npm ci --prefix ../..",
    enableAffectedProjectsDeployments: true,
    nodeVersion: "22.x",
    ssoProtection: { deploymentType: "preview" },
    ...(repo && { gitRepository: { type: "github", repo } }),
    ...settings,
  });
  new EnvVars(app, {
    project: project.id,
    variables: {
      APP: app,
      TURBO_TOKEN: { value: config.getSecret("turboToken") ?? "change-me", target: ["production"] },
    },
  });
  return project;
});

export const ids = pulumi
  .all(projects.map(({ name, id }) => pulumi.all([name, id])))
  .apply(Object.fromEntries);
