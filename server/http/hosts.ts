import { isIP } from "node:net";
import { Refusal } from "../platform/refusal";

/**
 * Prevents DNS rebinding, in which a web page sends requests to a host name of its own that resolves to this server.
 * @param hosts the host names that are allowed in addition to `localhost` and IP addresses
 * @throws Refusal 403
 */
export function refuseForeignHost(host = "", hosts: readonly string[]): void {
  const name = host
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^\[|\]$/g, "");
  if (name === "localhost" || isIP(name) !== 0 || hosts.includes(name)) return;
  throw new Refusal(
    403,
    "forbidden",
    `The host name ${JSON.stringify(name)} is not allowed here. Allow it with --allowed-hosts, or use localhost.`,
  );
}
