import { InvalidArgumentError } from "commander";
import { suggestion } from "./suggest";

/** @returns the word @throws InvalidArgumentError with the choices, if the word is not one of them */
export function choice<C extends string>(word: string, choices: readonly C[]): C {
  if (isOneOf(word, choices)) return word;
  throw new InvalidArgumentError(choicesText(word, choices));
}

const isOneOf = <C extends string>(word: string, choices: readonly C[]): word is C =>
  (choices as readonly string[]).includes(word);

const choicesText = (word: string, choices: readonly string[]): string =>
  `Choose one of ${choices.join(", ")}.${suggestion(word, choices)}`;

/** @returns a parser of words that are separated by commas */
export const choicesFrom =
  <C extends string>(choices: readonly C[]) =>
  (text: string): C[] =>
    text.split(",").map((part) => {
      const word = part.trim();
      if (word === "") throw new InvalidArgumentError("A name before or after a comma is missing.");
      if (isOneOf(word, choices)) return word;
      throw new InvalidArgumentError(`${word} is unknown. ${choicesText(word, choices)}`);
    });

/** @returns a parser for a flag, of whole numbers from `least` to `most` */
export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    const isTooLarge = /^\d+$/.test(text) && number > most;
    const range = most < Number.MAX_SAFE_INTEGER || isTooLarge ? `${least} to ${most}` : `${least} or more`;
    throw new InvalidArgumentError(`Give a whole number, ${range}.`);
  };

/** @returns a share, greater than 0 and at most 1 @throws InvalidArgumentError */
export function share(text: string): number {
  const number = Number(text);
  if (/^[\d.]+$/.test(text) && number > 0 && number <= 1) return number;
  throw new InvalidArgumentError("Give a number above 0, at most 1.");
}

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** @param text such as `30d`, `1h30m` or `500ms` @returns milliseconds @throws InvalidArgumentError */
export function duration(text: string): number {
  if (!/^(\d+(ms|[smhdw]))+$/.test(text)) {
    throw new InvalidArgumentError("Give a duration, such as 30d, 1h30m, 45s or 500ms.");
  }
  let sum = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdw])/g)) {
    sum += Number(count) * unitsMs[unit as keyof typeof unitsMs];
  }
  return sum;
}

/** @returns a parser of durations @param shown the longest one as a user writes it */
export const durationUpTo =
  (longestMs: number, shown: string) =>
  (text: string): number => {
    const ms = duration(text);
    if (ms > longestMs) throw new InvalidArgumentError(`Give at most ${shown}.`);
    return ms;
  };

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** @returns the method in capital letters @throws InvalidArgumentError */
export const httpMethod = (text: string): string => choice(text.toUpperCase(), methods);
