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

/** The part of a resource that is particular to one kind of object, which `resources/` gives to `resource()`. */

/** The result of a create or update: id, account and outputs of the object. */
export interface Created<O> {
  id: string;
  accountId: string;
  outputs: Omit<O, typeof revisionKey>;
  /** The object in the form of inputs, of which `computed` become outputs. */
  existing?: Plain;
}

/** The result of a read: also the inputs, as the service has them. */
export interface ReadResult<I, O> extends Created<O> {
  inputs: Partial<I>;
}

/** The context of a create, update or delete. */
export interface Operation<I, O> extends Pick<Step, "urn" | "warn" | "inform"> {
  run: RunContext;
  /** That of the run. */
  client: Client;
  /** It is unknown whether the last change took full effect, so unchanged inputs have to be sent too. */
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
   * True when a resource of the stack has an object, which then is not adopted.
   * @param what as a user calls it
   * @throws Error when the state of the stack cannot be read
   */
  isOfStack(what: string, id: string): Promise<boolean>;
  /** True when another resource of the run has an object, which is then left alone. */
  isOthers(id: string): boolean;
}

/** The definition of a resource. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  type: string;
  /** The name that states ask `slipway/dynamic` for (see `loader`). Frozen; short, because a state holds it twice. */
  handler: string;
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
  /** The values whose changes the output `revision` stands for, of declared inputs or a state. */
  revisionValues?(values: Plain): unknown;
  /** How a create or change with these inputs changes production. */
  productionChange?(inputs: Plain): ProductionChange | undefined;
  /** When the deployment of a state was created; undefined if it is not for production, or if its build failed. */
  productionBuild?(state: Plain): number | undefined;
  /** True when a plan needs the object as it is now: the state alone does not tell whether it is as declared. */
  needsRefresh?(state: Plain): boolean;
  /** Inputs that the service fills when the program does not give them. */
  computed?: readonly (keyof z.output<I> & string)[];
  /** Makes the default of the input `name` from the logical name. */
  autoName?(logicalName: string): string;
  /** Inputs that name a project by its id or name: another name for the same project is no change. */
  references?: readonly (keyof z.output<I> & string)[];
  /** Inputs whose change replaces the object. */
  replaceOn?: readonly (keyof z.output<I> & string)[];
  /** The same, depending on the state. */
  replaces?(key: string, state: Plain): boolean;
  /** Deletes the old object before the new one is created: always, or depending on the change. */
  deleteFirst?: true | ((state: Plain, news: Plain) => boolean);
  /** True when the create has to know the URN of the resource (`operation.urn`). */
  needsUrn?: true;
  /** Converts inputs as programs in YAML give them, such as numbers that stand for text. */
  normalize?(inputs: Plain): Plain;
  /** Adds inputs that the program does not give. @param previous the inputs of the last run; empty for a new object */
  complete?(settings: Settings, previous: Plain, inputs: Plain): Plain;
  /** Rules over several inputs. They only see known values. */
  rules?: readonly Rule<z.output<I>>[];
  /** Checks that need the service, made at preview. They only see known values. */
  refusals?(client: Client, previous: Plain, news: Plain, run: RunContext): Promise<Failure[]>;
  /** Overrides the comparison of a key; undefined keeps the usual one. */
  compare?(key: string, state: Plain, news: Plain): boolean | undefined;
  /** Changes of things other than inputs. */
  drift?(state: Plain, news: Plain): Change[] | Promise<Change[]>;
  /** Told that the diff of an object says to replace it by one with these inputs. */
  replacing?(run: RunContext, id: string, news: Plain): void;
  /** The names of the objects that it owns exclusively. Default: its own id, if it can be adopted. */
  objects?(outputs: z.output<O>, id: string): string[];
  /** The same of a recorded state, where that is not its own id alone. */
  recordedObjects?(state: z.output<O>): string[];
  /** The keys that only one object at a time can have. */
  uniqueKeys?: UniqueKeys;
  /** Lists the objects that the service has. */
  list?: Listing;
  /** Records for the run what an object becomes. */
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
