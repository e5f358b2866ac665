import type { RefusalRow } from "../platform/refusal";
import type { RoutingVersionRow } from "./object";
import { mostRoutes, type Rule, type VersionAction } from "./schema";

export const tooManyRoutes: RefusalRow<{ rules: readonly Rule[] }> = [
  400,
  "bad_request",
  `A project can have at most ${mostRoutes} routes.`,
  ({ rules }) => rules.length > mostRoutes,
];

/** @choice An id names one route. */
export const sameRouteIds: RefusalRow<{ rules: readonly Rule[] }> = [
  400,
  "bad_request",
  "Invalid body: two routes have the same id.",
  ({ rules }) => new Set(rules.map(({ id }) => id)).size < rules.length,
];

export const unknownVersion = [404, "not_found", "the project has no such version"] as const;

interface Changing {
  row: RoutingVersionRow;
  body: { action: VersionAction };
}

/** @choice The sources document neither the statuses nor the codes. */
export const notStaged: RefusalRow<Changing> = [
  400,
  "bad_request",
  ({ row, body }) => `The version ${row.id} is not staged, so it cannot be ${participles[body.action]}.`,
  ({ row, body }) => body.action !== "restore" && row.is_staging === 0,
];

export const notEarlier: RefusalRow<Changing> = [
  400,
  "bad_request",
  ({ row }) => `The version ${row.id} is no earlier version of production, so it cannot be restored.`,
  ({ row, body }) => body.action === "restore" && (row.is_staging === 1 || row.is_live === 1),
];

const participles = { promote: "promoted", restore: "restored", discard: "discarded" };
