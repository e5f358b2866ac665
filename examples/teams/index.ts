import * as pulumi from "@pulumi/pulumi";
import { getProjectsOutput, Project, Provider } from "slipway";

const config = new pulumi.Config();

// Each provider can have its own token. Without one, it uses the environment's.
const platform = new Provider("platform", { team: "acme", token: config.getSecret("platformToken") });
// An empty team is the personal account.
const personal = new Provider("personal", { team: "", token: config.getSecret("personalToken") });

const ssoProtection = { deploymentType: "preview" } as const;
const gateway = new Project("gateway", { framework: "nextjs", ssoProtection }, { provider: platform });
const sandbox = new Project("sandbox", { framework: "vite", ssoProtection }, { provider: personal });

export const accounts = { gateway: gateway.accountId, sandbox: sandbox.accountId };
// Look-ups accept a provider too.
export const mine = getProjectsOutput({ search: sandbox.name }, { provider: personal }).apply((projects) =>
  projects.map(({ name }) => name),
);
