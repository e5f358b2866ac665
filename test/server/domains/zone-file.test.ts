import { useTestServer } from "../../support/world";

const world = useTestServer();

const send = (body: string) =>
  world.call("PUT", "/v3/domains/example.com/records", { body, headers: { "content-type": "text/dns" } });
const records = async (): Promise<object[]> => {
  const { body } = await world.call("GET", "/v5/domains/example.com/records");
  const added = body.records.filter(({ creator }: { creator: string }) => creator !== "system");
  return added.map(({ name, type, value, ttl, priority }: Record<string, unknown>) =>
    priority === undefined ? [name, type, value, ttl] : [name, type, value, ttl, priority],
  );
};

beforeEach(() =>
  world.seed({
    projects: [{ team: "acme", name: "web" }],
    domains: [{ team: "acme", project: "web", name: "example.com" }],
  }),
);

describe("a zone file", () => {
  it("adds records of every kind", async () => {
    const { status, body } = await send(`$ORIGIN example.com.
$TTL 1h
@ IN SOA ns1.example.com. admin.example.com. ( 2026010101 ; serial
    7200 3600 1209600 3600 )
  IN NS ns1.example.net.
@     IN  A     192.0.2.1
www   300 IN CNAME @
api   IN 1h30m AAAA 2001:db8::1
      TXT   "a; b" "c \\"d\\"" ; a comment
@     MX    10 mail
_ldap._tcp  SRV 10 5 389 ldap.example.net.
@     CAA   0 issue "letsencrypt.org"
$ORIGIN eu.example.com.
sub   NS    ns1.example.net.
`);
    expect({ status, ids: body.recordIds?.length }).toEqual({ status: 200, ids: 8 });
    expect((await records()).reverse()).toEqual([
      ["", "A", "192.0.2.1", 3600],
      ["www", "CNAME", "example.com.", 300],
      ["api", "AAAA", "2001:db8::1", 5400],
      ["api", "TXT", 'a; bc "d"', 3600],
      ["", "MX", "mail.example.com.", 3600],
      ["_ldap._tcp", "SRV", "5 389 ldap.example.net.", 3600, 10],
      ["", "CAA", '0 issue "letsencrypt.org"', 3600],
      ["sub.eu", "NS", "ns1.example.net.", 3600],
    ]);
  });

  it("can be imported again: equal records are kept", async () => {
    const { body: first } = await send("www A 192.0.2.1");
    const { body: again } = await send("www A 192.0.2.1\nwww A 192.0.2.2");
    expect(again.recordIds[0]).toBe(first.recordIds[0]);
    expect(await records()).toHaveLength(2);
  });

  it("tells receivers of the records that it adds", async () => {
    await send("www A 192.0.2.1");
    await send("www A 192.0.2.1\nwww A 192.0.2.2");
    const events = (await world.control.events()) as { type: string }[];
    expect(events.filter(({ type }) => type === "domain.dns.records.changed")).toHaveLength(2);
  });

  it("adds nothing if one of its records conflicts with another one", async () => {
    const { status, body } = await send("www A 192.0.2.1\nwww CNAME example.net.");
    expect([status, body.error.code]).toEqual([409, "record_conflicts"]);
    expect(await records()).toEqual([]);
  });

  it.each([
    [
      "an address that is none",
      "www A 192.0.2",
      "Line 1 of the zone file: The value must be an IPv4 address.",
    ],
    ["an unknown type", "\nwww LOC 1 2 3", "Line 2 of the zone file: Invalid record of type LOC"],
    [
      "a name of another domain",
      "www.example.net. A 192.0.2.1",
      "www.example.net. is not under example.com.",
    ],
    ["a text without an end", 'www TXT "a', "A text in double quotes must end on its line."],
    ["a priority that is no number", "@ MX mail 10", "Invalid record of type MX: mxPriority"],
    ["another file", "$INCLUDE other.txt", "$INCLUDE is not supported."],
    ["no name", " A 192.0.2.1", "The first record needs a name."],
    ["too many records", "www A 192.0.2.1\n".repeat(1_001), "Line 1001"],
  ])("is refused with %s", async (_, text, said) => {
    const { status, body } = await send(text);
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
    expect(body.error.message).toContain(said);
    expect(await records()).toEqual([]);
  });

  it("is refused for a domain that the account does not have", async () => {
    const path = "/v3/domains/example.net/records";
    expect((await world.call("PUT", path, { body: "www A 192.0.2.1" })).status).toBe(404);
  });
});
