import * as z from "zod";
import type { Account } from "../access/caller";
import { coveredProjects } from "../access/coverage";
import { page, pageSize, pagination, paging } from "../http/query";
import { rateLimits } from "../http/rate-limits";
import { type Call, type Route, route } from "../http/route";
import { derivedId } from "../platform/ids";
import { notFound } from "../platform/refusal";
import type { DomainRow } from "../store/schema";
import type { Tx } from "../store/store";
import { canonicalDomain, isGiven } from "./names";

/**
 * The domains of an account, as the command-line client lists and inspects them.
 * @choice They are the apexes of its projects' domains: this server sells and hosts none. One is verified once
 *   the account has proved it.
 * @source the newest official client: GET /v5/domains
 */

const accountDomain = z.strictObject({
  id: z.string(),
  name: z.string(),
  verified: z.boolean(),
  serviceType: z.literal("external"),
  nameservers: z.array(z.string()),
  intendedNameservers: z.array(z.string()),
  creator: z.strictObject({ id: z.string(), username: z.string(), email: z.string() }),
  userId: z.string(),
  teamId: z.string().nullable(),
  createdAt: z.number(),
  boughtAt: z.null(),
  expiresAt: z.null(),
  transferredAt: z.null(),
  renew: z.literal(false),
  suffix: z.literal(false),
  echMode: z.literal("auto"),
});
type AccountDomain = z.infer<typeof accountDomain>;

/** An apex with the time of the first domain under it. */
interface Apex {
  name: string;
  verified: boolean;
  createdAt: number;
}

/** The apexes of an account, oldest first, no two with the same time: lists are paged by it. */
async function apexesOf(tx: Tx, account: string, projects: readonly string[] | undefined): Promise<Apex[]> {
  let rows = tx.selectFrom("domains").selectAll().where("account_id", "=", account);
  if (projects) rows = rows.where("project_id", "in", projects);
  const found = new Map<string, Apex>();
  let last = 0;
  for (const row of await rows.orderBy("created_at").orderBy("id").execute()) {
    if (isGiven(row.name)) continue;
    const known = found.get(row.apex_name);
    if (known) known.verified ||= proves(row);
    else {
      last = Math.max(row.created_at, last + 1);
      found.set(row.apex_name, { name: row.apex_name, verified: proves(row), createdAt: last });
    }
  }
  return [...found.values()];
}

const proves = (row: DomainRow): boolean => row.name === row.apex_name && row.verified === 1;

/** @choice Nobody in particular brought a domain: its creator is whose account it is, or a team's first owner. */
async function viewer(tx: Tx, account: Account): Promise<(apex: Apex) => AccountDomain> {
  const owner = await tx
    .selectFrom("accounts as u")
    .leftJoin("members as m", "m.user_id", "u.id")
    .select(["u.id", "u.slug", "u.email"])
    .where((eb) =>
      account.kind === "user"
        ? eb("u.id", "=", account.id)
        : eb.and([eb("m.team_id", "=", account.id), eb("m.role", "=", "OWNER")]),
    )
    .orderBy("m.created_at")
    .executeTakeFirst();
  const creator = {
    id: owner?.id ?? account.id,
    username: owner?.slug ?? account.slug,
    email: owner?.email ?? "",
  };
  return ({ name, verified, createdAt }) => ({
    id: derivedId("row", account.id, name),
    name,
    verified,
    serviceType: "external",
    nameservers: [],
    intendedNameservers: [],
    creator,
    userId: creator.id,
    teamId: account.kind === "team" ? account.id : null,
    createdAt,
    boughtAt: null,
    expiresAt: null,
    transferredAt: null,
    renew: false,
    suffix: false,
    echMode: "auto",
  });
}

async function reachable({ tx, account, caller }: Call): Promise<Apex[]> {
  const { installation } = caller;
  return apexesOf(
    tx,
    account.id,
    installation?.selected ? await coveredProjects(tx, installation.id) : undefined,
  );
}

const listAccountDomains = route({
  method: "GET",
  path: "/v5/domains",
  summary: "Lists the domains of the account: the apexes of what its projects have.",
  scope: ["read:domain"],
  limit: rateLimits.domainList,
  query: z.object(paging),
  reply: { 200: z.strictObject({ domains: z.array(accountDomain), pagination }) },
  async handle(call) {
    const apexes = await reachable(call);
    const { rows, pagination } = await page(
      call.query,
      pageSize(call.query.limit),
      (apex: Apex) => apex.createdAt,
      async ({ since, until, direction, limit }) => {
        const within = apexes.filter(({ createdAt }) => createdAt > since && createdAt < until);
        return (direction === "asc" ? within : within.reverse()).slice(0, limit);
      },
    );
    return { domains: rows.map(await viewer(call.tx, call.account)), pagination };
  },
});

const getAccountDomain = route({
  method: "GET",
  path: "/v5/domains/:domain",
  summary: "Returns a domain of the account, by its apex.",
  scope: ["read:domain"],
  params: z.object({ domain: z.string().transform(canonicalDomain) }),
  reply: { 200: z.strictObject({ domain: accountDomain }) },
  throws: [[404, "not_found", "no such domain in the account"]],
  async handle(call) {
    const { tx, account, params } = call;
    const apex = (await reachable(call)).find(({ name }) => name === params.domain);
    if (!apex) throw notFound(`Domain ${JSON.stringify(params.domain)}`);
    return { domain: (await viewer(tx, account))(apex) };
  },
});

export const accountDomainRoutes: readonly Route[] = [listAccountDomains, getAccountDomain];
