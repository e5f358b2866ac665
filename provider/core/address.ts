import { isLoopback } from "../client/config";
import { digest } from "./values";

const loopbackHosts = ["127.0.0.1", "localhost", "[::1]"];

/**
 * True when a record was made at this address. Another spelling counts as the same: another name of this machine, or a
 * host name with a final dot.
 */
export const isRecordedAt = (apiUrl: string, record: string): boolean =>
  spellingsOf(apiUrl).some((spelling) => record.startsWith(digest(spelling)));

function spellingsOf(apiUrl: string): string[] {
  const { hostname } = new URL(apiUrl);
  const name = hostname.replace(/\.$/, "");
  const hosts = isLoopback(new URL(apiUrl)) ? loopbackHosts : [name, `${name}.`];
  const spellings = hosts.map((host) => {
    const url = new URL(apiUrl);
    url.hostname = host;
    return url.href.replace(/\/+$/, "");
  });
  return [apiUrl, ...spellings];
}
