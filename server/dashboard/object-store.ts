import { someContain } from "../store/like";
import { shown } from "../store/object";
import type { Tx } from "../store/store";
import { objects, shownTables } from "../store/tables";
import { type Found, found, pageSize } from "./store";

/** The rows of any kind of object, as the descriptions of the tables show them: without secrets. */

/** The columns with the account of an object. An object without one belongs to the object in the first of `parents`. */
const accountColumns = ["account_id", "team_id", "owner_id"];
const parents = [
  ["project_id", "projects"],
  ["edge_config_id", "edge_configs"],
  ["store_id", "blob_stores"],
  ["access_group_id", "access_groups"],
] as const;

type Table = (typeof shownTables)[number];

export interface Scope {
  account: string;
  /** The id of a project, for its objects alone. */
  project: string | undefined;
}

/** An operand that the compiler cannot check, because the table is only known at run time. */
const at = (operand: unknown) => operand as never;

const idsOf = (tx: Tx, parent: (typeof parents)[number][1], account: string) =>
  tx.selectFrom(parent).select("id").where("account_id", "=", account);

const firstIn = (table: Table, names: readonly string[]): string | undefined =>
  names.find((name) => name in objects[table].columns);

/** Tables with objects of accounts. With a project: those with objects of projects. */
export const tablesFor = ({ project }: Scope): Table[] =>
  shownTables.filter((table) =>
    project === undefined
      ? firstIn(table, [...accountColumns, ...parents.map(([column]) => column)]) !== undefined
      : firstIn(table, ["project_id"]) !== undefined,
  );

/** The column by which people know an object: its first text that is no id. */
export const labelOf = (table: Table): string | undefined =>
  Object.entries(objects[table].columns).find(
    ([name, { kind, isHidden, isReceiver }]) =>
      kind === "text" && !isHidden && !isReceiver && !/^id$|_id$/.test(name),
  )?.[0];

function rowsOf(tx: Tx, table: Table, { account, project }: Scope, search = "") {
  let rows = tx.selectFrom(table);
  const column = firstIn(table, accountColumns);
  const [child, parent] = parents.find(([name]) => name in objects[table].columns) ?? [];
  if (column !== undefined) rows = rows.where(at(column), "=", at(account));
  else if (child !== undefined) rows = rows.where(at(child), "in", at(idsOf(tx, parent, account)));
  if (project !== undefined) rows = rows.where(at("project_id"), "=", at(project));
  const { key = ["id"], columns } = objects[table];
  const shownColumns = Object.entries(columns).flatMap(([name, { isHidden }]) => (isHidden ? [] : [name]));
  const searched = [labelOf(table) ?? [], ...key].flat().filter((name) => shownColumns.includes(name));
  return search === "" || searched.length === 0 ? rows : rows.where(someContain(searched, search));
}
export async function countObjects(tx: Tx, table: Table, scope: Scope): Promise<number> {
  const { total } = await rowsOf(tx, table, scope)
    .select((eb) => eb.fn.countAll().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** A page of objects in the order of the control snapshot. */
export async function findObjects(
  tx: Tx,
  table: Table,
  scope: Scope,
  { search, skip }: { search: string; skip: number },
): Promise<Found<Record<string, unknown>>> {
  const described = objects[table];
  const { key = ["id"], order = key } = described;
  const matching = rowsOf(tx, table, scope, search);
  let rows = matching.selectAll();
  for (const column of order) rows = rows.orderBy(at(column));
  const page = await found(
    rows
      .offset(skip)
      .limit(pageSize + 1)
      .execute(),
    matching.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow(),
  );
  return { ...page, rows: page.rows.map((row) => shown(described, row)) };
}
