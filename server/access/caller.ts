import { timingSafeEqual } from "node:crypto";
import { Refusal } from "../platform/refusal";
import { tokenHash } from "../platform/vault";
import type { AccountRow, Role } from "../store/schema";
import { prepared, type Tx } from "../store/store";
import { type Scope, type ScopeName, scopesOfRole } from "./scopes";

/** The holder of the token: a person, or an installation of an integration. */
export interface Caller {
  userId: string;
  username: string;
  /** The only account that the token acts on; null: the user's own account and every team of the user. */
  boundTo: string | null;
  /** Set when the token was exchanged by an installation. */
  installation: Installation | undefined;
}

interface Installation {
  id: string;
  integrationId: string;
  accountId: string;
  scopes: ScopeName[];
  disabled: boolean;
  /** Only some projects are covered: those in `configuration_projects`. */
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
  /** The scopes that the caller has on it. */
  scopes: ReadonlySet<ScopeName>;
  /** The caller's role; undefined for an installation. */
  role: Role | undefined;
}

/**
 * Finds the caller of a request by the access token.
 * @throws Refusal 401 when the header is missing, of another form, or its token unknown
 * @source Authentication, 1; wire-shapes 1
 */
export async function authenticate(tx: Tx, header: string | undefined): Promise<Caller> {
  const token = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (token === undefined) {
    throw new Refusal(
      401,
      "forbidden",
      "The request carries no access token: send Authorization: Bearer <token>.",
    );
  }
  const [row] = await callerByToken(tx, { hash: tokenHash(token) });
  if (row === undefined)
    throw new Refusal(401, "forbidden", "The access token is not known.", { invalidToken: true });
  return {
    userId: row.user_id,
    username: row.username,
    boundTo: row.account_id,
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
}

const callerByToken = prepared((tx, p: { hash: string }) =>
  tx
    .selectFrom("tokens as t")
    .innerJoin("accounts as u", "u.id", "t.user_id")
    .leftJoin("configurations as c", "c.id", "t.configuration_id")
    .select([
      "t.user_id",
      "t.account_id",
      "t.configuration_id",
      "u.slug as username",
      "c.integration_id",
      "c.account_id as configuration_account_id",
      "c.scopes",
      "c.disabled_at",
      "c.selected",
    ])
    .where("t.hash", "=", p.hash),
);

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
 * Finds the account that a request acts on, and the caller's scopes there.
 * @choice A token that is bound to one team acts on it without `teamId`; an installation on a team needs
 *   `teamId`, as the specification says. A caller outside of a team cannot tell whether the team exists.
 * @source Endpoints; Authentication, 4
 */
export async function resolveAccount(
  tx: Tx,
  caller: Caller,
  { teamId, slug }: { teamId?: string | undefined; slug?: string | undefined },
): Promise<Account> {
  const named = teamId !== undefined || slug !== undefined;
  const fallback = caller.installation ? caller.userId : (caller.boundTo ?? caller.userId);
  const [row] =
    teamId !== undefined
      ? await accountById(tx, { id: teamId, user: caller.userId })
      : slug !== undefined
        ? await teamBySlug(tx, { slug, user: caller.userId })
        : await accountById(tx, { id: fallback, user: caller.userId });
  const agrees = row !== undefined && (teamId === undefined || slug === undefined || row.slug === slug);
  const role: Role | null = row === undefined ? null : row.id === caller.userId ? "OWNER" : row.role;
  const reaches = caller.installation
    ? row?.id === caller.installation.accountId
    : role !== null && (caller.boundTo === null || caller.boundTo === row?.id);
  if (!row || !agrees || !reaches) {
    throw new Refusal(
      403,
      "team_unauthorized",
      named
        ? "The access token has no access to this team, or there is no such team."
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
    scopes: caller.installation ? new Set(caller.installation.scopes) : scopesOfRole(role ?? "VIEWER"),
    role: caller.installation ? undefined : (role ?? undefined),
  };
}

const accountById = prepared((tx, p: { id: string; user: string }) =>
  tx
    .selectFrom("accounts as a")
    .leftJoin("members as m", (join) => join.onRef("m.team_id", "=", "a.id").on("m.user_id", "=", p.user))
    .selectAll("a")
    .select("m.role")
    .where("a.id", "=", p.id),
);

const teamBySlug = prepared((tx, p: { slug: string; user: string }) =>
  tx
    .selectFrom("accounts as a")
    .leftJoin("members as m", (join) => join.onRef("m.team_id", "=", "a.id").on("m.user_id", "=", p.user))
    .selectAll("a")
    .select("m.role")
    .where("a.kind", "=", "team")
    .where("a.slug", "=", p.slug),
);

/**
 * @throws Refusal 403 naming the first scope that is missing
 * @source Authentication, 2
 */
export function requireScopes(account: Account, scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    const accepted = typeof scope === "string" ? [scope] : scope.any;
    if (accepted.some((name) => hasScope(account, name))) continue;
    const [action, resource] = (accepted[0] ?? "").split(":");
    throw new Refusal(403, "forbidden", `The access token lacks the permission ${accepted.join(" or ")}.`, {
      action,
      resource,
    });
  }
}

/** The scope to write includes the scope to read. */
export function hasScope(account: Account, name: ScopeName): boolean {
  return account.scopes.has(name) || account.scopes.has(name.replace(/^read:/, "read-write:") as ScopeName);
}

/** Compares in constant time, which does not reveal where two secrets differ. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(given)), Buffer.from(tokenHash(expected)));
}
