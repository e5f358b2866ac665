import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import type { CreateRecord, RecordType, UpdateRecord } from "./record-schema";

/** The contents of a record in their canonical form. */
export interface RecordData {
  /** The name relative to the domain, in lower case; empty for the domain itself. */
  name: string;
  type: RecordType;
  /** The priority of an MX, SRV or HTTPS record; null for other types. */
  priority: number | null;
  /** The value without the priority. */
  value: string;
}

/** Why the members of a body are not a valid record. */
export interface RecordProblem {
  code: "bad_request" | "invalid_name" | "invalid_value";
  message: string;
}

/** The time to live of a record that was created without one, in seconds. */
export const defaultTtl = 60;

type Members = Pick<CreateRecord, "name" | "type" | "value" | "mxPriority" | "srv" | "https">;

/**
 * Converts the members of a body to a record in canonical form, or returns why they are invalid.
 * @choice A CNAME record at the domain itself is refused, since the domain always has other records.
 * @source the newest official client; DNSControl/dnscontrol#3542 and #3887, which list refusals of the public API
 */
export function readRecord(members: Members, domain: string): RecordData | RecordProblem {
  const { type } = members;
  const name = readName(members.name ?? "", domain);
  if (name === undefined)
    return invalidName("The name must consist of labels below the domain, such as www.");
  if (name === "" && type === "NS")
    return invalidName("The domain itself cannot have NS records. Name a subdomain.");
  if (name === "" && type === "CNAME")
    return invalidName(
      "The domain itself cannot have a CNAME record. Use the type ALIAS, or name a subdomain.",
    );
  const problem = wrongMembers(members);
  if (problem) return problem;
  const { srv, https, value = "", mxPriority = null } = members;
  if (srv) {
    const target = hostOrRoot(srv.target);
    if (target === undefined) return notAHost("srv.target");
    return {
      name,
      type,
      priority: srv.priority ?? 0,
      value: `${srv.weight ?? 0} ${srv.port ?? 0} ${target}`,
    };
  }
  if (https) {
    const target = hostOrRoot(https.target);
    if (target === undefined) return notAHost("https.target");
    const parameters = (https.params ?? "").trim().replace(/\s+/g, " ");
    return { name, type, priority: https.priority ?? 0, value: `${target} ${parameters}`.trim() };
  }
  const read = readers[type](value);
  return typeof read === "string" ? { name, type, priority: mxPriority, value: read } : read;
}

export const isProblem = (read: RecordData | RecordProblem): read is RecordProblem => "code" in read;

/** Converts a record back to the members of a body, so that a change can set some of them. */
export function membersOf({ name, type, priority, value }: RecordData): Members {
  if (type === "MX") return { name, type, value, mxPriority: priority ?? 0 };
  if (type === "SRV") {
    const [weight = "", port = "", target = ""] = value.split(" ");
    return { name, type, srv: { priority, weight: Number(weight), port: Number(port), target } };
  }
  if (type === "HTTPS") {
    const [target = "", ...parameters] = value.split(" ");
    return { name, type, https: { priority, target, params: parameters.join(" ") } };
  }
  return { name, type, value };
}

/** The members after a change. */
export function mergeMembers(before: Members, change: UpdateRecord): Members {
  const { srv, https, ...given } = withoutNull(change);
  const { name, value, mxPriority } = given;
  return {
    ...before,
    ...withoutNull({ name, value, mxPriority }),
    ...(srv ? { srv: { ...before.srv, ...withoutNull(srv) } as Members["srv"] } : {}),
    ...(https ? { https: { ...before.https, ...withoutNull(https) } as Members["https"] } : {}),
  };
}

