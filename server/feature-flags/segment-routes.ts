import * as z from "zod";
import { loadProject, projectPath, unknownProject } from "../access/projects";
import { beingTransferred } from "../access/rules";
import { present } from "../http/reply";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import type { ProjectRow } from "../projects/object";
import { changeRows, deleteRows, insertRow, listRows } from "../store/rows";
import { featureFlagSegments, type SegmentRow } from "./object";
import { noSuchSegment, segmentUsed, slugTaken } from "./rules";
import * as wire from "./schema";
import * as store from "./store";
import { viewSegment } from "./view";

/** The segments of a project: groups of visitors that the rules of feature flags name. */

const path = "/v1/projects/:idOrName/feature-flags/segments";
const segmentPath = projectPath.extend({ segment: z.string().describe("Id or slug of the segment.") });
type SegmentPath = z.infer<typeof segmentPath>;

const list = route({
  method: "GET",
  path,
  operationId: "listFlagSegments",
  summary: "Lists the segments of a project, the newest first.",
  scope: ["read:project"],
  params: projectPath,
  success: [200, wire.segmentList],
  throws: [unknownProject],
  load: loadProject,
  async handle({ tx, project }) {
    const usesOf = await store.segmentUses(tx, project.id);
    const rows = await listRows(
      tx,
      "feature_flag_segments",
      { project_id: project.id },
      "-created_at",
      "-id",
    );
    return { data: rows.map((row) => viewSegment(row, usesOf(row.id))) };
  },
});

const create = route({
  method: "PUT",
  path,
  operationId: "createFlagSegment",
  summary: "Creates a segment.",
  scope: ["read-write:project"],
  params: projectPath,
  body: wire.createSegment,
  example: {
    slug: "staff",
    label: "Staff",
    hint: "user-email",
    data: { include: { user: { email: [{ value: "ada@example.com" }] } } },
  },
  success: [201, wire.segment],
  throws: [unknownProject],
  async load(call: Call<{ idOrName: string }, unknown, z.infer<typeof wire.createSegment>>) {
    const { project } = await loadProject(call);
    const isSlugTaken = (await store.findSegment(call.tx, project.id, call.body.slug)) !== undefined;
    return { project, isSlugTaken };
  },
  refuse: [slugTaken, beingTransferred],
  async handle({ tx, now, project, caller, body: { slug, createdBy: _, ...settings } }) {
    const row: SegmentRow = {
      ...{ id: newId(featureFlagSegments), project_id: project.id, slug, settings: JSON.stringify(settings) },
      ...{ created_by: caller.userId, created_at: now, updated_at: now },
    };
    await insertRow(tx, "feature_flag_segments", row);
    return viewSegment(row, { usedByFlags: [], usedBySegments: [] });
  },
});

type Uses = ReturnType<Awaited<ReturnType<typeof store.segmentUses>>>;
type Loaded = { project: ProjectRow; segment: SegmentRow; uses: Uses };

/** @throws Refusal 404 */
async function loadSegment(call: Call<SegmentPath>): Promise<Loaded & { users: string[] }> {
  const { project } = await loadProject(call);
  const segment = await store.findSegment(call.tx, project.id, call.params.segment);
  if (!segment) throw noSuchSegment(call.params.segment);
  const uses = (await store.segmentUses(call.tx, project.id))(segment.id);
  return { project, segment, uses, users: [...uses.usedByFlags, ...uses.usedBySegments] };
}

const unknown = [unknownProject, [404, "not_found", "no such segment of the project"]] as const;

const get = route({
  method: "GET",
  path: `${path}/:segment`,
  operationId: "getFlagSegment",
  summary: "Returns a segment, by id or slug.",
  scope: ["read:project"],
  params: segmentPath,
  success: [200, wire.segment],
  throws: unknown,
  load: loadSegment,
  handle: async ({ segment, uses }) => viewSegment(segment, uses),
});

/** @choice `data` replaces all rules and entries of the segment. */
const update = route({
  method: "PATCH",
  path: `${path}/:segment`,
  operationId: "updateFlagSegment",
  summary: "Changes a segment: absent members keep their value.",
  scope: ["read-write:project"],
  params: segmentPath,
  body: wire.updateSegment,
  example: { hint: "user-id" },
  success: [200, wire.segment],
  throws: unknown,
  load: loadSegment,
  refuse: [beingTransferred],
  async handle({ tx, now, segment, uses, body: { operations = [], ...given } }) {
    const merged = present<wire.SegmentSettings>({ ...store.settingsOf(segment), ...given });
    const settings = JSON.stringify({
      ...merged,
      data: operations.reduce<wire.SegmentData>(applied, merged.data),
    });
    if (settings === segment.settings) return viewSegment(segment, uses);
    const columns = { settings, updated_at: now };
    await changeRows(tx, "feature_flag_segments", { id: segment.id }, columns);
    return viewSegment({ ...segment, ...columns }, uses);
  },
});

function applied(data: wire.SegmentData, { action, field, entity, attribute, value }: wire.SegmentOperation) {
  const ofEntity = data[field]?.[entity] ?? {};
  const others = (ofEntity[attribute] ?? []).filter((entry) => entry.value !== value.value);
  const entries = action === "add" ? [...others, value] : others;
  return { ...data, [field]: { ...data[field], [entity]: { ...ofEntity, [attribute]: entries } } };
}

const remove = route({
  method: "DELETE",
  path: `${path}/:segment`,
  operationId: "deleteFlagSegment",
  summary: "Deletes a segment that no rule uses.",
  scope: ["read-write:project"],
  params: segmentPath,
  success: [204, null],
  throws: unknown,
  load: loadSegment,
  refuse: [segmentUsed, beingTransferred],
  handle: ({ tx, segment }) => deleteRows(tx, "feature_flag_segments", { id: segment.id }),
});

export const segmentRoutes: readonly Route[] = [list, create, get, update, remove];
