import type { z } from "zod";
import { Client } from "../client/client";
import type { Settings } from "../client/config";
import { failuresOf, type Rule, withoutNulls } from "../core/check";
import type { Resource } from "../core/resource";
import type { Plain } from "../core/values";

/** A read from the service that needs no resource in the program. */
export interface Lookup<
  A extends z.ZodObject = z.ZodObject,
  R extends z.ZodObject = z.ZodObject,
  L extends string | undefined = string | undefined,
  S extends string = string,
> {
  args: A;
  /** The resource of which a result has inputs and outputs; undefined if the result has a shape of its own. */
  resource?: Resource;
  /** The schema of the answer, or of one item if the answer is a list. */
  result: R;
  /** The key of the list in the object that a Pulumi function returns; undefined if the answer is one result. */
  list: L;
  /** The secret members of a result. Functions of the plugin do not return these, because SDKs would reveal them. */
  secret?: readonly S[];
  /** Rules over several arguments. */
  rules?: readonly Rule<z.output<A>>[];
  find(client: Client, args: z.output<A>, inform: Inform): Promise<Answer<R, L>>;
}

export type Answer<R extends z.ZodObject, L> = L extends string ? z.output<R>[] : z.output<R>;

/** Shows the user a message about a wait. */
export type Inform = (message: string) => void;

/** Defines a look-up that returns one result. */
export const lookup = <A extends z.ZodObject, R extends z.ZodObject, const S extends string = never>(
  definition: Omit<Lookup<A, R, undefined, S>, "list">,
): Lookup<A, R, undefined, S> => ({ ...definition, list: undefined });

/** Defines a look-up that returns a list. */
export const listLookup = <A extends z.ZodObject, R extends z.ZodObject, const S extends string = never>(
  definition: Lookup<A, R, string, S>,
): Lookup<A, R, string, S> => definition;

interface Question<A extends z.ZodObject, R extends z.ZodObject, L extends string | undefined> {
  /** The name of the look-up. */
  name: string;
  lookup: Lookup<A, R, L>;
  args: Plain;
  inform: Inform;
}

/**
 * The clients that look-ups send requests with. They have no cache, because another process and other providers of the
 * program change the objects meanwhile.
 */
export class LookupClients {
  readonly #clients = new Map<string, Client>();

  /** Runs a look-up. @throws Error with the look-up's name for invalid arguments */
  async ask<A extends z.ZodObject, R extends z.ZodObject, L extends string | undefined>(
    settings: Settings,
    { name, lookup, args, inform }: Question<A, R, L>,
  ): Promise<Answer<R, L>> {
    const given = withoutNulls(lookup.args, args);
    const reasons = failuresOf(lookup.args, lookup.rules ?? [], given).map(({ reason }) => reason);
    if (reasons.length > 0) throw new Error(`${name}: ${reasons.join(" ")}`);
    return lookup.find(this.for(settings), lookup.args.parse(given), inform);
  }

  /** Returns the client for these settings, which later calls share. */
  for(settings: Settings): Client {
    const key = JSON.stringify(settings);
    const client = this.#clients.get(key) ?? new Client(settings, { freshMs: 0 });
    this.#clients.set(key, client);
    return client;
  }
}
