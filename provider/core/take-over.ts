import { type ApiError, isConflict, isRefused } from "../client/errors";
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

/** An object that a resource creates, or takes over if it exists. `T` is the object at the service. */
export interface NewObject<R, T extends R = R> {
  /** True if it cannot exist before the create, as in a project of this run. Otherwise, it is looked up first. */
  isNew?: boolean;
  /** Looks the object up, uncached. */
  find(): Promise<T | undefined>;
  /** Returns the id that a resource with the object has. */
  idOf(existing: T): string;
  /** Creates the object exactly once. @param look looks the object up after a lost answer */
  create(look: () => Promise<T | undefined>): Promise<R>;
  /** The service refuses an object that exists with 400. */
  refusesWith400?: true;
  /** Adopts an object, or takes it over from another resource of the stack. */
  take(existing: T): Promise<R>;
  /** The error for a refused create. @param existing the object that exists; undefined if there is none */
  refusal(error: ApiError, existing: T | undefined): unknown;
}

/**
 * Creates an object exactly once, or takes over an existing one.
 * @throws ApiError with a hint if the object exists and the resource does not adopt it
 */
export async function createOrTake<R, T extends R = R>(
  operation: Pick<Operation<Plain, unknown>, "isOthers">,
  adopt: boolean | undefined,
  object: NewObject<R, T>,
): Promise<R> {
  const { create, refusesWith400, take, refusal } = object;
  const before = await findBefore(object);
  if (before) return take(before);
  const findOurs = () => findUnlessOthers(operation, object);
  let isRepeated = false;
  const look = (): Promise<T | undefined> => {
    isRepeated = true;
    return findOurs();
  };
  try {
    return await create(look);
  } catch (error) {
    if (!mayExist(error, refusesWith400)) throw error;
    // The object was created meanwhile, by an earlier attempt or by somebody else.
    const existing = await findOurs();
    if (existing && isRepeated) return existing;
    if (existing && adopt) return take(existing);
    throw refusal(error, existing);
  }
}

const findBefore = async <R, T extends R>({ isNew, find }: NewObject<R, T>): Promise<T | undefined> =>
  isNew ? undefined : find();

/** Ignores an object that another resource has created meanwhile. */
async function findUnlessOthers<R, T extends R>(
  { isOthers }: Pick<Operation<Plain, unknown>, "isOthers">,
  { find, idOf }: NewObject<R, T>,
): Promise<T | undefined> {
  const existing = await find();
  return existing && !isOthers(idOf(existing)) ? existing : undefined;
}

const mayExist = (error: unknown, refusesWith400 = false): error is ApiError =>
  isConflict(error) || (refusesWith400 && isRefused(error));
