import { control, controlToken } from "./local-server.mjs";

const minuteMs = 60_000;

/**
 * Two deployments, as builds would make them: one that serves production, and one that the program promotes.
 * Negative times count back from now.
 */
const deployments = [
  {
    id: "dpl_quickstart_1",
    target: "production",
    gitBranch: "main",
    gitSha: "1f0c2d9be5a7740386d1c2b94e8f7a6035d4e1c8",
    createdAt: -26 * 60 * minuteMs,
  },
  {
    id: "dpl_quickstart_2",
    target: "production",
    readySubstate: "STAGED",
    gitBranch: "main",
    gitSha: "8b64e0f31c5d92a7706be41f0d3a9c8852f7e614",
    createdAt: -12 * minuteMs,
  },
].map((deployment) => ({ ...deployment, team: "acme", project: "quickstart", readyState: "READY" }));

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
