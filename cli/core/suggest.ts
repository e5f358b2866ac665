import { closest } from "../../provider/core/suggest";

/** @returns ` Did you mean x?`, or nothing */
export function suggestion(word: string, words: readonly string[]): string {
  const near = closest(word, words);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}
