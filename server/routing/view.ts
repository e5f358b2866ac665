import type * as z from "zod";
import type { RoutingVersionRow } from "./object";
import { routeTypeOf } from "./route-change";
import type * as wire from "./schema";
import { itemsOf } from "./store";

const viewVersion = (row: RoutingVersionRow) => ({
  id: row.id,
  lastModified: row.updated_at,
  createdBy: row.created_by,
  isStaging: row.is_staging === 1,
  isLive: row.is_live === 1,
});

/** @choice The key of the content, which clients do not read. @source the newest official client: the default name */
export const viewRedirectVersion = (row: RoutingVersionRow): z.infer<typeof wire.redirectVersion> => ({
  ...viewVersion(row),
  key: `${row.project_id}/${row.id}`,
  name: row.name ?? new Date(row.updated_at).toISOString(),
  redirectCount: itemsOf(row).length,
});

export const viewRouteVersion = (row: RoutingVersionRow): z.infer<typeof wire.routeVersion> => ({
  ...viewVersion(row),
  s3Key: `${row.project_id}/${row.id}`,
  ruleCount: itemsOf(row).length,
});

export const viewRule = <R extends wire.Rule>(rule: R): z.infer<typeof wire.shownRule> => ({
  ...rule,
  routeType: routeTypeOf(rule),
});
