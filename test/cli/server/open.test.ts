import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { RunningServer } from "../../../server";
import { openServer } from "../../../server/server";
import { jsonOf, type Result, slipway } from "../../support/cli";
import { startServer } from "../../support/profile";

const controlToken = "a-control-token";
let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await startServer({ controlToken });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-open-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => server.close());

/** Runs the command with programs on PATH that record the link, and end with an exit code. */
function open(
  args: string[],
  code = 0,
  variables: Record<string, string> = { DISPLAY: ":0" },
): Promise<Result> {
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf %s "$1" > "${folder}/opened"\nexit ${code}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const path = [folder, process.env.PATH].join(delimiter);
  return slipway(
    ["open", ...args],
    { SLIPWAY_API_URL: server.url, SLIPWAY_CONTROL_TOKEN: controlToken, PATH: path, ...variables },
    { cwd: folder },
  );
}

const opened = (): string | undefined =>
  existsSync(join(folder, "opened")) ? readFileSync(join(folder, "opened"), "utf8") : undefined;

it("opens the link that it prints, which gives a session once", async () => {
  const { code, stdout, stderr } = await open([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const link = stdout.trim();
  expect(opened()).toBe(link);
  const session = async () =>
    (
      await fetch(`${server.url}/_dashboard/open`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-slipway-dashboard": "1" },
        body: JSON.stringify({ code: new URL(link).hash.replace("#code=", "") }),
      })
    ).status;
  expect([await session(), await session()]).toEqual([200, 403]);
});

it.each([
  ["with --print", ["--print"], { DISPLAY: ":0" }],
  ["without a display", [], {}],
  ["over SSH", [], { DISPLAY: ":0", SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }],
  ["with --json", ["--json"], { DISPLAY: ":0" }],
])("only prints the link %s", async (_, args: string[], variables: Record<string, string>) => {
  const { code, stdout } = await open(args, 0, variables);
  expect(code).toBe(0);
  expect(stdout).toContain(`${server.url}/#code=`);
  expect(opened()).toBeUndefined();
  if (args.includes("--json")) expect(jsonOf("open", { stdout })).toEqual({ url: expect.any(String) });
});

it("says that no browser starts", async () => {
  const { code, stderr } = await open([], 3);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining("no browser could be started: open the link yourself"),
  });
});

it("says that the server has no dashboard, and that no server answers", async () => {
  const bare = await openServer({
    port: 0,
    data: "memory",
    controlToken,
    dashboard: false,
    logLevel: "silent",
  });
  const url = await bare.listen();
  expect((await open(["--print"], 0, { SLIPWAY_API_URL: url })).stderr).toMatch(
    /^slipway: The server at \S+ has no dashboard/,
  );
  await bare.close();
  expect(await open(["--print"], 0, { SLIPWAY_API_URL: url })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`No server answers at ${url}`),
  });
});
