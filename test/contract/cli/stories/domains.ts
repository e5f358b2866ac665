import { json, type Story, type Work } from "./story";

const records = async (work: Work) => (await work.get("/v4/domains/example.com/records?limit=100")).records;

const adds = (details: string, record: object) => ({
  line: `dns add example.com ${details}`,
  says: "Success",
  check: async (work: Work) => expect(await records(work)).toContainEqual(expect.objectContaining(record)),
});

const zone = `$ORIGIN example.com.
$TTL 3600
@     IN  SOA ns1.example.com. admin.example.com. 1 7200 3600 1209600 3600
@     IN  A     198.51.100.7
www   IN  CNAME example.com.
mail  IN  A     198.51.100.8
@     IN  MX    10 mail.example.com.
@     IN  TXT   "v=spf1 -all"
`;

export const domains: Story = {
  title: "domains and their DNS records",
  folder: "shop",
  prepare: async (work) => {
    await work.server.control.seed({
      teams: [{ slug: "studio", plan: "pro", members: [{ user: "dev", role: "OWNER" }] }],
      projects: [
        { team: "acme", name: "shop" },
        { team: "acme", name: "other" },
      ],
    });
  },
  runs: [
    { line: "link --yes --project shop", says: "acme/shop" },
    { line: "domains add example.com shop", says: "added to project shop" },
    { line: "domains add www.example.com shop", says: "www.example.com" },
    { line: "domains add example.org", says: "example.org" },
    { line: "domains add example.com other --force", says: "example.com" },
    { line: "domains ls", says: /example\.com/ },
    { line: "domains ls --json", says: "example.com" },
    { line: "domains inspect example.com", says: "example.com" },
    { line: "domains inspect nothing.example", code: 1, says: "nothing.example" },
    { line: "domains verify example.com --project other", code: 1, says: "_vercel.example.com" },
    {
      line: "domains verify example.com --project other --strict",
      before: async ({ get, server: { control } }) => {
        const { verification } = await get("/v9/projects/other/domains/example.com");
        await control.setTxt("_vercel.example.com", verification[0].value);
        await control.setRecords("example.com", "A", ["192.0.2.1"]);
      },
      check: async (work) =>
        expect(await work.get("/v9/projects/other/domains/example.com")).toMatchObject({ verified: true }),
    },
    {
      line: "domains verify example.com --json",
      check: (_, said) => expect(JSON.stringify(json(said))).toContain("example.com"),
    },
    adds("api A 198.51.100.100", { name: "api", type: "A", value: "198.51.100.100" }),
    adds("api AAAA 2001:db8::1", { name: "api", type: "AAAA", value: "2001:db8::1" }),
    adds("blog CNAME cname.example.net", { name: "blog", type: "CNAME" }),
    adds("flat ALIAS cname.example.net", { name: "flat", type: "ALIAS" }),
    adds("@ MX mail.example.com 10", { type: "MX" }),
    adds("@ TXT 'v=spf1 -all'", { type: "TXT", value: "v=spf1 -all" }),
    adds("_ldap._tcp SRV 10 0 389 ldap.example.net", { type: "SRV" }),
    adds(`@ CAA '0 issue "example.net"'`, { type: "CAA" }),
    {
      line: "dns ls example.com",
      says: "198.51.100.100",
      check: async (work) => {
        const record = (await records(work)).find(
          ({ name, type }: { name: string; type: string }) => name === "api" && type === "A",
        );
        work.notes.record = record.id;
      },
    },
    { line: "dns ls", says: "198.51.100.100" },
    { line: "dns inspect {record}", says: "198.51.100.100" },
    { line: "dns update {record} --value 198.51.100.101", cannot: "asks in a terminal" },
    {
      line: "dns rm {record}",
      input: "y\n",
      check: async (work) =>
        expect(await records(work)).not.toContainEqual(expect.objectContaining({ name: "api", type: "A" })),
    },
    {
      line: "dns import example.com zone.txt",
      before: (work) => work.write("zone.txt", zone),
      check: async (work) =>
        expect(await records(work)).toContainEqual(
          expect.objectContaining({ name: "mail", type: "A", value: "198.51.100.8" }),
        ),
    },
    { line: "certs ls", says: "No certificates found" },
    { line: "certs issue example.com", cannot: "the server issues no certificates" },
    { line: "domains check example.dev", cannot: "asks the registrar" },
    { line: "domains price example.dev", cannot: "asks the registrar" },
    { line: "domains move example.org studio --yes", cannot: "the server does not move domains" },
    {
      line: "domains rm example.com --yes",
      check: async (work) => expect(await work.get("/v5/domains/example.com")).toMatchObject({ error: {} }),
    },
  ],
};
