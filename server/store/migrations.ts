import type { StoredObject } from "./object";
import { objects } from "./tables";

/** Makes the statements of a migration in the dialect of an engine. */
type Migration = (spell: Spelling) => string[];

/**
 * The migrations in their order. The first one creates all tables as this version describes them. A later one changes
 * the stores of earlier versions, and never changes once it is released; a new store does not need it.
 */
export const migrations: Record<string, Migration> = { "0001-first": createTables };

/** Types that the engines spell differently. */
export interface Spelling {
  /** The type of text that is ordered by its bytes, whatever the collation of the database. */
  text: string;
}

function createTables(spell: Spelling): string[] {
  return Object.values(objects).flatMap((described) => statementsOf(spell, described));
}

/** Integers have 64 bits on both engines. */
function statementsOf({ text }: Spelling, described: StoredObject): string[] {
  const { table: name, columns, key = ["id"], unique = [], indexes = [] } = described;
  const parts = Object.entries(columns).map(
    ([column, { kind, isNullable }]) =>
      `"${column}" ${/^(integer|flag)$/.test(kind) ? "bigint" : text}${isNullable ? "" : " not null"}`,
  );
  const indexed = (kind: string, on: readonly string[], where?: string): string => {
    const full = [name, ...on, ...(where ? ["partly"] : [])].join("_");
    return `create ${kind} "${full}" on "${name}" (${quoted(on)})${where ? ` where ${where}` : ""}`;
  };
  return [
    `create table "${name}" (${parts.join(", ")}, constraint "${name}_pk" primary key (${quoted(key)}))`,
    ...unique.map(({ columns: on, where }) => indexed("unique index", on, where)),
    ...indexes.map((on) => indexed("index", on)),
  ];
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
