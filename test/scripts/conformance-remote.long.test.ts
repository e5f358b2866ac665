import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type RunningServer, startServer } from "../../server";
import { outputOf } from "../support/child";
import { openRecordingProxy, type RecordingProxy, type Reply } from "../support/recording-proxy";
import { root } from "../support/server";
import { until } from "../support/until";

interface Run {
  process: ChildProcess;
  exited: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

let server: RunningServer;
let proxy: RecordingProxy;
async function open(profile: "hosted" | "specification" = "hosted"): Promise<void> {
  server = await startServer({ profile });
  proxy = await openRecordingProxy(server.url);
}
afterEach(async () => {
  await proxy.close();
  await server.close();
});

/** Runs the checks as `npm run conformance` does. */
function conform(args: string[] = [], token = server.token): Run {
  const child = spawn(
    process.execPath,
    [join(root, "scripts/conformance.mjs"), "--url", proxy.url, "--team", "acme", ...args],
    { env: { ...process.env, SLIPWAY_TOKEN: token, npm_lifecycle_event: undefined } },
  );
  const output = outputOf(child);
  const exited = new Promise<Awaited<Run["exited"]>>((done) =>
    child.on("close", (code) => done({ code, ...output() })),
  );
  return { process: child, exited };
}

/** The names of the projects and domains of the account. */
async function objects(): Promise<string[]> {
  const lists = await Promise.all(
    ["/v9/projects", "/v5/domains"].map(async (path) => {
      const headers = { authorization: `Bearer ${server.token}` };
      const answer = await fetch(`${server.url}${path}?slug=acme&limit=100`, { headers });
      return (await answer.json()) as Record<"projects" | "domains", { name: string }[] | undefined>;
    }),
  );
  return lists.flatMap(({ projects = [], domains = [] }) =>
    [...projects, ...domains].map(({ name }) => name),
  );
}

it.each(["hosted", "specification"] as const)(
  "finds that every statement holds on the bundled server with the profile %s, and deletes everything",
  async (profile) => {
    await open(profile);
    const { code, stdout, stderr } = await conform().exited;
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("FAILS");
    expect(stdout).toMatch(/^(\d+) of \1 statements hold, in \d+ requests$/m);
    expect(stdout).toMatch(/^\d+ of \d+ statements were skipped:\n {2}\d+ needs an integration$/m);
    expect(/^differs as docs\/differences\.md says: unknown-token \(/m.test(stdout)).toBe(
      profile === "hosted",
    );
    expect(await objects()).toEqual([]);
    const names = proxy.requests
      .filter(({ method, path }) => method === "POST" && path.startsWith("/v10/projects?"))
      .flatMap(({ body }) => body.match(/(?<="name":")[^"]+/) ?? []);
    expect(names.filter((name) => !name.startsWith("slipway-conformance-"))).toEqual([]);
  },
);

it("names the statements that do not hold", async () => {
  await open();
  proxy.change = ({ method, path }, answer): Reply =>
    method === "POST" && path.includes("/pause") ? { ...answer, status: 202 } : answer;
  const { code, stdout } = await conform().exited;
  expect(code).toBe(1);
  expect(stdout).toMatch(/^PR-76 {3}FAILS: POST \/v1\/projects\/prj_\w+\/pause answers 202 instead of 200$/m);
  expect(await objects()).toEqual([]);
});

it("refuses an account that is not empty, unless an option names it", async () => {
  await open();
  await server.control.seed({ projects: [{ team: "acme", name: "web" }] });
  const refused = await conform().exited;
  expect([refused.code, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toContain("The account has projects. Use an empty team, or allow this one");
  expect((await conform(["--allow-non-empty", "other"]).exited).code).toBe(2);
  expect(proxy.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  const allowed = await conform(["--allow-non-empty", "acme"]).exited;
  expect([allowed.code, await objects()]).toEqual([0, ["web"]]);
});

it("refuses a token that the API refuses", async () => {
  await open();
  const { code, stderr } = await conform([], "wrong").exited;
  expect([code, stderr]).toEqual([
    2,
    "GET /v9/projects answers 403 forbidden. Check --url, --token and --team.\n",
  ]);
});

it("deletes what it has created when it is interrupted", async () => {
  await open();
  const run = conform();
  await until("projects exist", async () => ((await objects()).length > 3 ? true : undefined));
  run.process.kill("SIGINT");
  const { code, stdout } = await run.exited;
  expect(code).toBe(130);
  expect(stdout).toContain("was not reached before the interruption");
  expect(await objects()).toEqual([]);
});

it("says what it could not delete", async () => {
  await open();
  proxy.before = ({ method, path }) =>
    method === "DELETE" && /^\/v9\/projects\/[^/]+\?/.test(path)
      ? { status: 500, body: '{"error":{"code":"internal_server_error","message":""}}' }
      : undefined;
  const { code, stderr } = await conform().exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Could not delete the project slipway-conformance-\S+, /);
});
