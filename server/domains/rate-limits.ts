import type { RateLimit } from "../http/rate-limits";

/** @source wire-shapes 11 */
export const rateLimits = {
  domainWrite: { name: "domain-write", perMinute: 100, per: "owner" },
  domainList: { name: "domain-list", perMinute: 500, per: "user" },
  domainVerify: { name: "domain-verify", perMinute: 100, per: "user" },
} satisfies Record<string, RateLimit>;
