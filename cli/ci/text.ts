import { isSecretName } from "../../provider/core/secret-names";

/** The hidden first line of a comment or an issue. By this line, the next pipeline finds the comment or issue. */
export const markerFor = (name: string): string => `<!-- slipway: ${name.replaceAll("--", "-")} -->`;

/** True if a text begins with the marker: a pipeline wrote it. A reply that quotes the text does not begin with it. */
export const hasMarker = (body: string, marker: string): boolean =>
  body.replaceAll("\r\n", "\n").trimStart().startsWith(`${marker}\n`);

/** True if two texts are the same except for line ends, which some hosts change. */
export const isSameText = (a: string, b: string): boolean => normal(a) === normal(b);
const normal = (text: string): string => text.replaceAll("\r\n", "\n").trim();

/**
 * Cuts Markdown at the end of a line, to at most `longest` characters. Closes the code blocks and folded parts in it.
 * @param note the last line, which says where the rest is
 */
export function shortened(text: string, longest: number, note: string): string {
  if (text.length <= longest) return text;
  // Leaves room for the lines that close a code block and some folded parts.
  const limit = longest - note.length - 100;
  const whole = text.slice(0, limit);
  const cut = whole.slice(0, whole.lastIndexOf("\n"));
  return [cut, ...openEnds(cut), "", note].join("\n");
}

/** The lines that close the code block and the folded parts that a text leaves open. */
function openEnds(text: string): string[] {
  let fence: string | undefined;
  let folded = 0;
  for (const line of text.split("\n")) {
    const [, ticks] = /^\s*(`{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (ticks !== undefined && ticks.length >= fence.length) fence = undefined;
      continue;
    }
    if (ticks !== undefined) fence = ticks;
    folded += (line.match(/<details>/g) ?? []).length - (line.match(/<\/details>/g) ?? []).length;
  }
  return [
    ...(fence === undefined ? [] : [fence]),
    ...Array<string>(Math.max(0, Math.min(folded, 5))).fill("\n</details>"),
  ];
}

/** The text as a code block. Its fence is longer than any fence in the text. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

/** True for the name of an environment variable with a secret of a pipeline. `PWD` is the working directory. */
const isSecretVariable = (name: string): boolean =>
  name === "AZURE_STORAGE_KEY" || (name !== "PWD" && isSecretName(name));

/** The text without the secrets of the pipeline. */
export function withoutSecrets(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const secrets = Object.entries(environment).flatMap(([name, value = ""]) =>
    isSecretVariable(name) && value.length >= 8 ? [value] : [],
  );
  // The longest first, because one secret may contain another.
  const sorted = secrets.sort((a, b) => b.length - a.length);
  return sorted.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
}
