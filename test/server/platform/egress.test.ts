import { openEgress } from "../../../server/platform/egress";

const { isPrivate } = openEgress(false);

/** The first and last addresses of networks that are not public. */
const edges: readonly string[] = [
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"],
  ...["127.0.0.0", "127.255.255.255", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255"],
  ...["192.0.0.0", "192.0.0.255", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255"],
  ...["192.0.2.0", "198.51.100.255", "203.0.113.7", "192.88.99.1"],
  ...["[::ffff:0:a00:1]", "[100::1]", "[2001:1::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]"],
  ...["224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"],
  ...["[::]", "[::1]", "[::ffff:192.168.0.1]", "[64:ff9b::a00:1]", "[64:ff9b:1::1]", "[2001::1]"],
  ...[
    "[2002:a00:1::]",
    "[fc00::]",
    "[fdff::1]",
    "[fe80::]",
    "[febf::1]",
    "[fec0::]",
    "[feff::1]",
    "[ff02::1]",
  ],
];

/** Their neighbours, and other public addresses. */
const neighbours: readonly string[] = [
  ...["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
  ...["128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0"],
  ...["192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
  ...["[::ffff:8.8.8.8]", "[64:ff9b:2::1]", "[2001:200::1]", "[2003::1]", "[fbff::1]", "[2606:4700::1]"],
];

describe("a URL", () => {
  const cases = [
    ...edges.map((host) => [host, true] as const),
    ...neighbours.map((host) => [host, false] as const),
  ];

  it.each(cases)("with the address %s is not public: %p", async (host, isOurs) => {
    expect(await isPrivate(`http://${host}:8080/hook`)).toBe(isOurs);
  });

  it("is not public when one of the addresses of its name is not", async () => {
    const resolve = async () => ["8.8.8.8", "10.0.0.1"].map((address) => ({ address, family: 4 }));
    expect(await openEgress(false, resolve).isPrivate("http://receiver.example/")).toBe(true);
    expect(await openEgress(true, resolve).isPrivate("http://receiver.example/")).toBe(false);
  });
});
