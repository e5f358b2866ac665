// Longer than other files: the bypass has two forms of id, and rules that another resource may have.
import { isIP, isIPv4 } from "node:net";
import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifFound, isConflict } from "../client/errors";
import { anything } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { isIgnored } from "../core/ignored";
import { reasonForOwner, takeKeys } from "../core/key-step";
import { type Listed, listing } from "../core/listing";
import { resource } from "../core/resource";
import { ownersByProject, type UniqueKeys } from "../core/unique-keys";
import { domainName, filters, projectRef } from "./names";

/** The rules that let IP addresses bypass the firewall. The project is in the query. */
const bypassPath = "/v1/security/firewall/bypass";

/** The service begins the names of these members with a capital letter. */
const remoteRule = z.looseObject({
  Id: z.string(),
  Domain: z.string(),
  Ip: z.string().nullish(),
  IsProjectRule: z.boolean().nullish(),
  Note: z.string().nullish(),
  ActorId: z.string().nullish(),
  CreatedAt: z.string().nullish(),
  UpdatedAt: z.string().nullish(),
  ExpiresAt: z.number().nullish(),
});
export type RemoteRule = z.infer<typeof remoteRule>;

export const ruleList = z.looseObject({
  result: z.array(remoteRule),
  pagination: z.looseObject({ Id: z.string().nullish() }).nullish(),
});
const createdRule = z
  .looseObject({ result: z.tuple([remoteRule], remoteRule) })
  .transform(({ result }) => result[0]);

/**
 * True for an IP address or range.
 * @choice Only in the spelling that the service returns, so that a refresh shows no drift.
 */
function isAddress(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || text !== text.toLowerCase() || rest.length > 0)
    return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (isIPv4(address) ? 32 : 128));
}

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the rule. */
  project: projectRef,
  /** Production domain of the project, or * for all domains of the project. Changing it replaces the rule. */
  domain: z
    .string()
    .min(1)
    .max(253)
    .refine(
      (text) => text === "*" || domainName.safeParse(text).success,
      "must be a domain name in lower case, or * for all domains of the project",
    ),
  /**
   * IP address or range (CIDR) whose requests pass, such as 192.0.2.1 or 192.0.2.0/24. Changing it replaces the rule.
   */
  sourceIp: z
    .string()
    .max(64)
    .refine(isAddress, "must be an IP address in lower case, or a range such as 192.0.2.0/24"),
  /** Note that says what the rule is for. */
  note: z.string().min(1).max(500).optional(),
  /**
   * Takes over an existing rule with this domain and address. If false, the create fails when the project already has
   * this rule. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the rule at the service. */
  bypassId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type Target = Pick<Inputs, "domain" | "sourceIp">;

/**
 * The unique key of a rule is its domain and address. No request changes these, so a resource that takes the key
 * deletes the existing rule with the key. If its step fails, the deleted rule is created again.
 */
const bypassKeys: UniqueKeys = {
  noun: "the firewall bypass",
  choices: "another domain or sourceIp",
  scope: "project",
  mayBeShared: true,
  of: ({ domain, sourceIp }, projectId) =>
    typeof domain === "string" && typeof sourceIp === "string"
      ? [`${projectId}/${domain}/${sourceIp}`]
      : undefined,

  owners: ({ client }, keys) =>
    ownersByProject(keys, async (projectId) =>
      (await bypassesOf(client, projectId)).map((rule) => {
        const id = partOfId(targetOf(rule));
        return { id, keys: [`${projectId}/${id}`] };
      }),
    ),

  async refuseAdoption({ client }, [id = ""], declared) {
    const { project, ...target } = partsOf(id);
    const found = await find(client, project, target);
    return found && otherNote(declared as Partial<Inputs>, found);
  },

  async freeKeys({ client }, id) {
    const { project, ...target } = partsOf(id);
    const found = await find(client, project, target);
    if (!found) return async () => {};
    await remove(client, project, target);
    return () => client.send(creationOf(project, { ...target, note: found.Note || undefined }));
  },
};

/**
 * A rule that lets requests from an IP address pass the firewall of a project, for one domain or for all.
 * @throws ApiError 409 if the project has the rule; 400 if it does not have the domain
 * @source the newest official client: /v1/security/firewall/bypass; the Terraform provider
 */
