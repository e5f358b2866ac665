import { ownZone } from "../domains/names";
import { hostnameOf, isServerName } from "../http/hosts";

/** The host name of a request for a deployment. */
export interface RequestedName {
  /** As it was sent, in lower case, without the port. */
  hostname: string;
  /** With the colon; empty without a port. */
  port: string;
  /** True below `localhost`, which browsers resolve to the machine itself. */
  isLocal: boolean;
  /** The names that the host name stands for, the most probable first. */
  names: string[];
}

const localSuffix = ".localhost";

/**
 * The name of a deployment, an alias, a domain or a project in a Host header.
 * @param hosts the server's own host names, besides `localhost` and IP addresses
 * @returns undefined for the server's own names, and for a text that is no host name
 * @choice Below `localhost`, `web` stands for `web.vercel.app`, and `www.example.com` for itself.
 */
export function requestedName(host: string | undefined, hosts: readonly string[]): RequestedName | undefined {
  const hostname = hostnameOf(host).replace(/\.$/, "");
  if (isServerName(hostname, hosts) || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(hostname)) return undefined;
  const port = /:\d+$/.exec(host ?? "")?.[0] ?? "";
  if (!hostname.endsWith(localSuffix)) return { hostname, port, isLocal: false, names: [hostname] };
  const label = hostname.slice(0, -localSuffix.length);
  const names = [`${label}.${ownZone}`, ...(label.includes(".") ? [label] : [])];
  return { hostname, port, isLocal: true, names };
}

/** The address of a name for the client of a request: below `localhost`, if the request was. It has no scheme. */
export function addressOf(name: string, { isLocal, port }: RequestedName): string {
  const suffix = `.${ownZone}`;
  const label = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  return `//${isLocal ? `${label}${localSuffix}` : name}${port}`;
}
