import { randomBytes } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { z } from "zod";
import type { Client } from "../client/client";
import { ApiError, ifFound, isNotFound } from "../client/errors";
import { accountDomainPath, recordPath, recordsPath } from "../client/paths";
import * as responses from "../client/responses";
import type { Rule } from "../core/check";
import type { Created } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { takeKeys, type UniqueKeys } from "../core/unique-keys";
import { holdsUnknown, isPlain, type Plain, same } from "../core/values";
import { dnsRecordTypes, dnsTtl } from "../vocabulary";
import { isOfService, type PartName, partNames, partsOf, readParts, spelledPart } from "./dns-record/values";
import { domainName } from "./names";

const uint16 = z.int().min(0).max(65_535);

const inputs = z.strictObject({
  /** Domain of the account, without a subdomain, such as example.com. Changing it replaces the record. */
  domain: domainName,
  /** Name below the domain, such as www; empty for the domain itself. */
  name: z
    .string()
    .max(253)
    .regex(
      /^$|^(\*|[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/,
      "must be a name below the domain in lower case, such as www, or empty for the domain itself",
    ),
  /** Type of the record. Changing it replaces the record. */
  type: z.enum(dnsRecordTypes),
  /**
   * Value of the record: an address, a host name or a text, depending on the type. Required, except with the types SRV
   * and HTTPS.
   */
  value: z.string().min(1).max(65_535).optional(),
  /** How long DNS resolvers cache the record (seconds, at least 60). */
  ttl: z.int().min(dnsTtl.least).max(dnsTtl.largest).optional(),
  /** Priority of the mail server: the server with the lowest number is tried first. Required with the type MX. */
  mxPriority: uint16.optional(),
  /** Settings of a record of type SRV. */
  srv: z
    .strictObject({
      /** Priority of the host: the host with the lowest number is tried first. */
      priority: uint16,
      /** Share of the requests that the host gets among hosts of the same priority. */
      weight: uint16,
      /** Port on which the host listens. */
      port: uint16,
      /** Host name of the server. */
      target: z.string().min(1).max(255),
    })
    .optional(),
  /** Settings of a record of type HTTPS. */
  https: z
    .strictObject({
      /**
       * Priority of the host: the host with the lowest number is tried first. 0 makes the record an alias of `target`.
       */
      priority: uint16,
      /** Host name of the server. A dot means the name of the record itself. */
      target: z.string().min(1).max(255),
      /** Parameters, such as alpn=h2,h3. */
      params: z.string().min(1).max(65_535).optional(),
    })
    .optional(),
  /** Comment that says what the record is for. */
  comment: z.string().min(1).max(500).optional(),
});

const outputs = z.object({
  /** Id of the record at the service. */
  recordId: z.string(),
});

const filters = z.strictObject({
  /** Domain of the account, without a subdomain. */
  domain: domainName,
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** Inputs that an update sends. */
const settings = ["name", ...partNames, "ttl", "comment"] as const;

/**
 * The unique keys of a record: a domain cannot have equal records, and a name cannot have two CNAME records.
 * @choice When another resource takes the keys of a record, the record gets a temporary name, such as
 *   moving-4f9a12c0.www.
 */
const recordKeys: UniqueKeys = {
  noun: "the DNS record",
  choices: "another name or value",
  scope: "account",
  isNeverAdopted: true,
  of: (inputs, account) => {
    const key = keyOf(inputs);
    return key === undefined ? undefined : [`${account}/${key}`];
  },

  async owners({ client }, keys, { domain }, fresh) {
    if (typeof domain !== "string") return [];
    const existing = (await ifFound(recordsOf(client, domain, !fresh))) ?? [];
    const wanted = keys.map((key) => key.slice(key.indexOf("/") + 1));
    return existing
      .filter((one) => wanted.includes(keyOf({ domain, ...membersOf(one) }) ?? ""))
      .map(({ id }) => `${domain}/${id}`);
  },

  async freeKeys({ client }, id, keys) {
    const { recordId } = idsOf(id);
    const rename = (name: string) => sendChange(client, recordId, { name });
    const owner = await ifFound(client.get(recordPath(recordId), responses.dnsRecord));
    const key = owner && keyOf({ domain: owner.domain, ...membersOf(owner) });
    if (!owner || !keys.some((one) => one.slice(one.indexOf("/") + 1) === key)) return async () => {};
    const name = temporaryName(owner.name);
    await rename(name);
    return async () => {
      if ((await ifFound(client.get(recordPath(recordId), responses.dnsRecord)))?.name === name)
        await rename(owner.name);
    };
  },
};

/** A wildcard is left out, because it can only be the first label. */
const temporaryName = (name: string): string =>
  `moving-${randomBytes(4).toString("hex")}.${name.replace(/^\*\.?/, "")}`
    .slice(0, 200)
    .replace(/[^a-z0-9_]+$/, "");
const isTemporaryName = (name: string): boolean => /^moving-[0-9a-f]{8}(\.|$)/.test(name);

/**
 * A DNS record of a domain of the account. A project of the account must have this domain or one of its subdomains.
 * @throws ApiError 404 if the account does not have the domain; 409 if the domain has this record, or if the name would
 *   have a CNAME record and another record
 * @source the newest official client: /v5/domains/{domain}/records
 */
export const dnsRecord = resource({
  type: "DnsRecord",
  handler: "record",
  scopes: ["read-write:domain"],
  importId: "`<domain>/<id of the record>`",
  inputs,
  outputs,
  stable: ["recordId"],
  computed: ["ttl", "comment"],
  defaults: { ttl: 60, comment: null },
  replaceOn: ["domain", "type"],
  // A name cannot have a CNAME record and another record at the same time.
  deleteFirst: (state, news) =>
    state.domain === news.domain && state.name === news.name && [state.type, news.type].includes("CNAME"),
  objects: (_outputs, id) => [id],
  uniqueKeys: recordKeys,
  rules: rulesOfTypes(),
  compare: (key, state, news) =>
    same(spelledPart(news.type, key, state[key]), spelledPart(news.type, key, news[key])) ? false : undefined,
  list: listing(filters, (client, { domain }, at) =>
    readPage(client, at, {
      path: recordsPath(domain),
      shape: responses.dnsRecordList,
      items: ({ records }) =>
        records
          .filter((record) => !isOfService(record))
          .map(({ id, name, type }) => ({ id: `${domain}/${id}`, name: `${nameIn(domain, name)} ${type}` })),
    }),
  ),

  async create({ client, isOthers, run }, declared) {
    const { domain, ...body } = declared;
    const accountId = await accountOf(client, domain);
    const key = keyOf(declared);
    // Ignores a record that another resource has created meanwhile.
    const look = async () => {
      const existing = await recordsOf(client, domain, false);
      return existing.find(
        (one) => keyOf({ domain, ...membersOf(one) }) === key && !isOthers(`${domain}/${one.id}`),
      );
    };
    const existed = (await look().catch(hintOf(domain))) !== undefined;
    const request = {
      method: "POST",
      path: recordsPath(domain, undefined, "v2"),
      body,
      shape: responses.createdDnsRecord,
    } as const;
    const { id: recordId } = await takeKeys(run, recordKeys, {
      declared,
      attempt: (isFree) => client.create({ request, look, existed: existed && !isFree }),
    });
    const { ttl = 60, comment } = declared;
    return { ...resultOf(domain, recordId, accountId), existing: { ttl, comment: comment ?? null } };
  },

  async read(client, id, state) {
    const { domain, recordId } = idsOf(id);
    const remote = await client.get(recordPath(recordId), responses.dnsRecord);
    if (remote.domain !== domain)
      throw new Error(
        `The record ${recordId} belongs to ${remote.domain}, so its id is ${remote.domain}/${recordId}.`,
      );
    const current: Plain = {
      ...membersOf(remote),
      ttl: remote.ttl ?? 60,
      comment: remote.comment || undefined,
    };
    const now: Plain = { domain, type: current.type };
    for (const key of settings) {
      const value = current[key];
      if (!state && value !== undefined) now[key] = value;
      if (state?.[key] === undefined) continue;
      const isSame = same(spelledPart(current.type, key, state[key]), spelledPart(current.type, key, value));
      now[key] = isSame ? state[key] : (value ?? null);
    }
    const accountId = await accountOf(client, domain);
    return {
      ...resultOf(domain, recordId, accountId),
      existing: existingOf(remote),
      inputs: now as Partial<Inputs>,
    };
  },

  async update({ client, run, unsure }, id, state, declared) {
    const { domain } = declared;
    const { recordId } = state;
    const accountId = await accountOf(client, domain);
    const attempt = () => change(client, declared, state, unsure);
    const remote = await takeKeys(run, recordKeys, { id, declared, state, attempt });
    return { ...resultOf(domain, recordId, accountId), existing: existingOf(remote) };
  },

  async remove({ client }, id, { recordId }) {
    const path = recordsPath(idsOf(id).domain, recordId, "v2");
    await client.send({ method: "DELETE", path, shape: responses.anything });
  },
});

/** All records that users created for a domain, without the records of the service. @param stale see `Client.list` */
const recordsOf = async (
  client: Client,
  domain: string,
  stale: boolean,
): Promise<responses.ListedDnsRecord[]> =>
  (
    await client.list(
      recordsPath(domain),
      responses.dnsRecordList,
      ({ records }) => records,
      { limit: "100" },
      stale,
    )
  ).filter((record) => !isOfService(record));

/** Converts a record of the API to inputs. */
function membersOf(remote: responses.ListedDnsRecord | responses.DnsRecord): Plain {
  const type = "recordType" in remote ? remote.recordType : remote.type;
  return { name: remote.name, type, ...readParts(`${type}`, remote) };
}

/** The unique key of a record in its domain; undefined if it is not known yet. */
function keyOf({ domain, name, type, ...parts }: Plain): string | undefined {
  if (typeof domain !== "string" || typeof name !== "string" || typeof type !== "string") return undefined;
  const said = type === "CNAME" ? [] : partsOf(type).map((part) => spelledPart(type, part, parts[part]));
  if (holdsUnknown(said)) return undefined;
  const text = said.map((part) => (isPlain(part) ? Object.values(part).join(" ") : `${part}`));
  return [nameIn(domain, name), type, ...text].join(" ");
}

const nameIn = (domain: string, name: string): string => (name === "" ? domain : `${name}.${domain}`);

/**
 * The account of a domain. If the token can read neither the user nor the team, the domain is read instead.
 * @throws ApiError 404
 */
async function accountOf(client: Client, domain: string): Promise<string> {
  const known = await client.account().catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  if (known !== undefined) return known;
  const found = await client.get(accountDomainPath(domain), responses.accountDomain).catch(hintOf(domain));
  return found.domain.teamId ?? found.domain.userId;
}

const hintOf =
  (domain: string) =>
  (error: unknown): never => {
    throw isNotFound(error)
      ? error.withHint(`Add ${domain} or a name below it to a project of this account first (ProjectDomain).`)
      : error;
  };

/**
 * Sends the settings that differ from the state. Settings that were removed from the program go back to their defaults.
 * @param all also sends settings that do not differ
 */
async function change(
  client: Client,
  declared: Inputs,
  state: Partial<Inputs> & Outputs,
  all: boolean,
): Promise<responses.DnsRecord> {
  const body: Plain = {};
  for (const key of settings) {
    if (!all && same(state[key], declared[key])) continue;
    if (declared[key] !== undefined)
      body[key] = key === "https" ? { params: "", ...declared[key] } : declared[key];
    else if (state[key] !== undefined) Object.assign(body, removed[key]);
  }
  const { recordId } = state;
  const path = recordPath(recordId);
  // If nothing differs, the record is only read.
  const changed = await (Object.keys(body).length === 0
    ? client.get(path, responses.dnsRecord)
    : sendChange(client, recordId, body));
  // This run, or an interrupted one, has given the record a temporary name.
  const hasTemporaryName = isTemporaryName(changed.name) && changed.name !== declared.name;
  return hasTemporaryName ? sendChange(client, recordId, { name: declared.name }) : changed;
}

/** The members that an update sends for an input that was removed from the program. */
const removed: Partial<Record<string, Plain>> = { ttl: { ttl: 60 }, comment: { comment: "" } };

const sendChange = (client: Client, recordId: string, body: Plain): Promise<responses.DnsRecord> =>
  client.send({ method: "PATCH", path: recordPath(recordId, "v1"), body, shape: responses.dnsRecord });

/** Parses `domain/record`: the name of the domain, and the id of the record at the service. */
function idsOf(id: string): { domain: string; recordId: string } {
  const [, domain, recordId] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
  if (domain === undefined || recordId === undefined)
    throw new Error('The id of a DNS record is "domain/record", such as "example.com/rec_…".');
  return { domain, recordId };
}

const existingOf = ({ ttl, comment }: responses.DnsRecord): Plain => ({
  ttl: ttl ?? 60,
  comment: comment || null,
});

const resultOf = (domain: string, recordId: string, accountId: string): Created<Outputs> => ({
  id: `${domain}/${recordId}`,
  accountId,
  outputs: { recordId },
});

/** @source the newest official client, and the refusals of the server */
function rulesOfTypes(): Rule<Inputs>[] {
  const isHost = (text: string): boolean =>
    /^([a-z0-9_-]{1,63}\.)+[a-z0-9-]*[a-z-][a-z0-9-]*\.?$/i.test(text);
  const missing = (part: PartName): Rule<Inputs> => [
    ({ type }, declared) => type !== undefined && partsOf(type).includes(part) && !declared.has(part),
    `${part} is missing. A record of this type needs it.`,
  ];
  const unwanted = (part: PartName): Rule<Inputs> => [
    ({ type }, declared) => type !== undefined && !partsOf(type).includes(part) && declared.has(part),
    `${part} does not belong to a record of this type. Remove it.`,
  ];
  return [
    ...partNames.map(missing),
    ...partNames.map(unwanted),
    [
      ({ type, value }) => type === "A" && value !== undefined && !isIPv4(value),
      "value must be an IPv4 address, such as 192.0.2.1.",
    ],
    [
      ({ type, value }) => type === "AAAA" && value !== undefined && !isIPv6(value),
      "value must be an IPv6 address, such as 2001:db8::1.",
    ],
    [
      ({ type = "", value }) => /^(ALIAS|CNAME|MX|NS)$/.test(type) && value !== undefined && !isHost(value),
      "value must be a host name, such as host.example.com.",
    ],
    [
      ({ type, value }) =>
        type === "CAA" && value !== undefined && !/^\d{1,3} +[a-z0-9]+ +"[^"]+"$/.test(value),
      'value of a CAA record must be flags, a tag and a text in double quotes, such as 0 issue "letsencrypt.org". In ' +
        `YAML, put single quotes around it: '0 issue "letsencrypt.org"'.`,
    ],
    [
      ({ srv }) => srv?.target !== undefined && srv.target !== "." && !isHost(srv.target),
      "srv.target must be a host name, such as host.example.com.",
    ],
    [
      ({ https }) => https?.target !== undefined && https.target !== "." && !isHost(https.target),
      "https.target must be a host name, such as host.example.com, or a dot.",
    ],
    [
      ({ type, name }) => (type === "NS" || type === "CNAME") && name === "",
      "name must not be empty with the type NS or CNAME. Name a subdomain, or use the type ALIAS.",
    ],
    [
      ({ domain, name = "" }) => domain !== undefined && (name === domain || name.endsWith(`.${domain}`)),
      "name must not end with the domain, because it is relative to the domain. Shorten it.",
    ],
  ];
}
