import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningServer } from "../../../server";
import { jsonOf, type Result, slipwayHere } from "../../support/cli";
import { startServer } from "../../support/profile";

const controlToken = "it's-a-$token";
let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await startServer({ controlToken });
  folder = mkdtempSync(join(tmpdir(), "slipway-env-"));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const env = (args: string[] = [], url = server.url): Promise<Result> =>
  slipwayHere(
    ["env", ...args],
    { SLIPWAY_API_URL: url, SLIPWAY_CONTROL_TOKEN: controlToken },
    { cwd: folder },
  );

const names = ["SLIPWAY_API_URL", "SLIPWAY_TOKEN", "SLIPWAY_TEAM", "SLIPWAY_CONTROL_TOKEN"];

describe("slipway env", () => {
  it("sets the variables of a shell, with which a request and a command succeed", async () => {
    const { stdout, stderr } = await env();
    expect(stderr).toBe("");
    writeFileSync(join(folder, "env.sh"), stdout);
    const script = `. ./env.sh; for name in ${names.join(" ")}; do printenv $name; done`;
    const printed = execFileSync("sh", ["-c", script], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      encoding: "utf8",
    });
    const [url = "", token, team, control] = printed.trimEnd().split("\n");
    expect([url, team, control]).toEqual([server.url, "acme", controlToken]);
    const answer = await fetch(`${url}/v9/projects?slug=${team}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  });

  it("refuses a value that could end a statement", async () => {
    const other = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"account":{"team":{"slug":"a\\nNODE_OPTIONS=x"},"tokens":["t"]}}'),
    );
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await env(["--format", "dotenv"], url);
    other.close();
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("The value for SLIPWAY_TEAM has a character");
  });

  it("quotes values as each shell reads them", async () => {
    const last = async (format: string): Promise<string | undefined> =>
      (await env(["--format", format])).stdout.trimEnd().split("\n").pop();
    expect(await last("fish")).toBe("set -gx SLIPWAY_CONTROL_TOKEN 'it\\'s-a-$token'");
    expect(await last("powershell")).toBe("$env:SLIPWAY_CONTROL_TOKEN = 'it''s-a-$token'");
    // Pipelines show such variables in their logs.
    expect(await last("dotenv")).toBe("SLIPWAY_TEAM=acme");
    const { code, stderr } = await env(["--format", "cmd"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("sh, fish, powershell, dotenv")]);
  });

  it("says what is missing without the development account", async () => {
    const other = await startServer({
      controlToken,
      developmentAccount: false,
      seed: { users: [{ username: "ada" }] },
    });
    const { code, stdout, stderr } = await env(["--json"], other.url);
    await other.close();
    expect(code).toBe(0);
    expect(jsonOf("env", { stdout })).toEqual({
      SLIPWAY_API_URL: other.url,
      SLIPWAY_TOKEN: "",
      SLIPWAY_TEAM: "",
      SLIPWAY_CONTROL_TOKEN: controlToken,
    });
    expect(stderr).toBe(
      "slipway: the server has no development account: set SLIPWAY_TOKEN and SLIPWAY_TEAM to those of its data\n",
    );
  });

  it("names the server of the folder, whatever the shell names", async () => {
    mkdirSync(join(folder, ".slipway"));
    const record = { pid: 1, url: server.url, controlToken };
    writeFileSync(join(folder, ".slipway/server.json"), JSON.stringify(record));
    const { stdout } = await env([], "https://api.example.com");
    rmSync(join(folder, ".slipway"), { recursive: true });
    expect(stdout).toContain(`export SLIPWAY_API_URL='${server.url}'\n`);
  });

  it("lets the shell fail when it fails, so that nothing runs against another API", async () => {
    const other = createServer((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"account":{"tokens":["x; ls"]}}'),
    );
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await env([], url);
    other.close();
    expect([code, stdout, stderr]).toEqual([
      1,
      "false\n",
      `slipway: ${url} does not answer as a server of this version does.\n`,
    ]);
    expect(await env([], "http://127.0.0.1:9")).toMatchObject({ code: 1, stdout: "false\n" });
    const noShell = await env(["--format", "dotenv"], "http://127.0.0.1:9");
    expect(noShell).toMatchObject({ code: 1, stdout: "" });
  });
});
