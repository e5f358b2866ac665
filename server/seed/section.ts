import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { findAccount } from "../access/account-store";
import { findProject } from "../access/project-store";
import type { AccountRow } from "../accounts/object";
import { latestTime } from "../platform/clock";
import { formatPath } from "../platform/path";
import type { Services } from "../platform/services";
import type { ProjectRow } from "../projects/object";
import type { Tx, Unit } from "../store/store";
import type { Database } from "../store/tables";
import { type DocumentPath, type LeaveOut, SeedConflict, SeedError } from "./error";

/**
 * The sections of a seed document. Each noun describes in its `seed.ts` what its rows look like and how one is written.
 *
 * `slipway snapshot` writes members that no request can set, such as ids and times. Rows that have them are written as
 * they are, and the rules of the API do not apply.
 */
export interface Section<Row extends z.ZodType> {
  /** The table of the objects of its rows. */
  table: keyof Database;
  /** The columns that tell these objects from others in the table. */
  where?: Readonly<Record<string, string>>;
  /** The shape of a row. */
  row: Row;
  /** The keys that only one row of a document can have, such as a variable of a project in an environment. */
  keys?: Keys<z.output<Row>>;
  /** Writes the rows. Writing them again changes nothing. @param name of the section, for errors @throws SeedError */
  apply(seeding: Seeding, rows: readonly z.output<Row>[], name: string): Promise<void>;
}

type Keys<T> = (row: T) => readonly unknown[];

/** A document that is being applied. */
export interface Seeding extends Unit {
  services: Pick<Services, "vault">;
  /** True if the document was read from another API. */
  isCopy: boolean;
  /** Called with each row that conflicts with the store. Default: the conflict is thrown. */
  leaveOut: LeaveOut | undefined;
  /** True if `leaveOut` also takes rows that no store can have. */
  leavesOutInvalid: boolean;
}

/** A section whose rows are written one by one. */
export const section = <Row extends z.ZodType>(
  table: keyof Database,
  row: Row,
  put: (seeding: Seeding, row: z.output<Row>, place: DocumentPath) => Promise<unknown>,
  keys?: Keys<z.output<Row>>,
): Section<Row> => ({
  table,
  row,
  ...(keys && { keys }),
  apply: (seeding, rows, name) => each(seeding, rows, (given, at) => put(seeding, given, [name, at])),
});

/** Writes rows one by one, and leaves out those that conflict with the store, or that a copy cannot have. */
export async function each<T>(
  { leaveOut, leavesOutInvalid }: Seeding,
  rows: readonly T[],
  put: (row: T, at: number) => Promise<unknown>,
): Promise<void> {
  for (const [at, row] of rows.entries()) {
    try {
      await put(row, at);
    } catch (error) {
      const isLeftOut = error instanceof SeedConflict || (leavesOutInvalid && error instanceof SeedError);
      if (!leaveOut || !isLeftOut) throw error;
      leaveOut(error);
    }
  }
}

/** The pairs of rows that have a key in common and differ: the position of the later row, and that of the earlier one. */
export function contradictionsIn<T>(rows: readonly T[], keys: Keys<T>): [later: number, earlier: number][] {
  const known = new Map<string, number>();
  return rows.flatMap((row, at): [number, number][] => {
    const own = keys(row).map((key) => JSON.stringify(key));
    const [earlier] = own.flatMap((key) => known.get(key) ?? []);
    for (const key of own) if (!known.has(key)) known.set(key, at);
    if (earlier === undefined || isDeepStrictEqual(rows[earlier], row)) return [];
    return [[at, earlier]];
  });
}

export const contradicts = (earlier: DocumentPath): string =>
  `${formatPath(earlier)} describes the same, with other values`;

/** A list inside a row, whose entries must not contradict each other. */
export const listOf = <T extends z.ZodType>(entry: T, key: (entry: z.output<T>) => unknown) =>
  z.array(entry).superRefine((entries, { addIssue }) => {
    for (const [later, earlier] of contradictionsIn(entries, (one) => [key(one)]))
      addIssue({
        code: "custom",
        path: [later],
        message: `[${earlier}] of this list describes the same, with other values`,
      });
  });

/** Members of rows. Default ids are derived from names, so they are the same every time. */
export const id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must consist of at most 64 letters, digits, '_' and '-'");
export const idWith = (prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}[A-Za-z0-9_]{1,60}$`),
      `must be ${prefix} followed by 1 to 60 letters, digits or '_'`,
    );
export const name = z.string().min(1).max(100);
export const httpUrl = z.url({ protocol: /^https?$/ });
export const time = z.int().min(0).max(latestTime);
export const times = { createdAt: time.optional(), updatedAt: time.optional() };

/**
 * Milliseconds since the epoch; negative: before the seed is applied (`-3600000` is an hour ago).
 * A row may get a later time than it names, so `latestTime` leaves a day until the year 10000.
 */
export const relativeTime = z.int().min(-latestTime).max(latestTime);

/** Converts the time of a row to milliseconds since the epoch. Default: `now`. */
export const timeOf = (given: number | undefined, now: number): number =>
  given === undefined ? now : given < 0 ? Math.max(0, now + given) : given;

/** Returns the first unused time from `from` on. Each owner's times are unique, since lists are paged by them. */
export function unusedTime(times: Set<string>, owner: string, from: number): number {
  let at = from;
  while (times.has(`${owner} ${at}`)) at++;
  times.add(`${owner} ${at}`);
  return at;
}

export interface SeedOwner {
  team?: string | undefined;
  user?: string | undefined;
}

/** The owner: a team by slug or id, or a user by username or id. */
export const owner = { team: name.optional(), user: name.optional() };

/** A row of a team or of a user. Its shape has the members of `owner`. */
export const ownedRow = <Shape extends typeof owner & z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape).refine(hasOneOwner, oneOwner);
export const hasOneOwner = ({ team, user }: SeedOwner): boolean =>
  (team === undefined) !== (user === undefined);
export const oneOwner = { message: "needs either a team or a user" };

/** Finds the account that a row names. */
export async function ownerOf(tx: Tx, { team, user }: SeedOwner, place: DocumentPath): Promise<AccountRow> {
  const kind = team === undefined ? "user" : "team";
  const key = team ?? user ?? "";
  const account = await findAccount(tx, kind, key);
  if (!account) throw new SeedError([...place, kind], `there is no ${kind} ${JSON.stringify(key)}`);
  return account;
}

/** Finds the project that a row names. */
export async function projectOf(
  tx: Tx,
  { project, ...owner }: SeedOwner & { project: string },
  place: DocumentPath,
): Promise<ProjectRow> {
  const account = await ownerOf(tx, owner, place);
  const row = await findProject(tx, account.id, project);
  if (row) return row;
  throw new SeedConflict(
    [...place, "project"],
    `${JSON.stringify(account.slug)} has no project ${JSON.stringify(project)}`,
  );
}

/** Returns a copy of a row without the members that have these names. */
export const omit = (row: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
