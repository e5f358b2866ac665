import * as z from "zod";
import { derivedId } from "../platform/ids";
import { SeedError } from "../seed/error";
import { id, idWith, name, ownedRow, owner, projectOf, section, times } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { featureFlagSegments as segmentTable, featureFlags as table } from "./object";
import { problemOf } from "./rules";
import { createFlag, createSegment, flagData, sdkKey } from "./schema";
import { addFlag, seedOf } from "./store";

const ofProject = { ...owner, project: name, ...times, createdBy: z.string().optional() };

const flagRow = ownedRow({
  ...ofProject,
  ...flagData.shape,
  id: idWith("flag_").optional(),
  slug: createFlag.shape.slug,
  kind: createFlag.shape.kind,
  seed: flagData.shape.seed.optional(),
  state: flagData.shape.state.default("active"),
  environments: flagData.shape.environments.default({}),
});

/** Adds a feature flag with one version, unless its project has one with this slug. */
export const featureFlags = section(
  "feature_flags",
  flagRow,
  async ({ tx, now }, given, place) => {
    const {
      team: _,
      user: __,
      project: ___,
      slug,
      kind,
      createdBy,
      createdAt = now,
      updatedAt,
      ...rest
    } = given;
    const project = await projectOf(tx, given, place);
    const { id = derivedId(table, project.id, slug), seed = seedOf(id), ...settings } = rest;
    if (await hasRow(tx, "feature_flags", { id })) return;
    if (await hasRow(tx, "feature_flags", { project_id: project.id, slug })) return;
    const problem = problemOf(kind, settings);
    if (problem !== undefined) throw new SeedError(place, problem.replace(/\.$/, ""));
    const user = createdBy ?? project.account_id;
    const version = { data: { ...settings, seed }, changed: Object.keys(settings.environments), user };
    const unit = { tx, now: createdAt };
    await addFlag(unit, { id, project_id: project.id, slug, kind }, version, updatedAt);
  },
  ({ team, user, project, slug }) => [[team, user, project, slug]],
);

const segmentRow = ownedRow({
  ...ofProject,
  ...createSegment.shape,
  id: idWith("segment_").optional(),
});

/** Adds a segment, unless its project has one with this slug. */
export const featureFlagSegments = section(
  "feature_flag_segments",
  segmentRow,
  async ({ tx, now }, given, place) => {
    const project = await projectOf(tx, given, place);
    const { slug, label, description, hint, data, createdAt = now, updatedAt = createdAt } = given;
    const id = given.id ?? derivedId(segmentTable, project.id, slug);
    if (await hasRow(tx, "feature_flag_segments", { id })) return;
    if (await hasRow(tx, "feature_flag_segments", { project_id: project.id, slug })) return;
    await insertRow(tx, "feature_flag_segments", {
      ...{ id, project_id: project.id, slug },
      settings: JSON.stringify({ label, description, hint, data }),
      ...{ created_by: given.createdBy ?? null, created_at: createdAt, updated_at: updatedAt },
    });
  },
  ({ team, user, project, slug }) => [[team, user, project, slug]],
);

const { type, environment, label } = sdkKey.shape;
const keyRow = ownedRow({
  ...ofProject,
  ...{ type, environment, label, hashKey: id },
  partialKeyValue: z.string().optional(),
});

/** Adds an SDK key without its value, unless it exists. */
export const featureFlagSdkKeys = section(
  "feature_flag_sdk_keys",
  keyRow,
  async ({ tx, now }, given, place) => {
    const project = await projectOf(tx, given, place);
    const { hashKey, type, environment, label, createdAt = now, updatedAt = createdAt } = given;
    if (await hasRow(tx, "feature_flag_sdk_keys", { hash_key: hashKey })) return;
    await insertRow(tx, "feature_flag_sdk_keys", {
      ...{ hash_key: hashKey, project_id: project.id, type, environment, label: label ?? null },
      partial: given.partialKeyValue ?? `vf_${type}_********`,
      created_by: given.createdBy ?? project.account_id,
      ...{ created_at: createdAt, updated_at: updatedAt },
    });
  },
  ({ hashKey }) => [hashKey],
);
