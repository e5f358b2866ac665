import { accountOfUser, user as userShape } from "../../../provider/client/responses";
import { isOfService } from "../../../provider/resources/dns-record/values";
import { withLastRequest } from "../../../provider/resources/promotion/promote";
import type { ComparedAccount } from "./account";
import type { Item } from "./lists";
import * as operations from "./operations";

/** The number of objects of each kind that are read one by one. */
export const objectsRead = 3;

/** An id that no object has. */
const unknownId = "slipway-doctor-unknown";

/** Reads each kind of object of an account. */
export async function walk(account: ComparedAccount): Promise<void> {
  await walkOwners(account);
  const projects = await account.list(operations.projects);
  if (projects) {
    await account.refusal(operations.projects, {}, { parameters: {}, query: { limit: "unknown" } });
    await account.refusal(operations.project, { project: unknownId }, { parameters: { project: unknownId } });
  }
  for (const [id, item] of firstItems(projects, "id")) await walkProject(account, id, item);
  await eachOf(account, operations.deployments, operations.deployment, ["id", "uid"]);
  await walkDomains(account);
  await eachOf(account, operations.sharedVariables, operations.sharedVariable, ["id"]);
  await walkEdgeConfigs(account);
  await eachOf(account, operations.webhooks, operations.webhook, ["id"]);
  await eachOf(account, operations.drains, operations.drain, ["id"]);
}

async function walkOwners(account: ComparedAccount): Promise<void> {
  const body = await account.one(operations.user, {});
  await account.list(operations.teams);
  const { data } = userShape.safeParse(body);
  const own = data && accountOfUser(data);
  const team = account.reader.settings.team ?? (own === data?.user.id ? undefined : own);
  if (team === undefined) return;
  const { id = team } = (await account.one(operations.team, { team })) ?? {};
  await account.list(operations.teamMembers, { team: String(id) });
}

async function walkProject(account: ComparedAccount, project: string, item: Item): Promise<void> {
  const listed = { list: operations.projects, item };
  const plain = await account.one(operations.project, { project }, { listed });
  const full = await account.one(operations.project, { project }, { query: withLastRequest });
  await account.list(operations.projectMembers, { project });
  const promoted = await account.list(operations.promotedAliases, { project });
  const contradict = (expected: string, found: string): void =>
    account.add(operations.project, {
      ...{ kind: "contradiction", member: "lastAliasRequest", expected, found },
    });
  if (plain?.lastAliasRequest) contradict("null without rollbackInfo=true", "object");
  if (promoted?.length && full?.lastAliasRequest === null)
    contradict("object with rollbackInfo=true, after a promotion", "null");
  await account.list(operations.bypasses, {}, { projectId: project });
  await eachInProject(account, project, operations.environments, operations.environment, "id");
  await eachInProject(account, project, operations.variables, operations.variable, "id");
  const domains = await eachInProject(account, project, operations.domains, operations.domain, "name");
  for (const domain of domains)
    await account.one(operations.domainConfig, { domain }, { query: { projectIdOrName: project } });
}

async function walkDomains(account: ComparedAccount): Promise<void> {
  for (const domain of await eachOf(account, operations.accountDomains, operations.accountDomain, ["name"])) {
    const records = await account.list(operations.dnsRecords, { domain });
    // A record of the service cannot be read by its id.
    const own = records?.filter((record) => !isOfService(record));
    for (const [record] of firstItems(own, "id")) await account.one(operations.dnsRecord, { record });
  }
}

async function walkEdgeConfigs(account: ComparedAccount): Promise<void> {
  for (const config of await eachOf(account, operations.edgeConfigs, operations.edgeConfig, ["id"])) {
    const items = await account.list(operations.edgeConfigItems, { config });
    for (const [key] of firstItems(items, "key"))
      await account.one(operations.edgeConfigItem, { config, key });
    await account.list(operations.edgeConfigTokens, { config });
  }
}

/** Reads a list of the account, its first objects, and an unknown object. @returns the ids of these objects */
async function eachOf(
  account: ComparedAccount,
  list: operations.Operation,
  one: operations.Operation,
  idMembers: readonly string[],
): Promise<string[]> {
  const items = await account.list(list);
  const first = firstItems(items, ...idMembers);
  for (const [id, item] of first) await account.one(one, { id }, { listed: { list, item } });
  if (items) await account.refusal(one, { id: unknownId }, { parameters: { id: unknownId } });
  return first.map(([id]) => id);
}

/** As `eachOf`, for a list of a project. */
async function eachInProject(
  account: ComparedAccount,
  project: string,
  list: operations.Operation,
  one: operations.Operation,
  idMember: string,
): Promise<string[]> {
  const items = await account.list(list, { project });
  const first = firstItems(items, idMember);
  for (const [id, item] of first) await account.one(one, { project, id }, { listed: { list, item } });
  if (items)
    await account.refusal(
      one,
      { project, id: unknownId },
      { parameters: { project: account.reference.project, id: unknownId } },
    );
  return first.map(([id]) => id);
}

/** The first objects with their ids. @param members the members that can have the id */
function firstItems(items: readonly Item[] | undefined, ...members: string[]): [id: string, item: Item][] {
  const found = (items ?? []).flatMap((item): [string, Item][] => {
    const id = members.map((member) => item[member]).find((text) => typeof text === "string");
    return typeof id === "string" ? [[id, item]] : [];
  });
  return found.slice(0, objectsRead);
}
