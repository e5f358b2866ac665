import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Reach, reachOf } from "../access/project-store";
import { newId } from "../platform/ids";
import { changeRows, deleteRows, findRow, insertRow, listRows } from "../store/rows";
import type { Tx, Unit } from "../store/store";
import { type FlagRow, featureFlagVersions, type SegmentRow } from "./object";
import type { Environment, FlagData, SegmentSettings } from "./schema";

/** An object of a project by its id or its slug. */
export const findFlag = async (tx: Tx, project_id: string, key: string): Promise<FlagRow | undefined> =>
  (await findRow(tx, "feature_flags", { project_id, id: key })) ??
  findRow(tx, "feature_flags", { project_id, slug: key });

export const findSegment = async (tx: Tx, project_id: string, key: string): Promise<SegmentRow | undefined> =>
  (await findRow(tx, "feature_flag_segments", { project_id, id: key })) ??
  findRow(tx, "feature_flag_segments", { project_id, slug: key });

export const dataOf = ({ data }: Pick<FlagRow, "data">): FlagData => JSON.parse(data);
export const settingsOf = ({ settings }: Pick<SegmentRow, "settings">): SegmentSettings =>
  JSON.parse(settings);

/** The projects of an account that the caller reaches. */
export async function reachedProjects(tx: Tx, account: string, caller: Reach): Promise<string[]> {
  const all = tx.selectFrom("projects").select("id").where("account_id", "=", account);
  const reach = reachOf(tx, caller);
  const rows = await (reach === undefined ? all : all.where("id", "in", reach)).execute();
  return rows.map(({ id }) => id);
}

export const flagsOf = (tx: Tx, projects: readonly string[]): Promise<FlagRow[]> =>
  tx
    .selectFrom("feature_flags")
    .selectAll()
    .where("project_id", "in", [...projects, ""])
    .execute();

/** The seed of a flag that a request does not give: split points of flags differ. */
export const seedOf = (id: string): number =>
  createHash("sha256").update(id).digest().readUInt32BE() % 100_000;

/**
 * Environments with their revisions: one that a request changes has the next revision.
 * @returns also the names of the environments that changed
 */
export function revised(
  before: Readonly<Record<string, Environment>>,
  given: Readonly<Record<string, Environment>>,
): { environments: Record<string, Environment>; changed: string[] } {
  const environments = { ...before };
  const changed: string[] = [];
  for (const [name, { revision: _, ...environment }] of Object.entries(given)) {
    const { revision, ...old } = before[name] ?? {};
    if (isDeepStrictEqual(old, environment)) continue;
    changed.push(name);
    environments[name] = { ...environment, revision: revision === undefined ? 0 : revision + 1 };
  }
  return { environments, changed };
}

interface Version {
  data: FlagData;
  changed: readonly string[];
  user: string;
  message?: string | undefined;
}

/** Adds a flag with its first version. */
export async function addFlag(
  { tx, now }: Unit,
  row: Pick<FlagRow, "id" | "project_id" | "slug" | "kind">,
  version: Version,
  updatedAt = now,
): Promise<FlagRow> {
  const flag: FlagRow = {
    ...{ ...row, revision: 0, data: JSON.stringify(version.data), created_by: version.user },
    ...{ updated_by: null, created_at: now, updated_at: updatedAt },
  };
  await insertRow(tx, "feature_flags", flag);
  await addVersion({ tx, now }, flag, version);
  return flag;
}

/** Changes a flag, with a new version. */
export async function changeFlag({ tx, now }: Unit, flag: FlagRow, version: Version): Promise<FlagRow> {
  const { user, data } = version;
  const columns = {
    revision: Number(flag.revision) + 1,
    ...{ data: JSON.stringify(data), updated_by: user, updated_at: now },
  };
  await changeRows(tx, "feature_flags", { id: flag.id }, columns);
  const changed = { ...flag, ...columns };
  await addVersion({ tx, now }, changed, version);
  return changed;
}

const addVersion = (
  { tx, now }: Unit,
  { id, project_id, revision }: FlagRow,
  { data, changed, user, message }: Version,
): Promise<void> =>
  insertRow(tx, "feature_flag_versions", {
    ...{ id: newId(featureFlagVersions), project_id, flag_id: id, revision, data: JSON.stringify(data) },
    ...{ changed_environments: JSON.stringify(changed), created_by: user, created_at: now },
    message: message ?? null,
  });

export async function removeFlag(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, "feature_flag_versions", { flag_id: id });
  await deleteRows(tx, "feature_flags", { id });
}

/** Finds the users of segments: the slugs of the flags and segments whose rules name a segment. */
export async function segmentUses(tx: Tx, project_id: string) {
  const flags = (await listRows(tx, "feature_flags", { project_id })).map((flag) => ({
    slug: flag.slug,
    rules: Object.values(dataOf(flag).environments).flatMap(({ rules }) => rules),
  }));
  const segments = (await listRows(tx, "feature_flag_segments", { project_id })).map((segment) => ({
    slug: segment.slug,
    rules: settingsOf(segment).data.rules ?? [],
  }));
  const using = (all: readonly (typeof flags | typeof segments)[number][], id: string): string[] =>
    all.filter(({ rules }) => rules.some((rule) => names(rule.conditions, id))).map(({ slug }) => slug);
  return (id: string) => ({ usedByFlags: using(flags, id), usedBySegments: using(segments, id) });
}

type Conditions = Environment["rules"][number]["conditions"];

const names = (conditions: Conditions, id: string): boolean =>
  conditions.some(
    ({ lhs, rhs }) =>
      lhs.type === "segment" &&
      (rhs === id ||
        (typeof rhs === "object" && "items" in rhs && rhs.items.some(({ value }) => value === id))),
  );
