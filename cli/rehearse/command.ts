import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rehearsalVariable } from "../../provider/client/rehearsal";
import { command } from "../core/command";
import { UsageError, UserError } from "../core/errors";
import { say } from "../core/output";
import { realPathOf, refuseOwnFiles, refuseUnwritable } from "../core/own-files";
import { choicesFrom } from "../core/parse";
import { changedUserTokens, readSource, teamNames, tokensOf, zonesOf } from "./account";
import { concealerOf, namesIn } from "./conceal";
import { type Copy, startCopy } from "./copy";
import { realChangesIn, refusalsIn } from "./events";
import { type Folder, openFolder } from "./folder";
import { fillBinaries, makeHome, refuseOldPackage, refuseOtherResources } from "./home";
import { toMarkdown } from "./markdown";
import { compare } from "./outcome";
import { Processes, RehearsalInterrupted } from "./process";
import { projectOf } from "./program-files";
import { commandLineFor, parseCommand, shownCommand } from "./pulumi-command";
import { refuseOwnCode, refuseVariables } from "./refusals";
import { type Condition, conditions, meets, type Report, reportShape } from "./report";
import { secretTextsOf } from "./secrets";
import { copyStack, readStack } from "./stack";
import { summarize } from "./summary";
import { toTerminal } from "./terminal";
import { unknownsOf } from "./unknowns";
import { withZones } from "./zones";

export const rehearse = command({
  summary: "runs pulumi up on a copy of the account and the stack, and reports what it does",
  description:
    "Reads the account with GET requests only, serves a copy of it on this machine, copies the stack to a temporary " +
    "backend, runs the command there, and reports what happened to the copy. Neither the account nor the stack changes.",
  arguments: [
    {
      name: "command",
      isRepeated: true,
      isCommandLine: true,
      help: "pulumi up, preview, refresh or destroy, with its flags",
    },
  ],
  flags: {
    report: { value: "file.md", help: "writes the report as Markdown, for a comment on a pull request" },
    json: { value: "file", help: "writes the report as JSON" },
    snapshot: { value: "file", help: "rehearses on this snapshot instead of reading the account" },
    failOn: {
      value: "effects",
      help: `exits with 3 if the report has one of these, separated by commas: ${conditions.join(", ")}`,
      default: [] as readonly Condition[],
      shownDefault: "none",
      listOf: conditions,
      parse: choicesFrom(conditions),
    },
    allow: {
      value: "package",
      isRepeated: true,
      help:
        "lets resources of this provider change for real; pulumi-nodejs and pulumi-python stand for dynamic resources " +
        "of the program, hooks for its resource hooks; repeat it for several",
      default: [] as string[],
      shownDefault: "random, tls and std",
    },
    keep: { help: "serves the copy until you press Ctrl-C, so that you can look at it" },
  },
  notes: `The rehearsal answers questions of the Pulumi CLI with yes. It copies state, configuration and secrets to a temporary
folder, encrypted, and removes them at the end. For --fail-on, delete also matches a domain or variable that production
loses and a project that is paused, and move also matches an alias that no longer points to a deployment. Without
--report and --json, the report goes to standard output: as text at a terminal, and as Markdown elsewhere.`,
  examples: [
    ["slipway rehearse -- pulumi up", "shows what pulumi up would do to the account"],
    [
      "slipway rehearse --report report.md --fail-on delete,replace -- pulumi up --stack production",
      "for a pull request: a comment, and a failure if something is deleted or replaced",
    ],
  ],
  exitCodes: {
    3: "the report has an effect of --fail-on",
    130: "interrupted; otherwise the exit code of the command",
  },
  output: reportShape,
  run: ({ args, flags }) => runRehearsal(args, flags as RehearseFlags),
});

interface RehearseFlags {
  report: string | undefined;
  json: string | undefined;
  snapshot: string | undefined;
  failOn: readonly Condition[];
  allow: readonly string[];
  keep: boolean | undefined;
}

