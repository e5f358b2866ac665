/** A queue that serves its keys round robin: the first item of each key comes before the second item of any key. */
export class FairQueue<T> {
  /** The items by key. The order of the keys is the order in which they are served. */
  private readonly lines = new Map<string, T[]>();
  size = 0;

  push(key: string, item: T): void {
    this.size += 1;
    const line = this.lines.get(key);
    if (line) line.push(item);
    else this.lines.set(key, [item]);
  }

  /** Removes the next item. @param mayTake skips the keys for which it returns false */
  shift(mayTake: (key: string) => boolean = () => true): { key: string; item: T } | undefined {
    for (const [key, line] of this.lines) {
      if (!mayTake(key)) continue;
      const item = line.shift() as T;
      // The next key is the first one now. A single one stays.
      if (line.length === 0 || this.lines.size > 1) this.lines.delete(key);
      if (line.length > 0) this.lines.set(key, line);
      this.size -= 1;
      return { key, item };
    }
    return undefined;
  }
}
