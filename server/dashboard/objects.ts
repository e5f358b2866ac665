import { notFound } from "../platform/refusal";
import { shownName } from "../store/object";
import type { Tx } from "../store/store";
import { objects } from "../store/tables";
import { countObjects, findObjects, labelOf, type Scope, tablesFor } from "./object-store";
import { pageOf } from "./projects";
import type { ObjectItem, ObjectKind, Page } from "./wire";

/** The views of all kinds of objects, which follow from the descriptions of the tables. */

const sectionOf = (table: keyof typeof objects): string => objects[table].section ?? table;

/** The kinds with the number of their objects in an account or a project, by name. */
export async function listKinds(tx: Tx, scope: Scope): Promise<ObjectKind[]> {
  const kinds: ObjectKind[] = [];
  for (const table of tablesFor(scope))
    kinds.push({ name: sectionOf(table), total: await countObjects(tx, table, scope) });
  return kinds.sort((a, b) => a.name.localeCompare(b.name));
}

/** @throws Refusal 404 if there is no such kind */
export async function listObjects(
  tx: Tx,
  scope: Scope,
  { kind, search, skip }: { kind: string; search: string; skip: number },
): Promise<Page<ObjectItem>> {
  const table = tablesFor(scope).find((one) => sectionOf(one) === kind);
  if (table === undefined) throw notFound(`The kind ${JSON.stringify(kind)}`);
  const page = await findObjects(tx, table, scope, { search, skip });
  const { key = ["id"] } = objects[table];
  const label = labelOf(table);
  const items = page.rows.map((members) => ({
    id: key.map((column) => members[shownName(column)]).join("/"),
    label: label === undefined ? null : ((members[shownName(label)] as string | null) ?? null),
    members,
  }));
  return pageOf(page, skip, items);
}
