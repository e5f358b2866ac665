import { isDeepStrictEqual } from "node:util";
import { isPlain } from "../../../provider/core/values";
import type { Operation } from "../../objects/operation";
import type { FoundDifference } from "./findings";

export type Item = Readonly<Record<string, unknown>>;

/** The objects in the answer to a list. */
export function itemsIn({ items = "" }: Operation, body: unknown): Item[] {
  const list = items === "" ? body : isPlain(body) ? body[items] : undefined;
  return Array.isArray(list) ? list.filter(isPlain) : [];
}

/** The `until` of the next page; undefined if the answer names none. */
export function nextIn(body: unknown): string | undefined {
  const next = paginationIn(body)?.next;
  return typeof next === "number" || typeof next === "string" ? `${next}` : undefined;
}

/** Checks the order of a page, and the number of items that it says. */
export function pageProblems(operation: Operation, body: unknown): FoundDifference[] {
  const { newestBy = "", items: list = "" } = operation;
  const items = itemsIn(operation, body);
  const times = items.map((item) => item[newestBy]).filter((time) => typeof time === "number");
  const isSorted = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? time));
  const count = paginationIn(body)?.count;
  const order: FoundDifference = {
    ...{ kind: "order", member: `${list}[].${newestBy}` },
    ...{ expected: "the newest first", found: "another order" },
  };
  const texts = items.map((item) => JSON.stringify(item));
  return [
    ...(isSorted ? [] : [order]),
    ...(new Set(texts).size === items.length ? [] : [pages(list, "each item once", "an item twice")]),
    ...(typeof count !== "number" || count === items.length
      ? []
      : [pages("pagination.count", "the number of items", "another number")]),
  ];
}

/** The members that have the same value in a list and in a read of the object. */
const fixedMembers = ["name", "key", "slug", "url", "createdAt", "readyState", "target", "verified"];

/** Members that not all answers about an object have, although the bundled server documents them for all. */
const optionalMembers = ["securityIssues", "value"];

/** Compares the members of an object with the same object in a list. */
export const contradictions = (listed: Item, read: Item): FoundDifference[] =>
  fixedMembers
    .filter((member) => member in listed && member in read)
    .filter((member) => !isDeepStrictEqual(listed[member], read[member]))
    .map((member) => ({
      ...{ kind: "contradiction", member, expected: "the value in the list", found: "another value" },
    }));

/**
 * Finds members that one of two answers about an object lacks.
 * @param declared the members that this answer can have and need not have
 * @param place the place of the object in this answer
 */
export const missingMembers = (
  present: Item,
  found: Item,
  declared: readonly string[],
  place = "",
): FoundDifference[] =>
  Object.keys(present)
    .filter((member) => !(member in found) && declared.includes(member) && !optionalMembers.includes(member))
    .map((member) => ({
      ...{ kind: "missing member", member: `${place}${member}` },
      ...{ expected: "a member, as in another answer about the object", found: "nothing" },
    }));

/** Checks a page with one item of a list with several items. Items of the same time may be on one page. */
export function firstPageProblem(operation: Operation, body: unknown): FoundDifference | undefined {
  const items = itemsIn(operation, body);
  const { length } = items;
  const { items: list = "", newestBy } = operation;
  const isOfOneTime = newestBy !== undefined && new Set(items.map((item) => item[newestBy])).size === 1;
  if (length > 1 && isOfOneTime) return undefined;
  if (length !== 1) return pages(list, "1 item with limit=1", length === 0 ? "no items" : "more items");
  const pagination = paginationIn(body);
  return pagination && pagination.next === null
    ? pages("pagination.next", "the next page", "null")
    : undefined;
}

/** Checks the page that follows a page with one item. */
export function secondPageProblem(
  operation: Operation,
  first: unknown,
  second: unknown,
): FoundDifference | undefined {
  const [item, next] = [first, second].map((body) => itemsIn(operation, body)[0]);
  const { items: list = "" } = operation;
  const expected = "the second item on the second page";
  if (!next) return pages(list, expected, "no items");
  return JSON.stringify(next) === JSON.stringify(item) ? pages(list, expected, "the first item") : undefined;
}

const pages = (member: string, expected: string, found: string): FoundDifference => ({
  ...{ kind: "pages", member, expected, found },
});

const paginationIn = (body: unknown): Record<string, unknown> | undefined =>
  isPlain(body) && isPlain(body.pagination) ? body.pagination : undefined;
