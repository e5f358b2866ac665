import type { Plain } from "../../../provider/core/values";
import type { Row } from "../subject";
import { put } from "./paths";

/** Rows of a project's settings. */

export const patch =
  (body: object): Row["drift"] =>
  (w, id) =>
    w.curl("PATCH", `/v9/projects/${id}`, body);

/** A setting that the service tells under its own name. */
export const setting = (
  path: string,
  first: unknown,
  second: unknown,
  cleared: unknown,
  drifted: unknown,
): Row => ({
  path,
  first,
  second,
  changed: "update",
  cleared: "update",
  shown: (value) => ({ [path]: value === undefined ? cleared : value }),
  drift: patch({ [path]: drifted }),
});

/** A part of a setting that is an object: without it, the schema refuses the object. */
export const part = (top: string, whole: unknown, path: string, first: unknown, second: unknown): Row => ({
  path: `${top}${path}`,
  given: { [top]: whole },
  first,
  second,
  changed: "update",
  cleared: new RegExp(`^${top}.* is missing`),
  shown: (value) => put({ [top]: whole } as Plain, `${top}${path}`, value),
  drift: patch(put({ [top]: whole }, `${top}${path}`, second)),
});

/**
 * A member that the service keeps when an update leaves it out: it is reset by name.
 * @param others other members that are declared
 */
export const memberOf = (
  top: string,
  others: Plain,
  name: string,
  ...[first, second, cleared, drifted]: unknown[]
): Row => ({
  path: `${top}.${name}`,
  given: { [top]: others },
  first,
  second,
  changed: "update",
  cleared: "update",
  shown: (value = cleared) => ({ [top]: expect.objectContaining({ ...others, [name]: value }) }),
  drift: patch({ [top]: { [name]: drifted } }),
});
