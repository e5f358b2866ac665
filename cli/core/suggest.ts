/** The word of a list that is most like a mistyped one; undefined if none is like it. */
export function closestTo(word: string, words: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length * 0.4));
  let best: { word: string; distance: number } | undefined;
  for (const candidate of words) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { word: candidate, distance };
  }
  return best?.word;
}

/** @returns ` Did you mean x?`, or nothing */
export function suggestion(word: string, words: readonly string[]): string {
  const closest = closestTo(word, words);
  return closest === undefined ? "" : ` Did you mean ${closest}?`;
}

/** How many letters are inserted, removed, replaced or swapped with their neighbor. */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  const at = (i: number, j: number): number => (j === 0 ? i : i === 0 ? j : (rows[i]?.[j] ?? 0));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      (rows[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (same ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  }
  return at(a.length, b.length);
}
