import type { Security } from "./schema";

/** @choice The mode ends when its time has passed: a project then has it disabled. */
export const viewSecurity = (security: Security | undefined, now: number): Security | undefined =>
  security?.attackModeEnabled && (security.attackModeActiveUntil ?? now + 1) <= now
    ? { ...security, attackModeEnabled: false }
    : security;
