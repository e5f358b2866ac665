import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { openRecordingProxy, type RecordingProxy } from "../../support/recording-proxy";
import { inFull } from "../../support/slices";
import { type Host, startHost } from "../host";
import { type Harness, startHarness } from "../stack";

/** A private authority, and the certificate that it gave to the server. See its README. */
const tls = (name: string): string => join(__dirname, "../../support/tls", name);

let w: Harness;
let api: RecordingProxy;
let proxy: Server;
let hosts: Host[] = [];
const tunnels = new Set<Socket>();
/** The addresses that the proxy was asked to connect to, and all bytes that went through it. */
let asked: string[] = [];
let seen = "";

beforeAll(async () => {
  w = await startHarness();
  api = await openRecordingProxy(w.server.url, {
    key: readFileSync(tls("key.pem"), "utf8"),
    cert: readFileSync(tls("certificate.pem"), "utf8"),
  });
  proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, near: Socket) => {
    asked.push(String(request.url));
    // Only the proxy knows where the name leads.
    const far = connect(Number(new URL(api.url).port), "127.0.0.1", () => {
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      near.pipe(far).pipe(near);
    });
    near.on("data", (data) => {
      seen += data.toString("latin1");
    });
    for (const socket of [near, far]) {
      tunnels.add(socket);
      socket.on("error", () => socket.destroy());
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
beforeEach(async () => {
  await w.server.control.reset();
  asked = [];
  seen = "";
});
afterEach(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  hosts = [];
});
afterAll(async () => {
  for (const socket of tunnels) socket.destroy();
  await new Promise((done) => proxy.close(done));
  await api.close();
  await w.close();
});

const authority = { NODE_EXTRA_CA_CERTS: tls("authority.pem") };
const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

/** Pulumi's process for dynamic resources in such an environment. */
async function host(apiUrl: string, environment: Record<string, string>): Promise<Host> {
  const started = await startHost({
    SLIPWAY_API_URL: apiUrl,
    SLIPWAY_TOKEN: w.server.token,
    SLIPWAY_TEAM: "acme",
    ...environment,
  });
  hosts.push(started);
  await started.configure({});
  return started;
}

const far = "https://api.slipway.test";
/** This machine, under an address that is not known as its own. */
const direct = () => api.url.replace("127.0.0.1", "0.0.0.0");

it.each(["HTTPS_PROXY", "https_proxy"])("%s is used, and sees no token", async (variable) => {
  const { create } = await host(far, { [variable]: proxyUrl(), ...authority });
  expect(await create("Project", { name: "web" })).toMatchObject({ id: expect.stringMatching(/^prj_/) });
  expect(new Set(asked)).toEqual(new Set(["api.slipway.test:443"]));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).not.toContain(w.server.token);
});

it("NO_PROXY goes past the proxy", async () => {
  const { create } = await host(direct(), { HTTPS_PROXY: proxyUrl(), NO_PROXY: "0.0.0.0", ...authority });
  await create("Project", { name: "web" });
  expect(asked).toEqual([]);
});

inFull("without NO_PROXY the same address goes through it", async () => {
  const { create } = await host(direct(), { HTTPS_PROXY: proxyUrl(), ...authority });
  await create("Project", { name: "web" });
  expect(asked[0]).toBe(`0.0.0.0:${new URL(api.url).port}`);
});

inFull("HTTP_PROXY is no way to this machine", async () => {
  const { create } = await host(w.server.url, { HTTP_PROXY: proxyUrl(), HTTPS_PROXY: proxyUrl() });
  await create("Project", { name: "web" });
  expect(asked).toEqual([]);
});

it("refuses a certificate of an unknown authority, with a hint", async () => {
  const begun = api.requests.length;
  const { create } = await host(direct(), {});
  await expect(create("Project", { name: "web" })).rejects.toThrow(
    /out of reach \([A-Z_]*(CERT|SIGNATURE)[A-Z_]*\).*NODE_EXTRA_CA_CERTS/,
  );
  expect(api.requests).toHaveLength(begun);
});

inFull("a proxy that is out of reach is no way around it", async () => {
  const { create } = await host(direct(), { HTTPS_PROXY: "http://127.0.0.1:9", ...authority });
  const begun = api.requests.length;
  await expect(create("Project", { name: "web" })).rejects.toThrow(/out of reach \(ECONNREFUSED\)/);
  expect(api.requests).toHaveLength(begun);
});
