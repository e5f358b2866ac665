/** Makes a costly value on first use and keeps it. */
export function lazy<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
