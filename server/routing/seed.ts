import * as z from "zod";
import { derivedId } from "../platform/ids";
import { id, name, ownedRow, owner, projectOf, type Seeding, section, time } from "../seed/section";
import { hasRow, insertRow } from "../store/rows";
import { routingVersions } from "./object";
import { mergedRedirects } from "./redirect-change";
import { mergedRules, publishedRules } from "./route-change";
import { knownRule, mostRoutes, stageRedirects } from "./schema";
import type { Kind } from "./store";

/** The rows describe the version that serves production. */
const version = {
  ...owner,
  project: name,
  id: id.optional(),
  /** The id of a user. */
  actor: z.string().optional(),
  updatedAt: time.optional(),
};

interface Given {
  project: string;
  team?: string | undefined;
  user?: string | undefined;
  id?: string | undefined;
  actor?: string | undefined;
  updatedAt?: number | undefined;
  name?: string | undefined;
}

/** Adds a published version, unless the project has one of this kind. */
async function putVersion(
  { tx, now }: Pick<Seeding, "tx" | "now">,
  kind: Kind,
  given: Given,
  place: Parameters<typeof projectOf>[2],
  items: readonly object[],
): Promise<void> {
  const project = await projectOf(tx, given, place);
  if (await hasRow(tx, "routing_versions", { project_id: project.id, kind })) return;
  await insertRow(tx, "routing_versions", {
    id: given.id ?? derivedId(routingVersions, project.id, kind),
    project_id: project.id,
    kind,
    number: 1,
    is_live: 1,
    is_staging: 0,
    name: given.name ?? null,
    items: JSON.stringify(items),
    created_by: given.actor ?? project.account_id,
    updated_at: given.updatedAt ?? now,
  });
}

export const bulkRedirects = {
  ...section(
    "routing_versions",
    ownedRow({ ...version, ...stageRedirects.pick({ name: true, redirects: true }).shape }),
    (seeding, given, place) =>
      putVersion(seeding, "redirects", given, place, mergedRedirects([], given.redirects ?? [])),
    ({ team, user, project }) => [[team, user, project]],
  ),
  where: { kind: "redirects" },
};

export const projectRoutes = {
  ...section(
    "routing_versions",
    ownedRow({ ...version, routes: z.array(knownRule).max(mostRoutes) }),
    (seeding, given, place) =>
      putVersion(seeding, "routes", given, place, publishedRules(mergedRules([], given.routes, true))),
    ({ team, user, project }) => [[team, user, project]],
  ),
  where: { kind: "routes" },
};
