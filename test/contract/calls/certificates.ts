import { first } from "../../support/certificates";
import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function certificateCalls(contract: Contract): void {
  const upload = (client: Client): Promise<Answered> =>
    client.call("PUT /v8/certs", {
      requestBody: {
        cert: first.certificate,
        ca: first.certificateAuthorityCertificate,
        key: first.privateKey,
      },
    });

  contract.it("PUT /v8/certs", "uploads one", async (client) => {
    expect(await upload(client)).toMatchObject({ cns: ["api.example.com"] });
  });

  contract.it("GET /v8/certs/:id", "reads one", async (client) => {
    const { id } = await upload(client);
    expect(await client.call("GET /v8/certs/:id", { id })).toMatchObject({ id, cns: ["api.example.com"] });
  });

  contract.it("GET /v8/certs", "lists them", async (client) => {
    const { id } = await upload(client);
    const { certs } = await client.call("GET /v8/certs", {});
    expect(certs.map((one: Answered) => one.id)).toContain(id);
  });

  contract.it("DELETE /v8/certs/:id", "removes one", async (client) => {
    const { id } = await upload(client);
    await client.call("DELETE /v8/certs/:id", { id });
    expect(await client.refused("GET /v8/certs/:id", { id })).toMatchObject({ status: 404 });
  });
}
