import { type ServeOption, serveOptions, variableOf } from "../../server/options";
import { command, type Flag } from "../core/command";

/** Declared here for the help and the completion. `main.ts` runs the command from the server's bundle. */
export const serve = command({
  summary: "runs the reference API",
  description:
    "Runs the reference API until it is stopped (Ctrl-C or SIGTERM). Every flag is also an environment variable.",
  flags: Object.fromEntries(
    Object.entries<ServeOption>(serveOptions)
      .filter(([, { only }]) => only !== "variable")
      .map(([name, option]) => [name, flagFor(name, option)]),
  ),
  examples: [
    ["slipway serve", "serves http://127.0.0.1:4000, with its data in .slipway/data"],
    ["slipway serve --data memory --seed seed.yaml", "keeps nothing when it stops"],
    ["slipway serve --detach", "serves in the background until slipway stop"],
  ],
  run: () => {
    throw new Error("serve runs from the bundle of the server");
  },
});

function flagFor(name: string, { parse, only, ...option }: ServeOption): Flag {
  return { ...option, ...(only === "flag" ? {} : { variable: variableOf(name) }) };
}
