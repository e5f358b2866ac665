import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Help,
  InvalidArgumentError,
  Option,
} from "commander";
import {
  type Argument,
  argumentUsageOf,
  type Command,
  type CommandEntry,
  exitCodesOf,
  type Flag,
  type Flags,
  flagNameOf,
  flagsOf,
  flagUsageOf,
  usageOf,
} from "./command";
import { choice } from "./parse";
import { suggestion } from "./suggest";

export interface ProgramOptions {
  description: string;
  version: string;
  commands: readonly CommandEntry[];
  /** The summaries of the groups, by name. The command `dns set` belongs to the group `dns`. */
  groups: Readonly<Record<string, string>>;
  /** Called with the exit code of the command that ran. */
  onExit: (code: number) => void;
}

/** The smallest width in which a text is wrapped. */
const narrowestText = 20;

/** The width of the help: that of the terminal. Like other programs, this one takes COLUMNS if there is no terminal. */
const helpWidth = (): number => process.stdout.columns ?? (Number(process.env.COLUMNS) || 80);

/** Begins messages of Commander as all other errors begin. */
const outputError = (text: string, write: (text: string) => void): void =>
  write(text.replace(/^error: /, "slipway: "));

/**
 * The program for a command line. It has only the command that the line names, or all commands if the line names none.
 * @throws CommanderError if the line names an unknown command
 */
export function programFor(args: readonly string[], options: ProgramOptions): CommanderCommand {
  const { commands, description, version, groups } = options;
  const program = new CommanderCommand("slipway")
    .description(description)
    .version(version)
    .exitOverride()
    .configureHelp({ minWidthToWrap: narrowestText })
    .configureOutput({ getOutHelpWidth: helpWidth, getErrHelpWidth: helpWidth, outputError });
  const named = commandsNamed(args, commands);
  const parents = new Map<string, CommanderCommand>();
  for (const { name, heading, load } of named.length > 0 ? named : commands) {
    const [first = "", second] = name.split(" ");
    let parent = program;
    if (second !== undefined) {
      parent =
        parents.get(first) ??
        program
          .command(first)
          .summary(groups[first] ?? "")
          .helpGroup(`${heading}:`)
          .exitOverride();
      parent.description(`${capitalized(groups[first] ?? "")}.`);
      parents.set(first, parent);
    }
    const made = add(parent, second ?? first, name, load(), options);
    if (second === undefined) made.helpGroup(`${heading}:`);
  }
  if (named.length === 0) refuseUnknownCommand(program, args);
  return program;
}

/** Rewrites `slipway help dns set` to `slipway dns set --help`. */
export const withoutHelpCommand = (args: readonly string[]): string[] =>
  args[0] === "help" ? [...args.slice(1), "--help"] : [...args];

/** Puts a value such as `-30d` last, after `--`, so that it is not read as a flag. */
export function withSignedLast(args: readonly string[], commands: readonly CommandEntry[]): string[] {
  const [named] = commandsNamed(args, commands);
  const isSigned = (arg: string): boolean => /^-\d/.test(arg);
  const signed = args.filter(isSigned);
  const takesSigned = named?.load().arguments?.some((argument) => argument.isSigned);
  if (!takesSigned || signed.length === 0 || args.includes("--")) return [...args];
  return [...args.filter((arg) => !isSigned(arg)), "--", ...signed];
}

function commandsNamed(args: readonly string[], commands: readonly CommandEntry[]): readonly CommandEntry[] {
  const line = args.filter((arg) => !arg.startsWith("-")).join(" ");
  return commands.filter(({ name }) => line === name || line.startsWith(`${name} `));
}

