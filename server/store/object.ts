/**
 * Describes the objects that the server stores. The `object.ts` of a noun describes its tables once. The types of their
 * rows, the statements that create them, and what tools do with their rows follow from the descriptions.
 */

/** A column with values of the type `Value`, which are the same in both engines. */
export interface Column<Value = unknown> {
  type: "text" | "integer";
  isNullable: boolean;
  /** Exists only as a type. */
  value?: Value;
}

const column = <Value>(type: Column["type"]) => ({
  ...({ type, isNullable: false } as Column<Value>),
  orNull: (): Column<Value | null> => ({ type, isNullable: true }),
});

export const text = <Value extends string = string>() => column<Value>("text");
export const integer = () => column<number>("integer");
/** Milliseconds since the epoch. */
export const time = () => column<number>("integer");
/** A boolean. */
export const flag = () => column<0 | 1>("integer");
/** JSON, as text. */
export const json = () => column<string>("text");
/** A text that the vault has encrypted. */
export const sealed = () => column<string>("text");
export const oneOf = <const Value extends string>(..._: readonly Value[]) => column<Value>("text");

type Columns = Readonly<Record<string, Column>>;

interface Description<C extends Columns> {
  columns: C;
  /** The primary key. Default: `id`. */
  key?: readonly (keyof C & string)[];
  /** Unique indexes. `where`: the condition of a partial index. */
  unique?: readonly { columns: readonly (keyof C & string)[]; where?: string }[];
  indexes?: readonly (readonly (keyof C & string)[])[];
  /** Its ids are in answers of the API. */
  hasPublicId?: true;
  /** The columns that order its rows in `GET /_control/snapshot`. Default: the answer does not have them. */
  order?: readonly (keyof C & string)[];
}

/** The description of a table. */
export type StoredObject<C extends Columns = Columns> = Description<C>;

export const object = <const C extends Columns, const D extends Description<C>>(
  description: D & { columns: C },
): D & { columns: C } => description;

/** The row of a table. */
export type Row<O extends { columns: Columns }> = {
  -readonly [Name in keyof O["columns"]]: O["columns"][Name] extends Column<infer Value> ? Value : never;
};
