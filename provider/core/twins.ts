import type { Operation } from "./definition";

/**
 * The first of some objects that equal a new one and that no resource of the stack has: an interrupted run can leave one.
 * An object whose owner is unknown counts. A resource that leaves the program still has its object during the run.
 * @param idOf the id of the resource that would have the object
 */
export async function unmanagedTwin<T>(
  { isOfStack }: Pick<Operation<unknown, unknown>, "isOfStack">,
  twins: readonly T[],
  idOf: (twin: T) => string,
): Promise<T | undefined> {
  for (const twin of twins) {
    const isManaged = await isOfStack("The equal object", idOf(twin)).catch(() => false);
    if (!isManaged) return twin;
  }
  return undefined;
}
