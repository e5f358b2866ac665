import type { RateLimit } from "../http/rate-limits";

/** @source wire-shapes 11 */
export const rateLimits = {
  envCreate: { name: "env-create", perMinute: 120, per: "owner" },
  envEdit: { name: "env-edit", perMinute: 120, per: "owner" },
  envDelete: { name: "env-delete", perMinute: 60, per: "owner" },
  envRead: { name: "env-read", perMinute: 500, per: "owner" },
} satisfies Record<string, RateLimit>;
