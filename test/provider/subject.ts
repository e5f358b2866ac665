import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import type { Harness } from "./stack";

/** A resource for the tests that go over all of them. */
export interface Subject {
  resource: Resource;
  /** The export of `slipway/dynamic` that its states name. Frozen: a state that was written once calls it for ever. */
  handler: string;
  /** Makes what has to be there. @returns inputs that every row declares, and the values that rows need */
  prepare(w: Harness): Promise<{ given: Plain; known?: Plain }>;
  /** An object, as the service returns it. */
  look(w: Harness, id: string, state: Plain): Promise<Plain>;
  /** All its objects in the account; left out if its project contains them as a domain, a variable or a setting. */
  all?(w: Harness): Promise<unknown>;
  /** Its list, in the account of `list.test.ts`; left out if it has none. */
  listed?: {
    query: Plain;
    /** The names of the objects in the list, sorted. */
    names: readonly unknown[];
    /** Makes objects that the account does not have. */
    prepare?(w: Harness): Promise<unknown>;
  };
  /** Its life with the token of an integration, in the account of `scopes.test.ts`; left out if only users manage it. */
  managed?: {
    /** @param n a number that makes names unique */
    inputs(n: number): Plain;
    /** The inputs that an update changes. */
    changed: Plain;
  };
  /** One for each of its inputs. */
  rows: readonly Row[];
  /** The operations of a run, in the variants that send different requests. */
  operations: readonly Operation[];
}

/** One input, and what becomes of it in the life of an object. Values beginning with `@` are those of `known`. */
export interface Row {
  /** As `pathsOf` gives it. */
  path: string;
  /** Other inputs that this one needs. */
  given?: Plain;
  first: unknown;
  second: unknown;
  /** The effect of a change, or why it is refused. */
  changed: "update" | "replace" | RegExp;
  /** The effect of leaving the program, or why it is refused. */
  cleared: "update" | "replace" | "same" | RegExp;
  /** The plugin names what the program does not, and so keeps the name that it has; elsewhere the SDK does that. */
  isAutoNamed?: true;
  /** Members of what the service tells, when it has a value; undefined: when the value has left the program. */
  shown(value: unknown): Plain;
  /** Changes it behind the provider's back, or why that cannot be or is not seen. */
  drift: ((w: Harness, id: string) => Promise<unknown>) | string;
}

/** Something that a run does to one resource, beside the project `web` with its deployments. */
export interface Operation {
  name: string;
  resource: Resource;
  /**
   * Nothing makes the object the only one of its kind: a create that takes effect after its step has ended leaves a
   * second one.
   */
  nameless?: true;
  /**
   * No request changes the object, so it is deleted and created under the same name: a delete that takes effect after
   * its step has ended removes the new one, which the next refresh finds.
   */
  isRecreated?: true;
  /** Makes what else has to be there. @returns values for the inputs */
  prepare?(w: Harness): Promise<Plain>;
  /** The inputs before. */
  before?(prepared: Plain): Plain;
  step: "up" | "refresh" | "destroy";
  /** The inputs now. */
  inputs?(prepared: Plain): Plain;
}

/** Create, update, read and delete. */
export function life(
  resource: Resource,
  first: (prepared: Plain) => Plain,
  second: (prepared: Plain) => Plain,
  prepare?: Operation["prepare"],
): Operation[] {
  const { type } = resource;
  const shared = { resource, ...(prepare && { prepare }) };
  return [
    { name: `${type}: create`, ...shared, step: "up", inputs: first },
    { name: `${type}: update`, ...shared, before: first, step: "up", inputs: second },
    { name: `${type}: read`, ...shared, before: first, step: "refresh" },
    { name: `${type}: delete`, ...shared, before: first, step: "destroy" },
  ];
}

/** Makes an object without the provider. */
export const existing = (path: string, body: object) => (w: Harness) => w.curl("POST", path, body);
