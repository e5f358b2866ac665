import * as z from "zod";
import { outbox } from "../events/outbox";
import { type Call, type Route, route } from "../http/route";
import type { Services } from "../platform/services";
import { changeRows, findRow, listRows } from "../store/rows";
import { type Claim, claimRefusals, nameRefusals } from "./account-rules";
import { loadApex, viewer } from "./account-view";
import { ownersElsewhere, putVerified } from "./added-store";
import { domainEvent } from "./attach";
import { canonicalDomain, challengeDomain, claimRecord, parseDomain } from "./names";
import { rateLimits } from "./rate-limits";
import * as wire from "./schema";

/**
 * Takes over a domain, which another account may own, by a TXT record.
 * @source the newest official client: getDomainVerificationRecord, claimDomainOwnership
 */

const claimPath = z.object({ domain: z.string().transform(canonicalDomain) });
type ClaimCall = Call<z.infer<typeof claimPath>>;

/** @choice The record of an account and a domain does not change. */
const recordOf = (
  { vault }: Pick<Services, "vault">,
  { id }: Pick<Call["account"], "id">,
  apexName: string,
): string => claimRecord(apexName, vault.digest(`domain-claim:${id}:${apexName}`));

/** The facts about the name in a path. */
const named = ({ params }: Pick<ClaimCall, "params">): Pick<Claim, "body" | "domain" | "apexName"> => {
  const domain = parseDomain(params.domain);
  return { body: { name: params.domain }, domain, apexName: domain?.apexName ?? params.domain };
};

const getRecord = route({
  method: "GET",
  path: "/v9/domains/:domain/verification",
  operationId: "getDomainVerificationRecord",
  summary: "Returns the TXT record with which the account claims a domain.",
  scope: ["read:domain"],
  params: claimPath,
  success: [200, z.strictObject({ txtRecord: z.string(), verificationDomain: z.string() })],
  load: async (call: ClaimCall) => named(call),
  refuse: nameRefusals,
  handle: async ({ services, account, apexName }) => ({
    txtRecord: recordOf(services, account, apexName),
    verificationDomain: challengeDomain(apexName),
  }),
});

/**
 * @choice The domain becomes a verified domain of the account. The other accounts keep it, and must verify it again.
 *   Names below it stay as they are.
 */
const claim = route({
  method: "POST",
  path: "/v9/domains/:domain/claim",
  operationId: "claimDomainOwnership",
  summary: "Makes the account the owner of a domain, if the TXT record of the account is there.",
  scope: ["read-write:domain"],
  limit: rateLimits.domainVerify,
  params: claimPath,
  success: [200, z.strictObject({ domain: wire.accountDomain })],
  before: lookUpClaim,
  otherAccounts: ({ services, account, params }) =>
    services.store.read((tx) => ownersElsewhere(tx, account.id, params.domain)),
  load: loadClaim,
  refuse: claimRefusals,
  async handle(call) {
    const { tx, now, account, apexName } = call;
    await disown(call, apexName);
    await putVerified({ tx, now }, account.id, apexName);
    const apex = await loadApex({ ...call, params: { domain: apexName } });
    return { domain: (await viewer(tx, account))(apex) };
  },
});

/** @returns `found` is undefined when the look-up failed */
async function lookUpClaim({
  services: { lookupTxt, log },
  params: { domain },
}: Omit<ClaimCall, "tx" | "emit">): Promise<Pick<Claim, "found">> {
  const { apexName } = named({ params: { domain } });
  try {
    return { found: parseDomain(domain) ? await lookupTxt(challengeDomain(apexName)) : [] };
  } catch (error) {
    log.warn({ err: error, domain }, "TXT look-up failed");
    return { found: undefined };
  }
}

async function loadClaim(call: ClaimCall) {
  const facts = named(call);
  return { ...facts, wanted: recordOf(call.services, call.account, facts.apexName) };
}

/** Takes the verification of a domain from all other accounts. */
async function disown({ tx, now, account, caller }: ClaimCall, name: string): Promise<void> {
  for (const id of await ownersElsewhere(tx, account.id, name)) {
    const owner = await findRow(tx, "accounts", { id });
    const own = { account_id: id, name, verified: 1 } as const;
    const lost = await listRows(tx, "domains", own, "id");
    await changeRows(tx, "domains", own, { verified: 0, updated_at: now });
    await changeRows(tx, "added_domains", own, { verified: 0 });
    const emit = owner && outbox({ tx, now }, owner, caller.userId);
    for (const row of lost) await emit?.(domainEvent("project.domain.unverified", row));
  }
}

export const claimRoutes: readonly Route[] = [getRecord, claim];
