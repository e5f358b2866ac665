import { present } from "../http/reply";
import type { GroupRow, MicrofrontendRow } from "./object";
import type { Group, Member } from "./schema";

export const viewGroup = (row: GroupRow): Group => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  fallbackEnvironment: row.fallback_environment,
  enablePolyrepoBranchRouting: row.polyrepo_branches === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The member `microfrontends` of a project in a group. @source the newest official client */
export const viewMicrofrontend = (row: MicrofrontendRow): Member =>
  present<Extract<Member, { enabled: true }>>({
    enabled: true,
    groupIds: [row.group_id],
    isDefaultApp: row.is_default_app === 1,
    defaultRoute: row.default_route ?? undefined,
    routeObservabilityToThisProject: shown(row.observability_here),
    doNotRouteWithMicrofrontendsRouting: shown(row.no_routing),
    updatedAt: row.updated_at,
  });

const shown = (flag: 0 | 1 | null): boolean | undefined => (flag === null ? undefined : flag === 1);

/** The member of a project that has left its group. @choice Later answers do not have it. */
export const viewLeft = (now: number): Member => ({ enabled: false, groupIds: [], updatedAt: now });
