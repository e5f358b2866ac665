import { type ScopeName, type ScopeSetting, type ScopeSubject, scopeSubjects } from "../access/scopes";
import { Refusal } from "../platform/refusal";

/** How long an authorization code is valid, in milliseconds. @source Limits */
export const codeLifetimeMs = 30 * 60 * 1000;

/** How long a team has to find a new owner of an installation, in milliseconds. @source Limits */
export const ownershipGraceMs = 30 * 24 * 60 * 60 * 1000;

/** The reason of a configuration that is disabled because its owner left the team. @source wire-shapes 9 */
export const ownerLeft = "original-owner-left-the-team";

/** @choice An installation may not change which projects it covers, since it could widen its own access. */
export const changesOwnAccess = (): Refusal =>
  new Refusal(403, "forbidden", "An installation cannot change its own access. Use the token of a user.", {
    action: "update",
    resource: "integrationConfiguration",
  });

export const actsForAnother = (): Refusal =>
  new Refusal(
    403,
    "forbidden",
    "Only the user of the installation or an owner of its team may do that. Name one of them as user.",
  );

/** True from `endsAt` on, including that millisecond. */
export const isOver = (endsAt: number | null, now: number): boolean => endsAt !== null && now >= endsAt;

/** The confirmed scopes of an installation, and the requested scopes that are not yet confirmed. */
export interface GrantedScopes {
  confirmed: ScopeName[];
  /** Scopes beyond the confirmed ones: a new scope, or write where read is confirmed. */
  pending: ScopeName[];
}

/** Returns each subject once, with its highest right, in the order of the specification's table. */
export function normalizeScopes(settings: readonly ScopeSetting[]): ScopeName[] {
  const levels = new Map<ScopeSubject, Level>();
  for (const setting of settings) {
    const [subject, level] = parse(setting);
    levels.set(subject, Math.max(levels.get(subject) ?? 0, level) as Level);
  }
  return spell((subject) => levels.get(subject) ?? 0);
}

/**
 * Applies another set of requested scopes. Removals and downgrades of confirmed and pending scopes take effect at once.
 * Additions and upgrades wait for a confirmation.
 * @param requested all scopes that the integration requests from now on
 * @returns `raised` are the scopes that are newly requested. Users get mail about them.
 * @source Authentication, 7
 */
export function requestScopes(
  now: GrantedScopes,
  requested: readonly ScopeName[],
): GrantedScopes & { raised: ScopeName[] } {
  const wanted = levelsOf(requested);
  const had = levelsOf(now.confirmed);
  const waited = levelsOf(now.pending);
  const confirmed = (subject: ScopeSubject): Level => Math.min(had(subject), wanted(subject)) as Level;
  const pending = (subject: ScopeSubject): Level =>
    wanted(subject) > confirmed(subject) ? wanted(subject) : 0;
  return {
    confirmed: spell(confirmed),
    pending: spell(pending),
    raised: spell((subject) => (pending(subject) > waited(subject) ? pending(subject) : 0)),
  };
}

/** Confirms all pending scopes. @source Authentication, 7 */
export function confirmScopes({ confirmed, pending }: GrantedScopes): GrantedScopes {
  return { confirmed: normalizeScopes([...confirmed, ...pending]), pending: [] };
}

/** None, read, and read-write. */
type Level = 0 | 1 | 2;

function parse(setting: ScopeSetting): [ScopeSubject, Level] {
  const [right, subject] = setting.split(":");
  if (subject === undefined) return [setting as ScopeSubject, 2];
  return [subject as ScopeSubject, right === "read" ? 1 : 2];
}

function levelsOf(scopes: readonly ScopeName[]): (subject: ScopeSubject) => Level {
  const levels = new Map(scopes.map(parse));
  return (subject) => levels.get(subject) ?? 0;
}

const spell = (levelOf: (subject: ScopeSubject) => Level): ScopeName[] =>
  scopeSubjects.flatMap((subject): ScopeName[] => {
    const level = levelOf(subject);
    return level === 0 ? [] : [`${level === 1 ? "read" : "read-write"}:${subject}`];
  });

/**
 * The URL to which an installation redirects the user's browser.
 * @param redirectUrl of the integration; its query parameters are kept
 * @param parameters added to the query unless undefined
 * @source Authentication, 3; wire-shapes 8
 */
export function installationUrl(
  redirectUrl: string,
  parameters: Record<"code" | "configurationId" | "next" | "source", string> & { teamId: string | undefined },
): string {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

const invalidGrant = (message: string): Refusal => new Refusal(400, "invalid_grant", message);

/** The refusals of the token exchange. @source Token exchange */
export const exchangeRefusals = {
  unknownClient: () =>
    new Refusal(401, "invalid_client", "The client_id is unknown, or the client_secret is wrong."),
  otherRedirect: () =>
    invalidGrant(
      "The redirect_uri differs from the redirect URL of the integration. Send the URL of the integration.",
    ),
  unknownCode: () => invalidGrant("The code is unknown, or belongs to another integration."),
  expiredCode: () =>
    invalidGrant(
      "The code has expired: it is valid for 30 minutes. Install the integration again to get another one.",
    ),
  usedCode: () => invalidGrant("The code was used before. A code can be exchanged once."),
  disabled: () =>
    new Refusal(403, "integration_configuration_disabled", "The integration configuration is disabled."),
};

export const nothingPending = (): Refusal =>
  new Refusal(409, "conflict", "This installation has no pending scopes to confirm.");