function withoutNull<T extends object>(given: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(given).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** The members that a record of a type needs. The other members are refused. */
function neededBy(type: RecordType): readonly ("value" | "mxPriority" | "srv" | "https")[] {
  if (type === "SRV") return ["srv"];
  if (type === "HTTPS") return ["https"];
  return type === "MX" ? ["value", "mxPriority"] : ["value"];
}

function wrongMembers(members: Members): RecordProblem | undefined {
  const { type } = members;
  const needed = neededBy(type);
  for (const name of ["value", "mxPriority", "srv", "https"] as const) {
    const isGiven = members[name] !== undefined && members[name] !== "";
    if (isGiven && !needed.includes(name))
      return badMember(`Invalid body member ${name}: a record of type ${type} has none.`);
    if (!isGiven && needed.includes(name))
      return badMember(`Invalid body member ${name}: a record of type ${type} needs it.`);
  }
  return undefined;
}

/** The functions that read the value of each type. */
const readers: Record<RecordType, (value: string) => string | RecordProblem> = {
  A: (value) => (isIPv4(value) ? value : invalidValue("The value must be an IPv4 address.")),
  AAAA: (value) => (isIPv6(value) ? value : invalidValue("The value must be an IPv6 address.")),
  ALIAS: (value) => hostName(value) ?? notAHost("value"),
  CNAME: (value) => hostName(value) ?? notAHost("value"),
  MX: (value) => hostName(value) ?? notAHost("value"),
  NS: (value) => hostName(value) ?? notAHost("value"),
  CAA: readCaa,
  TXT: (value) => value,
  SRV: () => invalidValue("An SRV record has no value."),
  HTTPS: () => invalidValue("An HTTPS record has no value."),
};

/** @source RFC 8659; the public API refuses a text without quotes */
function readCaa(value: string): string | RecordProblem {
  const [, flags, tag, quoted = ""] = /^(\d{1,3}) +([a-z0-9]+) +"([^"]+)"$/.exec(value) ?? [];
  if (tag === undefined || Number(flags) > 255)
    return invalidValue(
      'The value must be flags, a tag and a text in double quotes, such as 0 issue "letsencrypt.org".',
    );
  const [authority = ""] = quoted.split(";");
  return !tag.startsWith("issue") || hostName(authority.trim()) !== undefined ? value : notAHost("value");
}

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const names = new RegExp(`^(?:\\*|${label})(?:\\.${label})*$`);
const hosts = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`);
/** Characters that are refused, because the conversion to ASCII would escape them or cut off the rest. */
const forbidden = /[\s%/\\?#@:[\]<>^|*]/;

/** @returns undefined if the text is not a name below the domain */
function readName(given: string, domain: string): string | undefined {
  if (given === "" || given === "@") return "";
  const [, star = "", rest = ""] = /^(\*(?:\.|$))?(.*)$/s.exec(given) ?? [];
  if (forbidden.test(rest)) return undefined;
  // The name is converted together with the domain, because a number alone would be read as an IP address.
  const whole = rest === "" ? domain : domainToASCII(`${rest}.${domain}`);
  const name = `${star}${whole}`.slice(0, -domain.length - 1) || star;
  return names.test(name) && star.length + whole.length <= 253 ? name : undefined;
}

/** Returns a host name with a trailing dot; undefined if the text is not a host name. */
function hostName(text: string): string | undefined {
  const given = text.replace(/\.$/, "");
  if (forbidden.test(given)) return undefined;
  const ascii = domainToASCII(given);
  return hosts.test(ascii) && ascii.length <= 253 ? `${ascii}.` : undefined;
}

/** Accepts a host name or `.`: the record's own name in an HTTPS record, and no host in an SRV record. */
const hostOrRoot = (text: string): string | undefined => (text === "." ? text : hostName(text));

const badMember = (message: string): RecordProblem => ({ code: "bad_request", message });
const invalidName = (message: string): RecordProblem => ({ code: "invalid_name", message });
const invalidValue = (message: string): RecordProblem => ({ code: "invalid_value", message });
const notAHost = (member: string): RecordProblem =>
  invalidValue(`The ${member} is not a fully qualified domain name. Give one such as host.example.com.`);
