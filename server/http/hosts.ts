import { isIP } from "node:net";
import { Refusal } from "../platform/refusal";

/**
 * Prevents DNS rebinding, in which a web page sends requests to a host name of its own that resolves to this server.
 * @param hosts the host names that are allowed in addition to `localhost` and IP addresses
 * @throws Refusal 403
 */
export function refuseForeignHost(host = "", hosts: readonly string[]): void {
  const name = hostnameOf(host);
  if (isServerName(name, hosts)) return;
  throw new Refusal(
    403,
    "forbidden",
    `The host name ${JSON.stringify(name)} is not allowed here. Allow it with --allowed-hosts, or use localhost.`,
  );
}

/** The host name or the IP address in a Host header, in lower case and without the port. */
export const hostnameOf = (host = ""): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^\[|\]$/g, "");

/** True for a name under which the server itself answers, instead of a deployment. @param hosts in lower case */
export const isServerName = (name: string, hosts: readonly string[]): boolean =>
  name === "localhost" || isIP(name) !== 0 || hosts.includes(name);
