/**
 * Describes the objects that the server stores. The `object.ts` of a noun describes its tables once. The types of their
 * rows, the statements that create them, and what tools do with their rows follow from the descriptions.
 */

/** A column. `Stored`: the type of its values, which are the same in both engines. `Shown`: that of their decoded form. */
export interface Column<Stored = unknown, Shown = unknown> {
  kind: "text" | "integer" | "flag" | "json";
  isNullable: boolean;
  isHidden: boolean;
  /** True if only the origin of its URLs is shown. */
  isReceiver?: boolean;
  /** True for an id that is in answers of the API. */
  isPublicId?: boolean;
  /** These exist only as types. */
  stored?: Stored;
  shown?: Shown;
}

const column = <Stored, Shown = Stored>(
  kind: Column["kind"],
  how: Partial<Pick<Column, "isHidden" | "isReceiver" | "isPublicId">> = {},
) => {
  const of: Column<Stored, Shown> = { kind, isNullable: false, isHidden: false, ...how };
  return { ...of, orNull: (): Column<Stored | null, Shown | null> => ({ ...of, isNullable: true }) };
};

export const text = () => column<string>("text");

/** The form of ids: a prefix, and the number of characters after it. Default ids of seeds are derived from `kind`. */
export interface IdForm {
  kind: string;
  prefix: string;
  length: number;
}
/** An id that is in answers of the API. Without a form, the noun makes the ids itself. */
export function publicId(): Column<string, string>;
export function publicId(
  kind: string,
  prefix: string,
  length: number,
): Column<string, string> & { form: IdForm };
export function publicId(kind = "", prefix = "", length = 0): Column<string, string> & { form: IdForm } {
  return { ...column<string>("text", { isPublicId: true }), form: { kind, prefix, length } };
}
export const integer = () => column<number>("integer");
/** Milliseconds since the epoch. */
export const time = () => column<number>("integer");
/** A boolean. */
export const flag = () => column<0 | 1, boolean>("flag");
/** JSON, as text. */
// biome-ignore lint/suspicious/noExplicitAny: the schema of a noun checks the value
export const json = () => column<string, any>("json");
export const oneOf = <const Value extends string>(..._: readonly Value[]) => column<Value>("text");

/** A column that is not shown, because its values are secret, or of this server alone. */
export const hide = <Stored>(of: Column<Stored>): Column<Stored, never> =>
  ({ ...of, isHidden: true }) as never;
/** The URL of a receiver, such as a webhook. Its path and query often are secrets, so only its origin is shown. */
export const receiverUrl = () => column<string>("text", { isReceiver: true });
/** A text that the vault has encrypted. */
export const sealed = () => column<string, never>("text", { isHidden: true });

type Columns = Readonly<Record<string, Column>>;

interface Description<C extends Columns> {
  columns: C;
  /** The primary key. Default: `id`. */
  key?: readonly (keyof C & string)[];
  /** Unique indexes. `where`: the condition of a partial index. */
  unique?: readonly { columns: readonly (keyof C & string)[]; where?: string }[];
  indexes?: readonly (readonly (keyof C & string)[])[];
  /** The name of the list of its rows in `GET /_control/snapshot`. Default: the answer does not have them. */
  section?: string;
  /** The columns that order its rows there. Default: the primary key. */
  order?: readonly (keyof C & string)[];
}

/** The description of a table, with its name. */
export type StoredObject<C extends Columns = Columns> = Description<C> & { table: string };

export const object = <const T extends string, const C extends Columns, const D extends Description<C>>(
  table: T,
  description: D & { columns: C },
): D & { columns: C; table: T } => ({ ...description, table });

/** The row of a table. */
export type Row<O extends { columns: Columns }> = {
  -readonly [Name in keyof O["columns"]]: O["columns"][Name] extends Column<infer Stored> ? Stored : never;
};

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A row for people: JSON and flags are decoded, the names are in camel case, and hidden columns are absent. */
export type Shown<O extends { columns: Columns }> = {
  -readonly [Name in keyof O["columns"] as O["columns"][Name] extends Column<unknown, infer Value>
    ? [Exclude<Value, null>] extends [never]
      ? never
      : CamelCase<Name>
    : never]: O["columns"][Name] extends Column<unknown, infer Value> ? Value : never;
};

/** The name of a column in a row for people: `project_id` becomes `projectId`. */
export const shownName = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Decodes a row for people, see `Shown`. */
export const shown = <O extends { columns: Columns }>({ columns }: O, row: Row<O>): Shown<O> =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, { isHidden }]) => !isHidden)
      .map(([name, { kind, isReceiver }]) => {
        const value = row[name as keyof Row<O>] as unknown;
        const camel = shownName(name);
        if (value === null) return [camel, null];
        if (isReceiver) return [camel, URL.canParse(String(value)) ? new URL(String(value)).origin : ""];
        return [camel, kind === "json" ? JSON.parse(String(value)) : kind === "flag" ? value === 1 : value];
      }),
  ) as Shown<O>;
