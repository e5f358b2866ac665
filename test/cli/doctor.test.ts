import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { pulumiHome } from "../../cli/core/pulumi-home";
import { checkPlugin, checkPulumi } from "../../cli/doctor/machine";
import { version } from "../../provider/client/version";
import type { RunningServer } from "../../server";
import { jsonOf, slipway } from "../support/cli";
import { startServer } from "../support/profile";

interface Check {
  name: string;
  state: string;
  found: string;
  hint: string | null;
}

let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-doctor-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => server.close());

/** Puts a Pulumi CLI of a version on PATH. */
function pulumi(found: string, plugins: object[] = []): string {
  const script = `[ "$1" = version ] && echo ${found} || echo '${JSON.stringify(plugins)}'`;
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "pulumi"), 0o755);
  return folder;
}

async function doctor(
  env: NodeJS.ProcessEnv = {},
  pulumiVersion = "3.260.0",
  plugins: object[] = [],
): Promise<{ code: number | null; checks: Record<string, Check> }> {
  const account = {
    SLIPWAY_API_URL: server.url,
    SLIPWAY_TOKEN: server.token,
    SLIPWAY_TEAM: "acme",
    PATH: `${pulumi(`v${pulumiVersion}`, plugins)}:${dirname(process.execPath)}`,
    PULUMI_HOME: folder,
  };
  const result = await slipway(["doctor", "--json"], { ...account, ...env });
  if (env.SLIPWAY_TOKEN === undefined) expect(result.stdout).not.toContain(server.token);
  const { checks } = jsonOf<{ checks: Check[] }>("doctor", result);
  return { code: result.code, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
}

const states = (checks: Record<string, Check>) =>
  Object.fromEntries(Object.values(checks).map(({ name, state }) => [name, state]));

/** A stand-in for the API that answers as a test says. */
async function withApi<T>(
  answer: (path: string) => { status?: number; body?: object; date?: Date },
  use: (url: string) => Promise<T>,
): Promise<T> {
  const api: Server = createServer((request, response) => {
    const { status = 200, body = {}, date } = answer(request.url ?? "");
    if (date) response.setHeader("date", date.toUTCString());
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => api.listen(0, "127.0.0.1", listening));
  try {
    return await use(`http://127.0.0.1:${(api.address() as AddressInfo).port}`);
  } finally {
    api.close();
  }
}

describe("slipway doctor", () => {
  it("finds nothing wrong with the bundled server", async () => {
    const { code, checks } = await doctor({}, "3.260.0", [{ name: "slipway", version }]);
    expect(code).toBe(0);
    expect(Object.values(checks).map(({ name, state, hint }) => [name, state, hint])).toEqual(
      [
        "Node.js",
        "Pulumi CLI",
        "plugin",
        "address",
        "token",
        "team",
        "scopes",
        "clock",
        "server version",
      ].map((name) => [name, "ok", null]),
    );
    expect(checks.token?.found).toBe("of the user dev");
    expect((await doctor({ SLIPWAY_TEAM: "" })).checks.team).toMatchObject({
      state: "ok",
      found: "none: the personal account",
    });
  });

  it("names the team of a token that selects one", async () => {
    await server.control.seed({ tokens: [{ token: "bound-token-000000000000", user: "dev", team: "acme" }] });
    const { checks } = await doctor({ SLIPWAY_TOKEN: "bound-token-000000000000", SLIPWAY_TEAM: "" });
    expect(checks.team).toMatchObject({ state: "ok", found: "acme, the team of the token" });
  });

  it("prints a line for each check, with what to do", async () => {
    mkdirSync(join(folder, `plugins/resource-slipway-v${version}`), { recursive: true });
    const { code, stdout } = await slipway(["doctor"], {
      PATH: dirname(process.execPath),
      PULUMI_HOME: folder,
      SLIPWAY_API_URL: server.url,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +Node\.js +\d/);
    expect(stdout).toMatch(
      /\nproblem +Pulumi CLI +not on PATH\n {25}Install it: https:\/\/www\.pulumi\.com\/docs\/install\//,
    );
    // Without the CLI, its folder of plugins tells.
    expect(stdout).toContain(`\nok       plugin          ${version}\nok       address `);
    expect(stdout).toMatch(
      /\nok +address +http\S+\nproblem +token +not usable\n {25}No access token is configured\. Set SLIPWAY_TOKEN/,
    );
    expect(stdout).toMatch(/\nskipped +team +not checked\n/);
  });

  it("tells whether the Pulumi CLI finds the plugin, wherever one is installed", async () => {
    mkdirSync(join(folder, `.pulumi/plugins/resource-slipway-v${version}`), { recursive: true });
    const other = [{ name: "slipway", version: "0.0.9" }];
    const { checks } = await doctor({ HOME: folder, PULUMI_HOME: "" }, "3.260.0", other);
    expect(checks.plugin).toMatchObject({ state: "ok", found: "not installed" });
  });

  it.each(["3.253.9", "4.0.0"])("warns about the Pulumi CLI %s", async (found) => {
    const { code, checks } = await doctor({}, found);
    expect(code).toBe(0);
    expect(checks["Pulumi CLI"]).toMatchObject({
      state: "warning",
      found,
      hint: expect.stringContaining("3.254.0"),
    });
  });

  it("says what is wrong with the address", async () => {
    const invalid = await doctor({ SLIPWAY_API_URL: "nowhere" });
    expect(invalid.code).toBe(1);
    expect(invalid.checks.address).toMatchObject({
      state: "problem",
      hint: expect.stringContaining("SLIPWAY_API_URL"),
    });
    expect((await doctor({ SLIPWAY_API_URL: "http://127.0.0.1:9" })).checks.address).toMatchObject({
      state: "problem",
      found: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 is out of reach \(/),
      hint: expect.stringContaining("slipway serve --detach"),
    });
    const beyond = await doctor({ SLIPWAY_API_URL: `${server.url}/more` });
    expect(beyond.checks.address).toMatchObject({
      state: "problem",
      hint: expect.stringContaining("without a path"),
    });
    await withApi(
      () => ({ status: 404 }),
      async (url) => {
        const { checks } = await doctor({ SLIPWAY_API_URL: url });
        expect(checks.address?.found).toBe(`${url} answers 404 to GET /v2/user`);
        expect(states(checks)).toMatchObject({ token: "skipped", "server version": "skipped" });
      },
    );
  });

  it("says what is wrong with the token", async () => {
    const { code, checks } = await doctor({ SLIPWAY_TOKEN: "wrong" });
    expect(code).toBe(1);
    expect(checks.token).toMatchObject({
      state: "problem",
      found: expect.stringMatching(/^refused: 40[13] /),
      hint: expect.stringContaining("set SLIPWAY_TOKEN"),
    });
  });

  it("suggests the team that was meant", async () => {
    const { code, checks } = await doctor({ SLIPWAY_TEAM: "acmee" });
    expect(code).toBe(1);
    expect(checks.team).toMatchObject({
      state: "problem",
      hint: "Set SLIPWAY_TEAM to the slug or id of a team of the token's user. Did you mean acme? The token reaches acme.",
    });
  });

  it("names a server whose clock was advanced", async () => {
    const ahead = await startServer();
    await ahead.control.advanceClock(30 * 86_400_000);
    const { code, checks } = await doctor({ SLIPWAY_API_URL: ahead.url });
    await ahead.close();
    expect([code, checks.clock]).toMatchObject([
      0,
      { state: "warning", found: "the server is 30 d ahead of this machine" },
    ]);
  });

  it("names missing scopes, a clock that is off and another version of the server", async () => {
    const forbidden = { status: 403, body: { error: { code: "forbidden", message: "no" } } };
    const early = new Date(Date.now() - 300_000);
    await withApi(
      (path) =>
        path.startsWith("/v2/user")
          ? { ...forbidden, date: early }
          : path.startsWith("/v2/teams?")
            ? { body: { teams: [] } }
            : path.startsWith("/v9/projects")
              ? {}
              : path === "/_health"
                ? { body: { service: "slipway", version: "0.0.9" } }
                : forbidden,
      async (url) => {
        const { code, checks } = await doctor({ SLIPWAY_API_URL: url });
        expect(code).toBe(0);
        expect(checks.token).toMatchObject({ state: "ok", found: "accepted" });
        expect(checks.team).toMatchObject({ state: "warning", hint: expect.stringContaining("team_") });
        expect(checks.scopes).toMatchObject({
          state: "warning",
          found: "cannot read deployments (403 forbidden), webhooks (403 forbidden)",
          hint: expect.stringContaining("read:deployment, read:webhook"),
        });
        expect(checks.clock).toMatchObject({
          state: "warning",
          found: expect.stringMatching(/^30\d s ahead of the API$/),
        });
        expect(checks["server version"]).toMatchObject({
          state: "warning",
          found: `0.0.9, but this command is ${version}`,
        });
      },
    );
  });

  it("finds a problem when the token cannot read the projects of the team, and a clock that is hours ahead", async () => {
    const paths: string[] = [];
    const answers: Record<string, { status?: number; body: object }> = {
      "/v2/user": { body: { user: { username: "dev" } } },
      "/v2/teams/acme": { body: { slug: "acme" } },
      "/v9/projects": { status: 403, body: { error: { code: "forbidden", message: "no" } } },
      "/_health": { body: { service: "slipway", version, now: Date.now() + 3 * 3_600_000 } },
    };
    await withApi(
      (path) => {
        paths.push(path);
        return answers[path.replace(/\?.*/, "")] ?? {};
      },
      async (url) => {
        const { code, checks } = await doctor({ SLIPWAY_API_URL: url });
        expect(code).toBe(1);
        expect(checks.scopes).toMatchObject({
          state: "problem",
          found: "cannot read projects (403 forbidden)",
          hint: expect.stringContaining("Give the token read:project, or the user a role"),
        });
        expect(checks.clock?.found).toBe("the server is 3 h ahead of this machine");
        expect(checks["server version"]).toMatchObject({ state: "ok", found: version });
      },
    );
    expect(paths.filter((path) => path.includes("limit=1"))).toEqual(
      ["/v9/projects", "/v6/deployments", "/v1/webhooks"].map((path) => `${path}?slug=acme&limit=1`),
    );
  });

  it("warns when the clock of this machine is behind that of the API", async () => {
    const later = new Date(Date.now() + 300_000);
    await withApi(
      () => ({ date: later }),
      async (url) => {
        const { checks } = await doctor({ SLIPWAY_API_URL: url, SLIPWAY_TEAM: "" });
        expect(checks.clock).toMatchObject({
          state: "warning",
          found: expect.stringMatching(/^\d+ s behind the API$/),
        });
      },
    );
  });
});

describe("a Pulumi CLI that hangs", () => {
  const { PATH, PULUMI_HOME } = process.env;
  beforeEach(() => {
    const late = `setTimeout(() => console.log('[{"name":"slipway","version":"${version}"}]'), 5_000);`;
    writeFileSync(join(folder, "pulumi"), `#!${process.execPath}\n${late}\n`);
    chmodSync(join(folder, "pulumi"), 0o755);
    Object.assign(process.env, { PATH: folder, PULUMI_HOME: folder });
  });
  afterEach(() => {
    process.env.PATH = PATH;
    if (PULUMI_HOME === undefined) delete process.env.PULUMI_HOME;
    else process.env.PULUMI_HOME = PULUMI_HOME;
  });

  it("is a problem, and nobody waits for its version", () => {
    expect(checkPulumi(100)).toMatchObject({ state: "problem", found: "no answer within 0.1 s" });
  });

  it("is not waited for, so that the folder of plugins tells", () => {
    expect(checkPlugin(100)).toMatchObject({ state: "ok", found: "not installed" });
  });
});

describe("the folder of the Pulumi CLI", () => {
  const { HOME } = process.env;
  afterEach(() => {
    process.env.HOME = HOME;
  });

  it("is PULUMI_HOME, or that of the user database, as for the CLI", () => {
    process.env.HOME = "/elsewhere";
    expect(pulumiHome({ PULUMI_HOME: "/given" })).toBe("/given");
    expect(pulumiHome({})).toBe(join(userInfo().homedir, ".pulumi"));
    expect(pulumiHome({})).not.toContain("elsewhere");
  });
});

describe("slipway version", () => {
  it("shows the versions", async () => {
    expect(jsonOf("version", await slipway(["version", "--json"]))).toEqual({
      slipway: version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    });
    expect((await slipway(["version"])).stdout).toMatch(/^slipway {3}\S+\nnode {6}\S+\nplatform {2}\S+\n$/);
  });
});
