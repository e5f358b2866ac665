/** Answers as text, each under the version of its row, so that a stale one is never given out. */
export interface Rendered {
  get(id: string, version: number): string | undefined;
  set(id: string, version: number, text: string): void;
}

/**
 * Keeps the answers that were made last.
 * @param limit characters kept at most
 */
export function renderedAnswers(limit = 16 * 1024 * 1024): Rendered {
  const kept = new Map<string, { version: number; text: string }>();
  let size = 0;
  const drop = (id: string): void => {
    size -= kept.get(id)?.text.length ?? 0;
    kept.delete(id);
  };
  return {
    get(id, version) {
      const entry = kept.get(id);
      return entry?.version === version ? entry.text : undefined;
    },
    set(id, version, text) {
      drop(id);
      if (text.length > limit / 16) return;
      kept.set(id, { version, text });
      size += text.length;
      for (const oldest of kept.keys()) {
        if (size <= limit) break;
        drop(oldest);
      }
    },
  };
}

/**
 * What a transaction that writes is given instead: what it makes may yet be taken back, and its version be given
 * to other content.
 */
export const nothingRendered: Rendered = { get: () => undefined, set: () => {} };
