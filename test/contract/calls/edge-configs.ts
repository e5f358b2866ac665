import type { Answered, Client } from "../client";
import type { Contract } from "../contract";

export function edgeConfigCalls(contract: Contract): void {
  /** Runs a test with an Edge Config that is deleted afterwards, since an account may have few. */
  const withConfig =
    (run: (client: Client, config: Answered) => Promise<void>) =>
    async (client: Client): Promise<void> => {
      const requestBody = { slug: "flags", items: { banner: "hello", limits: { daily: 10 } } };
      await client.call("POST /v1/edge-config", { requestBody });
      const config = client.body;
      try {
        await run(client, config);
      } finally {
        await client.call("DELETE /v1/edge-config/:id", { edgeConfigId: config.id }).catch(() => {});
      }
    };

  contract.it(
    "POST /v1/edge-config",
    "creates with items",
    withConfig(async (_, config) => {
      expect(config).toMatchObject({ id: expect.stringMatching(/^ecfg_/), slug: "flags", itemCount: 2 });
    }),
  );

  contract.it(
    "GET /v1/edge-config",
    "lists",
    withConfig(async (client, { id }) => {
      await client.call("GET /v1/edge-config");
      expect(client.body).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
    }),
  );

  contract.it(
    "GET /v1/edge-config/:id",
    "reads",
    withConfig(async (client, { id }) => {
      expect(await client.call("GET /v1/edge-config/:id", { edgeConfigId: id })).toMatchObject({ id });
    }),
  );

  contract.it(
    "PUT /v1/edge-config/:id",
    "changes the slug",
    withConfig(async (client, { id }) => {
      const request = { edgeConfigId: id, requestBody: { slug: "features" } };
      expect(await client.call("PUT /v1/edge-config/:id", request)).toMatchObject({ slug: "features" });
    }),
  );

  contract.it(
    "DELETE /v1/edge-config/:id",
    "deletes",
    withConfig(async (client, { id }) => {
      await client.call("DELETE /v1/edge-config/:id", { edgeConfigId: id });
      const refused = await client.refused("GET /v1/edge-config/:id", { edgeConfigId: id });
      expect(refused).toEqual({ status: 404, code: "not_found" });
    }),
  );

  contract.it(
    "GET /v1/edge-config/:id/items",
    "returns all",
    withConfig(async (client, { id }) => {
      await client.call("GET /v1/edge-config/:id/items", { edgeConfigId: id });
      expect(client.body).toMatchObject([
        { key: "banner", value: "hello" },
        { key: "limits", value: { daily: 10 } },
      ]);
    }),
  );

  contract.it(
    "GET /v1/edge-config/:id/item/:key",
    "returns one",
    withConfig(async (client, { id }) => {
      const request = { edgeConfigId: id, edgeConfigItemKey: "banner" };
      await client.call("GET /v1/edge-config/:id/item/:key", request);
      expect(client.body).toMatchObject({ key: "banner", value: "hello", edgeConfigId: id });
    }),
  );

  const definition = { type: "object", properties: { banner: { type: "string" } } };
  const setSchema = (client: Client, edgeConfigId: string) =>
    client.call("POST /v1/edge-config/:id/schema", { edgeConfigId, requestBody: { definition } });

  contract.it(
    "POST /v1/edge-config/:id/schema",
    "sets",
    withConfig(async (client, { id }) => {
      await setSchema(client, id);
      expect(client.body).toEqual(definition);
    }),
  );

  contract.it(
    "GET /v1/edge-config/:id/schema",
    "returns",
    withConfig(async (client, { id }) => {
      await setSchema(client, id);
      await client.call("GET /v1/edge-config/:id/schema", { edgeConfigId: id });
      expect(client.body).toEqual(definition);
    }),
  );

  contract.it(
    "DELETE /v1/edge-config/:id/schema",
    "deletes",
    withConfig(async (client, { id }) => {
      await setSchema(client, id);
      await client.call("DELETE /v1/edge-config/:id/schema", { edgeConfigId: id });
      await client.call("GET /v1/edge-config/:id", { edgeConfigId: id });
      expect(client.body).not.toHaveProperty("schema");
    }),
  );

  const createToken = (client: Client, edgeConfigId: string) =>
    client.call("POST /v1/edge-config/:id/token", { edgeConfigId, requestBody: { label: "production" } });

  contract.it(
    "POST /v1/edge-config/:id/token",
    "creates",
    withConfig(async (client, { id }) => {
      expect(await createToken(client, id)).toEqual({ id: expect.any(String), token: expect.any(String) });
    }),
  );

  contract.it(
    "GET /v1/edge-config/:id/token/:token",
    "reads by the value",
    withConfig(async (client, { id }) => {
      const created = await createToken(client, id);
      const request = { edgeConfigId: id, token: created.token };
      await client.call("GET /v1/edge-config/:id/token/:token", request);
      expect(client.body).toMatchObject({ ...created, label: "production", edgeConfigId: id });
    }),
  );

  contract.it(
    "DELETE /v1/edge-config/:id/tokens",
    "deletes by the value",
    withConfig(async (client, { id }) => {
      const { token } = await createToken(client, id);
      const request = { edgeConfigId: id, requestBody: { tokens: [token] } };
      await client.call("DELETE /v1/edge-config/:id/tokens", request);
      const read = client.refused("GET /v1/edge-config/:id/token/:token", { edgeConfigId: id, token });
      expect(await read).toEqual({ status: 404, code: "not_found" });
    }),
  );
}
