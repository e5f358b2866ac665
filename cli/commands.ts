import type { CommandEntry } from "./core/command";

/**
 * All commands, in the order of the help. Each is loaded when it is needed, so that a command does not wait for the
 * code of the others.
 */
export const commands: readonly CommandEntry[] = [
  { name: "serve", load: () => require("./server/serve").serve },
  { name: "stop", load: () => require("./server/stop").stop },
  { name: "demo", load: () => require("./demo").demo },
  { name: "import", load: () => require("./import/command").importCommand },
  { name: "snapshot", load: () => require("./snapshot/command").snapshot },
  { name: "plugin install", load: () => require("./plugin").pluginInstall },
];

/** Summaries of the groups: `plugin` of `plugin install`. */
export const groups: Readonly<Record<string, string>> = {
  plugin: "the plugin for programs in YAML, Python, Go and others",
};
