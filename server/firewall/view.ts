import type { Security } from "./schema";

/** @choice After the end time of the mode, the project has the mode disabled. */
export const viewSecurity = (security: Security | undefined, now: number): Security | undefined =>
  security?.attackModeEnabled && (security.attackModeActiveUntil ?? now + 1) <= now
    ? { ...security, attackModeEnabled: false }
    : security;
