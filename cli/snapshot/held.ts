import type { Plain } from "../../provider/core/values";
import type { problemOfRow, unknownValuesIn } from "../../server/index";
import { kinds, type Section } from "../objects";
import { leftOutText, type ObjectKind } from "../objects/kind";

/** Whether a seed can have the rows that were read. The hosted API can return values that this version does not know. */

/** Other rows need the rows of these sections, so only the value that a seed cannot have is left out. */
const needed: readonly Section[] = ["users", "teams", "projects"];

const nouns: Partial<Record<Section, string>> = {
  ...{ users: "user", teams: "team", aliases: "alias", integrations: "integration" },
};

interface Naming {
  /** The names of projects by their ids. */
  names: ReadonlyMap<string, string>;
  note(what: string): void;
}

/**
 * The part of a row that a seed can have.
 * @param note called with each value or row that is left out
 * @returns undefined if a seed cannot have the row
 */
export function heldRow(section: Section, row: Plain, { names, note }: Naming): Plain | undefined {
  const server = require("../../server/index") as {
    problemOfRow: typeof problemOfRow;
    unknownValuesIn: typeof unknownValuesIn;
  };
  let held = row;
  for (let problem = server.problemOfRow(section, held); problem; ) {
    const label = labelOf(section, row, names);
    const [member] = problem.path;
    const reason = [problem.path.join("."), problem.message].filter(Boolean).join(": ");
    const { [String(member)]: value, ...rest } = held;
    if (!needed.includes(section) || value === undefined) {
      note(leftOutText(label, reason));
      return undefined;
    }
    held = rest;
    const next = server.problemOfRow(section, held);
    // A member that a row must have is missing now, so the row is left out with the first reason.
    const isRequired = next?.path.length === 1 && next.path[0] === member;
    note(leftOutText(`${label}${isRequired ? "" : `: its ${String(member)}`}`, reason));
    if (isRequired) return undefined;
    problem = next;
  }
  for (const name of section === "projects" ? server.unknownValuesIn(held) : [])
    note(leftOutText(`${labelOf(section, row, names)}: its ${name}`, "this version does not know the value"));
  return held;
}

/** Names the object of a row for people, without secrets. */
export function labelOf(section: Section, row: Plain, names: ReadonlyMap<string, string>): string {
  const kind: ObjectKind | undefined = kinds.find((one) => one.section === section && section !== "teams");
  const [item] = kind?.items?.(row, new Map()) ?? [];
  const name = item?.name ?? row.alias ?? row.username ?? row.slug ?? row.name ?? row.id;
  const project = typeof row.project === "string" && section !== "projects" ? row.project : undefined;
  const place = project === undefined ? "" : ` of project ${names.get(project) ?? project}`;
  return `the ${nouns[section] ?? kind?.name ?? "domain"} ${name}${place}`;
}
