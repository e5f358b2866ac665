import { accountOfUser, user as userShape } from "../../../provider/client/responses";
import { isOfService } from "../../../provider/resources/dns-record/values";
import { withLastRequest } from "../../../provider/resources/promotion/running";
import { kinds } from "../../objects";
import { accessGroup, accessGroupMember, accessGroupProject } from "../../objects/access-group";
import { accountDomain } from "../../objects/account-domain";
import { alias } from "../../objects/alias";
import { blobStore, blobStoreConnection } from "../../objects/blob-store";
import { deployment } from "../../objects/deployment";
import { dnsRecord } from "../../objects/dns-record";
import { domain } from "../../objects/domain";
import { edgeConfig, edgeConfigItem, edgeConfigToken } from "../../objects/edge-config";
import { member } from "../../objects/member";
import type { Operation } from "../../objects/operation";
import { project } from "../../objects/project";
import { team } from "../../objects/team";
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
  const { list, one } = project.operations;
  const projects = await account.list(list);
  if (projects) {
    await account.refusal(list, {}, { parameters: {}, query: { limit: "unknown" } });
    await account.refusal(one, { project: unknownId }, { parameters: { project: unknownId } });
  }
  for (const [id, item] of firstItems(projects, "id")) await walkProject(account, id, item);
  await eachOf(account, deployment.operations, ["id", "uid"]);
  await eachOf(account, alias.operations, ["uid"]);
  await walkDomains(account);
  for (const kind of kinds) {
    if ((kind.owner !== "team" && kind.owner !== "account") || !("rows" in kind)) continue;
    const ids = await eachOf(account, kind.operations, ["id", "accessGroupId"]);
    if (kind === accessGroup) for (const group of ids) await walkAccessGroup(account, group);
    if (kind === blobStore)
      for (const store of ids) await account.list(blobStoreConnection.operations.list, { store });
    if (kind === edgeConfig) for (const config of ids) await walkEdgeConfig(account, config);
  }
}

async function walkOwners(account: ComparedAccount): Promise<void> {
  const body = await account.one(operations.user, {});
  await account.list(team.operations.list);
  const { data } = userShape.safeParse(body);
  const own = data && accountOfUser(data);
  const selected = account.reader.settings.team ?? (own === data?.user.id ? undefined : own);
  if (selected === undefined) return;
  const { id = selected } = (await account.one(team.operations.one, { team: selected })) ?? {};
  await account.list(member.operations.list, { team: String(id) });
}

async function walkProject(account: ComparedAccount, id: string, item: Item): Promise<void> {
  const { list, one } = project.operations;
  const plain = await account.one(one, { project: id }, { listed: { list, item } });
  const full = await account.one(one, { project: id }, { query: withLastRequest });
  const promoted = await account.list(operations.promotedAliases, { project: id });
  const contradict = (expected: string, found: string): void =>
    account.add(one, { ...{ kind: "contradiction", member: "lastAliasRequest", expected, found } });
  if (plain?.lastAliasRequest) contradict("null without rollbackInfo=true", "object");
  if (promoted?.length && full?.lastAliasRequest === null)
    contradict("object with rollbackInfo=true, after a promotion", "null");
  for (const kind of kinds) {
    if (kind.owner !== "project" || !("rows" in kind)) continue;
    const ids = await eachInProject(account, id, kind.operations);
    if (kind !== domain) continue;
    for (const name of ids)
      await account.one(operations.domainConfig, { domain: name }, { query: { projectIdOrName: id } });
  }
}

async function walkDomains(account: ComparedAccount): Promise<void> {
  const { list, one } = dnsRecord.operations;
  for (const domain of await eachOf(account, accountDomain.operations, ["name"])) {
    const records = await account.list(list, { domain });
    // A record of the service cannot be read by its id.
    const own = records?.filter((record) => !isOfService(record));
    for (const [record] of firstItems(own, "id")) await account.one(one, { record });
  }
}

async function walkEdgeConfig(account: ComparedAccount, config: string): Promise<void> {
  const items = await account.list(edgeConfigItem.operations.list, { config });
  for (const [key] of firstItems(items, "key"))
    await account.one(edgeConfigItem.operations.one, { config, key });
  await account.list(edgeConfigToken.operations.list, { config });
}

async function walkAccessGroup(account: ComparedAccount, group: string): Promise<void> {
  await account.list(accessGroupMember.operations.list, { group });
  const { list, one } = accessGroupProject.operations;
  const projects = await account.list(list, { group });
  for (const [project] of firstItems(projects, "projectId")) await account.one(one, { group, project });
}

interface Operations {
  list: Operation;
  one?: Operation;
}

/** Reads a list of the account, its first objects, and an unknown object, if there is an operation for one object. @returns the ids of these objects */
async function eachOf(
  account: ComparedAccount,
  { list, one }: Operations,
  idMembers: readonly string[],
): Promise<string[]> {
  const items = await account.list(list);
  const first = firstItems(items, ...idMembers);
  if (one === undefined) return first.map(([id]) => id);
  for (const [id, item] of first) await account.one(one, { id }, { listed: { list, item } });
  if (items) await account.refusal(one, { id: unknownId }, { parameters: { id: unknownId } });
  return first.map(([id]) => id);
}

/** As `eachOf`, for a list of a project, which may have no operation for one object. */
async function eachInProject(
  account: ComparedAccount,
  project: string,
  { list, one }: Operations,
): Promise<string[]> {
  const isInPath = list.path.includes("{");
  const items = await account.list(list, isInPath ? { project } : {}, isInPath ? {} : { projectId: project });
  if (one === undefined) return [];
  const first = firstItems(items, one.id ?? "id");
  for (const [id, item] of first) await account.one(one, { project, id }, { listed: { list, item } });
  const unknown = { project: account.reference.project, id: unknownId };
  if (items) await account.refusal(one, { project, id: unknownId }, { parameters: unknown });
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
