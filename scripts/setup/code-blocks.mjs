/** @returns {Record<string, string>} the first code block of a text in each language, by the language */
export function firstBlocks(text) {
  const found = {};
  for (const [, language, code] of text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) found[language] ??= code;
  return found;
}