function add(
  parent: CommanderCommand,
  word: string,
  name: string,
  declared: Command,
  { onExit, commands, groups }: ProgramOptions,
): CommanderCommand {
  const made = parent.command(word).summary(declared.summary).description(declared.description);
  made.usage(usageOf(declared));
  for (const argument of declared.arguments ?? []) made.addArgument(argumentFor(argument));
  const flags = flagsOf(declared);
  for (const [key, flag] of Object.entries(flags)) made.addOption(optionFor(key, flag, flags));
  made
    .exitOverride()
    .showHelpAfterError(`Run slipway ${name} --help to see its arguments and flags.`)
    .addHelpText("after", () => `\n${helpAfter(declared, helpWidth())}`)
    .action(async () => {
      const { json, ...given } = made.opts();
      const ownJson = declared.flags?.json !== undefined;
      const code = await declared.run({
        args: made.args,
        flags: ownJson ? { ...given, json } : given,
        json: !ownJson && json === true,
        commands,
        groups,
      });
      onExit(code ?? 0);
    });
  return made;
}

function helpAfter(declared: Command, width: number): string {
  const lines = declared.examples.flatMap(([line, effect]) => [`  ${line}`, wrapped(effect, width, 6)]);
  const codes = Object.entries(exitCodesOf(declared)).map(([code, meaning]) => `${code} ${meaning}`);
  const notes = declared.notes === undefined ? [] : [wrapped(declared.notes, width), ""];
  return [...notes, "Examples:", ...lines, "", wrapped(`Exit codes: ${codes.join(", ")}.`, width)].join("\n");
}

/** A paragraph in lines of a width, with an indent. */
function wrapped(text: string, width: number, indent = 0): string {
  const help = new Help();
  help.minWidthToWrap = narrowestText;
  const paragraph = text.replace(/\s+/g, " ");
  return help.boxWrap(paragraph, width - indent).replace(/^/gm, " ".repeat(indent));
}

function argumentFor(argument: Argument): CommanderArgument {
  const made = new CommanderArgument(argumentUsageOf(argument), argument.help);
  const { choices, isCommandLine } = argument;
  // The words are the command line of another program, so they are not checked.
  if (isCommandLine) return made;
  return made.argParser((text) => (choices ? choice(text, choices) : refuseEmpty(text)));
}

function optionFor(key: string, flag: Flag, all: Flags): Option {
  const { help, choices, parse, variable, isRepeated } = flag;
  const made = new Option(flagUsageOf(key, flag), choices ? `${help} (${choices.join(", ")})` : help);
  if (variable !== undefined) made.env(variable);
  const names = ["--", ...Object.keys(all).map(flagNameOf)];
  const read = (text: string): unknown => {
    // In `--report --json file` and `--json -- pulumi up`, the word after the first flag is not its value.
    if (names.includes(text)) throw new InvalidArgumentError("It is not a value. Add the value before it.");
    return choices ? choice(text, choices) : (parse ?? String)(refuseEmpty(text));
  };
  if (flag.value !== undefined) {
    made.argParser((text, before: unknown) =>
      isRepeated ? [...(Array.isArray(before) ? before : []), read(text)] : read(text),
    );
  }
  if (flag.default !== undefined) made.default(flag.default, flag.shownDefault);
  return made;
}

/** Refuses an empty text, which a script passes for a variable that is not set. */
function refuseEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty. Give a value, or leave it out.");
  return text;
}

/** Refuses an unknown command. If --help follows it, Commander would print the help and exit with 0. */
function refuseUnknownCommand(command: CommanderCommand, [first, ...rest]: readonly string[]): void {
  if (first === undefined || first.startsWith("-") || command.commands.length === 0) return;
  const known = command.commands.find((one) => one.name() === first);
  const names = command.commands.map((one) => one.name());
  if (known) refuseUnknownCommand(known, rest);
  else command.error(`error: unknown command '${first}'.${suggestion(first, names)} ${listHint(command)}`);
}

const listHint = (command: CommanderCommand): string =>
  `${["slipway", ...(command.parent ? [command.name()] : [])].join(" ")} --help lists the commands.`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
