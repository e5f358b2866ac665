import { useTestServer } from "../../support/world";

const world = useTestServer();
const items = { banner: "hello", limits: { daily: 10 }, off: false, nothing: null };

async function create(): Promise<{ id: string; digest: string; token: string }> {
  const { body } = await world.call("POST", "/v1/edge-config", { body: { slug: "flags", items } });
  const { body: made } = await world.call("POST", `/v1/edge-config/${body.id}/token`, {
    body: { label: "web" },
  });
  return { id: body.id, digest: body.digest, token: made.token };
}

/** A request as an application sends it. */
const read = (
  token: string | null,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) => world.call(method, path, { token, team: null, headers });

describe("an application with a token of an Edge Config", () => {
  it("reads single items, all items, some items and the digest", async () => {
    const { id, digest, token } = await create();
    for (const [key, value] of Object.entries(items))
      expect((await read(token, `/${id}/item/${key}?version=1`)).body).toEqual(value);
    expect((await read(token, `/${id}/items?version=1`)).body).toEqual(items);
    const some = await read(token, `/${id}/items?version=1&key=banner&key=off&key=missing`);
    expect(some.body).toEqual({ banner: "hello", off: false });
    expect((await read(token, `/${id}/items?key=limits`)).body).toEqual({ limits: { daily: 10 } });
    expect((await read(token, `/${id}/digest?version=1`)).body).toBe(digest);
  });

  it("may send the token in the query", async () => {
    const { id, token } = await create();
    expect(await read(null, `/${id}/item/banner?token=${token}`)).toMatchObject({
      status: 200,
      body: "hello",
    });
    expect((await read(null, `/${id}/item/banner?token=other`)).status).toBe(401);
    expect((await read(null, `/${id}/item/banner?token=${token}&token=${token}`)).status).toBe(401);
  });

  it("gets the digest and the time of the last change as headers", async () => {
    const { id, digest, token } = await create();
    await world.advance(5000);
    const created = world.clock.now() - 5000;
    const { headers } = await read(token, `/${id}/items`);
    expect(headers).toMatchObject({
      etag: `"${digest}"`,
      "x-edge-config-digest": digest,
      "x-edge-config-updated-at": String(created),
      "content-type": "application/json; charset=utf-8",
    });
  });

  it("gets 304 until an item changes", async () => {
    const { id, digest, token } = await create();
    const headers = { "if-none-match": `W/"older", "${digest}"` };
    const same = await read(token, `/${id}/item/banner`, { headers });
    expect(same).toMatchObject({ status: 304, body: "", headers: { "x-edge-config-digest": digest } });
    await world.call("PATCH", `/v1/edge-config/${id}/items`, {
      body: { items: [{ operation: "upsert", key: "banner", value: "bye" }] },
    });
    expect(await read(token, `/${id}/item/banner`, { headers })).toMatchObject({ status: 200, body: "bye" });
  });

  it("gets 404 with the digest for a missing item, also with HEAD", async () => {
    const { id, digest, token } = await create();
    for (const method of ["GET", "HEAD"]) {
      expect(await read(token, `/${id}/item/banner`, { method })).toMatchObject({ status: 200 });
      expect(await read(token, `/${id}/item/other`, { method })).toMatchObject({
        status: 404,
        headers: { "x-edge-config-digest": digest },
      });
    }
  });

  it("gets 404 without a digest for a missing Edge Config", async () => {
    const { token } = await create();
    const { status, headers } = await read(token, "/ecfg_missing/item/banner");
    expect([status, headers["x-edge-config-digest"]]).toEqual([404, undefined]);
  });

  it("reads no other Edge Config, and nothing after the token is deleted", async () => {
    const { id, token } = await create();
    const other = await create();
    expect(await read(token, `/${other.id}/items`)).toMatchObject({
      status: 401,
      body: { error: { code: "unauthorized" } },
    });
    await world.call("DELETE", `/v1/edge-config/${id}/tokens`, { body: { tokens: [token] } });
    for (const path of ["items", "digest", "item/banner"])
      expect((await read(token, `/${id}/${path}`)).status).toBe(401);
  });
});

it("refuses a request without a token of the Edge Config, also with an access token", async () => {
  const { id } = await create();
  expect((await read(null, `/${id}/items`)).status).toBe(401);
  expect((await world.call("GET", `/${id}/items`)).status).toBe(401);
  expect((await read("x".repeat(5000), `/${id}/item/%00`)).status).toBe(400);
});

it("does not let a token of an Edge Config call the API", async () => {
  const { id, token } = await create();
  for (const path of [
    `/v1/edge-config/${id}`,
    `/v1/edge-config/${id}/items`,
    `/edge-config/${id}/item/banner`,
  ])
    expect((await read(token, path)).status).toBe(401);
});

it("accepts no other method, and knows no other path of an Edge Config", async () => {
  const { id, token } = await create();
  const { status, headers } = await read(token, `/${id}/items`, { method: "PATCH" });
  expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  expect((await read(token, `/${id}/tokens`)).status).toBe(404);
  expect((await read(token, "/other/items")).status).toBe(404);
});

it("keeps tokens out of the list of requests", async () => {
  const { id, token } = await create();
  await read(null, `/${id}/item/banner?version=1&token=${token}`);
  await read(null, `/${id}/items?token=${token}`);
  const requests = await world.control.requests();
  const queries = requests.filter(({ path }) => String(path).startsWith(`/${id}/`)).map(({ query }) => query);
  expect(queries).toEqual(["token=***", "version=1&token=***"]);
  expect(JSON.stringify(requests)).not.toContain(token);
});
