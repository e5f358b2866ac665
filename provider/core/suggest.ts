/** The known word that is closest to a misspelled one; undefined if none is close. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const isOfLength = (one: string): boolean =>
    Math.abs(word.length - one.length) <= Math.max(word.length, one.length) / 3;
  const near = known
    // The distance is at least the difference of the lengths, and takes long to find for a long text.
    .filter(isOfLength)
    .map((one) => ({ one, distance: distanceOf(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, distance }) => distance <= Math.max(word.length, one.length) / 3)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.one;
}

/** The edit distance: substitutions, insertions, deletions, and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const steps = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1)];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) steps.push(at(before, j - 2) + 1);
      row.push(Math.min(...steps));
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], i: number): number => row[i] ?? Number.POSITIVE_INFINITY;