export const firewallBypass = resource({
  type: "FirewallBypass",
  handler: "bypass",
  scopes: ["read-write:project"],
  importId: "`<project>/<domain>/<address>`, with `*` for all domains",
  inputs,
  outputs,
  traits: {
    defaults: { note: null, adopt: false },
    stable: ["projectId", "bypassId"],
    replaceOn: ["project", "domain", "sourceIp"],
  },
  ownership: { uniqueKeys: bypassKeys },
  list: listing(filters, async (client, { project }, { until, limit }) => {
    const { id: projectId } = await client.identify(project);
    const page = await pageOf(client, projectId, { limit: `${limit}`, offset: until });
    return {
      items: page.result.map((rule) => listedOf(projectId, rule)),
      next: page.pagination?.Id ?? undefined,
    };
  }),

  async create(operation, declared) {
    const { client, run } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const id = idOf(projectId, declared);
    const look = () => find(client, projectId, declared);
    // Ignores a rule that another resource has created meanwhile.
    const lookForOurs = async () => (operation.isOthers(id) ? undefined : look());
    const before = client.hasCreated(projectId) ? undefined : await look();
    const isOfStack = before !== undefined && (await operation.isOfStack(whatOf(declared), id));
    const take = async (): Promise<RemoteRule> => {
      if (before && declared.adopt && !isOfStack) return adoptBypass(operation, projectId, before, declared);
      if (before) return takeFromResource(operation, projectId, before, declared);
      const request = creationOf(projectId, declared);
      const attempt = () => client.create({ request, look: lookForOurs, existed: before !== undefined });
      return takeKeys(run, bypassKeys, { declared, state: { projectId }, attempt });
    };
    const rule = await take().catch(async (error) => {
      // The rule was created meanwhile.
      const existing = isConflict(error) && declared.adopt ? await lookForOurs() : undefined;
      if (existing) return adoptBypass(operation, projectId, existing, declared);
      throw error;
    });
    return resultOf(projectId, accountId, rule);
  },

  async read(client, id, state) {
    const { project, ...target } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const rule = await read(client, projectId, target);
    const now: Partial<Inputs> = state ? inputsIn(inputs, state) : { project: projectId, ...target };
    const note = rule.Note || undefined;
    if (!state && note !== undefined) now.note = note;
    if (state?.note !== undefined) Object.assign(now, { note: note ?? null });
    return { ...resultOf(projectId, accountId, rule), inputs: now };
  },

  // Also creates the rule if an earlier update failed after it had deleted the rule (see `replaceNote`).
  async update({ client }, _id, { projectId, note }, declared) {
    const { accountId } = await client.identify(projectId);
    const found = await find(client, projectId, declared);
    const isManaged = note !== undefined || declared.note !== undefined;
    const rule =
      found && (!isManaged || (found.Note || undefined) === declared.note)
        ? found
        : await replaceNote(client, projectId, found, declared);
    return resultOf(projectId, accountId, rule);
  },

  remove: ({ client }, id, { projectId }) => remove(client, projectId, partsOf(id)),
});

/**
 * The rule of a target; undefined if none exists.
 * @throws ApiError 404 if the account does not have the project
 */
async function find(
  client: Client,
  projectId: string,
  { domain, sourceIp }: Target,
): Promise<RemoteRule | undefined> {
  const scope = domain === "*" ? { projectScope: "true" } : { domain };
  const { result } = await pageOf(client, projectId, { sourceIp, ...scope });
  return result.find((rule) => partOfId(targetOf(rule)) === partOfId({ domain, sourceIp }));
}

/** @throws ApiError 404 if the rule does not exist. The service may return an empty list instead of a 404 */
async function read(client: Client, projectId: string, target: Target): Promise<RemoteRule> {
  const found = await find(client, projectId, target);
  if (found) return found;
  const said = `The project ${projectId} has no bypass of ${target.sourceIp} for ${target.domain}.`;
  throw absentFrom(bypassPath, said);
}

/** All rules of a project; an empty list if the project does not exist. */
export async function bypassesOf(client: Client, projectId: string): Promise<RemoteRule[]> {
  const all: RemoteRule[] = [];
  const read = new Set<string>();
  for (let offset: string | undefined; ; ) {
    const page = await ifFound(pageOf(client, projectId, { limit: "100", offset }));
    all.push(...(page?.result ?? []));
    offset = page?.pagination?.Id ?? undefined;
    // A service that repeats a page must not keep the run busy for ever.
    if (offset === undefined || read.has(offset)) return all;
    read.add(offset);
  }
}

/** A page of the rules of a project, without what this process has just deleted. */
async function pageOf(
  client: Client,
  projectId: string,
  query: Record<string, string | undefined>,
): Promise<z.infer<typeof ruleList>> {
  const page = await client.send({
    method: "GET",
    path: bypassPath,
    query: { projectId, ...query },
    shape: ruleList,
  });
  const result = page.result.filter((rule) => !client.hasDeleted(pathOf(projectId, targetOf(rule))));
  return { ...page, result };
}

/** The path of a rule, as this provider names it: no request has it. */
const pathOf = (projectId: string, target: Target): string => `${bypassPath}/${idOf(projectId, target)}`;

