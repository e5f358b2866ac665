import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerOptions } from "../../../server/options";
import { signIn } from "../../support/dashboard-session";
import { until } from "../../support/until";
import { TestServer } from "../../support/world";

let data: string;
let server: TestServer;
const start = async (options: Partial<ServerOptions> = {}): Promise<void> => {
  server = new TestServer();
  await server.open(data, options);
  await server.app.listen({ host: "127.0.0.1", port: 0 });
};
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "slipway-serving-"));
});
afterEach(async () => {
  await server.close();
  rmSync(data, { recursive: true });
});

interface Page {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** Sends a request as it is, without changing the path as `fetch` would. */
function open(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Page> {
  const { port } = server.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      path,
      method,
      headers: { host: `web.localhost:${port}`, ...headers },
    };
    request(options, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, body });
    })
      .on("error", reject)
      .end();
  });
}

const read = async (path: string, headers?: Record<string, string>) => {
  const { status, body } = await open(path, headers);
  return { status, text: body.toString() };
};

const digest = (content: string | Buffer): string => createHash("sha1").update(content).digest("hex");

type Files = Record<string, string>;

/** Deploys to production, and waits for the build. */
async function deploy(files: Files, body: object = {}, query: Record<string, string> = {}) {
  const { status, body: made } = await server.call("POST", "/v13/deployments", {
    body: {
      name: "web",
      target: "production",
      files: Object.entries(files).map(([file, text]) => ({ file, data: text })),
      projectSettings: {},
      ...body,
    },
    query,
  });
  expect(status).toBe(200);
  await server.advance(1000);
  return made;
}

const files: Files = {
  "index.html": "<h1>home</h1>",
  "docs/index.html": "docs",
  "./docs/guide.html": "guide",
  "app.js": "1",
  "style.css": "a{}",
  "data.json": "{}",
  "picture.SVG": "<svg/>",
  LICENSE: "MIT",
  "odd.constructor": "odd",
  "name with ü.txt": "name",
  "empty.txt": "",
  ".env": "SECRET=1",
  ".git/config": "secret",
  ".well-known/security.txt": "security",
  "vercel.json": "{}",
  "nested/vercel.json": "nested",
};

