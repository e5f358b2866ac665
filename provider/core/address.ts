import { isLoopback } from "../client/config";
import { digest } from "./values";

const loopbackHosts = ["127.0.0.1", "localhost", "[::1]"];

/**
 * True when an ownership record was made at this API address. Other spellings of the address count as the same:
 * 127.0.0.1, localhost and [::1] on this machine, or a host name with or without a final dot.
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
