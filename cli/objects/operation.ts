import type * as z from "zod";
import type { Cursor } from "../../provider/client/responses";

/** A GET operation of the provider. */
export interface Operation {
  /** The path in the OpenAPI document of the bundled server. */
  readonly path: `/${string}`;
  /** The kind of object, for progress and for objects that the account does not have. */
  readonly kind: string;
  /** How the provider reads the answer. */
  readonly shape: z.ZodType;
  /** The member of the answer that has the items of a list; "" if the answer itself is the list. */
  readonly items?: string;
  /** The member by which the list is sorted, the newest first. */
  readonly newestBy?: string;
  /** Default: `until`. */
  readonly cursor?: Cursor;
  /** The query parameters that every request has. */
  readonly query?: Readonly<Record<string, string>>;
  /** The member of an object that must equal the last parameter of the path. */
  readonly id?: string;
}

type Path = Operation["path"];

export const listOperation = (
  path: Path,
  kind: string,
  shape: z.ZodType,
  items: string,
  newestBy?: string,
): Operation => ({ path, kind, shape, items, ...(newestBy !== undefined && { newestBy }) });

export const oneOperation = (path: Path, kind: string, shape: z.ZodType, id = "id"): Operation => ({
  ...{ path, kind, shape, id },
});
