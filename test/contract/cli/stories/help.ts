import type { Story } from "./story";

/** These have no request, but show that the command line starts as it does beside the hosted API. */
const commands = [
  "deploy",
  "project",
  "env",
  "domains",
  "dns",
  "alias",
  "promote",
  "rollback",
  "inspect",
  "list",
];

export const help: Story = {
  title: "help",
  folder: "nothing",
  withoutScope: true,
  runs: [
    { line: "--version", says: "64.0.2" },
    { line: "help", says: "deploy" },
    ...commands.map((command) => ({ line: `${command} --help`, says: "Options" })),
  ],
};
