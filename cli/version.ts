import * as z from "zod";
import { version } from "../provider/client/version";
import { command } from "./core/command";
import { columns, print, printJson } from "./core/output";

export const versionCommand = command({
  summary: "shows the versions of slipway and Node.js",
  description: "Shows the version of slipway, and the Node.js and platform that it runs on.",
  examples: [["slipway version --json", "for a bug report, or a script"]],
  output: z.strictObject({
    slipway: z.string(),
    node: z.string(),
    /** Operating system and architecture. */
    platform: z.string(),
  }),
  run({ json }) {
    const versions = {
      slipway: version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    };
    if (json) printJson(versions);
    else for (const line of columns(Object.entries(versions))) print(line);
  },
});
