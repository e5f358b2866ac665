import type { z } from "zod";
import type { Client } from "../client/client";
import type { Settings } from "../client/config";
import type { Failure, Rule } from "./check";
import type { Change } from "./diff";
import type { IdInput } from "./existing-ids";
import type { PropertyPath } from "./ignored";
import type { Listing } from "./listing";
import type { ProductionEffects } from "./production";
import type { digestKey, revisionKey } from "./revision";
import type { RunContext } from "./run-context";
import type { Owner } from "./stack-snapshot";
import type { Step } from "./step";
import type { UniqueKeys } from "./unique-keys";
import type { Plain } from "./values";

/** The argument of `resource()`: the part of a resource that differs between kinds of objects. */

/** The definition of a resource. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  type: string;
  /** The name by which states load the resource from `slipway/dynamic` (see `loader`). It must never change. */
  handler: string;
  /** The scopes that an integration's token needs to manage the object; empty if only a user's token can manage it. */
  scopes: readonly string[];
  /** The form of the ids that `pulumi import` accepts, in Markdown: "`<project>/<slug>`, or `<project>/<id>`". */
  importId: string;
  /**
   * The schema of the inputs. The input `project` is always the id or the name of a project. Changing the id to the
   * name, or back, is not a change.
   */
  inputs: I;
  /** The schema of the outputs. */
  outputs: O;
  traits?: Traits<I, O>;
  checks?: Checks<I>;
  diff?: Comparison;
  ownership?: Ownership<O>;
  production?: ProductionEffects;
  /** True when the create needs the URN of the resource (`operation.urn`). */
  needsUrn?: true;
  /** Lists the objects that the service has. */
  list?: Listing;

  create(operation: Operation<z.output<I>, z.output<O>>, inputs: z.output<I>): Promise<Created<z.output<O>>>;
  /**
   * @param state the recorded state; undefined for an import or `get`, whose result has all inputs that can be declared
   * @throws ApiError 404 when the object was deleted
   */
  read(
    client: Client,
    id: string,
    state?: Partial<State<I, O>>,
  ): Promise<ReadResult<z.output<I>, z.output<O>>>;
  update(
    operation: Operation<z.output<I>, z.output<O>>,
    id: string,
    state: State<I, O>,
    news: z.output<I>,
  ): Promise<Created<z.output<O>>>;
  remove(operation: Operation<z.output<I>, z.output<O>>, id: string, state: State<I, O>): Promise<void>;
}

/** Facts about single inputs and outputs. */
export interface Traits<I extends z.ZodObject, O extends z.ZodObject> {
  /** Inputs and outputs whose whole values are secret. */
  secret?: readonly string[];
  /** The defaults of inputs, which also apply when an input is removed from the program. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Outputs that no update changes. */
  stable?: readonly (keyof z.output<O> & string)[];
  /** Inputs that the service sets if the program does not declare them. */
  computed?: readonly (keyof z.output<I> & string)[];
  /** Inputs whose change replaces the object. */
  replaceOn?: readonly (keyof z.output<I> & string)[];
  /** Inputs with ids of other objects, which are looked up at preview. In addition: the project of `project`. */
  ids?: Readonly<Partial<Record<keyof z.output<I> & string, IdInput>>>;
  /** Returns the default of the input `name` for a logical name. */
  autoName?(logicalName: string): string;
}

/** Checks and completes the inputs, before a run changes anything. */
export interface Checks<I extends z.ZodObject> {
  /** Converts inputs from programs in YAML, such as numbers to texts. */
  normalize?(inputs: Plain): Plain;
  /** Adds inputs that the program does not declare. @param previous inputs of the last run; empty for new objects */
  complete?(settings: Settings, previous: Plain, inputs: Plain): Plain;
  /** Rules about several inputs. They get known values only. */
  rules?: readonly Rule<z.output<I>>[];
  /**
   * Warnings about inputs that pass the rules, and about the files that they name. They never quote a value. `news` may
   * contain `unknown`.
   */
  warnings?(news: Plain): string[] | Promise<string[]>;
  /** Checks that send requests to the service, at preview. `news` may contain `unknown`. */
  refusals?(client: Client, previous: Plain, news: Plain, run: RunContext): Promise<Failure[]>;
}

