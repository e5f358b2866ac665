import * as pulumi from "@pulumi/pulumi";
import { getProjectsOutput, Project, Provider } from "slipway";

const config = new pulumi.Config();

// Each may have a token of its own; without one, that of the environment serves.
const platform = new Provider("platform", { team: "acme", token: config.getSecret("platformToken") });
// An empty team is the personal account.
const personal = new Provider("personal", { team: "", token: config.getSecret("personalToken") });

const gateway = new Project("gateway", { framework: "nextjs" }, { provider: platform });
const sandbox = new Project("sandbox", { framework: "vite" }, { provider: personal });

export const accounts = { gateway: gateway.accountId, sandbox: sandbox.accountId };
// Look-ups take a provider, too.
export const mine = getProjectsOutput({ search: sandbox.name }, { provider: personal }).apply((projects) =>
  projects.map(({ name }) => name),
);
