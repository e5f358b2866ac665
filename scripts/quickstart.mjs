import { control, controlToken } from "./local-server.mjs";

/** Two deployments, as builds would make them. The program promotes the second. */
const deployments = [
  { id: "dpl_quickstart_1", createdAt: 1 },
  { id: "dpl_quickstart_2", createdAt: 2 },
].map((deployment) => ({
  ...deployment,
  team: "acme",
  project: "quickstart",
  target: "production",
  readyState: "READY",
  gitBranch: "main",
}));

/** Adds the deployments that a build system would make. Repeating it changes nothing. */
export async function supplyDeployments(url) {
  await control(url, "POST", "/deployments", deployments);
}

/** The settings of the quickstart's program: the development account, unless others are given. */
export const bundledServer = (url) => ({
  SLIPWAY_API_URL: url,
  SLIPWAY_TOKEN: process.env.SLIPWAY_TOKEN || "slipway-dev-token",
  SLIPWAY_TEAM: process.env.SLIPWAY_TEAM || "acme",
  SLIPWAY_CONTROL_TOKEN: controlToken(),
});
