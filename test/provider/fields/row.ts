import type { Resource } from "../../../provider/core/resource";
import type { Plain } from "../../../provider/core/values";
import type { World } from "../stack";

/** A resource with a row for each of its inputs. */
export interface Subject {
  resource: Resource;
  /** Makes what has to be there. @returns inputs that every row declares, and the values that rows need */
  prepare(w: World): Promise<{ given: Plain; known?: Plain }>;
  /** What the service tells of an object. */
  look(w: World, id: string): Promise<Plain>;
  rows: readonly Row[];
}

/** One input, and what becomes of it in the life of an object. Values beginning with `@` are those of `known`. */
export interface Row {
  /** As `pathsOf` gives it. */
  path: string;
  /** Other inputs that this one needs. */
  given?: Plain;
  first: unknown;
  second: unknown;
  /** What a change does, or why it is refused. */
  changed: "update" | "replace" | RegExp;
  /** What leaving the program does, or why it is refused. */
  cleared: "update" | "replace" | RegExp;
  /** Members of what the service tells, when it has a value; undefined: when the value has left the program. */
  shown(value: unknown): Plain;
  /** Changes it behind the provider's back, or why that cannot be or is not seen. */
  drift: ((w: World, id: string) => Promise<unknown>) | string;
}
