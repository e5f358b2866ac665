import type * as z from "zod";

/** An argument of a command. */
export interface Argument {
  /** The name in the usage: `project` is shown as `<project>`. */
  readonly name: string;
  readonly help: string;
  readonly isOptional?: true;
  /** Takes all words that follow. Only the last argument can be repeated. */
  readonly isRepeated?: true;
  /** The argument is the command line of another program, after `--`. */
  readonly isCommandLine?: true;
  /** The value can begin with `-` and a digit. It is then not read as a flag. */
  readonly isSigned?: true;
  readonly choices?: readonly string[];
}

/** A flag. Its name follows from its key in `flags`: `failOn` becomes `--fail-on`. */
export interface Flag {
  readonly help: string;
  /** The name of the value, as in `--port <number>`. A flag without this name is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly default?: unknown;
  /** The help shows this text instead of `default`. */
  readonly shownDefault?: string;
  readonly choices?: readonly string[];
  /** For completion: the words that the value can contain, separated by commas. */
  readonly listOf?: readonly string[];
  /** The flag may be given several times. Its value is then a list. */
  readonly isRepeated?: true;
  /** The environment variable that gives the value if the flag is absent. */
  readonly variable?: string;
  /** Converts the text of the value. @throws InvalidArgumentError */
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
  /** The values of the arguments in their order. All values of a repeated argument are at the end. */
  readonly args: readonly string[];
  readonly flags: Given<F>;
  /** True if `--json` is given. Commands with a schema in `output` have this flag. */
  readonly json: boolean;
  /** All commands, and the summaries of their groups. */
  readonly commands: readonly CommandEntry[];
  readonly groups: Readonly<Record<string, string>>;
}

/**
 * The declaration of a command. Its help, its completion and its section in docs/cli.md are generated from this.
 * Standard output is for the result, standard error for everything else.
 */
export interface Command<F extends Flags = Flags> {
  /** One line without a period, for the list of commands. */
  readonly summary: string;
  /** Sentences, for the help and the reference. */
  readonly description: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: F;
  /** Command lines with their effects. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Text below the flags of the help. */
  readonly notes?: string;
  /** Exit codes besides 0 (success), 1 (failure) and 2 (invalid usage). */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** The output of `--json`. Its JSON Schema is published as docs/schemas/<command>.json. */
  readonly output?: z.ZodType;
  /** `--json` writes one object per line. `output` is the schema of one object. */
  readonly isStream?: true;
  /** @returns the exit code, by default 0 @throws UserError, ConfigError */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(call: Call<F>): Promise<number | void> | number | void;
}

/** Declares a command, and infers the types of its flags. */
export function command<const F extends Flags = Record<never, Flag>>(declaration: Command<F>): Command {
  return declaration as unknown as Command;
}

/** An entry in the list of commands. Only the code of the command that runs is loaded. */
export interface CommandEntry {
  /** The words of the command: `dns set` belongs to the group `dns`. */
  readonly name: string;
  /** The heading of the command in the list of commands. */
  readonly heading: string;
  readonly load: () => Command;
}

/** The flags of a command, with `--json` if it has an output. */
export const flagsOf = ({ flags = {}, output, isStream }: Command): Flags =>
  output === undefined || flags.json !== undefined
    ? flags
    : { ...flags, json: { help: isStream ? "prints one JSON object per line" : "prints JSON" } };

/** @param key the key of a flag, such as `failOn` @returns its name, `--fail-on` */
export const flagNameOf = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** @returns `--port <number>` */
export function flagUsageOf(key: string, { value, short }: Flag): string {
  const names = [...(short === undefined ? [] : [`-${short}`]), flagNameOf(key)].join(", ");
  return value === undefined ? names : `${names} <${value}>`;
}

/** @returns the usage without the name of the command, such as `<project> [flags]` */
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
