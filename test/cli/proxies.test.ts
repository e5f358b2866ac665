import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningServer } from "../../server";
import { slipway } from "../support/cli";
import { startServer } from "../support/profile";

/** A proxy that refuses every request, and what it was asked for. */
let proxy: Server;
let asked: string[] = [];
let server: RunningServer;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-proxies-"));
  server = await startServer({ controlToken: "control" });
  proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  env = {
    // The CLI has not asked for newer versions yet, and may.
    PULUMI_SKIP_UPDATE_CHECK: "",
    ...{ NODE_USE_ENV_PROXY: "1", HTTP_PROXY: url, http_proxy: url, HTTPS_PROXY: url, https_proxy: url },
    ...{ NO_PROXY: "", no_proxy: "" },
    ...{ SLIPWAY_API_URL: server.url, SLIPWAY_CONTROL_TOKEN: "control" },
    ...{ SLIPWAY_TOKEN: server.token, SLIPWAY_TEAM: "acme" },
  };
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  proxy.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ["status"],
  ["logs"],
  ["clock"],
  ["events"],
  ["mail"],
  ["deploy", "web"],
  ["fault", "clear"],
  ["dns", "set", "x.example.com", "TXT", "hello"],
  ["audit"],
  ["snapshot", "-o", "snapshot.yaml"],
  ["import", "--out", "program"],
  ["doctor"],
])("slipway %s sends nothing for this machine through the proxy in the environment", async (...args) => {
  const { stderr } = await slipway(args, env, { cwd: folder });
  expect(stderr).not.toMatch(/out of reach|No server answers/);
  expect(asked).toEqual([]);
});

it("slipway doctor asks an API elsewhere through the proxy", async () => {
  await slipway(["doctor"], { ...env, SLIPWAY_API_URL: "https://api.slipway.test" }, { cwd: folder });
  expect(asked).toContain("CONNECT api.slipway.test:443");
});
