import { type ScopeName, type ScopeSubject, scopeSubjects } from "../access/scopes";

/** How long an authorization code can be exchanged. @source Limits */
export const codeLifetimeMs = 30 * 60 * 1000;

/** How long a team has to find a new owner for an installation whose owner left. @source Limits */
export const ownershipGraceMs = 30 * 24 * 60 * 60 * 1000;

/** Why a configuration is disabled whose owner left the team. @source wire-shapes 9 */
export const ownerLeft = "original-owner-left-the-team";

/** A moment that ends something ends it to the millisecond: at it, it is over. */
export const isOver = (endsAt: number | null, now: number): boolean => endsAt !== null && now >= endsAt;

/** How a scope is set for an integration. @choice The bare name, which the specification lists, means both rights. */
export type ScopeSetting = ScopeName | ScopeSubject;

/** The scopes of an installation, and those that its integration asked for and nobody confirmed yet. */
export interface GrantedScopes {
  confirmed: ScopeName[];
  /** Each stands above what is confirmed: a scope that is new, or the right to write where reading is confirmed. */
  pending: ScopeName[];
}

/** Each subject once, with the higher of its rights, in the order of the specification's table. */
export function normalizeScopes(settings: readonly ScopeSetting[]): ScopeName[] {
  const levels = new Map<ScopeSubject, Level>();
  for (const setting of settings) {
    const [subject, level] = parse(setting);
    levels.set(subject, Math.max(levels.get(subject) ?? 0, level) as Level);
  }
  return spell((subject) => levels.get(subject) ?? 0);
}

/**
 * An integration asks for another scope set. Less than now holds at once, for what is confirmed and for what
 * is pending; more waits for a confirmation.
 * @param requested everything that the integration wants to have from now on
 * @returns with `raised`, the requests that were not there before and that people have to hear of
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

/** One confirmation confirms all that is pending. @source Authentication, 7 */
export function confirmScopes({ confirmed, pending }: GrantedScopes): GrantedScopes {
  return { confirmed: normalizeScopes([...confirmed, ...pending]), pending: [] };
}

/** None, reading, and reading with writing. */
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
 * Where an installation sends its user.
 * @param redirectUrl the integration's own, whose query parameters stay
 * @param parameters those that are undefined are left out
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
