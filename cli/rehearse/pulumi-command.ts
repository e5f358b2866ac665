import { basename, resolve } from "node:path";
import { UsageError } from "../core/errors";

/** A command line of the Pulumi CLI that a rehearsal runs. */
export interface PulumiCommand {
  /** The words that start the CLI: `pulumi`, or `npx pulumi`. */
  readonly start: readonly string[];
  /** The arguments after `start`, except --stack, --config-file and the flags in `writesFile`. */
  readonly rest: readonly string[];
  readonly operation: "up" | "preview" | "refresh" | "destroy";
  /** The working directory of the CLI. */
  readonly folder: string;
  /** The stack in the command; undefined for the selected stack. */
  readonly stack: string | undefined;
  readonly configFile: string | undefined;
}

const operations: Readonly<Record<string, PulumiCommand["operation"]>> = {
  up: "up",
  update: "up",
  preview: "preview",
  pre: "preview",
  refresh: "refresh",
  destroy: "destroy",
  down: "destroy",
  dn: "destroy",
};

/** Flags whose values the rehearsal needs. */
const read = {
  "--stack": "stack",
  "-s": "stack",
  "--cwd": "cwd",
  "-C": "cwd",
  "--config-file": "configFile",
};

/** Global flags that take a value. The value must not be taken for the operation. */
const withValue = new Set(["--color", "--verbose", "-v", "--tracing", "--profiling", "--memprofilerate"]);

/** Flags that name a file to write, such as the plan of a later update, which must not be that of a copy. */
const writesFile = new Set(["--event-log", "--save-plan", "--import-file"]);

/** Flags without a value, which a word can follow that is not their value. */
const withoutValue =
  /^(-[yfjrdeQ]+|--(yes|skip-preview|diff|json|debug|emoji|refresh|run-program|non-interactive|continue-on-error|expect-no-changes|logflow|logtostderr|preview-only|target-dependents|exclude-dependents|exclude-protected|(show|suppress|disable)-[a-z-]+))$/;

/** True if a word is an argument, and not the value of the word before it. */
const isArgument = (previous: string): boolean => !previous.startsWith("-") || withoutValue.test(previous);

const usage = "Give the command after --, such as: slipway rehearse -- pulumi up --yes";

/** @throws UsageError for a command that is not complete, or could reach the account in a rehearsal */
export function parseCommand(given: readonly string[], environment = process.env): PulumiCommand {
  const at = given.findIndex((word) => /^pulumi(\.exe|\.cmd)?$/.test(basename(word)));
  const words = given.flatMap((word, index) => (at >= 0 && index > at ? separated(word) : [word]));
  if (words.length === 0) throw new UsageError(`No command is given. ${usage}`);
  if (at < 0) throw new UsageError(`A rehearsal runs only commands of the Pulumi CLI. ${usage}`);
  const found: Partial<Record<"stack" | "cwd" | "configFile", string>> = {};
  const rest: string[] = [];
  let operation: PulumiCommand["operation"] | undefined;
  for (let next = at + 1; next < words.length; next++) {
    const word = words[next] ?? "";
    const [flag = "", inline] = word.startsWith("-") ? splitFlag(word) : [];
    if (flag === "--remote" || flag.startsWith("--remote-"))
      throw new UsageError("A rehearsal runs on this machine: leave out --remote.");
    if (flag === "--client")
      throw new UsageError("A rehearsal starts the program itself: leave out --client.");
    // It would delete the file with the stack's configuration, even for the copied stack.
    if (flag === "--remove") continue;
    if (writesFile.has(flag)) {
      if (inline === undefined) next++;
      continue;
    }
    const name = read[flag as keyof typeof read] as keyof typeof found | undefined;
    if (name) {
      found[name] = inline ?? words[++next] ?? "";
      if (name === "cwd") rest.push(flag, found[name] ?? "");
      continue;
    }
    if (!word.startsWith("-") && operation === undefined) {
      operation = operations[word];
      if (operation === undefined) {
        throw new UsageError(
          `pulumi ${word} cannot be rehearsed. These can: up, preview, refresh and destroy. ${usage}`,
        );
      }
    } else if (!word.startsWith("-") && isArgument(words[next - 1] ?? "")) {
      throw new UsageError(
        `pulumi ${operation} with the argument ${word} cannot be rehearsed: it would run another program. Leave it out.`,
      );
    }
    rest.push(word);
    if (withValue.has(flag) && inline === undefined && next + 1 < words.length)
      rest.push(words[++next] ?? "");
  }
  if (operation === undefined)
    throw new UsageError(`The command has no operation. Add one: up, preview, refresh or destroy. ${usage}`);
  return {
    start: words.slice(0, at + 1),
    rest,
    operation,
    folder: resolve(found.cwd ?? "."),
    stack: found.stack ?? (environment.PULUMI_STACK || undefined),
    configFile: found.configFile === undefined ? undefined : resolve(found.cwd ?? ".", found.configFile),
  };
}

/** Returns the command line for the copied stack, with `--yes`, since the command cannot change the account. */
export function commandLineFor(
  { start, rest, operation }: PulumiCommand,
  { stack, configFile, eventLog }: { stack: string; configFile: string; eventLog: string },
): string[] {
  const asks = operation !== "preview" && !rest.some((word) => word === "--yes" || word === "-y");
  return [
    ...start,
    ...rest,
    ...["--stack", stack, "--config-file", configFile, "--event-log", eventLog],
    ...(asks ? ["--yes"] : []),
  ];
}

/** The flags of a word with several short flags: `-yC web` is `-y -C web`. */
function separated(word: string): string[] {
  const [, first = "", last] = /^-([yfjrdeQ]+)([a-zA-Z].*)$/s.exec(word) ?? [];
  return last === undefined ? [word] : [...first, last].map((flag) => `-${flag}`);
}

function splitFlag(word: string): [flag: string, value: string | undefined] {
  const equals = word.indexOf("=");
  if (equals > 0) return [word.slice(0, equals), word.slice(equals + 1)];
  // `-sdev` is `-s dev`.
  if (/^-[sC]./.test(word)) return [word.slice(0, 2), word.slice(2)];
  return [word, undefined];
}

/** The flag `--config`. Its short form may follow short flags without a value, as in `-yc`. */
const configFlag = /^(-[yfjrdeQ]*c|--config)$/;

/** The command for a report, without the values of `--config`. */
export const shownCommand = (words: readonly string[]): string =>
  words
    .map((word, at) => {
      const isValue = configFlag.test(words[at - 1] ?? "");
      return isValue || /^(-[yfjrdeQ]*c|--config=)./.test(word)
        ? word.replace(/^((-[yfjrdeQ]*c|--config=)?[^=]+)=.*$/s, "$1=…")
        : word;
    })
    .join(" ");
