import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { type Child, runChild } from "../support/child";
import { textOf } from "../support/pages";
import { freePort } from "../support/port";
import { makeDatabase, type TestDatabase } from "../support/postgres/database";
import { root } from "../support/server";
import { until } from "../support/until";

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

/** Starts the two servers with the settings of the file, on a database of their own. */
async function startServers() {
  const database: TestDatabase = await makeDatabase();
  const environment = {
    ...services["server-1"].environment,
    SLIPWAY_DATA: database.url,
    SLIPWAY_KEY: randomBytes(32).toString("base64"),
    SLIPWAY_CONTROL_TOKEN: "control",
    SLIPWAY_SEED: join(root, "examples/compose/seed.yaml"),
    SLIPWAY_HOST: "0.0.0.0",
    SLIPWAY_PORT: "0",
  };
  const children: Child[] = servers.map(() => runChild("server/command.ts", ["serve"], environment));
  const stop = async (child: Child): Promise<void> => {
    child.process.kill("SIGTERM");
    await child.exited;
  };
  const addresses = await Promise.all(
    children.map(async (child) => {
      const [, port] = await child.waitFor(/listening on http:\/\/0\.0\.0\.0:(\d+)/);
      return `127.0.0.1:${port}`;
    }),
  );
  return {
    addresses: addresses as [string, string],
    stopFirst: () => stop(children[0] as Child),
    async stop() {
      await Promise.all(children.map(stop));
      await database.release();
    },
  };
}

const headers = { authorization: "Bearer change-me", "content-type": "application/json" };
const create = (address: string, name: string) =>
  fetch(`http://${address}/v10/projects?slug=acme`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name }),
  });
const read = (address: string, name: string) =>
  fetch(`http://${address}/v9/projects/${name}?slug=acme`, { headers });

/** Opens a link to the dashboard that the control plane made, as a browser without a cookie does. @returns the status */
async function openDashboard(address: string): Promise<number> {
  const made = await fetch(`http://${address}/_control/dashboard`, {
    method: "POST",
    headers: { authorization: "Bearer control", "content-type": "application/json" },
  });
  const { path } = (await made.json()) as { path: string };
  const [, code] = path.split("#code=");
  const opened = await fetch(`http://${address}/_dashboard/open`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-slipway-dashboard": "1" },
    body: JSON.stringify({ code }),
  });
  return opened.status;
}

it("has servers that share the data, whichever answers", async () => {
  const { addresses, stop } = await startServers();
  try {
    expect((await create(addresses[0], "web")).status).toBe(200);
    expect((await read(addresses[1], "web")).status).toBe(200);
  } finally {
    await stop();
  }
});

/** Debian's Caddy is installed where this user may: `apt-get install caddy`. */
const hasCaddy = spawnSync("caddy", ["version"]).status === 0;
const withCaddy = process.env.SLIPWAY_TEST_LONG || hasCaddy ? it : it.skip;

withCaddy(
  "has a proxy that both servers answer through, and one of them when the other stops",
  async () => {
    if (!hasCaddy) execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "caddy"]);
    const { addresses, stopFirst, stop } = await startServers();
    const folder = mkdtempSync(join(tmpdir(), "slipway-caddy-"));
    const port = await freePort();
    const config = servers.reduce(
      (text, name, i) => text.replaceAll(`${name}:4000`, addresses[i] ?? ""),
      text("Caddyfile").replace(/^:4000 /m, `:${port} `),
    );
    const file = join(folder, "Caddyfile");
    writeFileSync(file, config);
    const proxy = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdio: "ignore",
    });
    const ended = new Promise((done) => proxy.on("close", done));
    const through = `127.0.0.1:${port}`;
    const isReady = async (): Promise<true | undefined> =>
      (await fetch(`http://${through}/_ready`).catch(() => undefined))?.ok || undefined;
    const answeredBy = async (address: string): Promise<number> => {
      const metrics = await (await fetch(`http://${address}/metrics`)).text();
      return Number(
        /^slipway_requests_total\{[^}]*\/projects\/:idOrName[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? 0,
      );
    };
    try {
      await until("the proxy answers", isReady);
      expect((await create(through, "web")).status).toBe(200);
      for (let i = 0; i < 20; i++) expect((await read(through, "web")).status).toBe(200);
      for (const address of addresses) expect(await answeredBy(address)).toBeGreaterThan(0);
      for (let i = 0; i < 8; i++) expect(await openDashboard(through)).toBe(200);
      await stopFirst();
      await until("the proxy has noticed", async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => read(through, "web")));
        return answers.every(({ status }) => status === 200) || undefined;
      });
    } finally {
      proxy.kill("SIGTERM");
      await ended;
      await stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
