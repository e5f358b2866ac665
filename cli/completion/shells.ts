// The scripts refer to variables of the shell as ${…}.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders belong to the shell
import type { CompletionWords } from "./words";

/** Quotes a text in the same way for all shells: in single quotes, with `’` in place of single quotes in the text. */
const quoted = (text: string): string => `'${text.replaceAll("'", "’")}'`;
const list = (words: readonly string[]): string => words.join(" ");
const wordsOf = (pairs: readonly (readonly [string, string])[]): string => list(pairs.map(([word]) => word));

/** A line of a case statement for each flag with a value. @param use returns the command that offers the choices */
function valueCases(
  { flags }: CompletionWords["commands"][number],
  indent: string,
  use: (words: string, isList: boolean) => string,
): string[] {
  return flags
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices, isList }) => `${indent}${names.join("|")}) ${use(list(choices), isList)} ;;`);
}

/** A pattern of the flags that take a value in every command that has them. The next word is the value. */
function valueFlags({ commands }: CompletionWords): string {
  const flags = commands.flatMap(({ flags }) => flags);
  const namesOf = (takesValue: boolean): string[] =>
    flags.filter((flag) => flag.takesValue === takesValue).flatMap(({ names }) => names);
  const switches = namesOf(false);
  return [...new Set(namesOf(true))].filter((name) => !switches.includes(name)).join("|");
}

/** A script for bash, which needs no other package. */
export function bashScript(all: CompletionWords): string {
  const { first, groups, commands } = all;
  const cases = commands.flatMap((command) => {
    const { name, flags, choices } = command;
    const values = valueCases(
      command,
      "        ",
      (words, isList) =>
        `words=${quoted(words)}; isValue=1${isList ? '; before="${current%"${current##*,}"}"' : ""}`,
    );
    return [
      `    ${quoted(name)})`,
      ...(values.length > 0 ? ['      case "$previous" in', ...values, "      esac"] : []),
      `      flags=${quoted(list(flags.flatMap(({ names }) => names)))}`,
      `      choices=${quoted(list(choices))}`,
      "      ;;",
    ];
  });
  return [
    "# Completion of slipway in bash. Load it with: source <(slipway completion bash)",
    "_slipway() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    "  local command='' arguments=0 word words='' flags='' choices='' isValue=0 before='' at",
    "  for ((at = 1; at < COMP_CWORD; at++)); do",
    '    word="${COMP_WORDS[at]}"',
    `    case "\${COMP_WORDS[at-1]}" in ${valueFlags(all)}) continue ;; esac`,
    '    case "$word" in -*) continue ;; esac',
    '    case "$command" in',
    `      '') command="$word" ;;`,
    ...Object.keys(groups).map((group) => `      ${quoted(group)}) command="$command $word" ;;`),
    "      *) arguments=$((arguments + 1)) ;;",
    "    esac",
    "  done",
    "  COMPREPLY=()",
    '  case "$command" in',
    `    '') words=${quoted(wordsOf(first))}; flags='--help --version' ;;`,
    ...Object.entries(groups).map(
      ([group, pairs]) => `    ${quoted(group)}) words=${quoted(wordsOf(pairs))} ;;`,
    ),
    ...cases,
    "  esac",
    '  [ "$isValue" = 0 ] && [ "$arguments" = 0 ] && [ -n "$choices" ] && words="$choices"',
    '  case "$current" in -*) [ "$isValue" = 0 ] && words="$flags" ;; esac',
    '  [ -n "$words" ] && COMPREPLY=($(compgen -P "$before" -W "$words" -- "${current#"$before"}"))',
    "  return 0",
    "}",
    "# If no word of slipway matches, the shell completes file names.",
    "complete -o default -F _slipway slipway",
    "",
  ].join("\n");
}

/** A script for zsh. */
export function zshScript(all: CompletionWords): string {
  const { first, groups, commands } = all;
  const described = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([word, summary]) => quoted(`${word}:${summary.replaceAll(":", "\\:")}`)).join(" ");
  return [
    "#compdef slipway",
    "# Completion of slipway in zsh. Load it with: source <(slipway completion zsh)",
    "_slipway() {",
    '  local command="" word before="" previous="${words[CURRENT-1]}"',
    "  local -a found flags",
    "  integer arguments=0",
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    `    case "$before" in ${valueFlags(all)}) before="$word"; continue ;; esac`,
    '    before="$word"',
    '    [[ "$word" == -* ]] && continue',
    '    case "$command" in',
    `      '') command="$word" ;;`,
    ...Object.keys(groups).map((group) => `      ${quoted(group)}) command="$command $word" ;;`),
    "      *) arguments+=1 ;;",
    "    esac",
    "  done",
    '  case "$command" in',
    `    '') found=(${described(first)}); _describe command found; return ;;`,
    ...Object.entries(groups).map(
      ([group, pairs]) =>
        `    ${quoted(group)}) found=(${described(pairs)}); _describe command found; return ;;`,
    ),
    ...commands.flatMap((command) => [
      `    ${quoted(command.name)})`,
      '      case "$previous" in',
      ...valueCases(command, "        ", (words, isList) =>
        words === ""
          ? "_files; return"
          : `${isList ? `_values -s , value ${words}` : `compadd -- ${words}`}; return`,
      ),
      "      esac",
      `      flags=(${described(command.flags.flatMap(({ names, help }) => names.map((name) => [name, help] as const)))})`,
      ...(command.choices.length > 0
        ? [`      (( arguments == 0 )) && compadd -- ${list(command.choices)}`]
        : []),
      "      ;;",
    ]),
    "  esac",
    '  [[ "${words[CURRENT]}" == -* ]] && _describe flag flags || _files',
    "}",
    "compdef _slipway slipway",
    "",
  ].join("\n");
}

function fishChoices({ choices, isList }: CompletionWords["commands"][number]["flags"][number]): string {
  return isList ? `"(__fish_complete_list , 'string split : ${choices.join(":")}')"` : quoted(list(choices));
}

/** A script for fish. */
export function fishScript({ first, groups, commands }: CompletionWords): string {
  const names = wordsOf(first);
  const lines = [
    "# Completion of slipway in fish. Load it with: slipway completion fish | source",
    ...first.map(
      ([word, summary]) =>
        `complete -c slipway -f -n ${quoted(`not __fish_seen_subcommand_from ${names}`)} -a ${word} -d ${quoted(summary)}`,
    ),
  ];
  for (const [group, pairs] of Object.entries(groups)) {
    const isNext = `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${wordsOf(pairs)}`;
    for (const [word, summary] of pairs)
      lines.push(`complete -c slipway -f -n ${quoted(isNext)} -a ${word} -d ${quoted(summary)}`);
  }
  for (const { name, flags, choices } of commands) {
    const isThis = name
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ");
    const start = `complete -c slipway -n ${quoted(isThis)}`;
    if (choices.length > 0) lines.push(`${start} -f -a ${quoted(list(choices))}`);
    for (const flag of flags) {
      const [long = "", short] = flag.names;
      lines.push(
        [
          `${start} -l ${long.slice(2)}`,
          ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
          ...(flag.takesValue ? ["-r"] : []),
          ...(flag.choices.length > 0 ? [`-f -a ${fishChoices(flag)}`] : []),
          `-d ${quoted(flag.help)}`,
        ].join(" "),
      );
    }
  }
  return `${lines.join("\n")}\n`;
}
