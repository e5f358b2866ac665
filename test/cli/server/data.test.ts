import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuseOwnFiles, refuseUnwritable } from "../../../cli/core/own-files";
import type { RunningServer } from "../../../server";
import { jsonOf, type Result, slipwayHere } from "../../support/cli";
import { startServer } from "../../support/profile";

let folder: string;
const servers: RunningServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-data-"));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  rmSync(folder, { recursive: true });
});

async function serve(data: string): Promise<RunningServer> {
  const server = await startServer({ data });
  servers.push(server);
  return server;
}
const namesIn = async (server: RunningServer): Promise<string[]> =>
  (await server.control.snapshot()).projects.map(({ name }) => name).sort();
const run = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Result> =>
  slipwayHere(args, env, { cwd: folder });

describe("slipway backup and restore", () => {
  it("copy the data of a server that runs, and put it back when it has stopped", async () => {
    const server = await serve(join(folder, "data"));
    await server.control.seed({ projects: [{ team: "acme", name: "before" }] });
    const backup = await run(["backup", "copy.db", "--data", "data", "--json"]);
    expect(backup.stderr).toMatch(/^slipway: the key is not in the copy: keep one elsewhere/);
    const { file, bytes } = jsonOf<{ file: string; bytes: number }>("backup", backup);
    expect(statSync(file)).toMatchObject({ size: bytes });
    expect(statSync(file).mode & 0o077).toBe(0);
    await server.control.seed({ projects: [{ team: "acme", name: "later" }] });

    const busy = await run(["restore", "copy.db", "--data", "data", "--force"]);
    expect([busy.code, busy.stderr]).toEqual([
      1,
      `slipway: A server runs on ${join(folder, "data")}, and would go on with the old data. Stop it with slipway stop, restore, and start it again.\n`,
    ]);
    expect(await namesIn(server)).toEqual(["before", "later"]);
    await server.close();
    servers.length = 0;

    expect(await run(["restore", "copy.db"], { SLIPWAY_DATA: "data" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "already contains data. Copy it with slipway backup, then replace it with --force",
      ),
    });
    const restored = await run(["restore", "copy.db", "--data", "data", "--force", "--json"]);
    expect(jsonOf("restore", restored)).toEqual({ file, data: join(folder, "data"), hasKey: true });
    expect(await namesIn(await serve(join(folder, "data")))).toEqual(["before"]);
  });

  it("restore over the data of a server that was killed, whose log is not applied to the copy", async () => {
    const server = await serve(join(folder, "data"));
    await server.control.seed({ projects: [{ team: "acme", name: "before" }] });
    await run(["backup", "copy.db", "--data", "data"]);
    await server.control.seed({ projects: [{ team: "acme", name: "later" }] });
    const killed = join(folder, "killed");
    cpSync(join(folder, "data"), killed, { recursive: true });
    expect(statSync(join(killed, "slipway.db-wal")).size).toBeGreaterThan(0);
    expect((await run(["restore", "copy.db", "--data", "killed", "--force"])).code).toBe(0);
    expect(existsSync(join(killed, "slipway.db-wal"))).toBe(false);
    expect(await namesIn(await serve(killed))).toEqual(["before"]);
  });

  it("restore into an empty folder, and ask for the key", async () => {
    await (await serve(join(folder, "data"))).control.seed({ projects: [{ team: "acme", name: "web" }] });
    expect((await run(["backup", "copy.db", "--data", "data"])).stdout).toMatch(
      /^copied \S+data to \S+copy\.db \(\d+ bytes\)\n$/,
    );
    const { code, stdout, stderr } = await run(["restore", "copy.db", "--data", "new"]);
    expect([code, stdout]).toEqual([0, `restored ${join(folder, "copy.db")} to ${join(folder, "new")}\n`]);
    expect(stderr).toContain(`put the key of the copy into ${join(folder, "new/key")}`);
    const withKey = await run(["restore", "copy.db", "--data", "other"], { SLIPWAY_KEY: "key" });
    expect([withKey.code, withKey.stderr]).toEqual([0, ""]);
    writeFileSync(join(folder, "new/key"), readFileSync(join(folder, "data/key")));
    expect(await namesIn(await serve(join(folder, "new")))).toEqual(["web"]);
  });

  it("restore a copy that others can read into a database that only its owner can read", async () => {
    await (await serve(join(folder, "data"))).control.seed({ projects: [{ team: "acme", name: "web" }] });
    await run(["backup", "copy.db", "--data", "data"]);
    chmodSync(join(folder, "copy.db"), 0o644);
    mkdirSync(join(folder, "other"));
    expect((await run(["restore", "copy.db", "--data", "other"])).code).toBe(0);
    expect(statSync(join(folder, "other/slipway.db")).mode & 0o777).toBe(0o600);
  });

  it("take the data folder of the server that runs in the background", async () => {
    await serve(join(folder, "data"));
    mkdirSync(join(folder, ".slipway"));
    writeFileSync(
      join(folder, ".slipway/server.json"),
      JSON.stringify({ pid: 1, url: "http://127.0.0.1:9", data: join(folder, "data") }),
    );
    expect((await run(["backup", "copy.db"])).code).toBe(0);
    expect(await run(["backup", "copy.db"])).toMatchObject({
      code: 1,
      stderr: "slipway: copy.db exists already. Choose another file, or overwrite it with --force.\n",
    });
    expect((await run(["backup", "copy.db", "--force"])).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([".slipway", "copy.db", "data"]);
  });

  it("replace regular files only", async () => {
    await (await serve(join(folder, "data"))).control.seed({ projects: [{ team: "acme", name: "web" }] });
    writeFileSync(join(folder, "target"), "kept");
    symlinkSync("target", join(folder, "link"));
    expect(await run(["backup", "link", "--data", "data", "--force"])).toMatchObject({
      code: 1,
      stderr: "slipway: link is not a regular file. Choose another file.\n",
    });
    expect(readFileSync(join(folder, "link"), "utf8")).toBe("kept");
  });

  it.each([
    ["backup", "memory", "keeps its data in memory"],
    ["backup", "postgres://me:secret@host/database", "pg_dump --format=custom"],
    ["restore", "postgresql://me:secret@host/database", "pg_restore --dbname="],
    ["backup", "none", "slipway.db does not exist. Give the data folder with --data."],
  ])("explain why %s cannot take --data %s", async (command, data, reason) => {
    const { code, stdout, stderr } = await run([command, "copy.db", "--data", data]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain("secret");
  });

  it("write no copy over the files of a server, and restore none of them", async () => {
    const data = join(folder, "data");
    await (await serve(data)).control.seed({ projects: [{ team: "acme", name: "web" }] });
    const key = readFileSync(join(data, "key"));
    symlinkSync(data, join(folder, "link"));
    symlinkSync(join(data, "key"), join(folder, "key"));
    mkdirSync(join(folder, ".slipway"));
    writeFileSync(join(folder, ".slipway/passphrase"), "secret");
    const targets = [
      "data/key",
      "data/slipway.db-wal",
      "data/new.db",
      "link/key",
      "key",
      ".slipway/passphrase",
    ];
    const refusals = await Promise.all(
      targets.map((target) => run(["backup", target, "--data", "data", "--force"])),
    );
    for (const { code, stderr } of refusals)
      expect([code, stderr]).toEqual([1, expect.stringContaining("where Slipway keeps its own files")]);
    expect(readFileSync(join(data, "key"))).toEqual(key);
    expect(readFileSync(join(folder, ".slipway/passphrase"), "utf8")).toBe("secret");

    // Also when it runs nowhere, and from another data folder.
    await servers.splice(0)[0]?.close();
    for (const target of ["data", "other"]) {
      const { code, stderr } = await run(["restore", "link/slipway.db", "--data", target, "--force"]);
      expect([code, stderr]).toEqual([
        1,
        `slipway: link/slipway.db is in the data folder ${data}. Copy it with slipway backup <file> --data ${data}, and restore that copy.\n`,
      ]);
    }
    expect(await namesIn(await serve(data))).toEqual(["web"]);
  });

  it.each([
    ["snapshot", "-o", ".slipway/data/key"],
    ["import", "--out", ".slipway/data"],
    ["rehearse", "--report", ".slipway/data/key", "--", "pulumi", "up"],
    ["rehearse", "--json", ".slipway/data/slipway.db", "--", "pulumi", "up"],
  ])("are safe from slipway %s %s %s", async (...args) => {
    mkdirSync(join(folder, ".slipway/data"), { recursive: true });
    const { code, stderr } = await run(args, { SLIPWAY_TOKEN: "token" });
    expect([code, stderr]).toEqual([1, expect.stringContaining("where Slipway keeps its own files")]);
    expect(readdirSync(join(folder, ".slipway/data"))).toEqual([]);
  });

  it("take a folder for that of a server if it has two of its files, and no file for a folder", () => {
    const file = join(folder, "copy.db");
    writeFileSync(join(folder, "lock"), "");
    expect(() => refuseOwnFiles(file)).not.toThrow();
    expect(() => refuseOwnFiles(file, folder)).toThrow(`${file} is in ${folder}, where Slipway keeps`);
    writeFileSync(join(folder, "key"), "");
    expect(() => refuseOwnFiles(file)).toThrow(`${file} is in ${folder}, where Slipway keeps its own files.`);
    expect(() => refuseUnwritable(file, "Choose.")).not.toThrow();
    expect(() => refuseUnwritable(folder, "Choose.")).toThrow("cannot be written (it is a folder). Choose.");
    expect(() => refuseUnwritable(join(folder, "key/file"), "Choose.")).toThrow("key is a file). Choose.");
  });

  it("refuse a file of another program, and one that is damaged", async () => {
    await serve(join(folder, "data"));
    await run(["backup", "copy.db", "--data", "data"]);
    const bytes = readFileSync(join(folder, "copy.db"));
    bytes.fill(0x55, 4096, bytes.length);
    writeFileSync(join(folder, "damaged.db"), bytes);
    writeFileSync(join(folder, "text.db"), "text ".repeat(1000));
    writeFileSync(join(folder, "empty.db"), "");
    for (const [file, reason] of [
      ["damaged.db", "damaged.db is damaged ("],
      [
        "text.db",
        "text.db cannot be opened (file is not a database). Give a file that slipway backup wrote.",
      ],
      ["empty.db", "empty.db is not a Slipway database. Give a file that slipway backup wrote."],
    ] as const) {
      const { code, stderr } = await run(["restore", file, "--data", "new"]);
      expect(code).toBe(1);
      expect(stderr).toContain(reason);
    }
    expect(existsSync(join(folder, "new/slipway.db"))).toBe(false);
    expect((await run(["restore", "copy.db", "--data", "text.db"])).stderr).toMatch(
      /^slipway: The data folder \S+text\.db cannot be created \(EEXIST[^\n]*\)\. Choose another one with --data\.\n$/,
    );
    expect((await run(["backup", "none/copy.db", "--data", "data"])).stderr).toMatch(
      /none\/copy\.db cannot be written \(/,
    );
  });
});

describe("slipway serve --detach", () => {
  it("leaves the address, the control token and the data folder for the commands", async () => {
    let url: string | undefined;
    const run = (...args: string[]) =>
      spawnSync(
        process.execPath,
        [
          "--require",
          join(__dirname, "../../support/register.cjs"),
          join(
            __dirname,
            `../../../${args[0] === "serve" || args[0] === "stop" ? "server" : "cli"}/command.ts`,
          ),
          ...args,
        ],
        {
          cwd: folder,
          encoding: "utf8",
          env: {
            ...Object.fromEntries(
              Object.entries(process.env).filter(([name]) => !/^(SLIPWAY|npm)_/.test(name)),
            ),
            ...(url !== undefined && { SLIPWAY_API_URL: url }),
          },
        },
      );
    let address: string | undefined;
    expect(run("serve", "--detach", "--port", "0", "--banner", "off").status).toBe(0);
    try {
      expect(statSync(join(folder, ".slipway/server.json")).mode & 0o077).toBe(0);
      const status = jsonOf<{ pid: number; url: string }>("status", run("status", "--json"));
      expect(status).toMatchObject({
        state: "running",
        controlPlane: "open",
        data: join(folder, ".slipway/data"),
      });
      address = status.url;
      expect(run("backup", "copy.db").status).toBe(0);
    } finally {
      run("stop");
    }
    // Without an address it would ask whatever serves on the usual port.
    url = address;
    expect(run("status").status).toBe(3);
  });
});
