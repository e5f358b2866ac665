import type { z } from "zod";
import type { Client } from "../../provider/client/client";
import type * as responses from "../../provider/client/responses";
import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import type { Operation } from "./operation";
import type { Mapping } from "./recorded";

/** The description of a kind of object of an account, for all tools. `index.ts` lists the kinds. */

/** A resource that `slipway import` can declare: an object, or a part of one. */
export interface Importable {
  readonly resource: Resource;
  /** Makes the logical name of a resource unique if an object of another kind has the name. */
  readonly suffix: string;
  /** Finds the objects that Terraform has recorded, by the type of the Terraform resource. */
  readonly recorded: Readonly<Record<string, Mapping>>;
}

interface AnyKind extends Importable {
  /** The name of one object in reports, such as `DNS record`. */
  readonly name: string;
  /** The importance of changes in the summary of a rehearsal. A change of production adds 100. */
  readonly weight: number;
  /** The section of a seed document whose rows contain the objects. */
  readonly section: string;
  /** The objects in a row, as a rehearsal compares them; undefined if they are compared without rows. */
  items?(row: Plain, people: ReadonlyMap<unknown, string>): Item[];
  /** Fields of a row or an item that are always secret. */
  readonly secret?: readonly string[];
  /** The GET operations that `slipway doctor --api` compares. */
  readonly operations: { readonly list: Operation; readonly one?: Operation };
}

/** A kind of object that belongs to a project. */
export interface ProjectKind extends AnyKind {
  readonly owner: "project";
  /**
   * Reads the rows of a project for a snapshot, without their owner and project.
   * @returns undefined if the token may not read them
   */
  rows?(reading: Reading, project: ProjectAnswer): Promise<readonly Plain[] | undefined>;
  /** Declares the objects of a project for an import. */
  discover?(discovering: Discovering, project: responses.Project): Promise<void>;
}

/** A kind of object that belongs to the account: to one of its domains, to a team, or to any account. */
export interface AccountKind extends AnyKind {
  readonly owner: "domain" | "team" | "account";
  rows?(reading: Reading): Promise<readonly Plain[] | undefined>;
  discover?(discovering: Discovering): Promise<void>;
}

export type ObjectKind = ProjectKind | AccountKind;

/** A project as the API returns it, with the objects that the answer contains. */
export interface ProjectAnswer {
  id: string;
  name: string;
  env?: readonly object[] | undefined;
  customEnvironments?: readonly Plain[] | undefined;
}

/** The owner of a row: the team or the user by id. */
export type Owner = { team: string } | { user: string };

export interface Person {
  id: string;
  username: string;
  email?: string | undefined;
  name?: string | undefined;
}

/** The reading of an account for a snapshot. */
export interface Reading {
  readonly client: Client;
  readonly owner: Owner;
  readonly withValues: boolean;
  /** The ids of the projects that were read. */
  readonly projects: ReadonlySet<string>;
  /** The names of the domains of projects. */
  readonly domains: Set<string>;
  get<T>(path: string, shape: z.ZodType<T>, query?: Record<string, string>): Promise<T>;
  /** Records what was not read, as a text for people. */
  note(what: string): void;
  /** Adds a user outside the team whose name an answer has. */
  addPerson(person: Person): void;
  /** Writes a row of another section. */
  put(section: "accountDomains" | "integrations", row: Plain): void;
}

/** How many projects or objects are read at the same time. */
export const atOnce = 8;
export const pageSize = "100";

/** Stands for a value that was not read. */
export const placeholder = "placeholder: the value was not read";

/**
 * Stands for the URL of a receiver, which often contains a key. It keeps the origin, as the control plane's snapshot
 * does. A URL that cannot be read stays as it is, since no seed accepts it.
 */
export const placeholderUrl = (url: string): string =>
  URL.canParse(url) ? `${new URL(url).origin}${placeholderPath}` : url;
const placeholderPath = "/placeholder";

export const isPlaceholderUrl = (url: unknown): boolean =>
  typeof url === "string" && url.endsWith(placeholderPath) && placeholderUrl(url) === url;

/** The names of several objects of a kind. */
export const pluralOf = (name: string): string => (name.endsWith("s") ? `${name}es` : `${name}s`);

const isUnread = " (the token may not read them)";

/** The note about a part of the account that the token may not read, so that a snapshot lacks all of its objects. */
export const unreadText = (what: string): string => `${what}${isUnread}`;

/** The objects of a kind, of the account or of a project. */
export const partOf = ({ name, owner }: ObjectKind, project: { name: string } | undefined): string =>
  project === undefined
    ? `the ${pluralOf(name)} of the ${owner}`
    : `project ${project.name}: its ${pluralOf(name)}`;

/** The parts of the account that a snapshot lacks. @param placeholders the facts that were not read */
export const unreadParts = (placeholders: readonly unknown[] = []): string[] =>
  placeholders.flatMap((text) =>
    typeof text === "string" && text.endsWith(isUnread) ? [text.slice(0, -isUnread.length)] : [],
  );

const isLeftOut = " is left out: ";

/** The note about an object or a value that a snapshot does not have, because a seed cannot have it. */
export const leftOutText = (what: string, reason: string): string => `${what}${isLeftOut}${reason}`;

/** The notes about what a snapshot left out: the object or value, and the reason. */
export const leftOutParts = (placeholders: readonly unknown[] = []): { what: string; reason: string }[] =>
  placeholders.flatMap((text) => {
    if (typeof text !== "string" || !text.includes(isLeftOut)) return [];
    const [what = "", ...reason] = text.split(isLeftOut);
    return [{ what, reason: reason.join(isLeftOut) }];
  });

/** A row without the fields that are not set. */
export const present = (row: Plain): Plain =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

/** An object as a rehearsal compares it. */
export interface Item {
  /** Identifies the object before and after the run. */
  key: string;
  name: string;
  projectId: string | null;
  /** The id of the resource that declares the object. */
  id: string;
  isProduction: boolean;
  fields: Plain;
}

/** Fields that are not settings, or are reported elsewhere. */
const omitted = new Set([
  ...["id", "team", "user", "project", "createdAt", "updatedAt", "createdBy", "updatedBy", "configurationId"],
  ...["production", "promotion", "lastRollbackTarget", "challenge", "creator", "actor"],
]);

export const fieldsOf = (row: Plain): Plain =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !omitted.has(name)));

/** The object in a row, unless its kind says otherwise: without a project and outside production. */
export const itemOf = (row: Plain, differing: Partial<Item> = {}): Item => ({
  ...{ key: String(row.id), id: String(row.id), name: String(row.name) },
  ...{ projectId: null, isProduction: false, fields: fieldsOf(row) },
  ...differing,
});

/** The object of a project in a row. Its resource has the id of the project in its id. */
export const itemOfProject = (row: Plain, differing: Partial<Item> = {}): Item =>
  itemOf(row, { id: `${row.project}/${row.id}`, projectId: String(row.project), ...differing });

/** The discovery of an account's objects for an import. */
export interface Discovering {
  readonly client: Client;
  /** True if members are declared too. */
  readonly members: boolean;
  /** The names of the default domains of projects, which are not declared. */
  readonly defaultDomains: string[];
  /** Declares an object, unless it is declared already. */
  add(resource: Resource, id: string, name: string): Promise<void>;
  note(text: string): void;
  /** @returns an empty list, with a note, if the token may not read the objects */
  allowed<T>(what: string, asked: Promise<readonly T[]>): Promise<readonly T[]>;
}
