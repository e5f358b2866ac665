import { command, foreground } from "./command.mjs";
import { runningServer, serveCommand, serverEnvironment } from "./local-server.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm run server [-- <flags of slipway serve>]

Sets up, and runs the server in the foreground with the data and the control token of \`npm run up\`. While the server
runs, \`npm run up\` uses it. Ctrl-C stops it.

  npm run server -- --port 4001
  npm run server -- --data memory`;

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    const running = await runningServer();
    if (running) {
      throw new CommandError(
        `The server that npm run up started is running at ${running.url}. Stop it with npx slipway stop.`,
      );
    }
    return foreground(process.execPath, [...serveCommand, ...args], serverEnvironment());
  },
});
