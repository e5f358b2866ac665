import type * as z from "zod";

/** An argument of a command, in the order of the usage. */
export interface Argument {
  /** As the usage shows it: `project` is `<project>`. */
  readonly name: string;
  readonly help: string;
  readonly isOptional?: true;
  /** Takes all that follow. Only the last argument can. */
  readonly isRepeated?: true;
  /** A command line of another program, at the end after `--`. */
  readonly isCommandLine?: true;
  /** Can begin with `-` and a digit, which is then not read as a flag. */
  readonly isSigned?: true;
  readonly choices?: readonly string[];
}

/** A flag. The key names it: `failOn` is `--fail-on`. */
export interface Flag {
  readonly help: string;
  /** The name of its value, as in `--port <number>`. Without one it is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly default?: unknown;
  /** Shown instead of the default. */
  readonly shownDefault?: string;
  readonly choices?: readonly string[];
  /** The words that its value can have, separated by commas, for completion. */
  readonly listOf?: readonly string[];
  /** May be given several times; its value is a list. */
  readonly isRepeated?: true;
  /** The environment variable that stands in for the flag. */
  readonly variable?: string;
  /** @throws InvalidArgumentError */
  readonly parse?: (text: string) => unknown;
}

export type Flags = Readonly<Record<string, Flag>>;

type One<F extends Flag> = F extends { parse: (text: string) => infer Parsed }
  ? Parsed
  : F extends { choices: readonly (infer Choice)[] }
    ? Choice
    : F extends { value: string }
      ? string
      : boolean;

type Value<F extends Flag> = F extends { isRepeated: true } ? One<F>[] : One<F>;

type Given<F extends Flags> = {
  [K in keyof F]: F[K] extends { default: unknown } ? Value<F[K]> : Value<F[K]> | undefined;
};

/** The arguments and flags of one call. */
export interface Call<F extends Flags = Flags> {
  /** The values of the arguments in their order. A repeated argument has several, one after the other. */
  readonly args: readonly string[];
  readonly flags: Given<F>;
  /** True with `--json`, which a command with a schema in `output` has. */
  readonly json: boolean;
  /** All commands, and the summaries of their groups. */
  readonly commands: readonly CommandEntry[];
  readonly groups: Readonly<Record<string, string>>;
}

/**
 * A command: its help, its section in docs/cli.md, its completion and its place in the program follow from this.
 * Standard output is for the result, standard error for everything else.
 */
export interface Command<F extends Flags = Flags> {
  /** One line without a period, for the list of commands. */
  readonly summary: string;
  /** Sentences, for the help and the reference. */
  readonly description: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: F;
  /** Command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Text below the flags of the help. */
  readonly notes?: string;
  /** Exit codes besides 0 (success), 1 (failure) and 2 (invalid usage). */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** The output of `--json`. Its JSON Schema is published as docs/schemas/<command>.json. */
  readonly output?: z.ZodType;
  /** `--json` writes one object per line, each as `output` says. */
  readonly isStream?: true;
  /** @returns the exit code, by default 0 @throws UserError, ConfigError */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(call: Call<F>): Promise<number | void> | number | void;
}

/** Declares a command. */
export function command<const F extends Flags = Record<never, Flag>>(declaration: Command<F>): Command {
  return declaration as unknown as Command;
}

/** An entry in the list of commands. Only the code of the command that runs is loaded. */
export interface CommandEntry {
  /** Its words: `dns set` belongs to the group `dns`. */
  readonly name: string;
  readonly load: () => Command;
}

/** The flags of a command, with `--json` if it has an output. */
export const flagsOf = ({ flags = {}, output, isStream }: Command): Flags =>
  output === undefined || flags.json !== undefined
    ? flags
    : { ...flags, json: { help: isStream ? "prints one JSON object per line" : "prints JSON" } };

/** @param key such as `failOn` @returns `--fail-on` */
export const flagNameOf = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** @returns `--port <number>` */
export function flagUsageOf(key: string, { value, short }: Flag): string {
  const names = [...(short === undefined ? [] : [`-${short}`]), flagNameOf(key)].join(", ");
  return value === undefined ? names : `${names} <${value}>`;
}

/** @returns such as `<project> [flags]`, without the name of the command */
export function usageOf(declared: Command): string {
  const given = declared.arguments ?? [];
  const flags = Object.keys(flagsOf(declared)).length > 0 ? ["[flags]"] : [];
  const isLast = given.some(({ isCommandLine }) => isCommandLine);
  const words = given.map(argumentUsageOf);
  return (isLast ? [...flags, "--", ...words] : [...words, ...flags]).join(" ");
}

/** @returns `<project>`, `[what...]` */
export function argumentUsageOf({ name, isOptional, isRepeated }: Argument): string {
  const text = isRepeated ? `${name}...` : name;
  return isOptional ? `[${text}]` : `<${text}>`;
}

/** The exit codes of a command, with their meanings. */
export const exitCodesOf = ({ exitCodes }: Command): Record<number, string> => ({
  0: "success",
  1: "failure",
  2: "invalid usage",
  ...exitCodes,
});
