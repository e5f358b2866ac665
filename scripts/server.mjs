import { command, foreground } from "./command.mjs";
import { recorded, serverCommand, serverEnvironment } from "./local-server.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm run server [-- <flags of slipway serve>]

Sets up and serves in the foreground, with the same data and control token as \`npm run up\`, which then uses it.
Ctrl-C ends it.

  npm run server -- --port 4001
  npm run server -- --data memory`;

await command({
  usage,
  needs: ["dist"],
  async run(args) {
    const running = await recorded();
    if (running) {
      throw new CommandError(
        `The server that npm run up started is serving at ${running.url}; npm run down stops it.`,
      );
    }
    return foreground(process.execPath, [...serverCommand, ...args], serverEnvironment());
  },
});
