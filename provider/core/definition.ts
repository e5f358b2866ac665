import type { z } from "zod";
import type { Client } from "../client/client";
import type { Failure, Rule } from "./check";
import type { Change } from "./diff";
import type { Plain } from "./values";

/** What a module of `resources/` hands to `resource()`: the part that is particular to one kind of object. */

/** The result of a create or update: id, owner and outputs of the object. */
export interface Created<O> {
  id: string;
  accountId: string;
  outputs: O;
}

/** The result of a read: also the inputs, as the service has them. */
export interface ReadResult<I, O> extends Created<O> {
  inputs: Partial<I>;
}

/** What the steps of a create, update or delete work with. */
export interface Operation<I, O> {
  client: Client;
  /** Nobody knows whether all of the last change took effect, so that what looks unchanged has to be sent, too. */
  unsure: boolean;
  /**
   * Saves the progress of a create or update, so that a later failure loses nothing.
   * @param applied the inputs that hold by now
   */
  checkpoint(made: Created<O>, applied: Partial<I>): void;
  /** Tells the user something that is no error. */
  warn(message: string): void;
  /** Says what is about to be made, by what makes it the only one of its kind, unless another resource has said so. */
  claim(names: readonly string[]): void;
  /**
   * Takes over an object that exists.
   * @param names what the object is called: its id, and what makes it the only one of its kind
   * @throws Error when another resource has it
   */
  adopt<T>(what: string, names: readonly [id: string, ...string[]], step: () => Promise<T>): Promise<T>;
  /** Whether another resource has an object, which then is left alone. */
  isOthers(id: string): boolean;
  /**
   * The way out when what was to be made exists and is not to be adopted.
   * @param otherwise such as "choose another name"
   */
  wayOut(names: readonly string[], otherwise: string): string;
}

/** What is particular to a resource. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  type: string;
  /** What a user may declare. */
  inputs: I;
  /** What a program can read beside the inputs. */
  outputs: O;
  /** Inputs and outputs that are secret as a whole. */
  secret?: readonly string[];
  /** What holds of an input that is not given, and again when it leaves the program. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Outputs that no update changes. */
  stable?: readonly (keyof z.output<O> & string)[];
  /** The input `name` of one that is not named: after what the program calls the resource. */
  autoName?(logicalName: string): string;
  /** Inputs whose change replaces the object. */
  replaceOn?: readonly (keyof z.output<I> & string)[];
  /** The same, when it depends on what there is. */
  replaces?(key: string, state: Plain): boolean;
  /** Whether the old object has to go before the new one can be made: true when it always has to. */
  deleteFirst?: true | ((state: Plain, news: Plain) => boolean);
  /** What no schema says: about values that are known, never about the others. */
  rules?: readonly Rule<z.output<I>>[];
  /** What only the service can tell, asked while nothing is changed yet: about values that are known. */
  refusals?(client: Client, previous: Plain, news: Plain): Promise<Failure[]>;
  /** Corrects the comparison of a key; undefined leaves it as it is. */
  compare?(
    key: string,
    state: Plain,
    news: Plain,
    client: Client,
  ): Promise<boolean | undefined> | boolean | undefined;
  /** Changes that are not about an input. */
  drift?(state: Plain): Change[];
  /** The ids of the objects that it has at the service and nobody else: itself, if it can be adopted. */
  objects?(outputs: z.output<O>): string[];

  create(operation: Operation<z.output<I>, z.output<O>>, inputs: z.output<I>): Promise<Created<z.output<O>>>;
  /**
   * @param state what was known, or undefined when only the id is: then all that can be declared is returned
   * @throws ApiError 404 when it is gone
   */
  read(
    client: Client,
    id: string,
    state: (Partial<z.output<I>> & Partial<z.output<O>>) | undefined,
  ): Promise<ReadResult<z.output<I>, z.output<O>>>;
  update(
    operation: Operation<z.output<I>, z.output<O>>,
    id: string,
    state: Partial<z.output<I>> & z.output<O>,
    news: z.output<I>,
  ): Promise<Created<z.output<O>>>;
  remove(
    operation: Operation<z.output<I>, z.output<O>>,
    id: string,
    state: Partial<z.output<I>> & z.output<O>,
  ): Promise<void>;
}
