import { createHash } from "node:crypto";
import type { Database } from "../../../server/store/tables";
import { addIntegration, exchange, install } from "../../support/integrations";
import { useReceivers } from "../../support/receiver";
import { until } from "../../support/until";
import { beginning, TestServer, useTestServer } from "../../support/world";

const world = useTestServer();
const receiver = useReceivers();

const hour = 60 * 60 * 1000;
const day = 24 * hour;

const count = async (table: keyof Database, server = world): Promise<number> =>
  (await server.services.store.read((tx) => tx.selectFrom(table).selectAll().execute())).length;
const create = (name: string) => world.call("POST", "/v10/projects", { body: { name } });
const rename = (from: string, name: string) =>
  world.call("PATCH", `/v9/projects/${from}`, { body: { name } });
const delivered = () =>
  until("all is delivered", async () => {
    const rows = await world.services.store.read((tx) => tx.selectFrom("deliveries").selectAll().execute());
    return rows.every(({ state }) => state === "delivered") ? true : undefined;
  });
/** Waits until so many attempts of a delivery are noted: what is under way reads the clock at its end. */
const attempted = (times: number) =>
  until(`${times} attempts are noted`, async () => {
    const rows = await world.services.store.read((tx) => tx.selectFrom("deliveries").selectAll().execute());
    return rows.some(({ state, attempts }) => state === "waiting" && attempts === times) ? true : undefined;
  });

describe("after 30 days", () => {
  test("events and their deliveries go, and what comes later is delivered as before", async () => {
    const hook = await receiver();
    await world.call("POST", "/v1/webhooks", { body: { url: hook.url, events: ["project.created"] } });
    await create("web");
    await delivered();
    await world.advance(30 * day - 1);
    expect([await count("events"), await count("deliveries")]).toEqual([1, 1]);
    await create("api");
    await delivered();
    await world.advance(1);
    expect((await world.control.events()).map(({ payload }) => payload)).toMatchObject([
      { project: { name: "api" } },
    ]);
    expect(await count("deliveries")).toBe(1);
    await create("docs");
    const names = (await hook.waitForAccepted(3)).map(({ body }) => body.payload.project.name);
    expect(names).toEqual(["web", "api", "docs"]);
  });

  test("an event that is held for a disabled installation stays, and is delivered once it is enabled", async () => {
    const hook = await receiver();
    await world.member("MEMBER");
    await world.seed({
      integrations: [
        {
          slug: "cron",
          owner: "dev",
          clientSecret: "s",
          redirectUrl: "http://127.0.0.1:9/callback",
          webhookUrl: hook.url,
          scopes: ["project"],
        },
      ],
      installations: [{ id: "icfg_cron", integration: "cron", team: "acme", installedBy: "member-of-acme" }],
    });
    await create("web");
    await hook.waitForAccepted(1);
    hook.react = () => 500;
    await rename("web", "web-2");
    await attempted(1);
    await world.advance(20 * hour);
    await attempted(2);
    await world.control.removeMember("acme", "member-of-acme");
    await world.advance(30 * day - 1);
    hook.react = () => 200;
    await world.control.enable("icfg_cron");
    const arrivals = await hook.waitForAccepted(2);
    expect(arrivals[1]?.body).toMatchObject({ type: "project.renamed", createdAt: beginning });
    await delivered();
    await world.advance(1);
    expect(await count("events")).toBe(0);
  });

  test("a receiver goes after its webhook, with the last of its events", async () => {
    const hook = await receiver();
    const events = ["project.created"];
    const { body } = await world.call("POST", "/v1/webhooks", { body: { url: hook.url, events } });
    await create("web");
    await delivered();
    await world.call("DELETE", `/v1/webhooks/${body.id}`);
    await world.advance(30 * day - 1);
    expect(await count("receivers")).toBe(1);
    await world.advance(1);
    expect(await count("receivers")).toBe(0);
  });

  test("mail goes", async () => {
    await addIntegration(world);
    await install(world);
    await world.control.requestScopes("cron", "project", "user");
    await world.advance(30 * day - 1);
    expect(await world.control.mail()).not.toEqual([]);
    await world.advance(1);
    expect(await world.control.mail()).toEqual([]);
  });

  test("records of uploads go", async () => {
    const text = "<h1>hi</h1>";
    const digest = createHash("sha1").update(text).digest("hex");
    const headers = { "content-type": "application/octet-stream", "x-vercel-digest": digest };
    expect((await world.call("POST", "/v2/files", { body: text, headers })).status).toBe(200);
    await world.advance(30 * day - 1);
    expect(await count("uploads")).toBe(1);
    await world.advance(1);
    expect(await count("uploads")).toBe(0);
  });

  test("a promotion goes with the next one, and the last one stays", async () => {
    const { id } = (await create("web")).body;
    const built = { team: "acme", project: "web" };
    await world.control.deploy({ ...built, id: "dpl_a" }, { ...built, id: "dpl_b" });
    const promote = (deployment: string) => world.call("POST", `/v10/projects/${id}/promote/${deployment}`);
    await promote("dpl_a");
    await world.advance(30 * day);
    const { body } = await world.call("GET", "/v9/projects/web?rollbackInfo=true");
    expect(body.lastAliasRequest.toDeploymentId).toBe("dpl_a");
    await promote("dpl_b");
    await world.advance(1);
    await promote("dpl_a");
    expect([await count("promotions"), await count("promotion_aliases")]).toEqual([2, 2]);
  });

  test("more than one unit removes goes as well", async () => {
    const { services } = world;
    await create("web");
    await services.store.write(async (tx) => {
      const event = await tx.selectFrom("events").selectAll().executeTakeFirstOrThrow();
      const copies = Array.from({ length: 1200 }, (_, n) => ({ ...event, id: `e${n}`, sequence: 2 + n }));
      for (let at = 0; at < copies.length; at += 300) {
        await tx
          .insertInto("events")
          .values(copies.slice(at, at + 300))
          .execute();
      }
    });
    await world.advance(30 * day);
    expect(await count("events")).toBe(0);
  });
});

describe("after a day", () => {
  test("codes that expired go, and are refused as before", async () => {
    await addIntegration(world);
    const { code } = await install(world);
    await world.advance(day + hour / 2 - 1);
    expect(await count("codes")).toBe(1);
    expect((await exchange(world, { code })).body.error.message).toContain("expired");
    await world.advance(1);
    expect(await count("codes")).toBe(0);
    expect(await exchange(world, { code })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_grant" } },
    });
  });

  test("counts of requests go", async () => {
    const limited = new TestServer();
    await limited.open("memory", { rateLimits: true });
    try {
      await limited.call("GET", "/v9/projects/web/env");
      await limited.advance(day + 60_000 - 1);
      expect(await count("rate_windows", limited)).toBe(1);
      await limited.advance(1);
      expect(await count("rate_windows", limited)).toBe(0);
    } finally {
      await limited.close();
    }
  });
});
