import type { Operation } from "./definition";
import { isIgnored } from "./ignored";
import { reasonForOwner } from "./key-step";
import type { UniqueKeys } from "./unique-keys";
import type { Plain } from "./values";

/** An existing object that has the keys of a new resource. */
export interface Existing<T> {
  unique: UniqueKeys;
  keys: readonly string[];
  id: string;
  /** The name of the object for messages. */
  what: string;
  /** The inputs that differ from the object's settings. */
  changed: readonly string[];
  /** The message for a resource that does not adopt the object. */
  refusal: string;
  /** Writes these inputs to the object. */
  change(inputs: readonly string[]): Promise<T>;
}

/**
 * Takes an object over from another resource of the stack, or adopts an unmanaged one. Changes the object as declared,
 * but an adoption leaves out the inputs that the program ignores.
 * @throws Error when the resource must not have the object
 */
export async function takeOver<I extends Plain, T>(
  { run, isOfStack, adopt, ignored }: Operation<I, unknown>,
  declared: I,
  { unique, keys, id, what, changed, refusal, change }: Existing<T>,
): Promise<T> {
  if (await isOfStack(what, id)) {
    const reason = await reasonForOwner(run, unique, { declared }, keys, id);
    if (reason !== undefined) throw new Error(reason);
    return change(declared.adopt ? await withoutIgnored() : changed);
  }
  if (!declared.adopt) throw new Error(refusal);
  const managed = await withoutIgnored();
  return adopt(what, [id], () => change(managed));

  async function withoutIgnored(): Promise<readonly string[]> {
    const paths = changed.length > 0 ? await ignored() : [];
    return changed.filter((input) => !isIgnored(paths, [input]));
  }
}
