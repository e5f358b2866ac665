import { type Command, type CommandEntry, flagNameOf, flagsOf } from "../core/command";

/** The words that can follow a command line. */
export interface CompletionWords {
  /** Commands and groups, with their summaries. */
  first: [word: string, summary: string][];
  /** The commands of each group. */
  groups: Record<string, [word: string, summary: string][]>;
  commands: {
    /** Such as `dns set`. */
    name: string;
    /** Each flag has one or two names, such as `--follow` and `-f`. */
    flags: {
      names: string[];
      help: string;
      takesValue: boolean;
      choices: readonly string[];
      /** True if the value can be several choices, separated by commas. */
      isList: boolean;
    }[];
    /** Choices of the first argument. */
    choices: readonly string[];
  }[];
}

export function completionWords(
  entries: readonly CommandEntry[],
  groupSummaries: Readonly<Record<string, string>>,
): CompletionWords {
  const first = new Map<string, string>();
  const groups: CompletionWords["groups"] = {};
  const commands = entries.map(({ name, load }) => {
    const declared = load();
    const [word = "", second] = name.split(" ");
    if (second === undefined) first.set(word, declared.summary);
    else {
      first.set(word, groupSummaries[word] ?? "");
      groups[word] = [...(groups[word] ?? []), [second, declared.summary]];
    }
    return { name, flags: flagWords(declared), choices: declared.arguments?.[0]?.choices ?? [] };
  });
  return { first: [...first], groups, commands };
}

const flagWords = (declared: Command): CompletionWords["commands"][number]["flags"] => [
  ...Object.entries(flagsOf(declared)).map(
    ([key, { short, help, value, listOf, choices = listOf ?? [] }]) => ({
      names: [flagNameOf(key), ...(short === undefined ? [] : [`-${short}`])],
      help,
      takesValue: value !== undefined,
      choices,
      isList: listOf !== undefined,
    }),
  ),
  { names: ["--help", "-h"], help: "shows the help", takesValue: false, choices: [], isList: false },
];
