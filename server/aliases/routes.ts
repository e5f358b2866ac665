import * as z from "zod";
import { loadDeployment, unknownDeployment } from "../deployments/list-store";
import type { DeploymentRow } from "../deployments/object";
import { deploymentPath } from "../deployments/schema";
import { hasProved } from "../domains/account-store";
import { redirectTarget } from "../domains/attach";
import { canonicalDomain, parseDomain } from "../domains/names";
import { pageSize } from "../http/query";
import { type Call, type Route, route } from "../http/route";
import { notFound } from "../platform/refusal";
import { deleteRows, findRow } from "../store/rows";
import { type Assignment, assignRefusals, removeRefusals } from "./rules";
import * as wire from "./schema";
import { aliasesOf, type FoundAlias, findAlias, findAliases, isNameOfProject, writeAlias } from "./store";
import { isoTime, viewAlias, viewAliases } from "./view";

/**
 * The names that point to deployments: aliases, and the names of projects, which promotions move.
 * @source the newest official client, the command line's `alias` and the Terraform provider
 */

export const unknownAlias = [404, "not_found", "no such alias in the account"] as const;

const listAliases = route({
  method: "GET",
  path: "/v4/aliases",
  operationId: "listAliases",
  summary: "Lists the names that point to the account's deployments, the newest first.",
  scope: ["read:deployment"],
  query: wire.aliasFilters,
  success: [200, wire.aliasList],
  async handle(call) {
    const { rows, more } = await findAliases(call, call.query, pageSize(call.query.limit));
    const next = more ? (rows.at(-1)?.created_at ?? null) : null;
    return {
      aliases: await viewAliases(call, rows),
      pagination: { count: rows.length, next, prev: rows[0]?.created_at ?? null },
    };
  },
});

const getAlias = route({
  method: "GET",
  path: "/v4/aliases/:idOrAlias",
  operationId: "getAlias",
  summary: "Returns an alias, by id or name.",
  scope: ["read:deployment"],
  params: z.object({ idOrAlias: z.string().transform(canonicalDomain) }),
  query: wire.aliasFilter,
  success: [200, wire.alias],
  throws: [unknownAlias],
  async handle(call) {
    const [found] = await viewAliases(call, [await loadAlias(call, call.params.idOrAlias, call.query)]);
    return found;
  },
});

/** @choice The name of a project can only be removed from its project, and the URL of a deployment with it. */
const removeAlias = route({
  method: "DELETE",
  path: "/v2/aliases/:aliasId",
  operationId: "deleteAlias",
  summary: "Removes an alias, by id or name.",
  scope: ["read-write:deployment"],
  params: z.object({ aliasId: z.string().transform(canonicalDomain) }),
  success: [200, wire.removedAlias],
  throws: [unknownAlias],
  load: loadRemoval,
  refuse: removeRefusals,
  async handle({ tx, found }) {
    if (found.id !== null) await deleteRows(tx, "aliases", { id: found.id });
    await deleteRows(tx, "protection_exceptions", { alias: found.alias });
    return { status: "SUCCESS" };
  },
});

async function loadRemoval(call: Call<{ aliasId: string }>): Promise<{ found: FoundAlias; isOwn: boolean }> {
  const found = await loadAlias(call, call.params.aliasId);
  return { found, isOwn: found.id !== null };
}

const listDeploymentAliases = route({
  method: "GET",
  path: "/v2/deployments/:id/aliases",
  operationId: "listDeploymentAliases",
  summary: "Lists the names that point to a deployment.",
  scope: ["read:deployment"],
  params: deploymentPath,
  success: [200, wire.deploymentAliases],
  throws: [unknownDeployment],
  async handle(call) {
    const { id } = await loadDeployment(call);
    const aliases = (await aliasesOf(call, id)).map(viewAlias);
    return {
      aliases: aliases.map(({ uid, alias, created, redirect }) => ({ uid, alias, created, redirect })),
    };
  },
});

const assignAlias = route({
  method: "POST",
  path: "/v2/deployments/:id/aliases",
  operationId: "assignAlias",
  summary: "Points a name to a deployment, even if it pointed to another deployment before.",
  scope: ["read-write:deployment"],
  params: deploymentPath,
  body: wire.assignAlias,
  example: { alias: "docs.slipway.app" },
  success: [200, wire.assignedAlias],
  throws: [unknownDeployment],
  load: loadAssignment,
  refuse: assignRefusals,
  async handle({ tx, now, caller, deployment, name = "", redirect = null, current }) {
    const row = await writeAlias({ tx, now }, deployment, {
      name,
      redirect,
      creator: caller.userId,
      current,
    });
    const old = current?.deployment_id;
    return {
      uid: row.id,
      alias: row.alias,
      created: isoTime(row.created_at),
      ...(old === undefined ? {} : { oldDeploymentId: old }),
    };
  },
});

async function loadAssignment(
  call: Call<{ id: string }, unknown, wire.AssignAlias>,
): Promise<Assignment & { deployment: DeploymentRow }> {
  const { tx, account, body } = call;
  const deployment = await loadDeployment(call);
  const domain = parseDomain(body.alias ?? "");
  const name = domain?.wildcard ? undefined : domain?.name;
  const current = name === undefined ? undefined : await findRow(tx, "aliases", { alias: name });
  return {
    account,
    deployment,
    name,
    redirect: redirectTarget(body.redirect ?? null),
    current,
    isOfProject: name !== undefined && (await isNameOfProject(tx, account.id, name)),
    isHidden: name !== undefined && current !== undefined && !(await findAlias(call, name, {})),
    isProved: domain !== undefined && (await hasProved(call, domain.apexName)),
  };
}

/** @throws Refusal 404 */
export async function loadAlias(
  call: Call,
  key: string,
  query: z.infer<typeof wire.aliasFilter> = {},
): Promise<FoundAlias> {
  const found = await findAlias(call, key, query);
  if (!found) throw notFound(`Alias ${JSON.stringify(key)}`);
  return found;
}

export const aliasRoutes: readonly Route[] = [
  listAliases,
  getAlias,
  removeAlias,
  listDeploymentAliases,
  assignAlias,
];
