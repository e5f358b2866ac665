import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Child, runChild } from "../support/child";
import { textOf } from "../support/pages";
import { makeDatabase, type TestDatabase } from "../support/postgres/database";
import { root } from "../support/server";

/** The stack of examples/compose: its settings are checked, and its servers run with them. */
const text = (name: string): string => readFileSync(join(root, "examples/compose", name), "utf8");
const { services, volumes } = parse(text("compose.yaml"), { merge: true });
const servers = Object.keys(services).filter((name) => name.startsWith("server-"));

it("starts two servers after the database, and the proxy after both", () => {
  expect(servers).toEqual(["server-1", "server-2"]);
  for (const name of servers) {
    expect(services[name].depends_on).toEqual({ database: { condition: "service_healthy" } });
    expect(services.proxy.depends_on[name]).toEqual({ condition: "service_healthy" });
    // Those that the image allows, and its documentation recommends.
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ["ALL"], stop_grace_period: "15s" });
  }
  expect(services.database.healthcheck.test).toContain("pg_isready");
  expect(Object.keys(volumes)).toEqual(["database"]);
});

it("sets variables that the server has", () => {
  const known: string[] = textOf("docs/server.md").match(/(?<=^\|.*`)SLIPWAY_\w+(?=`)/gm) ?? [];
  for (const name of servers) {
    for (const variable of Object.keys(services[name].environment)) expect(known).toContain(variable);
  }
});

it("has the proxy send requests to the servers that are ready", () => {
  const caddy = text("Caddyfile");
  expect(caddy).toContain(`reverse_proxy ${servers.map((name) => `${name}:4000`).join(" ")} {`);
  expect(caddy).toContain("health_uri /_ready");
  expect(services.proxy.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:4000$/)]);
  expect(caddy).toMatch(/^:4000 \{$/m);
});

it("has servers that share the data, whichever answers", async () => {
  const database: TestDatabase = await makeDatabase();
  const key = randomBytes(32).toString("base64");
  const environment = {
    ...services["server-1"].environment,
    SLIPWAY_DATA: database.url,
    SLIPWAY_KEY: key,
    SLIPWAY_CONTROL_TOKEN: "control",
    SLIPWAY_SEED: join(root, "examples/compose/seed.yaml"),
    SLIPWAY_HOST: "0.0.0.0",
    SLIPWAY_PORT: "0",
  };
  const children: Child[] = servers.map(() => runChild("server/command.ts", ["serve"], environment));
  try {
    const [first, second] = await Promise.all(
      children.map(async (child) => {
        const [, port] = await child.waitFor(/listening on http:\/\/0\.0\.0\.0:(\d+)/);
        return `http://127.0.0.1:${port}`;
      }),
    );
    const headers = { authorization: "Bearer change-me", "content-type": "application/json" };
    const body = JSON.stringify({ name: "web" });
    const made = await fetch(`${first}/v10/projects?slug=acme`, { method: "POST", headers, body });
    expect(made.status).toBe(200);
    expect((await fetch(`${second}/v9/projects/web?slug=acme`, { headers })).status).toBe(200);
  } finally {
    for (const { process: child } of children) child.kill("SIGTERM");
    await Promise.all(children.map(({ exited }) => exited));
    await database.release();
  }
});
