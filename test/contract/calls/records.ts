import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function recordCalls(contract: Contract): void {
  /** A domain of the team `acme` that no other test has. */
  async function takeDomain(client: Client): Promise<string> {
    const { id, name } = await contract.project();
    const domain = `${name}.dev`;
    const requestBody = { name: domain };
    await client.call("POST /v10/projects/:idOrName/domains", { idOrName: id, requestBody });
    return domain;
  }

  async function create(client: Client, domain: string, requestBody: object): Promise<string> {
    await client.call("POST /v2/domains/:domain/records", { domain, requestBody });
    return client.body.uid;
  }

  /** The records of users. */
  async function list(client: Client, domain: string): Promise<Answered[]> {
    await client.call("GET /v5/domains/:domain/records", { domain });
    return client.body.records.filter(({ creator }: { creator: string }) => creator !== "system");
  }

  contract.it(
    "POST /v2/domains/:domain/records",
    "creates records of the types it can send",
    async (client) => {
      const domain = await takeDomain(client);
      const all = [
        { name: "www", type: "A", value: "192.0.2.1", ttl: 300, comment: "why" },
        { name: "www", type: "AAAA", value: "2001:db8::1" },
        { name: "", type: "ALIAS", value: "example.org" },
        { name: "", type: "CAA", value: '0 issue "letsencrypt.org"' },
        { name: "docs", type: "CNAME", value: "example.org" },
        { name: "", type: "MX", value: "mail.example.org", mxPriority: 10 },
        { name: "sub", type: "NS", value: "ns1.example.org" },
        { name: "", type: "TXT", value: "hello" },
        { type: "HTTPS", https: { priority: 1, target: ".", params: "alpn=h2" } },
        { type: "SRV", srv: { priority: 1, weight: 2, port: 3, target: "sip.example.org" } },
      ];
      // The older two drop names and priorities before they send.
      const sent = contract.generation === "k28" ? all : all.filter(({ type }) => /^A+$|TXT/.test(type));
      for (const record of sent) {
        expect(await create(client, domain, record)).toMatch(/^rec_/);
      }
      expect((await list(client, domain)).map(({ type }) => type)).toEqual(
        sent.map(({ type }) => type).reverse(),
      );
    },
  );

  contract.it("GET /v5/domains/:domain/records", "lists", async (client) => {
    const domain = await takeDomain(client);
    const id = await create(client, domain, { name: "", type: "TXT", value: "hello" });
    const shown = { id, name: "", type: "TXT", value: "hello", slug: domain };
    expect(await list(client, domain)).toEqual([expect.objectContaining(shown)]);
  });

  contract.it("PATCH /v1/domains/records/:recordId", "changes", async (client) => {
    const domain = await takeDomain(client);
    const recordId = await create(client, domain, { name: "www", type: "A", value: "192.0.2.1" });
    const requestBody = { value: "192.0.2.2", ttl: 300 };
    const changed = await client.call("PATCH /v1/domains/records/:recordId", { recordId, requestBody });
    expect(changed).toMatchObject({ domain, recordType: "A", type: "record", ...requestBody });
  });

  contract.it("DELETE /v2/domains/:domain/records/:recordId", "deletes", async (client) => {
    const domain = await takeDomain(client);
    const recordId = await create(client, domain, { name: "www", type: "A", value: "192.0.2.1" });
    await client.call("DELETE /v2/domains/:domain/records/:recordId", { domain, recordId });
    const gone = await client.refused("DELETE /v2/domains/:domain/records/:recordId", { domain, recordId });
    expect(gone).toEqual({ status: 404, code: "not_found" });
    expect(await list(client, domain)).toEqual([]);
  });

  contract.it(
    "POST /v2/domains/:domain/records",
    "is refused with 409 for a record twice",
    async (client) => {
      const domain = await takeDomain(client);
      const requestBody = { name: "www", type: "A", value: "192.0.2.1" };
      await create(client, domain, requestBody);
      const refused = await client.refused("POST /v2/domains/:domain/records", { domain, requestBody });
      expect(refused).toEqual({ status: 409, code: "record_conflicts" });
    },
  );
}