/** @returns the exit code @throws UserError, ConfigError */
async function runRehearsal(words: readonly string[], flags: RehearseFlags): Promise<number> {
  if (flags.report !== undefined && flags.json !== undefined && isSameFile(flags.report, flags.json))
    throw new UsageError("--report and --json name one file. Give each its own.");
  for (const file of [flags.report, flags.json]) {
    if (file === undefined) continue;
    refuseOwnFiles(file);
    refuseUnwritable(file, "Choose another file.");
    // Empties the report of an earlier run. This run may end without a report, and must not leave an old one.
    if (existsSync(file) && statSync(file).isFile()) truncateSync(file);
  }
  const processes = new Processes();
  const folder = openFolder();
  const copies: Copy[] = [];
  const work = rehearseIn(folder, processes, words, flags, (copy) => copies.push(copy));
  // After an interruption, only the interruption is reported.
  work.catch(() => {});
  try {
    return await Promise.race([work, processes.interrupted]);
  } catch (error) {
    if (!(error instanceof RehearsalInterrupted)) throw error;
    say("interrupted. The account and the stack are as they were.");
    return 130;
  } finally {
    for (const copy of copies) await copy.close().catch(() => {});
    folder.remove();
    // Requests in progress would keep the process alive.
    if (processes.interruption) process.exit(130);
  }
}

const isSameFile = (a: string, b: string): boolean => realPathOf(resolve(a)) === realPathOf(resolve(b));

async function rehearseIn(
  folder: Folder,
  processes: Processes,
  words: readonly string[],
  flags: RehearseFlags,
  started: (copy: Copy) => void,
): Promise<number> {
  refuseVariables();
  const command = parseCommand(words);
  refuseOldPackage(command.folder);
  refuseOwnCode(projectOf(command.folder)?.root ?? command.folder, flags.allow);
  const home = folder.folder("home");
  makeHome({ target: home, program: command.folder, allowed: flags.allow });
  const binaries = folder.folder("bin");
  fillBinaries(binaries, flags.allow);
  say("reading the stack");
  const stack = await readStack(processes, command);
  const types = stack.resources.filter(({ custom }) => custom).map(({ type }) => type);
  refuseOtherResources(types, flags.allow);
  say(flags.snapshot === undefined ? "reading the account" : `reading ${flags.snapshot}`);
  const source = await readSource(stack, command.folder, flags.snapshot);
  const copy = await startCopy(withZones(source.document, zonesOf(stack.resources)), source);
  started(copy);
  const before = await copy.read();
  const stackCopy = await copyStack(processes, command, stack, {
    files: folder,
    home,
    binaries,
    allowed: flags.allow,
    replaced: stack.config.has("slipway:token") ? { "slipway:token": copy.token } : {},
  });
  const eventLog = join(folder.folder("log"), "events.json");
  const rehearsal = {
    copy: copy.url,
    token: copy.token,
    source: source.apiUrl,
    team: teamNames(source),
    isTeamOfToken: source.isTeamOfToken,
    apiUrl: process.env.SLIPWAY_API_URL || undefined,
  };
  const env = {
    ...stackCopy.env,
    [rehearsalVariable]: JSON.stringify(rehearsal),
    // For packages that do not read the description of a rehearsal.
    SLIPWAY_API_URL: copy.url,
    SLIPWAY_TOKEN: copy.token,
  };
  say(`rehearsing on a copy of ${source.apiUrl}`);
  const run = commandLineFor(command, { stack: stack.name, configFile: stackCopy.configFile, eventLog });
  const known = secretTextsOf({ config: stack.config, token: source.token }, stack.resources, []);
  const conceal = concealerOf(known, namesIn(before));
  // If the reader of the output ends, this process ends and kills the command.
  process.exitCode = 137;
  const exitCode = await processes.show(run, { cwd: process.cwd(), env, conceal });
  if (processes.interruption) throw new RehearsalInterrupted();

  const after = await copy.read();
  const resources = { before: stack.resources, after: await stackCopy.export() };
  const names = [stack.name, ...namesIn(before, after)];
  const { secretTexts, ...outcome } = compare(before, after, resources);
  const { declared, usual } = secretTextsOf(
    { config: stack.config, token: source.token },
    [...resources.before, ...resources.after],
    [before.document, after.document],
  );
  const concealAll = concealerOf({ declared: [...declared, ...secretTexts], usual }, names);
  // Secrets are removed before sentences are built, so that the fixed words of the report stay.
  const { compared, refusals, line } = concealAll({
    ...{ compared: outcome, refusals: refusalsIn(eventLog), line: shownCommand(words) },
  });
  const unknown = unknownsOf(
    before.document,
    compared,
    {
      ...{ source: source.document, copy, refusals },
      ...{ resources: stack.resources, refused: await copy.refused() },
      otherTokens: tokensOf(resources.after)
        .filter(({ token }) => token !== copy.token && token !== source.token)
        .map(({ name }) => name),
      userTokens: changedUserTokens(resources.before, resources.after),
    },
    after.document,
  );
  const report: Report = {
    version: 1,
    summary: summarize({ ...compared, refusals, exitCode }, command.operation),
    command: line,
    exitCode,
    source: source.apiUrl,
    snapshot: source.snapshot,
    stack: stack.name,
    ...compared,
    allowed: [...flags.allow],
    real: concealAll(realChangesIn(eventLog, flags.allow)),
    events: await eventsOf(copy),
    refusals,
    unknown: concealAll(unknown),
  };
  const code = flags.failOn.some((condition) => meets(report, condition)) ? 3 : exitCode;
  // Set before the report is written: if its reader has ended, the process exits with this code.
  process.exitCode = code;
  write(report, flags);
  if (!isShown(flags)) say(report.summary);
  if (flags.keep) await keep(copy, processes);
  return code;
}

