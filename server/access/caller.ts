import { timingSafeEqual } from "node:crypto";
import type { AccountRow } from "../accounts/object";
import type { Role } from "../members/object";
import { Refusal } from "../platform/refusal";
import { tokenHash } from "../platform/vault";
import type { Tx } from "../store/store";
import { accountFor, callerAndAccount, callerAndTeam } from "./caller-store";
import { grantedBy, type Scope, type ScopeName, scopesOfRole } from "./scopes";

/** The owner of the access token: a user, or an installation of an integration. */
export interface Caller {
  userId: string;
  username: string;
  /** The access token; undefined for a user of the dashboard. */
  token?: { id: string; expiresAt: number | null } | undefined;
  /** The only account that the token acts on; null: the user's own account and every team of the user. */
  boundTo: string | null;
  /** Set when the token was exchanged by an installation. */
  installation: Installation | undefined;
  /** The id of the only project in which the caller may act; set when a role in a project permits the request. */
  onlyProject?: string | undefined;
}

interface Installation {
  id: string;
  integrationId: string;
  accountId: string;
  scopes: ScopeName[];
  disabled: boolean;
  /** True if the installation covers only the projects in `configuration_projects`. */
  selected: boolean;
}

/** The account that a request acts on. */
export interface Account {
  id: string;
  kind: "user" | "team";
  slug: string;
  name: string | null;
  plan: AccountRow["plan"];
  addons: string[];
  softBlocked: boolean;
  paymentMethodNeedsUpdate: boolean;
  deniedDomains: string[];
  /** True if new variables for production and preview must be sensitive. */
  wantsSensitive: boolean;
  /** The scopes that the caller has on the account. Each scope to write includes the scope to read. */
  scopes: ReadonlySet<ScopeName>;
  /** The caller's role; undefined for an installation. */
  role: Role | undefined;
}

/** How a request names the account that it acts on. */
export interface AccountName {
  teamId?: string | undefined;
  slug?: string | undefined;
}

/**
 * Finds the caller of a request by the access token, and the account that the request names.
 * @returns `named`: undefined if there is no such account
 * @throws Refusal 401 when the header is missing or malformed, or the token is unknown
 * @source Authentication, 1; wire-shapes 1
 */
export async function authenticate(
  tx: Tx,
  header: string | undefined,
  { teamId, slug }: AccountName = {},
): Promise<{ caller: Caller; named: NamedAccount | undefined }> {
  const token = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (token === undefined) {
    throw new Refusal(
      401,
      "forbidden",
      "The request carries no access token: send Authorization: Bearer <token>.",
      { missingToken: true },
    );
  }
  const hash = tokenHash(token);
  const [row] =
    teamId === undefined && slug !== undefined
      ? await callerAndTeam(tx, { hash, slug })
      : await callerAndAccount(tx, { hash, id: teamId ?? null });
  if (row === undefined)
    throw new Refusal(401, "forbidden", "The access token is not known.", { invalidToken: true });
  const caller: Caller = {
    userId: row.user_id,
    username: row.username,
    token: { id: row.token_id, expiresAt: row.expires_at },
    boundTo: row.bound_to,
    installation:
      row.configuration_id === null
        ? undefined
        : {
            id: row.configuration_id,
            integrationId: row.integration_id ?? "",
            accountId: row.configuration_account_id ?? "",
            scopes: JSON.parse(row.scopes ?? "[]"),
            disabled: row.disabled_at !== null,
            selected: row.selected === 1,
          },
  };
  return { caller, named: row.id === null ? undefined : (row as NamedAccount) };
}

/**
 * Refuses every request of a disabled installation, before anything else is checked.
 * @throws Refusal 403
 * @source States and transitions, while a configuration is disabled
 */
export function refuseDisabled({ installation }: Caller): void {
  if (!installation?.disabled) return;
  throw new Refusal(403, "integration_configuration_disabled", "The integration configuration is disabled.");
}

/**
 * Refuses a token that has expired, as one that is not known.
 * @choice The time of the expiry is the first at which the token is refused.
 * @throws Refusal 401
 */