const creationOf = (
  projectId: string,
  { note, domain, sourceIp }: Target & { note?: string | undefined },
) => ({
  method: "POST" as const,
  path: bypassPath,
  object: pathOf(projectId, { domain, sourceIp }),
  query: { projectId },
  body: { ...scopeOf({ domain, sourceIp }), ...(note !== undefined && { note }) },
  shape: createdRule,
});

async function remove(client: Client, projectId: string, target: Target): Promise<void> {
  const body = scopeOf(target);
  await client.send({
    method: "DELETE",
    path: bypassPath,
    object: pathOf(projectId, target),
    query: { projectId },
    body,
    shape: anything,
  });
}

const scopeOf = ({ domain, sourceIp }: Target) =>
  domain === "*" ? { projectScope: true, sourceIp } : { domain, sourceIp };

/**
 * Takes over the rule of another resource of the stack that no longer declares it. The deletion of that resource then
 * keeps the rule.
 * @throws Error if no resource of the stack stops declaring the rule
 */
async function takeFromResource(
  { client, run, ignored }: Operation<Inputs, Outputs>,
  projectId: string,
  found: RemoteRule,
  declared: Inputs,
): Promise<RemoteRule> {
  const keys = bypassKeys.of(declared, projectId) ?? [];
  const reason = await reasonForOwner(run, bypassKeys, { declared }, keys, idOf(projectId, declared));
  if (reason !== undefined) throw new Error(reason);
  if ((found.Note || undefined) === declared.note) return found;
  if (declared.adopt && isIgnored(await ignored(), ["note"])) return found;
  return replaceNote(client, projectId, found, declared);
}

/**
 * Deletes a rule and creates it with the declared note, because no request changes a note. If this fails, the old rule
 * is restored.
 * @param found undefined if an earlier attempt has deleted the rule
 */
async function replaceNote(
  client: Client,
  projectId: string,
  found: RemoteRule | undefined,
  declared: Inputs,
): Promise<RemoteRule> {
  if (found) await ifFound(remove(client, projectId, declared));
  const create = (note: string | undefined) =>
    client.create({
      request: creationOf(projectId, { ...declared, note }),
      look: () => find(client, projectId, declared),
      existed: false,
    });
  try {
    return await create(declared.note);
  } catch (error) {
    if (found) await create(found.Note || undefined).catch(() => {});
    throw error;
  }
}

/** @throws Error when the rule has another note, or belongs to another resource */
function adoptBypass(
  operation: Operation<Inputs, Outputs>,
  projectId: string,
  found: RemoteRule,
  declared: Inputs,
): Promise<RemoteRule> {
  const reason = otherNote(declared, found);
  if (reason !== undefined) throw new Error(reason);
  return operation.adopt(whatOf(declared), [idOf(projectId, declared)], async () => found);
}

/** Why a rule is not adopted as declared. */
function otherNote({ note }: Partial<Inputs>, found: RemoteRule): string | undefined {
  if (note === undefined || note === (found.Note || undefined)) return undefined;
  const { domain, sourceIp } = targetOf(found);
  return (
    `The firewall bypass of ${sourceIp} for ${domain} exists with another note. The API cannot change a note, so the rule cannot ` +
    "be adopted as declared. Remove the input note, set it to the note of the rule, or delete the rule at the service."
  );
}

const whatOf = ({ domain, sourceIp }: Target): string => `The firewall bypass of ${sourceIp} for ${domain}`;

const targetOf = ({ Domain, Ip, IsProjectRule }: RemoteRule): Target => ({
  domain: IsProjectRule ? "*" : Domain,
  sourceIp: Ip ?? "",
});

const partOfId = ({ domain, sourceIp }: Target): string => `${domain}/${sourceIp}`;
const idOf = (projectId: string, target: Target): string => `${projectId}/${partOfId(target)}`;

/** Parses `project/domain/address`, with the project by id or name. An address range also contains a slash. */
function partsOf(id: string): Target & { project: string } {
  const [, project, domain, sourceIp] = /^([^/]+)\/([^/]+)\/([^/]+(?:\/\d+)?)$/.exec(id) ?? [];
  if (project === undefined || domain === undefined || sourceIp === undefined) {
    throw new Error(
      'The id of a firewall bypass is "project/domain/address", such as "prj_…/www.example.com/192.0.2.1".',
    );
  }
  return { project, domain, sourceIp };
}

/** A rule as an entry of the list that `pulumi do` or an import shows. */
export const listedOf = (projectId: string, rule: RemoteRule): Listed => {
  const target = targetOf(rule);
  return { id: idOf(projectId, target), name: `${target.domain} ${target.sourceIp}` };
};

const resultOf = (projectId: string, accountId: string, rule: RemoteRule): Created<Outputs> => ({
  id: idOf(projectId, targetOf(rule)),
  accountId,
  outputs: { projectId, bypassId: rule.Id },
});
