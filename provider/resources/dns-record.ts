import { isIPv4, isIPv6 } from "node:net";
import { z } from "zod";
import type { Client } from "../client/client";
import { isAmbiguous, isNotFound, MalformedAnswer, unlessRefused } from "../client/errors";
import { accountDomainPath, recordPath, recordsPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn, type Rule } from "../core/check";
import type { Created } from "../core/definition";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { inputsRead } from "../core/settings";
import type { Plain } from "../core/values";
import { dnsRecordTypes, dnsTtl } from "../vocabulary";
import { changeRecord, createRecord, currentIdOf, readRecord } from "./dns-record/changes";
import { hostOrRoot, isHost } from "./dns-record/host-names";
import { type AnyRecord, keyOf, membersOf, nameIn, recordKeys, settings } from "./dns-record/records";
import { isOfService, isSamePart, type PartName, partNames, partsOf } from "./dns-record/values";
import { domainName, twoParts } from "./names";

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
      target: hostOrRoot,
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
      target: hostOrRoot,
      /** Parameters, such as alpn=h2,h3. */
      params: z.string().min(1).max(65_535).optional(),
    })
    .optional(),
  /** Comment that says what the record is for. */
  comment: z.string().min(1).max(500).optional(),
});

const outputs = z.object({
  /** Id of the record at the service. It follows the contents, so changes of the name or value change it. */
  recordId: z.string(),
});

const filters = z.strictObject({
  /** Domain of the account, without a subdomain. */
  domain: domainName,
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * A DNS record of a domain of the account. The account must have the domain: a `Domain` adds it, and so does a
 * `ProjectDomain` of it or of one of its subdomains.
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
  traits: {
    defaults: { ttl: 60, comment: null },
    computed: ["ttl", "comment"],
    replaceOn: ["domain", "type"],
  },
  checks: { rules: rulesOfTypes() },
  diff: {
    // A name cannot have a CNAME record and another record at the same time.
    deleteFirst: (state, news) =>
      state.domain === news.domain && state.name === news.name && [state.type, news.type].includes("CNAME"),
    compare: (key, state, news) => (isSamePart(news.type, key, state[key], news[key]) ? false : undefined),
  },
  ownership: { objects: ({ recordId }, id) => [`${idsOf(id).domain}/${recordId}`], uniqueKeys: recordKeys },
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

  async create(operation, declared) {
    const { domain, ttl = 60, comment = null } = declared;
    const accountId = await accountOf(operation.client, domain);
    const { id: recordId } = await createRecord(operation, declared).catch(hintOf(domain));
    return { ...resultOf(domain, recordId, accountId), existing: { ttl, comment } };
  },

  async read(client, id, state) {
    const { domain, recordId } = idsOf(id);
    const remote = state
      ? await readRecord(client, state, recordId)
      : await client.get(recordPath(recordId), responses.dnsRecord);
    if (remote.domain !== domain)
      throw new Error(
        `The record ${recordId} belongs to ${remote.domain}, so its id is ${remote.domain}/${recordId}.`,
      );
    const current: Plain = {
      ...membersOf(remote),
      ttl: remote.ttl ?? 60,
      comment: remote.comment || undefined,
    };
    // Settings that the service spells otherwise keep the declared spelling.
    const seenAs = (key: string, declared: unknown): unknown =>
      isSamePart(current.type, key, declared, current[key]) ? declared : (current[key] ?? null);
    const now = { domain, type: current.type, ...inputsRead(settings, state, current, seenAs) };
    const accountId = await accountOf(client, domain);
    return {
      ...resultOf(domain, remote.id, accountId),
      existing: existingOf(remote),
      inputs: now as Partial<Inputs>,
    };
  },

  async update(operation, _id, state, declared) {
    const { domain } = declared;
    const accountId = await accountOf(operation.client, domain);
    try {
      const record = await changeRecord(operation, state, declared);
      return { ...resultOf(domain, record.id, accountId), existing: existingOf(record) };
    } catch (error) {
      // The record may have the declared contents now, and another id.
      const pending = keyOf(declared);
      const known = resultOf(domain, state.recordId, accountId);
      if (isAmbiguous(error) && pending !== undefined)
        operation.checkpoint(
          { ...known, outputs: { ...known.outputs, pending } as Outputs },
          inputsIn(inputs, state),
        );
      throw error;
    }
  },

  async remove({ client }, id, state) {
    const recordId = await currentIdOf(client, state);
    const path = recordsPath(idsOf(id).domain, recordId, "v2");
    await client.send({ method: "DELETE", path, shape: responses.anything });
  },
});

/**
 * The account of a domain. If the token can read neither the user nor the team, the domain is read instead.
 * @throws ApiError 404
 */
async function accountOf(client: Client, domain: string): Promise<string> {
  const known = await unlessRefused(client.account());
  if (known !== undefined) return known;
  const path = accountDomainPath(domain);
  const { teamId, userId, creator } = (await client.get(path, responses.accountDomain).catch(hintOf(domain)))
    .domain;
  const account = teamId ?? userId ?? creator?.id;
  if (account !== undefined) return account;
  throw new MalformedAnswer({ method: "GET", path }, "domain.userId: missing");
}

const hintOf =
  (domain: string) =>
  (error: unknown): never => {
    throw isNotFound(error)
      ? error.withHint(
          `Add ${domain} to this account first (Domain), or add it or a name below it to a project (ProjectDomain). ` +
            `If ${domain} is a subdomain, give its domain (\`apexName\` of the ProjectDomain), and the rest as \`name\`.`,
        )
      : error;
  };

/** Parses `domain/record`: the name of the domain, and the id of the record at the service. */
function idsOf(id: string): { domain: string; recordId: string } {
  const form = 'The id of a DNS record is "domain/record", such as "example.com/rec_…".';
  const [domain, recordId] = twoParts(id, form);
  return { domain, recordId };
}

const existingOf = ({ ttl, comment }: AnyRecord): Plain => ({
  ttl: ttl ?? 60,
  comment: comment || null,
});

const resultOf = (domain: string, recordId: string, accountId: string): Created<Outputs> => ({
  id: `${domain}/${recordId}`,
  accountId,
  outputs: { recordId },
});

/** The text of such a record is the name of an authority, which is no secret. */
const caaWithoutQuotes = /^(\d{1,3} +[a-z0-9]+) +'?([a-z0-9.-]+)'?$/;

function missing(part: PartName): Rule<Inputs> {
  return [
    ({ type }, declared) => type !== undefined && partsOf(type).includes(part) && !declared.has(part),
    `${part} is missing. A record of this type needs it.`,
  ];
}

function unwanted(part: PartName): Rule<Inputs> {
  return [
    ({ type }, declared) => type !== undefined && !partsOf(type).includes(part) && declared.has(part),
    `${part} does not belong to a record of this type. Remove it.`,
  ];
}

/** @source the newest official client, and the refusals of the server */
function rulesOfTypes(): Rule<Inputs>[] {
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
      ({ value = "" }) => {
        const [, start = "0 issue", name = "letsencrypt.org"] = caaWithoutQuotes.exec(value) ?? [];
        const correct = `${start} "${name}"`;
        return (
          `value of a CAA record must be flags, a tag and a text in double quotes: ${correct}. ` +
          `In YAML, put single quotes around it: '${correct}'.`
        );
      },
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
