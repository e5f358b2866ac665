import { domainToASCII } from "node:url";
import { z } from "zod";

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const hostPattern = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`);

/** A host name with at least one dot, or a single dot: no host, or the name of the record itself. */
export const hostOrRoot = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => {
    const host = text.replace(/\.$/, "");
    return text === "." || (!/[\s%/\\?#@:[\]<>^|*]/.test(host) && hostPattern.test(domainToASCII(host)));
  }, "must be a fully qualified domain name, such as host.example.com, or a dot");

/** True for a host name with a dot, which is no IPv4 address. */
export function isHost(text: string): boolean {
  return /^([a-z0-9_-]{1,63}\.)+[a-z0-9-]*[a-z-][a-z0-9-]*\.?$/i.test(text);
}
