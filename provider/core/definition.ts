import type { z } from "zod";
import type { Client } from "../client/client";
import type { Settings } from "../client/config";
import type { Failure, Rule } from "./check";
import type { Change } from "./diff";
import type { PropertyPath } from "./ignored";
import type { Listing } from "./listing";
import type { ProductionChange } from "./production";
import type { revisionKey } from "./revision";
import type { RunContext } from "./run-context";
import type { Step } from "./step";
import type { UniqueKeys } from "./unique-keys";
import type { Plain } from "./values";

/** The argument of `resource()`: the part of a resource that differs between kinds of objects. */

/** The result of a create or update: id, account and outputs of the object. */
export interface Created<O> {
  id: string;
  accountId: string;
  outputs: Omit<O, typeof revisionKey>;
  /** The settings of the object, in the form of inputs. Those in `computed` become outputs. */
  existing?: Plain;
}

/** The result of a read: also the inputs, with the service's values. */
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
   * Saves the progress of a create or update, so that a later failure loses nothing.
   * @param applied the inputs that have taken effect
   */
  checkpoint(made: Created<O>, applied: Partial<I>): void;
  /**
   * Adopts an existing object.
   * @param names the names of the object: its id and its unique names
   * @throws Error when another resource has it
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
  /** True when another resource of the run has an object, which is then left alone. */
  isOthers(id: string): boolean;
}

/** The definition of a resource. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  type: string;
  /** The name by which states load the resource from `slipway/dynamic` (see `loader`). It must never change. */
  handler: string;
  /** The scopes that the token of an integration needs to manage it; empty if only users can. */
  scopes: readonly string[];
  /** The form of the ids that `pulumi import` accepts, in Markdown: "`<project>/<slug>`, or `<project>/<id>`". */
  importId: string;
  /** The schema of the inputs. */
  inputs: I;
  /** The schema of the outputs. */
  outputs: O;
  /** Inputs and outputs whose whole values are secret. */
  secret?: readonly string[];
  /** The defaults of inputs, which also apply when an input is removed from the program. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Outputs that no update changes. */
  stable?: readonly (keyof z.output<O> & string)[];
  /** The values, in declared inputs or a state, whose changes give the output `revision` a new value. */
  revisionValues?(values: Plain): unknown;
  /** Whether a create or change with these inputs changes production, and how. */
  productionChange?(inputs: Plain): ProductionChange | undefined;
  /** When the deployment of a state was created; undefined if it is not for production, or if its build failed. */
  productionBuild?(state: Plain): number | undefined;
  /** True when a plan must read the object, because the state does not show whether it is as declared. */
  needsRefresh?(state: Plain): boolean;
  /** Inputs that the service sets if the program does not declare them. */
  computed?: readonly (keyof z.output<I> & string)[];
  /** Returns the default of the input `name` for a logical name. */
  autoName?(logicalName: string): string;
  /** Inputs that name a project by its id or name: another name for the same project is no change. */
  references?: readonly (keyof z.output<I> & string)[];
  /** Inputs whose change replaces the object. */
  replaceOn?: readonly (keyof z.output<I> & string)[];
  /** True when a change of an input replaces the object, if that depends on the state. */
  replaces?(key: string, state: Plain): boolean;
  /** Deletes the old object before the new one is created: always, or depending on the change. */
  deleteFirst?: true | ((state: Plain, news: Plain) => boolean);
  /** True when the create needs the URN of the resource (`operation.urn`). */
  needsUrn?: true;
  /** Converts inputs from programs in YAML, such as numbers to texts. */
  normalize?(inputs: Plain): Plain;
  /** Adds inputs that the program does not declare. @param previous the inputs of the last run; empty for a new object */
  complete?(settings: Settings, previous: Plain, inputs: Plain): Plain;
  /** Rules about several inputs. They get known values only. */
  rules?: readonly Rule<z.output<I>>[];
  /** Checks at preview that send requests. They get known values only. */
  refusals?(client: Client, previous: Plain, news: Plain, run: RunContext): Promise<Failure[]>;
  /** Overrides the comparison of an input. If it returns undefined, the usual comparison is used. */
  compare?(key: string, state: Plain, news: Plain): boolean | undefined;
  /** Returns changes of values other than inputs. */
  drift?(state: Plain, news: Plain): Change[] | Promise<Change[]>;
  /** Called when the diff of an object says to replace it with one that has these inputs. */
  replacing?(run: RunContext, id: string, news: Plain): void;
  /** The names of the objects that it owns exclusively. Default: its own id, if it can be adopted. */
  objects?(outputs: z.output<O>, id: string): string[];
  /** The names of the objects in a recorded state. Default: only its own id. */
  recordedObjects?(state: z.output<O>): string[];
  /** The keys that only one object at a time can have. */
  uniqueKeys?: UniqueKeys;
  /** Lists the objects that the service has. */
  list?: Listing;
  /** Records in the run how an object will change. */
  plan?(run: RunContext, id: string, state: Plain, news: Plain): void;

  create(operation: Operation<z.output<I>, z.output<O>>, inputs: z.output<I>): Promise<Created<z.output<O>>>;
  /**
   * @param state the recorded state; undefined for an import, which returns all inputs that can be declared
   * @throws ApiError 404 when it was deleted
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
