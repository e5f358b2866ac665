import { flagKinds, sdkKeyTypes } from "../../provider/vocabulary";
import { integer, json, object, oneOf, publicId, type Row, text, time } from "../store/object";

export const featureFlags = object("feature_flags", {
  columns: {
    id: publicId("featureFlag", "flag_", 24),
    project_id: text(),
    slug: text(),
    kind: oneOf(...flagKinds),
    /** The number of the last version. */
    revision: integer(),
    /** `FlagData`. */
    data: json(),
    created_by: text(),
    updated_by: text().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["project_id", "slug"] }],
  section: "featureFlags",
});
export type FlagRow = Row<typeof featureFlags>;

export const featureFlagVersions = object("feature_flag_versions", {
  columns: {
    id: publicId("featureFlagVersion", "fver_", 24),
    project_id: text(),
    flag_id: text(),
    revision: integer(),
    data: json(),
    /** The names of the environments that the version changed. */
    changed_environments: json(),
    message: text().orNull(),
    created_by: text(),
    created_at: time(),
  },
  unique: [{ columns: ["flag_id", "revision"] }],
});
export type FlagVersionRow = Row<typeof featureFlagVersions>;

export const featureFlagSegments = object("feature_flag_segments", {
  columns: {
    id: publicId("featureFlagSegment", "segment_", 24),
    project_id: text(),
    slug: text(),
    /** `SegmentSettings`. */
    settings: json(),
    created_by: text().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["project_id", "slug"] }],
  section: "featureFlagSegments",
});
export type SegmentRow = Row<typeof featureFlagSegments>;

/** SDK keys. The server evaluates no flags, so it does not keep the keys themselves. */
export const featureFlagSdkKeys = object("feature_flag_sdk_keys", {
  columns: {
    hash_key: publicId(),
    project_id: text(),
    type: oneOf(...sdkKeyTypes),
    environment: text(),
    label: text().orNull(),
    /** The prefix of the key, its first three characters, and asterisks. */
    partial: text(),
    created_by: text(),
    created_at: time(),
    updated_at: time(),
  },
  key: ["hash_key"],
  indexes: [["project_id"]],
  section: "featureFlagSdkKeys",
});
export type SdkKeyRow = Row<typeof featureFlagSdkKeys>;

export const featureFlagSettings = object("feature_flag_settings", {
  columns: {
    project_id: text(),
    /** `UpdateSettings`. */
    settings: json(),
    created_at: time(),
    updated_at: time(),
  },
  key: ["project_id"],
});
export type FlagSettingsRow = Row<typeof featureFlagSettings>;
