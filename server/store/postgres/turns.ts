/** Lets tasks of the same name run one after the other, in the order in which they came. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  async take<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(name);
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.last.set(name, finished);
    try {
      await before;
      return await task();
    } finally {
      if (this.last.get(name) === finished) this.last.delete(name);
      finish();
    }
  }
}
