import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import http, { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { startServer } from "../../server";
import { App } from "../../server/http/app";
import type { ServerOptions } from "../../server/options";
import { StartError } from "../../server/platform/start-error";
import { openServer } from "../../server/server";
import { StoreError } from "../../server/store/store";
import { type Child, runChild } from "../support/child";

// Processes of their own take their time to start on a busy machine.

let folder: string;
let children: Child[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "slipway-serve-"));
  children = [];
});

afterEach(async () => {
  for (const child of children) child.process.kill("SIGKILL");
  await Promise.all(children.map(({ exited }) => exited));
  rmSync(folder, { recursive: true });
});

const announcement = /^slipway is listening on (http:\/\/127\.0\.0\.1:\d+)$/m;

function run(args: string[], env: NodeJS.ProcessEnv = {}): Child {
  const child = runChild("server/command.ts", args, { SLIPWAY_PORT: "0", SLIPWAY_DATA: folder, ...env });
  children.push(child);
  return child;
}

async function serve(args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Child & { url: string }> {
  const child = run(["serve", ...args], { SLIPWAY_CONTROL_TOKEN: "control", ...env });
  const [, url = ""] = await child.waitFor(announcement);
  return { ...child, url };
}

async function ask(url: string, token = "slipway-dev-token", method: "GET" | "POST" = "GET", body?: unknown) {
  const { statusCode, body: answer } = await request(url, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: statusCode, body: text === "" ? undefined : JSON.parse(text) };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((next) => setTimeout(next, 5));
}

describe("slipway serve", () => {
  it("prints one line when it accepts connections, and drains on SIGTERM", async () => {
    const server = await serve();
    expect((await ask(`${server.url}/v2/user`)).body.user.username).toBe("dev");
    const slow = http.request(`${server.url}/v10/projects?slug=acme`, {
      method: "POST",
      headers: { authorization: "Bearer slipway-dev-token", expect: "100-continue" },
    });
    const answered = once(slow, "response");
    slow.flushHeaders();
    // From here on the request is under way, and waits for its body.
    await once(slow, "continue");
    server.process.kill("SIGTERM");
    await until(async () => (await ask(`${server.url}/_health`).catch(() => undefined)) === undefined);
    slow.end('{"name":"web"}');
    const [response] = await answered;
    expect(response.resume().statusCode).toBe(200);
    expect(await server.exited).toBe(0);
    expect(server.output().stdout).toBe(`slipway is listening on ${server.url}\n`);
    expect(server.output().stderr).toMatch(
      /development account: user dev, team acme \(team_[A-Za-z0-9]{24}\)/,
    );
  });

  it("prints a link to the dashboard alone in a line, and the next one when it was used", async () => {
    const server = await serve();
    const links = () =>
      [...server.output().stderr.matchAll(/^The dashboard is at (\S+)$/gm)].map(([, url]) => url);
    const [link = ""] = links();
    const { origin, pathname, hash } = new URL(link);
    expect([origin, pathname]).toEqual([server.url, "/"]);
    const open = () =>
      request(`${server.url}/_dashboard/open`, {
        method: "POST",
        headers: { "x-slipway-dashboard": "1" },
        body: JSON.stringify({ code: hash.replace("#code=", "") }),
      });
    expect((await open()).statusCode).toBe(200);
    await until(async () => links().length === 2);
    expect(new Set(links()).size).toBe(2);
    expect((await open()).statusCode).toBe(403);
  });

  it("has no dashboard when it is switched off", async () => {
    const server = await serve(["--dashboard", "off"]);
    expect(server.output().stderr).not.toContain("dashboard");
    const { statusCode, body } = await request(`${server.url}/_dashboard/files/main.js`);
    expect(statusCode).toBe(404);
    expect(await body.text()).toContain("--dashboard on");
  });

  it("tells who starts it the address, the tokens, the data, the documents and what to export", async () => {
    const { url, output } = await serve();
    const { stderr } = output();
    for (const text of [
      `address    ${url}\n`,
      "token      slipway-dev-token\n             slipwaydevtoken (for the official command line)\n",
      `data       ${folder}\n`,
      `documents  ${url}/docs\n`,
      `export SLIPWAY_API_URL=${url} SLIPWAY_TOKEN=slipway-dev-token SLIPWAY_TEAM=acme\n`,
    ])
      expect(stderr).toContain(text);
  });

  it("prints only tokens, teams and commands that work, whatever the seed file has", async () => {
    const seed = path.join(folder, "seed.yaml");
    writeFileSync(
      seed,
      `users: [{ username: ada, email: ada@example.com }]
teams: [{ slug: globex, members: [{ user: ada, role: OWNER }] }]
tokens: [{ token: slipway-dev-token, user: ada }]`,
    );
    const { url, output } = await serve(["--seed", seed, "--data", "memory"]);
    const { stderr } = output();
    expect(stderr).toMatch(/development account: user ada, team globex \(team_\w+\)/);
    expect(stderr).not.toContain("slipwaydevtoken");
    expect(stderr).toContain("SLIPWAY_TOKEN=slipway-dev-token SLIPWAY_TEAM=globex\n");
    const text = await (await fetch(url)).text();
    const [, token = "", address = ""] = /curl -H 'authorization: Bearer (\S+)' '(\S+)'/.exec(text) ?? [];
    expect(address).toContain(url);
    expect((await ask(address, token)).status).toBe(200);
  });

  it("tells no token and no link where its output is kept", async () => {
    const { output } = await serve(["--banner", "off"]);
    expect(output().stderr).not.toMatch(/token|dashboard|code=/);
  });

  it("keeps what it was told, its clock and its key over a restart", async () => {
    const first = await serve();
    const created = await ask(`${first.url}/v10/projects?slug=acme`, undefined, "POST", { name: "web" });
    expect(created.status).toBe(200);
    const day = 24 * 60 * 60 * 1000;
    await ask(`${first.url}/_control/clock`, "control", "POST", { advanceMs: day });
    first.process.kill("SIGTERM");
    await first.exited;

    const second = await serve();
    expect((await ask(`${second.url}/v9/projects/web?slug=acme`)).body.id).toBe(created.body.id);
    const { now } = (await ask(`${second.url}/_control/clock`, "control", "POST", { advanceMs: 0 })).body;
    expect(now).toBeGreaterThanOrEqual(Date.now() + day - 1000);
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o077).toBe(0);
  });

  it("starts with a seed file instead of the development account", async () => {
    const seed = path.join(folder, "seed.yaml");
    writeFileSync(seed, "users: [{ username: ada }]\ntokens: [{ token: of-ada, user: ada }]\n");
    const server = await serve(["--seed", seed]);
    expect((await ask(`${server.url}/v2/user`, "of-ada")).body.user.username).toBe("ada");
    expect((await ask(`${server.url}/v2/user`)).status).toBe(401);
    expect(server.output().stderr).not.toContain("development account");
  });

  it.each([
    ["true", "499"],
    ["false", "500"],
  ])("limits requests with SLIPWAY_RATE_LIMITS=%s as it says", async (value, remaining) => {
    const { url } = await serve([], { SLIPWAY_RATE_LIMITS: value });
    const headers = { authorization: "Bearer slipway-dev-token" };
    const answer = await fetch(`${url}/v9/projects/web/domains?slug=acme`, { headers });
    expect(answer.headers.get("x-ratelimit-remaining")).toBe(remaining);
  });

  it.each<[string, string[], RegExp | undefined]>([
    ["json without requests where its output is kept", [], undefined],
    [
      "lines, and each request, when asked for",
      ["--log-format", "lines"],
      /^\d\d:\d\d:\d\d 404 {2}GET {4}\/nothing {2}not_found {2}[\d.]+ ms$/m,
    ],
    [
      "requests as json at level debug",
      ["--log-level", "debug"],
      /^\{"level":20,.*"path":"\/nothing","status":404,"code":"not_found",.*\}$/m,
    ],
  ])("logs %s", async (_, args, line) => {
    const server = await serve(args);
    await ask(`${server.url}/nothing?secret=1`);
    // Pages and probes would drown the rest, but not what is only called like them.
    await ask(`${server.url}/_health`);
    await ask(`${server.url}/v9/projects/docs`);
    server.process.kill("SIGTERM");
    await server.exited;
    const { stderr } = server.output();
    if (line) expect(stderr).toMatch(line);
    else expect(stderr).not.toContain("/nothing");
    if (args.includes("lines")) expect(stderr).toMatch(/GET {4}\/v9\/projects\/docs/);
    if (args.includes("lines")) expect(stderr).not.toContain("/_health");
    expect(stderr).not.toContain("secret=1");
  });

  it("tells its version and its flags", async () => {
    const [version, help] = [run(["--version"]), run(["serve", "--help"])];
    expect(await version.exited).toBe(0);
    expect(version.output().stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await help.exited).toBe(0);
    expect(help.output().stdout).toMatch(/--control-token <token>[\s\S]*SLIPWAY_CONTROL_TOKEN/);
  });

  it.each<[string, string[], NodeJS.ProcessEnv]>([
    ["an unknown flag", ["serve", "--colour"], {}],
    ["a port that is none, in the environment", ["serve"], { SLIPWAY_PORT: "70000" }],
    ["a size that is none", ["serve", "--files-limit", "10 apples"], {}],
    ["a port that is no number, in the environment", ["serve"], { SLIPWAY_PORT: "abc" }],
    ["an empty host, which would be every address", ["serve", "--host", ""], {}],
    ["an empty data folder, which would be the current one", ["serve", "--data", ""], {}],
    ["no allowed host", ["serve", "--allowed-hosts", " "], {}],
    ["a switch that is neither on nor off", ["serve"], { SLIPWAY_LENIENT: "maybe" }],
  ])("refuses %s as bad usage", async (_, args, env) => {
    const child = run(args, env);
    expect(await child.exited).toBe(2);
    expect(child.output().stderr).toMatch(/^slipway: /);
    expect(child.output().stderr).not.toMatch(/\n\s+at /);
  });

  it.each<[string, string[], NodeJS.ProcessEnv, string]>([
    ["a scheme", ["--allowed-hosts", "http://x"], {}, "http://x is not a host name. Give names such as"],
    ["a port", [], { SLIPWAY_ALLOWED_HOSTS: "a.example.com, b:4000" }, "b:4000 is not a host name."],
    ["a missing name", ["--allowed-hosts", "a,,b"], {}, "A name before or after a comma is missing."],
    [
      "a zone that is none",
      ["--dns", "embeded"],
      {},
      "Choose one of embedded, system. Did you mean embedded?",
    ],
    ["a level that is none", ["--log-level", "loud"], {}, "Choose one of trace, debug, info, warn,"],
  ])("says what is wrong with %s", async (_, args, env, reason) => {
    const child = run(["serve", ...args], env);
    expect([await child.exited, child.output().stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(child.output().stderr).toContain("\nRun slipway serve --help to see its arguments and flags.\n");
  });

  it.each<[string, string[], RegExp]>([
    ["a seed file that is not there", ["--seed", "none.yaml"], /none\.yaml cannot be read[^\n]*--seed\./],
    // Making a folder there is refused with a code that also says that the folder above is missing.
    ["a folder in /proc", ["--data", "/proc/slipway"], /cannot be written[^\n]*--data\./],
    ["a name that is too long", ["--data", "x".repeat(300)], /cannot be written[^\n]*--data\./],
  ])("ends with one line when it cannot start: %s", async (_, args, text) => {
    const child = run(["serve", ...args]);
    expect(await child.exited).toBe(1);
    expect(child.output().stdout).toBe("");
    expect(child.output().stderr).toMatch(new RegExp(`^slipway: [^\\n]*${text.source}\\n$`));
  });
});

describe("a server that cannot start says what is wrong, with a hint:", () => {
  async function complaint(options: Partial<ServerOptions>): Promise<string> {
    const opening = openServer({ port: 0, data: folder, logLevel: "silent", ...options });
    const error = await opening.then(
      async (server) => {
        const listening = await server.listen().catch((thrown) => thrown);
        await server.close();
        return listening;
      },
      (thrown) => thrown,
    );
    expect(error instanceof StartError || error instanceof StoreError).toBe(true);
    expect(error.message).not.toContain("\n");
    return error.message;
  }

  async function startOnce(options: Partial<ServerOptions> = {}): Promise<void> {
    const server = await openServer({ port: 0, data: folder, logLevel: "silent", ...options });
    await server.close();
  }

  it("a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    expect(await complaint({ port })).toMatch(`Port ${port} on 127.0.0.1 is in use`);
    other.close();
  });

  it("an address of another machine", async () => {
    expect(await complaint({ host: "192.0.2.1", seed: {} })).toMatch(
      /not an address of this machine.*--host/,
    );
  });

  it.each([
    ["EACCES", /^Port 0 may not be used by this user\. Choose one above 1023 with --port\.$/],
    ["ENOTFOUND", /^127\.0\.0\.1 is not an address of this machine\. Give one with --host/],
    ["EAI_AGAIN", /^127\.0\.0\.1 is not an address of this machine\. Give one with --host/],
  ])("an address that the system refuses with %s", async (code, message) => {
    const error = Object.assign(new Error("listen"), { code });
    jest.spyOn(App.prototype, "listen").mockRejectedValueOnce(error);
    expect(await complaint({})).toMatch(message);
  });

  it("a data folder that cannot be one, or cannot be written", async () => {
    writeFileSync(path.join(folder, "file"), "");
    expect(await complaint({ data: path.join(folder, "file") })).toMatch(
      /a file is at the path of the data folder/,
    );
    if (process.getuid?.() === 0) return;
    chmodSync(folder, 0o500);
    expect(await complaint({})).toMatch(/cannot be written/);
    chmodSync(folder, 0o700);
  });

  it("a data folder that another server has", async () => {
    const first = await openServer({ port: 0, data: folder, logLevel: "silent" });
    expect(await complaint({})).toMatch(/is in use by another server\. Stop it, or give another --data\.$/);
    await first.close();
    await startOnce();
  });

  it("a store of another kind", async () => {
    expect(await complaint({ data: "mysql://somewhere" })).toMatch(/mysql:\/\/ is not a store/);
  });

  it("a wrong key, a missing key file", async () => {
    await startOnce();
    expect(await complaint({ key: "00".repeat(32) })).toMatch(/not the one that sealed this data/);
    rmSync(path.join(folder, "key"));
    expect(await complaint({})).toMatch(/key is missing/);
  });

  it("the development account where others reach it, made now or before", async () => {
    expect(await complaint({ host: "0.0.0.0" })).toMatch(/development account.*0\.0\.0\.0.*--seed/);
    await startOnce();
    expect(await complaint({ host: "0.0.0.0" })).toMatch(/development account/);
  });
});

describe("startServer", () => {
  it("serves with the development account on a free port until it is closed", async () => {
    const [one, two] = await Promise.all([startServer(), startServer()]);
    expect(one.url).not.toBe(two.url);
    expect((await ask(`${one.url}/v9/projects?slug=acme`, one.token)).body.projects).toEqual([]);
    await one.control.seed({ projects: [{ team: "acme", name: "web" }] });
    expect((await ask(`${one.url}/v9/projects?slug=acme`, one.token)).body.projects).toHaveLength(1);
    expect((await ask(`${two.url}/v9/projects?slug=acme`, two.token)).body.projects).toEqual([]);
    await Promise.all([one.close(), two.close()]);
    await expect(ask(`${one.url}/v2/user`)).rejects.toThrow();
  });

  it("takes a seed beside the development account, and refuses one that does not fit", async () => {
    const server = await startServer({ seed: { projects: [{ team: "acme", name: "web" }] } });
    expect((await ask(`${server.url}/v9/projects/web?slug=acme`, server.token)).status).toBe(200);
    await server.close();
    const unknown = startServer({ seed: { projects: [{ team: "none", name: "web" }] } });
    await expect(unknown).rejects.toThrow(/projects\[0\]\.team/);
  });

  it("takes what the command takes: limits, a key, a resolver, an SMTP server", async () => {
    const server = await startServer({ rateLimits: true, key: randomBytes(32).toString("hex") });
    const limited = await request(`${server.url}/v9/projects/web/domains?slug=acme`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    await limited.body.dump();
    expect(limited.headers["x-ratelimit-remaining"]).toBe("499");
    await server.close();
    await expect(startServer({ key: "short" })).rejects.toThrow(/key/);
    await expect(startServer({ smtp: "mail.example.com" })).rejects.toThrow(/--smtp/);
  });

  it("closes while clients keep their connections open", async () => {
    const server = await startServer();
    const dispatcher = new Agent();
    await (await request(`${server.url}/_health`, { dispatcher })).body.dump();
    await server.close();
    await dispatcher.close();
  });
});

describe("health", () => {
  it("tells who answers, which is another one after each start", async () => {
    const one = await startServer();
    const two = await startServer();
    const health = (await ask(`${one.url}/_health`)).body;
    expect(health).toEqual({
      status: "ok",
      profile: "specification",
      service: "slipway",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      instance: expect.any(String),
      now: expect.any(Number),
    });
    expect((await ask(`${two.url}/_health`)).body.instance).not.toBe(health.instance);
    const { now: _, ...ready } = health;
    expect((await ask(`${one.url}/_ready`)).body).toEqual(ready);
    await Promise.all([one.close(), two.close()]);
  });

  it("is there when the control plane is not", async () => {
    const child = run(["serve"]);
    const [, url = ""] = await child.waitFor(announcement);
    expect((await ask(`${url}/_health`)).status).toBe(200);
    expect(await ask(`${url}/_control/snapshot`, "anything")).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining("--control-token") } },
    });
  });
});
