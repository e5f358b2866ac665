import type * as responses from "../../client/responses";
import { own, type Plain, same } from "../../core/values";

/** The parts of a record as the program declares them. */

export interface Srv {
  priority: number;
  weight: number;
  port: number;
  target: string;
}

export interface Https {
  priority: number;
  target: string;
  params?: string | undefined;
}

export interface RecordParts {
  value?: string;
  mxPriority?: number;
  srv?: Srv;
  https?: Https;
}

export const partNames = ["value", "mxPriority", "srv", "https"] as const;
export type PartName = (typeof partNames)[number];

/** True for a record that the service itself has created. It cannot be changed or deleted. */
export const isOfService = ({ creator }: Pick<responses.ListedDnsRecord, "creator">): boolean =>
  creator === "system";

/** The parts that a type needs. Other parts are refused. */
export function partsOf(type: string): readonly PartName[] {
  if (type === "SRV") return ["srv"];
  if (type === "HTTPS") return ["https"];
  return type === "MX" ? ["value", "mxPriority"] : ["value"];
}

/**
 * Reads the parts of a record of the API. When the API returns one record, the priority is at the beginning of the
 * value. In a list, the priority is a separate member.
 * @source the Terraform provider, and for lists DNSControl/dnscontrol#3542
 */
export function readParts(type: string, remote: responses.DnsRecordValue): RecordParts {
  const { value } = remote;
  const partsAfter = own(partsAfterPriority, type);
  if (!partsAfter) return { value };
  const beside = remote.mxPriority ?? remote.priority;
  const [, first, rest = ""] = /^(\d+) +(.*)$/s.exec(value) ?? [];
  // The value of an SRV record begins with a number in both forms.
  const isBeside = first === undefined || (type === "SRV" && rest.trim().split(/ +/).length < 3);
  return isBeside ? partsAfter(beside ?? 0, value) : partsAfter(Number(first), rest);
}

/** For each type with a priority: the parts, from the priority and the rest of the value. */
const partsAfterPriority: Readonly<Record<string, (priority: number, text: string) => RecordParts>> = {
  MX: (mxPriority, value) => ({ value, mxPriority }),
  SRV(priority, text) {
    const [weight = "", port = "", target = ""] = text.trim().split(/ +/);
    return { srv: { priority, weight: Number(weight), port: Number(port), target } };
  },
  HTTPS(priority, text) {
    const [target = "", ...others] = text.trim().split(/ +/);
    const params = others.join(" ");
    return { https: { priority, target, ...(params && { params }) } };
  },
};

/** Normalizes a value, because the API may return another spelling: host names with a final dot, IPv6 in short form. */
function spelled(type: unknown, value: unknown): unknown {
  if (typeof value !== "string" || typeof type !== "string") return value;
  if (/^(ALIAS|CNAME|MX|NS)$/.test(type)) return hostOf(value);
  return type === "AAAA" ? addressOf(value) : value;
}

const hostOf = (text: string): string => text.toLowerCase().replace(/(?<=.)\.$/, "");

function addressOf(text: string): string {
  try {
    return new URL(`http://[${text}]`).hostname;
  } catch {
    return text;
  }
}

/** True if two parts are equal, also if they are not spelled alike. */
export const isSamePart = (type: unknown, name: string, a: unknown, b: unknown): boolean =>
  same(spelledPart(type, name, a), spelledPart(type, name, b));

/** Normalizes a part for comparisons. */
export function spelledPart(type: unknown, name: string, part: unknown): unknown {
  if (name === "value") return spelled(type, part);
  if ((name !== "srv" && name !== "https") || typeof part !== "object" || part === null) return part;
  const { priority, weight, port, params, ...rest } = part as Plain;
  const target = typeof rest.target === "string" ? hostOf(rest.target) : rest.target;
  // The order is fixed, because keys are built from the parts.
  if (name === "srv") return { priority, weight, port, target };
  const text = typeof params === "string" ? params.trim().replace(/\s+/g, " ") : params;
  return { priority, target, ...(text !== undefined && text !== "" && { params: text }) };
}
