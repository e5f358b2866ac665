import { command, printer } from "./command.mjs";
import { ensureServer, stopCommand } from "./local-server.mjs";
import { bundledServer } from "./quickstart.mjs";
import { root } from "./setup/paths.mjs";
import { run } from "./setup/run.mjs";
import { onStack, selectStack, stackEnvironment, stackHoldsResources } from "./stack.mjs";

const usage = `npm run down [-- <flags of pulumi destroy>]

Destroys the quickstart's stack and stops the server that \`npm run up\` started.
You can run it again. \`npm run up\` creates everything again.`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    const tell = printer(args);
    const elsewhere = process.env.SLIPWAY_API_URL;
    if (stackHoldsResources()) {
      const env = stackEnvironment(pulumi, elsewhere ? {} : bundledServer((await ensureServer()).url));
      await selectStack(pulumi, env);
      const code = await onStack(pulumi, env, ["destroy", "--yes", ...args]);
      if (code !== 0) return code;
    } else {
      tell("The stack has nothing to destroy.");
    }
    const { code, output } = await run(process.execPath, stopCommand, { cwd: root, env: process.env });
    tell(output.trim());
    return code;
  },
});