/** The events of the run by type, with their number and the number of deliveries to receivers. */
async function eventsOf(copy: Copy): Promise<Report["events"]> {
  const counts = new Map<string, { count: number; deliveries: number }>();
  for (const { type, deliveries } of await copy.events()) {
    const known = counts.get(String(type)) ?? { count: 0, deliveries: 0 };
    counts.set(String(type), {
      count: known.count + 1,
      deliveries: known.deliveries + (Array.isArray(deliveries) ? deliveries.length : 0),
    });
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([type, count]) => ({ type, ...count }));
}

/** Whether the report, with its summary, is shown at a terminal. */
const isShown = ({ report, json }: RehearseFlags): boolean =>
  report === undefined && json === undefined && process.stdout.isTTY === true;

/** @throws UserError */
function write(report: Report, flags: RehearseFlags): void {
  const { report: markdownFile, json } = flags;
  const markdown = toMarkdown(report);
  if (isShown(flags)) process.stdout.write(`\n${toTerminal(report)}`);
  else if (markdownFile === undefined && json === undefined) process.stdout.write(markdown);
  const files = [
    [markdownFile, markdown],
    [json, `${JSON.stringify(report, undefined, 2)}\n`],
  ] as const;
  for (const [file, text] of files) {
    if (file === undefined) continue;
    try {
      writeFileSync(file, text);
    } catch (error) {
      // Prints the report, so that the run need not be repeated for it.
      process.stdout.write(markdown);
      throw new UserError(`${file} cannot be written (${(error as Error).message}). Choose another file.`);
    }
  }
}

/** Serves the copy until the rehearsal is interrupted. */
async function keep(copy: Copy, processes: Processes): Promise<void> {
  say(`the copy is at ${copy.url}, with SLIPWAY_TOKEN=${copy.token}. Press Ctrl-C to stop it.`);
  await processes.interrupted.catch(() => {});
}
