import type { CommandEntry } from "./core/command";

/**
 * All commands, in the order of the help. The code of a command is loaded when it is needed, so that no command waits
 * for the code of other commands.
 */
export const commands: readonly CommandEntry[] = [
  { name: "demo", heading: "Try", load: () => require("./demo").demo },
  { name: "init", heading: "Try", load: () => require("./init").init },
  { name: "serve", heading: "Server", load: () => require("./server/serve").serve },
  { name: "stop", heading: "Server", load: () => require("./server/stop").stop },
  { name: "status", heading: "Server", load: () => require("./server/status").statusCommand },
  { name: "open", heading: "Server", load: () => require("./server/open").open },
  { name: "env", heading: "Server", load: () => require("./server/env").env },
  { name: "logs", heading: "Server", load: () => require("./server/logs").logs },
  { name: "deploy", heading: "Server", load: () => require("./server/deploy").deploy },
  { name: "seed", heading: "Server", load: () => require("./server/seed").seed },
  { name: "reset", heading: "Server", load: () => require("./server/reset").reset },
  { name: "state save", heading: "Server", load: () => require("./server/state").stateSave },
  { name: "state load", heading: "Server", load: () => require("./server/state").stateLoad },
  { name: "state list", heading: "Server", load: () => require("./server/state").stateList },
  { name: "state rm", heading: "Server", load: () => require("./server/state").stateRm },
  { name: "backup", heading: "Server", load: () => require("./server/backup").backup },
  { name: "restore", heading: "Server", load: () => require("./server/restore").restore },
  { name: "dns set", heading: "Simulate on the server", load: () => require("./server/dns-set").dnsSet },
  { name: "dns rm", heading: "Simulate on the server", load: () => require("./server/dns-rm").dnsRm },
  { name: "clock", heading: "Simulate on the server", load: () => require("./server/clock").clock },
  {
    name: "fault add",
    heading: "Simulate on the server",
    load: () => require("./server/fault-add").faultAdd,
  },
  {
    name: "fault list",
    heading: "Simulate on the server",
    load: () => require("./server/fault-list").faultList,
  },
  {
    name: "fault clear",
    heading: "Simulate on the server",
    load: () => require("./server/fault-clear").faultClear,
  },
  { name: "events", heading: "Simulate on the server", load: () => require("./server/events").events },
  { name: "mail", heading: "Simulate on the server", load: () => require("./server/mail").mail },
  { name: "import", heading: "Account", load: () => require("./import/command").importCommand },
  { name: "audit", heading: "Account", load: () => require("./audit/command").auditCommand },
  { name: "snapshot", heading: "Account", load: () => require("./snapshot/command").snapshot },
  { name: "rehearse", heading: "Account", load: () => require("./rehearse/command").rehearse },
  { name: "ci comment", heading: "Account", load: () => require("./ci/comment").ciComment },
  { name: "ci drift", heading: "Account", load: () => require("./ci/drift").ciDrift },
  { name: "plugin install", heading: "Set-up", load: () => require("./plugin").pluginInstall },
  { name: "doctor", heading: "Set-up", load: () => require("./doctor/command").doctor },
  { name: "completion", heading: "Set-up", load: () => require("./completion/command").completion },
  { name: "version", heading: "Set-up", load: () => require("./version").versionCommand },
];

/** Summaries of the groups, by name. The command `plugin install` belongs to the group `plugin`. */
export const groups: Readonly<Record<string, string>> = {
  ci: "reports a rehearsal or drift on GitHub or GitLab, from a pipeline",
  dns: "sets or removes DNS records of the server",
  fault: "makes the server's next requests fail, and shows or clears the faults",
  state: "saves all data of the server under a name, and loads them again",
  plugin: "installs the plugin for programs in YAML, Python, Go and others",
};
