import { command, foreground } from "./command.mjs";
import { runningServer, serverEnvironment } from "./local-server.mjs";
import { bundledServer } from "./quickstart.mjs";
import { root } from "./setup/paths.mjs";
import { selectStack, stackEnvironment } from "./stack.mjs";

const usage = `npm run pulumi -- <command>

Runs a Pulumi command on the quickstart's stack, with its state, passphrase and server.

  npm run pulumi -- preview --diff
  npm run pulumi -- stack output
  npm run pulumi -- stack export`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    const url = (await runningServer())?.url ?? `http://127.0.0.1:${serverEnvironment().SLIPWAY_PORT}`;
    const env = stackEnvironment(pulumi, process.env.SLIPWAY_API_URL ? {} : bundledServer(url));
    await selectStack(pulumi, env);
    return foreground(pulumi, ["--cwd", root, ...args], env, { isOneInterrupt: true });
  },
});
