import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function domainCalls(contract: Contract): void {
  const add = (client: Client, idOrName: string, requestBody: object): Promise<Answered> =>
    client.call("POST /v10/projects/:idOrName/domains", { idOrName, requestBody });

  /** Publishes the record that a challenge asks for. */
  async function prove({ verification }: Answered): Promise<void> {
    const [challenge] = verification;
    await contract.server.control.setTxt(challenge.domain, challenge.value);
  }

  contract.it("POST /v10/projects/:idOrName/domains", "adds one that is to be verified", async (client) => {
    const { id, name } = await contract.project();
    const apexName = `${name}.com`;
    expect(await add(client, id, { name: `www.${apexName}` })).toMatchObject({
      name: `www.${apexName}`,
      apexName,
      projectId: id,
      verified: false,
      redirect: null,
      redirectStatusCode: null,
      gitBranch: null,
      verification: [
        {
          type: "TXT",
          domain: `_vercel.${apexName}`,
          value: expect.stringMatching(/^vc-domain-verify=/),
          reason: "pending_domain_verification",
        },
      ],
    });
  });

  contract.it(
    "POST /v10/projects/:idOrName/domains",
    "adds redirects and branches' domains",
    async (client) => {
      const { id, name } = await contract.project();
      await prove(await add(client, id, { name: `${name}.com` }));
      await client.call("POST /v9/projects/:idOrName/domains/:domain/verify", {
        idOrName: id,
        domain: `${name}.com`,
      });
      for (const redirectStatusCode of [301, 302, 307, 308]) {
        const redirect = { redirect: `${name}.com`, redirectStatusCode };
        const domain = await add(client, id, { name: `r${redirectStatusCode}.${name}.com`, ...redirect });
        expect(domain).toMatchObject({ verified: true, ...redirect });
      }
      const branch = { name: `next.${name}.com`, gitBranch: "next" };
      expect(await add(client, id, branch)).toMatchObject({ verified: true, ...branch });
    },
  );

  contract.it(
    "POST /v9/projects/:idOrName/domains/:domain/verify",
    "verifies, once and again",
    async (client) => {
      const { id, name } = await contract.project();
      const domain = `${name}.com`;
      await prove(await add(client, id, { name: domain }));
      for (let time = 0; time < 2; time += 1) {
        const request = { idOrName: id, domain };
        const answer = await client.call("POST /v9/projects/:idOrName/domains/:domain/verify", request);
        expect(answer).toMatchObject({ name: domain, verified: true });
      }
    },
  );

  contract.it("GET /v9/projects/:idOrName/domains", "lists, with every filter", async (client) => {
    const { id, name } = await contract.project();
    await prove(await add(client, id, { name: `${name}.com` }));
    const verify = { idOrName: id, domain: `${name}.com` };
    await client.call("POST /v9/projects/:idOrName/domains/:domain/verify", verify);
    await add(client, id, { name: `${name}.org` });
    await add(client, id, { name: `www.${name}.com`, redirect: `${name}.com` });
    await add(client, id, { name: `next.${name}.com`, gitBranch: "next" });
    const list = (query: object) =>
      client.call("GET /v9/projects/:idOrName/domains", { idOrName: id, ...query });
    const names = async (query: object): Promise<string[]> =>
      (await list(query)).domains.map((domain: Answered) => domain.name);
    const whole = await list({});
    expect(whole.domains.map((domain: Answered) => domain.name)).toEqual([
      `next.${name}.com`,
      `www.${name}.com`,
      `${name}.org`,
      `${name}.com`,
      `${name}.vercel.app`,
    ]);
    expect(whole.pagination).toMatchObject({ count: 5, next: null });
    expect(await names({ verified: "false" })).toEqual([`${name}.org`]);
    expect(await names({ gitBranch: "next" })).toEqual([`next.${name}.com`]);
    expect(await names({ redirect: `${name}.com` })).toEqual([`www.${name}.com`]);
    expect(await names({ redirects: "false", production: "true", order: "ASC" })).toEqual([
      `${name}.vercel.app`,
      `${name}.com`,
      `${name}.org`,
    ]);
    expect(await names({ target: "preview" })).toEqual([`next.${name}.com`]);
    const short = await list({ limit: 1 });
    expect(short.pagination).toMatchObject({ count: 1, next: expect.any(Number) });
    expect(await names({ limit: 3, until: short.pagination.next })).toHaveLength(3);
  });

  contract.it("GET /v9/projects/:idOrName/domains/:domain", "reads, with its challenges", async (client) => {
    const { id, name } = await contract.project();
    const added = await add(client, id, { name: `${name}.com` });
    const request = { idOrName: id, domain: `${name}.com` };
    expect(await client.call("GET /v9/projects/:idOrName/domains/:domain", request)).toEqual(added);
  });

  contract.it("PATCH /v9/projects/:idOrName/domains/:domain", "sets, replaces and clears", async (client) => {
    const { id, name } = await contract.project();
    await add(client, id, { name: `${name}.com` });
    await add(client, id, { name: `www.${name}.com` });
    const changes = [
      { redirect: `${name}.com`, redirectStatusCode: 308 },
      { redirect: null, redirectStatusCode: null, gitBranch: "next" },
      { gitBranch: null },
    ];
    for (const requestBody of changes) {
      const request = { idOrName: id, domain: `www.${name}.com`, requestBody };
      const changed = await client.call("PATCH /v9/projects/:idOrName/domains/:domain", request);
      expect(changed).toMatchObject(requestBody);
    }
  });

  contract.it("DELETE /v9/projects/:idOrName/domains/:domain", "removes", async (client) => {
    const { id, name } = await contract.project();
    await add(client, id, { name: `${name}.com` });
    const request = { idOrName: id, domain: `${name}.com`, requestBody: {} };
    await client.call("DELETE /v9/projects/:idOrName/domains/:domain", request);
    const { domains } = await client.call("GET /v9/projects/:idOrName/domains", { idOrName: id });
    expect(domains.map((domain: Answered) => domain.name)).toEqual([`${name}.vercel.app`]);
  });

  contract.it("GET /v6/domains/:domain/config", "tells how a domain is set up", async (client) => {
    const { id, name } = await contract.project();
    await add(client, id, { name: `${name}.com` });
    expect(await client.call("GET /v6/domains/:domain/config", { domain: `${name}.com` })).toMatchObject({
      misconfigured: expect.any(Boolean),
    });
  });
}
