import { present } from "../http/reply";
import type { FlagRow, FlagSettingsRow, FlagVersionRow, SdkKeyRow, SegmentRow } from "./object";
import type { Flag, SdkKey, Settings, UpdateSettings } from "./schema";
import { dataOf, settingsOf } from "./store";

const times = ({ created_at, updated_at }: Pick<FlagRow, "created_at" | "updated_at">) => ({
  createdAt: created_at,
  updatedAt: updated_at,
});

/** @choice Answers have no metadata about people, which the official client calls deprecated. */
export const viewFlag = (row: FlagRow, ownerId: string): Flag => ({
  id: row.id,
  typeName: "flag",
  slug: row.slug,
  kind: row.kind,
  projectId: row.project_id,
  ownerId,
  revision: Number(row.revision),
  createdBy: row.created_by,
  ...(row.updated_by !== null && { updatedBy: row.updated_by }),
  ...times(row),
  ...dataOf(row),
});

export const viewVersion = (row: FlagVersionRow) =>
  present({
    id: row.id,
    flagId: row.flag_id,
    revision: Number(row.revision),
    changedEnvironments: JSON.parse(row.changed_environments),
    createdBy: row.created_by,
    createdAt: row.created_at,
    message: row.message ?? undefined,
    data: dataOf(row),
  });

export const viewSegment = (row: SegmentRow, uses: { usedByFlags: string[]; usedBySegments: string[] }) => ({
  id: row.id,
  typeName: "segment" as const,
  slug: row.slug,
  projectId: row.project_id,
  ...(row.created_by !== null && { createdBy: row.created_by }),
  ...times(row),
  ...settingsOf(row),
  ...uses,
});

export const viewKey = (row: SdkKeyRow): SdkKey =>
  present({
    hashKey: row.hash_key,
    projectId: row.project_id,
    type: row.type,
    environment: row.environment,
    label: row.label ?? undefined,
    partialKeyValue: row.partial,
    createdBy: row.created_by,
    ...times(row),
  });

/** @choice A project whose settings nobody has changed uses flags once it has one, in the three environments. */
export function viewSettings(
  project: { id: string; account_id: string },
  row: FlagSettingsRow | undefined,
  flags: readonly FlagRow[],
  segments: readonly SegmentRow[],
): Settings {
  const set: UpdateSettings = row ? JSON.parse(row.settings) : {};
  const archived = flags.filter((flag) => dataOf(flag).state === "archived").length;
  const pack = [...flags.map(({ data }) => data), ...segments.map(({ settings }) => settings)];
  return {
    ...{ typeName: "settings", projectId: project.id, ownerId: project.account_id },
    enabled: set.enabled ?? flags.length > 0,
    entities: set.entities ?? [],
    environments: set.environments ?? ["production", "preview", "development"],
    ...(row && times(row)),
    metadata: {
      activeFlagCount: flags.length - archived,
      archivedFlagCount: archived,
      segmentCount: segments.length,
      packSizeInBytes: Buffer.byteLength(pack.join("")),
    },
  };
}
