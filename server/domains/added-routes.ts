import * as z from "zod";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import { type Call, type Route, route } from "../http/route";
import { changeRows } from "../store/rows";
import {
  type Addition,
  addRefusals,
  limitedInstallation,
  movesDomain,
  notBought,
  transfersDomain,
} from "./account-rules";
import { hasDomain, isOwnedElsewhere } from "./account-store";
import { type Apex, loadApex, viewer } from "./account-view";
import { insertAddedDomain } from "./added-store";
import { canonicalDomain, parseDomain } from "./names";
import { rateLimits } from "./rate-limits";
import * as wire from "./schema";
import { isApexElsewhere } from "./store";

/** Adds domains to an account, without a project, and changes their settings. @source the newest official client */

/**
 * @choice A new domain is verified as a new project domain is: at once in the profile `hosted`, if no other account has
 *   a domain under the apex. The account's domains need no addition if they have project domains or DNS records.
 */
const addAccountDomain = route({
  method: "POST",
  path: "/v7/domains",
  operationId: "createOrTransferDomain",
  summary: "Adds a domain to the account, without a project.",
  scope: ["read-write:domain"],
  limit: rateLimits.domainWrite,
  body: wire.addAccountDomain,
  example: { name: "example.net", zone: true },
  success: [200, z.strictObject({ domain: wire.accountDomain })],
  load: loadAddition,
  refuse: [transfersDomain, ...addRefusals, softBlocked, paymentMethodNeeded],
  async handle(call) {
    const { tx, now, account, body, apexName, isFree, services, emit } = call;
    const isVerified = isFree && services.profile.isHosted("domain-verified-at-once");
    await insertAddedDomain(
      { tx, now },
      {
        account_id: account.id,
        name: apexName,
        verified: isVerified ? 1 : 0,
        zone: body.zone ? 1 : 0,
        ech_mode: "auto",
      },
    );
    await emit({ type: "domain.created", payload: { domain: { name: apexName, delegated: false } } });
    const apex = await loadApex({ ...call, params: { domain: apexName } });
    return { domain: (await viewer(tx, account))(apex) };
  },
});

async function loadAddition(call: Call<unknown, unknown, wire.AddAccountDomain>): Promise<Addition> {
  const { tx, account, caller, body } = call;
  const domain = parseDomain(body.name);
  const apexName = domain?.apexName ?? body.name;
  return {
    body,
    account,
    domain,
    apexName,
    caller,
    isOwn: domain !== undefined && (await hasDomain(call, apexName)),
    ownedElsewhere: domain !== undefined && (await isOwnedElsewhere(call, apexName)),
    isFree: !(await isApexElsewhere(tx, account.id, apexName)),
  };
}

/** @choice A domain that the account has because of its projects or DNS records counts as added from then on. */
const patchAccountDomain = route({
  method: "PATCH",
  path: "/v3/domains/:domain",
  operationId: "patchDomain",
  summary: "Changes the settings of a domain of the account.",
  scope: ["read-write:domain"],
  limit: rateLimits.domainWrite,
  params: z.object({ domain: z.string().transform(canonicalDomain) }),
  body: wire.patchAccountDomain,
  example: { op: "update", zone: true },
  success: [200, wire.patchedDomain],
  throws: [[404, "not_found", "no such domain in the account"]],
  load: loadChange,
  refuse: [movesDomain, notBought, limitedInstallation],
  async handle(call) {
    const { tx, now, account, apex, body } = call;
    const { name, added } = apex;
    const columns = {
      zone: body.zone === undefined ? (added?.zone ?? 0) : body.zone ? (1 as const) : (0 as const),
      ech_mode: body.echMode ?? added?.ech_mode ?? "auto",
    };
    const key = { account_id: account.id, name };
    if (added) await changeRows(tx, "added_domains", key, columns);
    else
      await insertAddedDomain({ tx, now }, { ...key, ...columns, verified: 0, created_at: apex.createdAt });
    return { echMode: columns.ech_mode, zone: columns.zone === 1 };
  },
});

/** @throws Refusal 404 */
async function loadChange(
  call: Call<{ domain: string }, unknown, wire.PatchAccountDomain>,
): Promise<{ apex: Apex }> {
  return { apex: await loadApex(call) };
}

export const addedDomainRoutes: readonly Route[] = [addAccountDomain, patchAccountDomain];
