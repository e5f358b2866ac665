import { createClient, parseConnectionString } from "@vercel/edge-config";
import { type RunningServer, startServer } from "../../server";
import { block } from "../support/pages";

/** The official client with which applications read Edge Configs. */

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ data: "memory" });
});
afterAll(() => server.close());

// biome-ignore lint/suspicious/noExplicitAny: the test says by its expectations what the answer is
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${server.url}${path}?slug=acme`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.status === 204 ? undefined : response.json();
}

const items = { banner: "hello", limits: { daily: 10 }, "a-b_C": [1, null] };

/** The connection string of the page, with the values of this test in their places. */
function connectionOf(id: string, token: string): string {
  const [, shown = ""] = /^export EDGE_CONFIG="(.+)"$/m.exec(block("docs/server.md sh 4")) ?? [];
  return shown
    .replace("http://127.0.0.1:4000", server.url)
    .replace("ecfg_…", id)
    .replace("token=…", `token=${token}`);
}

/** @returns the id, and the connection string with the address of the server in the place of the service's */
async function create(): Promise<{ id: string; connection: string; token: string }> {
  const { id } = await call("POST", "/v1/edge-config", { slug: "flags", items });
  const { token } = await call("POST", `/v1/edge-config/${id}/token`, { label: "web" });
  return {
    id,
    token,
    connection: connectionOf(id, token),
  };
}

it("takes the connection string with the address of the server", async () => {
  const { id, connection, token } = await create();
  expect(parseConnectionString(connection)).toEqual({
    type: "external",
    baseUrl: `${server.url}/${id}`,
    id,
    token,
    version: "1",
  });
});

it("reads items, their presence and the digest", async () => {
  const { id, connection } = await create();
  const client = createClient(connection);
  for (const [key, value] of Object.entries(items)) {
    expect(await client.get(key)).toEqual(value);
    expect(await client.get(key, { consistentRead: true })).toEqual(value);
    expect(await client.has(key)).toBe(true);
  }
  expect([await client.get("missing"), await client.has("missing")]).toEqual([undefined, false]);
  expect(await client.getAll()).toEqual(items);
  expect(await client.getAll(["banner", "missing"])).toEqual({ banner: "hello" });
  expect(await client.digest()).toBe((await call("GET", `/v1/edge-config/${id}`)).digest);
});

it("sees a change at once, although it keeps answers by their tags", async () => {
  const { id, connection } = await create();
  const client = createClient(connection);
  const digest = await client.digest();
  for (const value of ["one", "two", { three: 3 }]) {
    await call("PATCH", `/v1/edge-config/${id}/items`, {
      items: [{ operation: "upsert", key: "banner", value }],
    });
    for (const _ of [1, 2]) expect(await client.get("banner")).toEqual(value);
    expect(await client.getAll()).toEqual({ ...items, banner: value });
  }
  expect(await client.digest()).not.toBe(digest);
});

it("tells a wrong token from a missing Edge Config", async () => {
  const { id } = await create();
  const wrong = createClient(`${server.url}/${id}?token=wrong`);
  for (const read of [() => wrong.get("banner"), () => wrong.getAll(), () => wrong.has("banner")])
    await expect(read()).rejects.toThrow("@vercel/edge-config: Unauthorized");
  const missing = createClient(`${server.url}/ecfg_missing?token=wrong`);
  for (const read of [() => missing.get("banner"), () => missing.getAll(), () => missing.has("banner")])
    await expect(read()).rejects.toThrow("@vercel/edge-config: Edge Config not found");
});