/** Compares an object with the program. */
export interface Comparison {
  /** Returns true when a change of the input `key` replaces the object, for inputs where this depends on the state. */
  replaces?(key: string, state: Plain): boolean;
  /** Whether a replacement deletes the old object first: always, or if the function returns true. Default: never. */
  deleteFirst?: true | ((state: Plain, news: Plain) => boolean);
  /**
   * Overrides the comparison of an input. Returns false if the input is unchanged; otherwise the usual comparison is
   * used.
   */
  compare?(key: string, state: Plain, news: Plain): boolean | undefined;
  /** Returns changes of values other than inputs. */
  drift?(state: Plain, news: Plain, run: RunContext): Change[] | Promise<Change[]>;
  /** Why a change would lose a value that the program does not know; undefined if it loses none. */
  refuseLoss?(change: ValueChange): string | undefined;
  /** Called when a diff finds that the object must be replaced. @param news the inputs of the new object */
  replacing?(run: RunContext, id: string, news: Plain): void;
  /** True when a preview must read the object, because the state does not show whether the object is as declared. */
  needsRefresh?(state: Plain): boolean;
  /** Records in the run how an object will change. */
  plan?(run: RunContext, id: string, state: Plain, news: Plain): void;
}

/** A change of an existing object. */
export interface ValueChange {
  /** The recorded state. */
  state: Plain;
  news: Plain;
  /** The change replaces the object. */
  isReplaced: boolean;
  /** The inputs that the program ignores (`ignoreChanges`). */
  ignored: readonly PropertyPath[];
}

/** Which objects the resource owns, and which keys only one object can have. */
export interface Ownership<O extends z.ZodObject> {
  /** Returns the names of the objects that the resource owns exclusively. Default: see `Changes.objectsOf`. */
  objects?(outputs: z.output<O>, id: string): string[];
  /** Returns the names of the objects in a recorded state. Default: the id; the unique keys with `isAlwaysThere`. */
  recordedObjects?(state: z.output<O>): string[];
  /** The keys that only one object at a time can have. */
  uniqueKeys?: UniqueKeys;
}

/** A definition with the defaults of its members. */
export type ResolvedDefinition<I extends z.ZodObject, O extends z.ZodObject> = Definition<I, O> &
  Required<Pick<Definition<I, O>, "checks" | "diff" | "ownership" | "production">> & {
    traits: Required<Omit<Traits<I, O>, "autoName" | "ids">>;
  };

/** The recorded state of an object: the declared inputs, and the outputs. */
export type State<I extends z.ZodObject, O extends z.ZodObject> = Partial<z.output<I>> & z.output<O>;

/** The result of a create or update: id, account and outputs of the object. */
export interface Created<O> {
  id: string;
  accountId: string;
  outputs: Omit<O, typeof revisionKey | typeof digestKey>;
  /** The settings of the object, in the form of inputs. Undeclared settings that `computed` lists become outputs. */
  existing?: Plain;
}

/** The result of a read: the object as in `Created`, and its inputs with the service's values. */
export interface ReadResult<I, O> extends Created<O> {
  inputs: Partial<I>;
}

/** The context of a create, update or delete. */
export interface Operation<I, O> extends Pick<Step, "urn" | "warn" | "inform"> {
  run: RunContext;
  /** The client of the run. */
  client: Client;
  /** True if it is unknown whether the last change took full effect. Then unchanged inputs are sent too. */
  unsure: boolean;
  /**
   * Saves the progress of a create or update, so that a later failure loses nothing. A deployment is known as a build of
   * the run from its checkpoint on.
   * @param applied the inputs that have taken effect
   */
  checkpoint(made: Created<O>, applied: Partial<I>): void;
  /**
   * Adopts an existing object.
   * @param what the name of the object for messages
   * @param names the names of the object: its id and its unique keys
   * @param step changes the object as declared
   * @throws Error when another resource has the object
   */
  adopt<T>(what: string, names: readonly [id: string, ...string[]], step: () => Promise<T>): Promise<T>;
  /**
   * The inputs that the program ignores (`ignoreChanges`). An adoption never writes them.
   * @throws Error when the host cannot know them
   */
  ignored(): Promise<readonly PropertyPath[]>;
  /**
   * True when a resource of the stack has an object. The object is then not adopted.
   * @param what the name of the object for messages
   * @throws Error when the state of the stack cannot be read
   */
  isOfStack(what: string, id: string): Promise<boolean>;
  /** Makes the resource the owner of an object that another resource of the stack has released, before the step ends. */
  take(id: string): void;
  /** Like `isOfStack`, and returns the resource; undefined for an unmanaged object. */
  ownerOf(what: string, id: string): Promise<Owner | undefined>;
  /** True when another resource of the run has an object. The caller must then leave the object alone. */
  isOthers(id: string): boolean;
}
