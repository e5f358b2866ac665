/** Puts off what is costly until it is asked for, and keeps it from then on. */
export function lazy<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
