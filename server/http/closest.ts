/** The maximum number of wrong letters in a path. */
const mostWrong = 2;

/**
 * The known path that is closest to a requested path. Both have the same number of segments, and few letters differ.
 * @param path the path without its version
 */
export function closest(path: string, known: Iterable<string>): string | undefined {
  const given = path.split("/");
  let best: { path: string; wrong: number } | undefined;
  for (const candidate of known) {
    const segments = candidate.replace(/^\/v\d+(?=\/)/, "").split("/");
    if (segments.length !== given.length) continue;
    const wrong = segments.reduce((sum, segment, at) => sum + wrongIn(segment, given[at] ?? ""), 0);
    if (wrong <= mostWrong && (best === undefined || wrong < best.wrong)) best = { path: candidate, wrong };
  }
  return best?.path.replace(/:([^/]+)/g, "{$1}");
}

/** The number of wrong letters in a segment; infinite if more than a third are. A parameter matches any segment. */
function wrongIn(segment: string, given: string): number {
  if (segment.startsWith(":")) return given === "" ? Infinity : 0;
  const wrong = distance(segment, given);
  return wrong * 3 > segment.length ? Infinity : wrong;
}

/** The edit distance: the number of letters to add, remove or exchange. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > mostWrong) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
