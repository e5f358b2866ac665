import { command } from "../core/command";

/** Declared here for the help and the completion. `main.ts` runs the command from the server's bundle. */
export const stop = command({
  summary: "stops the server that slipway serve --detach started in this folder",
  description: "Stops the server that slipway serve --detach started in this folder.",
  examples: [["slipway stop", "waits until the server has finished its requests"]],
  run: () => {
    throw new Error("stop runs from the bundle of the server");
  },
});