export function refuseExpired({ token }: Caller, now: number): void {
  if (!hasExpired(token?.expiresAt ?? null, now)) return;
  throw new Refusal(401, "forbidden", "The access token has expired. Create another one.", {
    invalidToken: true,
  });
}

/** @param expiresAt null for a token that does not expire */
export const hasExpired = (expiresAt: number | null, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

/** The account that a request names. `role` is null unless the account is a team of the caller. */
export type NamedAccount = Pick<
  AccountRow,
  | "id"
  | "kind"
  | "slug"
  | "name"
  | "plan"
  | "addons"
  | "soft_blocked"
  | "payment_method_needs_update"
  | "denied_domains"
  | "sensitive_policy"
> & { role: Role | null };

/**
 * The account that a request acts on, with the caller's scopes there.
 * @choice A token that is bound to one team acts on that team without `teamId`. An installation on a team needs
 *   `teamId`, as the specification says. The refusal does not tell a caller outside of a team whether the team exists.
 * @throws Refusal 403 when the caller has no access to the account
 * @source Endpoints; Authentication, 4
 */
export function accountOf(
  caller: Caller,
  row: NamedAccount | undefined,
  { teamId, slug }: AccountName,
): Account {
  const agrees = row !== undefined && (teamId === undefined || slug === undefined || row.slug === slug);
  const role: Role | null = row === undefined ? null : row.id === caller.userId ? "OWNER" : row.role;
  const reaches = caller.installation
    ? row?.id === caller.installation.accountId
    : role !== null && (caller.boundTo === null || caller.boundTo === row?.id);
  if (!row || !agrees || !reaches) {
    throw new Refusal(
      403,
      "team_unauthorized",
      teamId !== undefined || slug !== undefined
        ? `The access token has no access to this team, or there is no such team.${hintOf({ teamId, slug })}`
        : "The access token belongs to a team: add the team's id to the request as teamId.",
    );
  }
  return {
    id: row.id,
    kind: row.kind,
    slug: row.slug,
    name: row.name,
    plan: row.plan,
    addons: JSON.parse(row.addons),
    softBlocked: row.soft_blocked === 1,
    paymentMethodNeedsUpdate: row.payment_method_needs_update === 1,
    deniedDomains: JSON.parse(row.denied_domains),
    wantsSensitive: row.sensitive_policy === "on",
    scopes: caller.installation ? grantedBy(caller.installation.scopes) : scopesOfRole(role ?? "VIEWER"),
    role: caller.installation ? undefined : (role ?? undefined),
  };
}

/** A hint about a name that is no name of a team. */
function hintOf({ teamId, slug }: AccountName): string {
  for (const [name, value] of Object.entries({ teamId, slug }))
    if (value !== undefined && /^(undefined|null|none|nil|nan|\[object object\])$/i.test(value))
      return ` ${name} is the text ${JSON.stringify(value)}: a variable of the client is probably not set.`;
  if (teamId !== undefined && !teamId.startsWith("team_"))
    return ` teamId is an id, such as team_1a2b3c. If ${JSON.stringify(teamId)} is a slug, send it as slug.`;
  if (slug?.startsWith("team_")) return " slug looks like the id of a team. Send an id as teamId.";
  return "";
}

/**
 * The account with this id, for a caller without an access token, such as a user of the dashboard.
 * @throws Refusal 403 when the caller has no access to the account
 */
export async function resolveAccount(tx: Tx, caller: Caller, id: string): Promise<Account> {
  const row = await accountFor(tx, caller.userId, id);
  return accountOf(caller, row, { teamId: id });
}

/**
 * @throws Refusal 403 naming the first scope that is missing
 * @source Authentication, 2
 */
export function requireScopes(account: Account, scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    const accepted = typeof scope === "string" ? [scope] : scope.any;
    if (accepted.some((name) => account.scopes.has(name))) continue;
    const [action, resource] = (accepted[0] ?? "").split(":");
    throw new Refusal(403, "forbidden", `The access token lacks the permission ${accepted.join(" or ")}.`, {
      action,
      resource,
    });
  }
}

/** Compares two secrets in constant time, so that the time does not reveal where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(given)), Buffer.from(tokenHash(expected)));
}
