import type { CommandEntry } from "./core/command";

/**
 * All commands, in the order of the help. The code of a command is loaded when it is needed, so that no command waits
 * for the code of other commands.
 */
export const commands: readonly CommandEntry[] = [
  { name: "serve", load: () => require("./server/serve").serve },
  { name: "stop", load: () => require("./server/stop").stop },
  { name: "status", load: () => require("./server/status").statusCommand },
  { name: "logs", load: () => require("./server/logs").logs },
  { name: "deploy", load: () => require("./server/deploy").deploy },
  { name: "seed", load: () => require("./server/seed").seed },
  { name: "reset", load: () => require("./server/reset").reset },
  { name: "dns set", load: () => require("./server/dns-set").dnsSet },
  { name: "dns rm", load: () => require("./server/dns-rm").dnsRm },
  { name: "clock", load: () => require("./server/clock").clock },
  { name: "fault add", load: () => require("./server/fault-add").faultAdd },
  { name: "fault clear", load: () => require("./server/fault-clear").faultClear },
  { name: "events", load: () => require("./server/events").events },
  { name: "mail", load: () => require("./server/mail").mail },
  { name: "backup", load: () => require("./server/backup").backup },
  { name: "restore", load: () => require("./server/restore").restore },
  { name: "demo", load: () => require("./demo").demo },
  { name: "import", load: () => require("./import/command").importCommand },
  { name: "audit", load: () => require("./audit/command").auditCommand },
  { name: "snapshot", load: () => require("./snapshot/command").snapshot },
  { name: "rehearse", load: () => require("./rehearse/command").rehearse },
  { name: "ci comment", load: () => require("./ci/comment").ciComment },
  { name: "ci drift", load: () => require("./ci/drift").ciDrift },
  { name: "plugin install", load: () => require("./plugin").pluginInstall },
  { name: "doctor", load: () => require("./doctor/command").doctor },
  { name: "completion", load: () => require("./completion/command").completion },
  { name: "version", load: () => require("./version").versionCommand },
];

/** Summaries of the groups, by name. The command `plugin install` belongs to the group `plugin`. */
export const groups: Readonly<Record<string, string>> = {
  ci: "reports a rehearsal or drift on GitHub or GitLab, from a pipeline",
  dns: "sets or removes DNS records of the server",
  fault: "makes the server's next requests fail, or clears the faults",
  plugin: "installs the plugin for programs in YAML, Python, Go and others",
};
