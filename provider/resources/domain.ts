import { getDomain } from "tldts";
import { z } from "zod";
import type { Client } from "../client/client";
import { ifFound, MalformedAnswer, unlessRefused } from "../client/errors";
import { accountDomainPath, accountDomainsPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import type { Plain } from "../core/values";
import { reasonAgainstDeletion } from "./domain/contents";
import { domainName } from "./names";

/**
 * A domain of the account as the service returns it. Only older answers have `zone`.
 * @source the newest official client: GET /v5/domains/{domain}; recorded answers of the hosted API
 */
export const oneDomain = z.looseObject({
  domain: z.looseObject({
    id: z.string(),
    name: z.string(),
    verified: z.boolean(),
    nameservers: z.array(z.string()),
    intendedNameservers: z.array(z.string()),
    serviceType: z.string(),
    echMode: z.string().nullish(),
    zone: z.boolean().nullish(),
    boughtAt: z.number().nullish(),
    teamId: z.string().nullish(),
    userId: z.string().nullish(),
    creator: z.looseObject({ id: z.string() }).nullish(),
  }),
});
type RemoteDomain = z.infer<typeof oneDomain>["domain"];

const inputs = z.strictObject({
  /**
   * Domain that somebody can register, such as example.com, without a subdomain. Changing it replaces the domain.
   */
  name: domainName,
  /**
   * Whether the service's name servers have the DNS zone of the domain. The newest API does not return this setting, so
   * a change outside of the program is not seen.
   */
  zone: z.boolean().optional(),
  /** Encrypted Client Hello: `auto` lets the service decide, `disabled` turns it off. */
  echMode: z.enum(["auto", "disabled"]).optional(),
  /**
   * Takes over the domain if the account already has it, and changes its settings as declared. If false, the create fails
   * when the account already has the domain. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the domain at the service. */
  domainId: z.string(),
  /** Whether the account has proved that it owns the domain. */
  verified: z.boolean(),
  /** Name servers that the domain has at its registry; empty if the service knows none. */
  nameservers: z.array(z.string()),
  /** Name servers to set at the registrar of a domain whose DNS zone the service has. */
  intendedNameservers: z.array(z.string()),
  /** Service that has the DNS of the domain: `zeit.world` (this service), `external`, or `na` (none). */
  serviceType: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type DomainOperation = Operation<Inputs, Outputs>;

/** Inputs that an update sends. */
const settings = ["zone", "echMode"] as const;
type Setting = (typeof settings)[number];
/** The settings of a domain that nobody has changed. */
const unset: Required<Pick<Inputs, Setting>> = { zone: false, echMode: "auto" };

/** The name of a domain among the objects of a stack. An alias can have the same id. */
const objectOf = (name: string): string => `domain/${name}`;

/**
 * The unique key of a domain is its name.
 * @choice A domain is not renamed: a resource that declares the domain of another one takes it over, so that nothing in
 *   it is lost.
 */
const domainKeys: UniqueKeys = {
  noun: "the account's domain",
  choices: "another domain",
  scope: "account",
  mayBeShared: true,
  of: ({ name }, account) => (typeof name === "string" ? [`${account}/${name}`] : undefined),

  async owners({ client }, keys) {
    const names = keys.map((key) => key.slice(key.indexOf("/") + 1));
    const found = await Promise.all(names.map((name) => find(client, name)));
    return found.flatMap((one) => (one ? [objectOf(one.name)] : []));
  },

  freeKeys: async () => async () => {},
};

/**
 * A domain of the account, without a project. A `ProjectDomain` or `DnsRecord` that gets its `name` is deleted before it.
 * @throws ApiError 409 if the account has the domain, or another account has verified it; Error on delete if the domain
 *   was bought from the service, or has project domains, aliases or DNS records
 * @source the newest official client: POST /v7/domains
 */
export const domain = resource({
  type: "Domain",
  handler: "accountdomain",
  scopes: ["read-write:domain", "read-write:project", "read:deployment"],
  importId: "`<domain>`",
  inputs,
  outputs,
  traits: { defaults: { ...unset, adopt: false }, stable: ["domainId"], replaceOn: ["name"] },
  checks: {
    rules: [
      [
        ({ name }) => name !== undefined && apexOf(name) !== name,
        ({ name = "" }) =>
          `name must be a domain without a subdomain. Declare ${apexOf(name)}, and ${name} as a ProjectDomain.`,
      ],
    ],
  },
  ownership: {
    objects: (_outputs, id) => [objectOf(id)],
    // A state also has the inputs.
    recordedObjects: (state) => [objectOf(`${(state as Plain).name}`)],
    uniqueKeys: domainKeys,
  },
  list: listing(z.strictObject({}), (client, _filters, at) =>
    readPage(client, at, {
      path: accountDomainsPath,
      shape: responses.accountDomainList,
      items: ({ domains }) => domains.map(({ name }) => ({ id: name, name })),
    }),
  ),

  async create(operation, declared) {
    const { client, checkpoint } = operation;
    const { name, zone, echMode } = declared;
    // Read before the create, whose outcome cannot be recorded without it.
    await unlessRefused(client.account());
    let isNew = true;
    const made = await createOrTake<RemoteDomain>(operation, declared.adopt, {
      find: () => find(client, name),
      idOf: () => objectOf(name),
      create: (look) => createNew(client, declared, look),
      take(existing) {
        isNew = false;
        return takeDomain(operation, existing, declared);
      },
      refusal: (error, existing) => (existing ? new Error(existsAlready(name)) : error),
    });
    // The request that adds a domain does not have this setting.
    if (!isNew || echMode === undefined || echMode === made.echMode) return resultOf(client, made);
    checkpoint(await resultOf(client, made), { name, ...(zone !== undefined && { zone }) });
    return resultOf(client, await change(client, name, { echMode }));
  },

  async read(client, id, state) {
    const found = await read(client, id);
    if (found.name !== id)
      throw new Error(
        `${id} is a name below the domain ${found.name}. The id of the domain is ${found.name}.`,
      );
    const current = {
      zone: found.zone || undefined,
      echMode: found.echMode === "disabled" ? found.echMode : undefined,
    };
    const seenAs = (key: Setting, declared: unknown): unknown => found[key] ?? declared;
    const now = state ? inputsIn(inputs, state) : { name: id };
    return {
      ...(await resultOf(client, found)),
      inputs: { ...now, ...inputsRead(settings, state, current, seenAs) } as Partial<Inputs>,
    };
  },

  async update({ client, unsure }, id, state, declared) {
    const body = changesOf(settings, declared, state, (key) => unset[key as Setting], unsure);
    return resultOf(client, await change(client, id, body));
  },

  async remove({ client }, id) {
    const { boughtAt } = await read(client, id);
    if (boughtAt != null) throw new Error(bought(id));
    const reason = await reasonAgainstDeletion(client, id);
    if (reason !== undefined) throw new Error(reason);
    const path = accountDomainPath(id, "v6");
    await client.send({ method: "DELETE", path, object: accountDomainPath(id), shape: responses.anything });
  },
});

/** Adds a domain to the account exactly once. */
async function createNew(
  client: Client,
  { name, zone }: Inputs,
  look: () => Promise<RemoteDomain | undefined>,
): Promise<RemoteDomain> {
  const { domain } = await client.create({
    request: {
      method: "POST",
      path: "/v7/domains",
      object: accountDomainPath(name),
      body: { method: "add", name, ...(zone !== undefined && { zone }) },
      shape: oneDomain,
    },
    async look() {
      const found = await look();
      return found && { domain: found };
    },
    existed: false,
  });
  return domain;
}

/** Adopts a domain, or takes it over from another resource of the stack, with the declared settings. */
async function takeDomain(
  operation: DomainOperation,
  found: RemoteDomain,
  declared: Inputs,
): Promise<RemoteDomain> {
  const { name } = found;
  const { client } = operation;
  const what = `The account's domain ${name}`;
  // Of a domain of the stack, the program has set the mode, so a missing one is cleared.
  const isManaged = await operation.isOfStack(what, objectOf(name));
  // A zone of which the service says nothing is sent as declared, and stays if it is not declared.
  const values: Plain = {
    zone: declared.zone,
    echMode: declared.echMode ?? (isManaged ? unset.echMode : undefined),
  };
  const changed = settings.filter((key) => values[key] !== undefined && values[key] !== found[key]);
  return takeOver(operation, declared, {
    unique: domainKeys,
    keys: domainKeys.of(declared, client.settings.team ?? "") ?? [],
    id: objectOf(name),
    what,
    changed,
    refusal: existsAlready(name),
    change: (keys) => change(client, name, Object.fromEntries(keys.map((key) => [key, values[key]]))),
  });
}

/** Changes settings of a domain, and reads it. */
async function change(client: Client, name: string, body: Plain): Promise<RemoteDomain> {
  const path = accountDomainPath(name, "v3");
  const patch = { op: "update", ...body };
  if (Object.keys(body).length > 0)
    await client.send({ method: "PATCH", path, body: patch, shape: responses.anything });
  return read(client, name);
}

/** @throws ApiError 404 */
const read = async (client: Client, name: string): Promise<RemoteDomain> =>
  (await client.send({ method: "GET", path: accountDomainPath(name), shape: oneDomain })).domain;

/** Reads a domain; undefined if the account does not have it. */
async function find(client: Client, name: string): Promise<RemoteDomain | undefined> {
  const path = accountDomainPath(name);
  const found = await ifFound(client.send({ method: "GET", path, shape: oneDomain, mayBeAbsent: true }));
  return found?.domain;
}

/**
 * The domain under which somebody can register names below a suffix.
 * @choice Names below a suffix that a company runs, such as github.io, are domains of their own, and so is the suffix.
 */
const apexOf = (name: string): string => {
  const host = name.replace(/^\*\./, "");
  return getDomain(host, { allowPrivateDomains: true }) ?? getDomain(host) ?? name;
};

const existsAlready = (name: string): string =>
  unmanagedExists(domainKeys, objectOf(name), [`/${name}`], true);

const bought = (name: string): string =>
  `The domain ${name} was bought from the service, so it is not deleted. To leave it at the service, run ` +
  "`pulumi state delete`, or set the option `retainOnDelete` before you remove the resource.";

/** If the token can read neither the user nor the team, the domain has the account. */
async function resultOf(client: Client, remote: RemoteDomain): Promise<Created<Outputs>> {
  const { id: domainId, name, verified, nameservers, intendedNameservers, serviceType } = remote;
  const known = await unlessRefused(client.account());
  const accountId = known ?? remote.teamId ?? remote.userId ?? remote.creator?.id;
  if (accountId === undefined)
    throw new MalformedAnswer({ method: "GET", path: accountDomainPath(name) }, "domain.userId: missing");
  return {
    id: name,
    accountId,
    outputs: { domainId, verified, nameservers, intendedNameservers, serviceType },
  };
}
