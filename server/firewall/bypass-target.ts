import { isIP, isIPv4 } from "node:net";
import { canonicalDomain } from "../domains/names";
import type { BypassBody } from "./bypass-schema";

/** An address or range that bypasses the firewall, for a domain or for all domains of the project (`*`). */
export interface BypassTarget {
  domain: string;
  ip: string;
}

export interface InvalidTarget {
  problem: string;
}

export const isTarget = (read: BypassTarget | InvalidTarget): read is BypassTarget => "ip" in read;

/**
 * Reads the target in a body.
 * @choice The domain `*`, which the Terraform provider sends, means the whole project. `allSources` means `0.0.0.0/0`.
 */
export function readTarget(body: BypassBody): BypassTarget | InvalidTarget {
  const { domain, projectScope = false, sourceIp, allSources = false } = body;
  if (projectScope && domain !== undefined && domain !== "*")
    return { problem: "give either a domain or projectScope" };
  if (!projectScope && domain === undefined) return { problem: "a domain or projectScope is missing" };
  if (allSources && sourceIp !== undefined && sourceIp !== everything)
    return { problem: "give either sourceIp or allSources" };
  const ip = allSources ? everything : sourceIp;
  if (ip === undefined) return { problem: "sourceIp or allSources is missing" };
  if (!isAddress(ip))
    return { problem: `sourceIp ${JSON.stringify(ip)} is neither an IP address nor a range` };
  return { domain: projectScope ? "*" : canonicalDomain(domain ?? "*"), ip: ip.toLowerCase() };
}

const everything = "0.0.0.0/0";

function isAddress(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (isIPv4(address) ? 32 : 128));
}
