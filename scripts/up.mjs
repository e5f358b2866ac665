import { command, printer } from "./command.mjs";
import { control, ensureServer } from "./local-server.mjs";
import { bundledServer, supplyDeployments } from "./quickstart.mjs";
import { onStack, selectStack, stackEnvironment } from "./stack.mjs";

const usage = `npm run up [-- <flags of pulumi up>]

Sets up, starts the bundled server if none answers, and runs \`pulumi up --yes\` on the quickstart.
State, secrets, the server's data and its log are in .slipway/. You can run it again.

  npm run up -- --diff          show what changes in detail
  npm run up -- --refresh       first detect drift
  npm run --silent up -- --json print JSON only

Environment:
  SLIPWAY_PORT     port of the bundled server (4000)
  SLIPWAY_API_URL  use this API, with SLIPWAY_TOKEN and SLIPWAY_TEAM, and start no server.
                   For another Slipway server, set SLIPWAY_CONTROL_TOKEN, so that the quickstart can write DNS records.`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    const elsewhere = process.env.SLIPWAY_API_URL;
    const url = elsewhere ?? (await bundled());
    if (hasControlPlane(elsewhere)) await supplyDeployments(url);
    const env = stackEnvironment(pulumi, elsewhere ? {} : bundledServer(url));
    await selectStack(pulumi, env);
    const code = await onStack(pulumi, env, ["up", "--yes", ...args]);
    const tell = printer(args);
    tell(`${elsewhere ? "The API is" : "The server is"} at ${url}`);
    const dashboard = elsewhere ? undefined : await dashboardOf(url);
    if (dashboard) tell(`The dashboard is at ${dashboard}`);
    if (code === 0 && !elsewhere) tell("npm run down destroys the stack and stops the server");
    return code;
  },
});

async function bundled() {
  const { url, started } = await ensureServer();
  console.error(started ? `started the bundled server at ${url}` : `a server is running at ${url}`);
  return url;
}

/** A link that opens the dashboard once; undefined if the dashboard is off. */
async function dashboardOf(url) {
  if (process.env.SLIPWAY_DASHBOARD === "off") return undefined;
  const { path } = await control(url, "POST", "/dashboard");
  return url + path;
}

/** False for the hosted API, which has no control plane. Its deployments come from builds. */
function hasControlPlane(elsewhere) {
  return !elsewhere || Boolean(process.env.SLIPWAY_CONTROL_TOKEN);
}
