import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Checks outgoing requests: a URL from a client must not lead into the server's own network. */
export interface Egress {
  /** True when a URL leads to an address that is not public. False for a name that does not resolve. */
  isPrivate(url: string): Promise<boolean>;
  /** Resolves a name for a connection and checks its addresses, so that no other address is used than a checked one. */
  readonly lookup: LookupFunction;
}

type Resolve = (name: string) => Promise<LookupAddress[]>;

/** How long a lookup may take before the URL is accepted unchecked, in milliseconds. */
const lookupMs = 3_000;

const privateNetworks = new BlockList();
for (const range of [
  // "This" network, private, carrier-grade NAT, loopback, link-local, reserved, benchmarks, multicast.
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4"],
  // Documentation and the former 6to4 relays.
  ...["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24"],
  // Unspecified, loopback and translated IPv4, NAT64, discard-only, Teredo and other protocol assignments,
  // documentation, 6to4, segment routing, unique local, link-local, site-local, multicast.
  ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23"],
  ...["2001:db8::/32", "3fff::/20", "2002::/16", "5f00::/16"],
  ...["fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
]) {
  const [network = "", prefix] = range.split("/");
  privateNetworks.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
}

/** IPv4 addresses in IPv6 notation count as IPv4. */
const isPrivateAddress = (address: string): boolean =>
  privateNetworks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** @param allowsPrivate allows all addresses */
export function openEgress(
  allowsPrivate: boolean,
  resolve: Resolve = (name) => lookup(name, { all: true }),
): Egress {
  async function addressesOf(name: string): Promise<string[]> {
    return isIP(name) ? [name] : (await resolve(name)).map(({ address }) => address);
  }
  return {
    async isPrivate(url) {
      if (allowsPrivate) return false;
      const timer = AbortSignal.timeout(lookupMs);
      const late = new Promise<string[]>((done) => timer.addEventListener("abort", () => done([])));
      const found = addressesOf(hostOf(url)).catch(() => []);
      return (await Promise.race([found, late])).some(isPrivateAddress);
    },
    lookup(name, options, callback) {
      resolve(name).then(
        (found) => {
          const [first] = found;
          if (!allowsPrivate && found.some(({ address }) => isPrivateAddress(address))) {
            callback(new NotPublic(), "", 0);
          } else if (options.all) callback(null, found);
          else callback(null, first?.address ?? "", first?.family ?? 0);
        },
        (error) => callback(error, "", 0),
      );
    },
  };
}

/** The host of a URL in the form that the system accepts: an IPv6 address has no brackets. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");

class NotPublic extends Error {
  constructor() {
    super("the receiver's address is not public");
  }
}

/** @throws Error when a URL has an IP address that is not public. `lookup` checks host names when it resolves them. */
export async function refuseInside(egress: Egress, url: string): Promise<void> {
  if (isIP(hostOf(url)) && (await egress.isPrivate(url))) throw new NotPublic();
}
