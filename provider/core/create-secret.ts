import type { z } from "zod";
import { ifFound } from "../client/errors";
import type { RequestOptions } from "../client/transport";
import type { Operation } from "./definition";
import { unmanagedTwin } from "./twins";

/** A new object without a unique key, of which only the answer to the create has the secret. */
export interface SecretObject<T extends { id: string }, C> {
  request: RequestOptions & { shape: z.ZodType<C> };
  /** Lists the objects that equal the new one, uncached, without those of other resources of the run. */
  equal(): Promise<T[]>;
  /** The id of a resource with the object. Default: that of the object. */
  idOf?(one: T): string;
  /** The warning about an equal object. An interrupted run can leave one, which looks like that of another program. */
  twinHint(twin: T): string;
  remove(id: string): Promise<unknown>;
}

/**
 * Creates an object whose secret is lost with the answer. After a lost answer, an equal object that was not listed before
 * is deleted, and another one is created. Steps that create equal objects must run one after the other.
 */
export async function createSecret<T extends { id: string }, C>(
  operation: Pick<Operation<unknown, unknown>, "client" | "warn" | "isOfStack">,
  { request, equal, idOf = ({ id }) => id, twinHint, remove }: SecretObject<T, C>,
): Promise<C> {
  const before = await equal();
  const twin = await unmanagedTwin(operation, before, idOf);
  if (twin) operation.warn(twinHint(twin));
  const look = async (): Promise<undefined> => {
    const lost = (await equal()).filter(({ id }) => !before.some((other) => other.id === id));
    for (const { id } of lost) await ifFound(remove(id));
  };
  return operation.client.create({ request, look, existed: false, mayBeTwice: true });
}