describe("the files of a deployment", () => {
  beforeEach(async () => {
    await start();
    await deploy(files);
  });

  it.each([
    ["/", "<h1>home</h1>"],
    ["/?a=b", "<h1>home</h1>"],
    ["/index.html", "<h1>home</h1>"],
    ["/docs", "docs"],
    ["/docs/", "docs"],
    ["//docs//guide.html", "guide"],
    ["/docs%2Fguide.html", "guide"],
    ["/name%20with%20%C3%BC.txt", "name"],
    ["/.well-known/security.txt", "security"],
    ["/nested/vercel.json", "nested"],
    ["/empty.txt", ""],
    ["http://web.localhost/docs/guide.html", "guide"],
  ])("are served at %s", async (path, text) => {
    expect(await read(path)).toEqual({ status: 200, text });
  });

  it.each([
    "/docs/guide",
    "/docs/guide.html/",
    "/missing",
    "/nested",
    "/.env",
    "/%2eenv",
    "/.git/config",
    "/docs/..%2f.git%2fconfig",
    "/vercel.json",
    "/../index.html",
    "/docs/../index.html",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fkey",
    "/..%5c..%5ckey",
    "/%252e%252e/key",
    "/files",
    "/%00",
    "/index.html%00.txt",
    "/__proto__",
    "/constructor",
  ])("are not served at %s", async (path) => {
    const { status, text } = await read(path);
    expect([status, text]).toEqual([404, expect.stringContaining("has no such file")]);
  });

  it("are refused under a malformed path", async () => {
    for (const path of ["/%", "/%zz", "/%ff"]) expect((await read(path)).status).toBe(400);
  });

  it.each([
    ["/", "text/html; charset=utf-8"],
    ["/app.js", "text/javascript; charset=utf-8"],
    ["/style.css", "text/css; charset=utf-8"],
    ["/data.json", "application/json; charset=utf-8"],
    ["/picture.SVG", "image/svg+xml; charset=utf-8"],
    ["/LICENSE", "application/octet-stream"],
    ["/odd.constructor", "application/octet-stream"],
  ])("have a content type: %s", async (path, type) => {
    expect((await open(path)).headers).toMatchObject({
      "content-type": type,
      "x-content-type-options": "nosniff",
    });
  });

  it("have a tag, with which a client asks whether they changed", async () => {
    const { headers } = await open("/");
    expect(headers).toMatchObject({ etag: `"${digest("<h1>home</h1>")}"`, "content-length": "13" });
    const again = await open("/", { "if-none-match": `W/${headers.etag}` });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect((await open("/app.js", { "if-none-match": `${headers.etag}` })).status).toBe(200);
  });

  it("answer HEAD with the headers of GET", async () => {
    const { status, headers, body } = await open("/", {}, "HEAD");
    expect([status, headers["content-length"], body.length]).toEqual([200, "13", 0]);
    expect((await open("/missing", {}, "HEAD")).status).toBe(404);
  });

  it("are read only", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const { status, headers } = await open("/", {}, method);
      expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("keep the server's own pages away from the names of deployments", async () => {
    for (const path of [
      "/_health",
      "/_control/snapshot",
      "/_dashboard/files/main.js",
      "/v9/projects",
      "/docs/main.js",
    ])
      expect((await read(path, { accept: "text/html" })).text).toContain("has no such file");
  });

  it("are in the list of requests with their host, and do not count as requests of the API", async () => {
    await server.askControl("POST", "/faults", { path: "/app.js", kind: "status", status: 500, times: 1 });
    const secret = "s".repeat(32);
    expect((await open(`/app.js?x-vercel-protection-bypass=${secret}`)).status).toBe(200);
    expect((await open("/missing")).status).toBe(404);
    const { port } = server.app.server.address() as AddressInfo;
    const [missing, found] = await server.control.requests();
    expect(found).toMatchObject({
      method: "GET",
      path: `web.localhost:${port}/app.js`,
      query: "x-vercel-protection-bypass=***",
      status: 200,
    });
    expect(missing).toMatchObject({ path: `web.localhost:${port}/missing`, code: "not_found" });
    const session = await signIn(server);
    const { items } = (await session.shown("requests")) as { items: { sequence: number }[] };
    expect(await session.shown("request", { sequence: String(items[1]?.sequence) })).toMatchObject({
      answer: null,
    });
  });
});

it("serves an own page for missing files", async () => {
  await start();
  await deploy({ "index.html": "home", "404.html": "lost" });
  const { status, headers, body } = await open("/missing");
  expect([status, headers["content-type"], body.toString()]).toEqual([
    404,
    "text/html; charset=utf-8",
    "lost",
  ]);
  expect((await open("/missing", { "if-none-match": `${headers.etag}` })).status).toBe(404);
});

it("serves the newest deployment in production, and each under its own name", async () => {
  await start();
  const first = await deploy({ "index.html": "one" });
  const second = await deploy({ "index.html": "two" });
  expect((await read("/")).text).toBe("two");
  const own = (url: string) => ({ host: url.replace(".vercel.app", ".localhost") });
  expect((await read("/", own(first.url))).text).toBe("one");
  expect((await read("/", own(second.url))).text).toBe("two");
  await server.call("DELETE", `/v13/deployments/${first.id}`);
  expect((await read("/", own(first.url))).text).toContain("No deployment");
});

it("serves the files of a redeployment", async () => {
  await start();
  const { id } = await deploy({ "index.html": "one" });
  const again = await deploy({}, { deploymentId: id, files: undefined });
  expect((await read("/", { host: again.url })).text).toBe("one");
});

it.each<[string, object, Record<string, string>, Files]>([
  ["the folder public", {}, {}, { "public/index.html": "right", "index.html": "wrong" }],
  [
    "the output folder of the project",
    { outputDirectory: "./dist/", rootDirectory: "apps/web" },
    {},
    {
      "apps/web/dist/index.html": "right",
      "apps/web/public/index.html": "wrong",
      "dist/index.html": "wrong",
    },
  ],
  [
    "the root folder",
    { rootDirectory: "apps/web" },
    {},
    { "apps/web/index.html": "right", "index.html": "wrong" },
  ],
  ["everything, if the output is missing", { outputDirectory: "out" }, {}, { "index.html": "right" }],
  [
    "the static output of a prebuilt deployment",
    { outputDirectory: "out" },
    { prebuilt: "1" },
    { ".vercel/output/static/index.html": "right", "out/index.html": "wrong", "index.html": "wrong" },
  ],
])("serves %s", async (_, projectSettings, query, all) => {
  await start();
  await deploy(all, { projectSettings }, query);
  expect(await read("/")).toEqual({ status: 200, text: "right" });
});

it("follows no symbolic links", async () => {
  await start();
  const link = { file: "link.txt", data: "../../key", mode: 0o120777 };
  await deploy({}, { files: [link, { file: "index.html", data: "home" }] });
  expect((await read("/link.txt")).status).toBe(404);
});

it("sends a large file as fast as the client reads it", async () => {
  await start();
  const large = randomBytes(20_000_000);
  const headers = { "content-type": "application/octet-stream", "x-vercel-digest": digest(large) };
  const uploaded = await fetch(
    `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}/v2/files?slug=acme`,
    { method: "POST", body: large, headers: { ...headers, authorization: "Bearer slipway-dev-token" } },
  );
  expect(uploaded.status).toBe(200);
  await deploy({}, { files: [{ file: "large.bin", sha: digest(large), size: large.length }] });
  const before = process.memoryUsage().arrayBuffers;
  const { port } = server.app.server.address() as AddressInfo;
  const options = { host: "127.0.0.1", port, path: "/large.bin", headers: { host: "web.localhost" } };
  const response = await new Promise<IncomingMessage>((resolve) => request(options, resolve).end());
  await until("the sockets are full", () => response.readableLength > 0 || undefined);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(15_000_000);
  expect(Buffer.concat(await response.toArray()).equals(large)).toBe(true);
  // A client that leaves in the middle does not disturb the server.
  const left = await new Promise<IncomingMessage>((resolve) => request(options, resolve).end());
  left.destroy();
  expect((await open("/large.bin", {}, "HEAD")).headers["content-length"]).toBe(String(large.length));
});

describe("says why a file is missing", () => {
  it("if its contents are no longer stored", async () => {
    await start();
    await deploy({ "index.html": "home", "same.html": "home" });
    rmSync(join(data, "files", digest("home").slice(0, 2), digest("home")));
    expect(await read("/")).toEqual({ status: 404, text: expect.stringContaining("no longer stored") });
    await server.advance(31 * 86_400_000);
    expect(await read("/")).toEqual({ status: 404, text: expect.stringContaining("30 days") });
  });

  it("if the server stores no contents", async () => {
    await start({ filesLimit: 0 });
    await deploy({ "index.html": "home" });
    expect(await read("/")).toEqual({ status: 404, text: expect.stringContaining("--data") });
  });
});

describe("a protected deployment", () => {
  const protect = (settings: object) => server.call("PATCH", "/v9/projects/web", { body: settings });
  const custom = { host: "www.example.com" };
  let url: Record<string, string>;
  let preview: Record<string, string>;

  beforeEach(async () => {
    await start();
    const production = await deploy({ "index.html": "home" });
    url = { host: production.url };
    preview = { host: (await deploy({ "index.html": "preview" }, { target: undefined })).url };
    await server.seed({
      domains: [{ team: "acme", project: "web", name: "www.example.com", verified: true }],
    });
  });

  it.each([
    ["all", [401, 401, 401, 401]],
    ["preview", [200, 200, 200, 401]],
    ["prod_deployment_urls_and_all_previews", [200, 200, 401, 401]],
    ["all_except_custom_domains", [401, 200, 401, 401]],
  ])("is served under the names that are not protected: %s", async (deploymentType, expected) => {
    const statuses = async () => {
      const all = [{}, custom, url, preview].map(async (headers) => (await open("/", headers)).status);
      return Promise.all(all);
    };
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect((await protect({ ssoProtection: { deploymentType } })).status).toBe(200);
    expect(await statuses()).toEqual(expected);
    expect((await read("/", preview)).text).toContain("Vercel Authentication");
  });

  it("is open under a name with an exception, and to whoever has a link to it", async () => {
    await protect({ ssoProtection: { deploymentType: "all" } });
    const change = (name = "", body: object = {}) =>
      server.call("PATCH", `/aliases/${name}/protection-bypass`, { body });
    const override = (action: string) => ({ override: { scope: "alias-protection-override", action } });
    await change(preview.host, override("create"));
    expect((await read("/", preview)).text).toBe("preview");
    expect((await open("/", url)).status).toBe(401);
    await change(preview.host, override("revoke"));
    expect((await open("/", preview)).status).toBe(401);
    const [secret = ""] = Object.keys((await change(preview.host, { ttl: 1 })).body.protectionBypass);
    expect((await open(`/?_vercel_share=${secret}`, preview)).status).toBe(200);
    expect((await open(`/?_vercel_share=${secret}`, url)).status).toBe(401);
    expect(JSON.stringify(await server.control.requests())).not.toContain(secret);
    await server.control.advanceClock(1000);
    expect((await open(`/?_vercel_share=${secret}`, preview)).status).toBe(401);
  });

  it("is open under the names of production when only previews are protected, also if it was built as a preview", async () => {
    const { deployments } = (await server.call("GET", "/v6/deployments", { query: { target: "preview" } }))
      .body;
    expect((await server.call("POST", `/v10/projects/web/promote/${deployments[0].uid}`)).status).toBe(201);
    await protect({ ssoProtection: { deploymentType: "preview" } });
    for (const headers of [{}, custom]) expect((await read("/", headers)).text).toBe("preview");
    expect((await open("/", preview)).status).toBe(401);
  });

  it.each([
    ["a password", { passwordProtection: { deploymentType: "all", password: "open sesame" } }],
    [
      "trusted IP addresses",
      {
        trustedIps: {
          deploymentType: "production",
          addresses: [{ value: "192.0.2.1" }],
          protectionMode: "exclusive",
        },
      },
    ],
  ])("names its protection: %s", async (name, settings) => {
    expect((await protect(settings)).status).toBe(200);
    expect(await read("/")).toEqual({ status: 401, text: expect.stringContaining(name) });
    expect((await read("/missing")).status).toBe(401);
  });

  it("is served to requests with a bypass secret of the project", async () => {
    await protect({ ssoProtection: { deploymentType: "all" } });
    const { body } = await server.call("PATCH", "/v1/projects/web/protection-bypass", { body: {} });
    const [secret = ""] = Object.keys(body.protectionBypass);
    expect((await open("/", { "x-vercel-protection-bypass": secret })).status).toBe(200);
    expect((await open(`/?x-vercel-protection-bypass=${secret}`)).status).toBe(200);
    expect((await open("/", { "x-vercel-protection-bypass": `${secret}x` })).status).toBe(401);
    const { headers } = await open("/", { "x-vercel-protection-bypass": secret });
    expect(headers["cache-control"]).toContain("private");
  });
});
