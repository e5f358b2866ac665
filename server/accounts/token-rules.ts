import { type Caller, hasExpired } from "../access/caller";
import type { RefusalRow } from "../platform/refusal";

/** @choice An installation neither creates tokens of its user, nor sees them. */
export const usersOnly: RefusalRow<{ caller: Pick<Caller, "installation"> }> = [
  403,
  "forbidden",
  "Only users manage their access tokens. Use the token of a user instead of that of an installation.",
  ({ caller }) => caller.installation !== undefined,
];

/** @choice The server does not limit a token to a project, and a token with more access than its name says would be unsafe. */
export const projectsUnsupported: RefusalRow<{ body: { projectId?: string | undefined } }> = [
  400,
  "bad_request",
  "Invalid body member projectId: this server does not limit access tokens to projects. Leave it out.",
  ({ body }) => body.projectId !== undefined,
];

export const expiresTooEarly: RefusalRow<{ body: { expiresAt?: number | undefined }; now: number }> = [
  400,
  "bad_request",
  "Invalid body member expiresAt: must be in the future, in milliseconds since 1970.",
  ({ body, now }) => hasExpired(body.expiresAt ?? null, now),
];
