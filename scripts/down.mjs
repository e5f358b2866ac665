import { command, foreground } from "./command.mjs";
import { ensureServer, stopCommand } from "./local-server.mjs";
import { bundledServer } from "./quickstart.mjs";
import { onStack, selectStack, stackEnvironment, stackHoldsResources } from "./stack.mjs";

const usage = `npm run down [-- <flags of pulumi destroy>]

Destroys the quickstart's stack and stops the server that \`npm run up\` started.
You can repeat it. \`npm run up\` creates everything again.`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    const elsewhere = process.env.SLIPWAY_API_URL;
    if (stackHoldsResources()) {
      const env = stackEnvironment(pulumi, elsewhere ? {} : bundledServer((await ensureServer()).url));
      await selectStack(pulumi, env);
      const code = await onStack(pulumi, env, ["destroy", "--yes", ...args]);
      if (code !== 0) return code;
    } else {
      console.log("The stack has nothing to destroy.");
    }
    return foreground(process.execPath, stopCommand, process.env);
  },
});
