import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { StartError } from "../../../server/platform/start-error";
import { startDetached, stopDetached, withoutAddress } from "../../../server/process/background";
import { findProcess, isAlive } from "../../../server/process/processes";
import { commandOf } from "../../support/child";
import { freePort } from "../../support/port";
import { isLong } from "../../support/slices";
import { until } from "../../support/until";

const command = commandOf("server/command.ts");
let folder: string;
let pids: number[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "slipway-background-"));
  pids = [];
});
afterEach(async () => {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  await until("all are gone", () => !pids.some(isAlive) || undefined);
  rmSync(folder, { recursive: true });
});

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SLIPWAY|npm)_/.test(name))),
  SLIPWAY_PORT: "0",
  SLIPWAY_DATA: "memory",
  ...more,
});

/** Runs the command to its end, in the folder of the test. */
async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...command, ...args], { cwd: folder, env: environment() });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const record = path.join(folder, ".slipway/server.json");
  if (existsSync(record)) pids.push(JSON.parse(readFileSync(record, "utf8")).pid);
  return { code, stdout, stderr };
}

const answers = async (url: string): Promise<boolean> =>
  fetch(`${url}/_health`).then(
    ({ ok }) => ok,
    () => false,
  );

describe("slipway serve --detach", () => {
  it("serves in the background until slipway stop, and says where", async () => {
    const { code, stdout, stderr } = await run("serve", "--detach");
    const url = /^slipway is listening on (\S+)\n$/.exec(stdout)?.[1] ?? stderr;
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /token {6}slipway-dev-token[\s\S]*slipway stop ends it\. Its log is \S+server\.log\n$/,
    );
    expect(await answers(url)).toBe(true);
    for (const file of ["server.json", "server.log"])
      expect(statSync(path.join(folder, ".slipway", file)).mode & 0o077).toBe(0);

    expect(await run("stop")).toEqual({ code: 0, stdout: `The server at ${url} is stopped.\n`, stderr: "" });
    expect(await answers(url)).toBe(false);
    expect(await run("stop")).toMatchObject({ code: 0, stdout: "No server of this folder is running.\n" });
  });

  it("passes secrets to the background by the environment, which other users cannot read", async () => {
    const smtp = "smtp://user:password@127.0.0.1:9?from=me@example.com";
    await run("serve", "--detach", "--control-token", "given-token", `--smtp=${smtp}`, "--data", "memory");
    const [pid = 0] = pids;
    expect(findProcess(pid)?.command).toMatch(/ serve$/);
    const environ = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    expect(environ).toEqual(
      expect.arrayContaining(["SLIPWAY_CONTROL_TOKEN=given-token", `SLIPWAY_SMTP=${smtp}`]),
    );
  });

  it("runs once in a folder", async () => {
    const { stdout } = await run("serve", "--detach");
    const url = /(http\S+)/.exec(stdout)?.[1] ?? "";
    const second = await run("serve", "--detach");
    expect(second).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`already running at ${url}.`),
    });
    expect(await answers(url)).toBe(true);
  });

  it("serves once when two start at the same time, and stop ends that one", async () => {
    for (const port of isLong ? ["0", String(await freePort())] : ["0"]) {
      const started = await Promise.all([1, 2].map(() => run("serve", "--detach", "--port", port)));
      expect(started.map(({ code }) => code).sort()).toEqual([0, 1]);
      const url = /listening on (\S+)/.exec(started.map(({ stdout }) => stdout).join(""))?.[1] ?? "";
      expect(await answers(url)).toBe(true);
      expect((await run("stop")).stdout).toBe(`The server at ${url} is stopped.\n`);
      await until("the servers are gone", () => !pids.some(isAlive) || undefined);
      expect(readdirSync(path.join(folder, ".slipway")).sort()).toEqual([".gitignore", "server.log"]);
    }
  });

  it("keeps its folder, which holds keys and links, out of Git", async () => {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    await run("serve", "--detach", "--data", "data");
    const untracked = execFileSync("git", ["status", "--porcelain", "--untracked-files=all"], {
      cwd: folder,
    });
    expect(untracked.toString()).toBe("");
    expect(existsSync(path.join(folder, "data/slipway.db"))).toBe(true);
  });

  it("says why it does not serve, and leaves nothing behind that stop would end", async () => {
    const { code, stderr } = await run("serve", "--detach", "--data", "mysql://somewhere");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^slipway: --data mysql:[^\n]*\n$/)]);
    expect(existsSync(path.join(folder, ".slipway/server.json"))).toBe(false);
  });

  describe("refuses", () => {
    const cwd = process.cwd();
    const within = (where: string) => process.chdir(where);
    afterEach(() => within(cwd));
    const start = () => startDetached({ data: "memory" });

    it.each<[string, (local: string) => void, string]>([
      [
        "a file in place of its folder",
        (local) => writeFileSync(local, ""),
        " is a file. Move it away, or run this in another folder.",
      ],
      [
        "a folder in place of its record",
        (local) => mkdirSync(path.join(local, "server.json"), { recursive: true }),
        "/server.json is a folder. Move it away.",
      ],
      [
        "a folder in place of its log",
        (local) => mkdirSync(path.join(local, "server.log"), { recursive: true }),
        "/server.log is a folder. Move it away.",
      ],
    ])("%s, at the start and at the end", async (_, make, reason) => {
      const local = path.join(folder, ".slipway");
      make(local);
      within(folder);
      await expect(start()).rejects.toThrow(new StartError(`${local}${reason}`));
      await expect(stopDetached()).rejects.toThrow(new StartError(`${local}${reason}`));
    });

    it("a folder that cannot be written", async () => {
      within("/proc");
      await expect(start()).rejects.toThrow(
        /^The server's files cannot be written \([^\n]*\/proc\/\.slipway'\)\. Run this in a folder that you can write\.$/,
      );
    });

    it("a server that ends without a word, as on a full disk", async () => {
      const script = path.join(folder, "silent.cjs");
      writeFileSync(script, "process.exit(1)");
      const { argv } = process;
      process.argv = [process.execPath, script];
      within(folder);
      await expect(start().finally(() => (process.argv = argv))).rejects.toThrow(
        new StartError(
          `The server ended without output (exit code 1). Check that the disk of ${folder}/.slipway has free space.`,
        ),
      );
    });

    it("a damaged record, and names the process", async () => {
      await run("serve", "--detach");
      const record = path.join(folder, ".slipway/server.json");
      writeFileSync(record, "{");
      within(folder);
      const reason = `${record} is damaged. End process ${pids[0]}, the server, then remove the file.`;
      await expect(start()).rejects.toThrow(new StartError(reason));
      await expect(stopDetached()).rejects.toThrow(new StartError(reason));
      expect(isAlive(pids[0] ?? 0)).toBe(true);
    });
  });

  it("takes the place of one that is gone, and stop ends no process that merely has its number", async () => {
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    pids.push(other.pid ?? 0);
    await run("serve", "--detach");
    await run("stop");
    const entry = { pid: other.pid, url: "http://127.0.0.1:9", instance: "gone" };
    writeFileSync(path.join(folder, ".slipway/server.json"), JSON.stringify(entry));
    expect((await run("stop")).stdout).toContain("No server");
    expect(isAlive(other.pid ?? 0)).toBe(true);
    writeFileSync(path.join(folder, ".slipway/server.json"), JSON.stringify(entry));
    expect((await run("serve", "--detach")).code).toBe(0);
  });

  it("is stopped where its parent never waits for it, as the first process of many containers", async () => {
    const log = path.join(folder, "log");
    // The shell becomes a process that waits for no children.
    const script = `"$@" > ${log} 2>&1 & echo $!; exec sleep 60`;
    const parent = spawn("sh", ["-c", script, "sh", process.execPath, ...command, "serve"], {
      cwd: folder,
      env: environment(),
    });
    const server = await new Promise<number>((resolve) =>
      parent.stdout.once("data", (text) => resolve(Number(text))),
    );
    pids.push(parent.pid ?? 0, server);
    const url = await until("it serves", () =>
      existsSync(log) ? /listening on (\S+)/.exec(readFileSync(log, "utf8"))?.[1] : undefined,
    );
    const { instance } = (await (await fetch(`${url}/_health`)).json()) as { instance: string };
    mkdirSync(path.join(folder, ".slipway"));
    writeFileSync(path.join(folder, ".slipway/server.json"), JSON.stringify({ pid: server, url, instance }));
    expect(await run("stop")).toMatchObject({ code: 0, stdout: `The server at ${url} is stopped.\n` });
    expect(readFileSync(`/proc/${server}/stat`, "utf8")).toContain(") Z ");
  });
});

describe("a server whose output cannot be written", () => {
  it("goes on, and drops the lines of its log", async () => {
    const port = await freePort();
    const full = openSync("/dev/full", "w");
    const server = spawn(process.execPath, [...command, "serve", "--port", String(port)], {
      cwd: folder,
      env: environment({ SLIPWAY_LOG_LEVEL: "debug" }),
      stdio: ["ignore", full, full],
    });
    closeSync(full);
    pids.push(server.pid ?? 0);
    const url = `http://127.0.0.1:${port}`;
    await until("it serves", async () => (await answers(url)) || server.exitCode !== null || undefined);
    for (let count = 0; count < 5; count += 1) {
      expect((await fetch(`${url}/v9/projects`)).status).toBe(401);
    }
    expect(isAlive(server.pid ?? 0)).toBe(true);
  });
});

/** npx as it is: a shell between it and the command, and a signal that reaches the command through neither. */
describe("a server that npx started", () => {
  const announced = /^slipway is listening on (\S+)$/m;

  async function start(title: string, env: NodeJS.ProcessEnv) {
    const log = path.join(folder, "log");
    const line = [process.execPath, ...command, "serve"].map((word) => `'${word}'`).join(" ");
    const script = `process.title = ${JSON.stringify(title)};
      const out = require("node:fs").openSync(${JSON.stringify(log)}, "w");
      require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(`${line}; exit`)}], { stdio: ["ignore", out, out] });`;
    const npx = spawn(process.execPath, ["-e", script], {
      cwd: folder,
      env: environment(env),
      stdio: "ignore",
    });
    const url = await until("it serves", () =>
      existsSync(log) ? announced.exec(readFileSync(log, "utf8"))?.[1] : undefined,
    );
    const children = (pid: number) =>
      execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
        .trim()
        .split(/\s+/)
        .map(Number);
    const [shell = 0] = children(npx.pid ?? 0);
    const [server = 0] = children(shell);
    pids.push(npx.pid ?? 0, shell, server);
    return { npx: npx.pid ?? 0, shell, server, url };
  }

  it.each(["npx", "shell"] as const)("ends when the %s does", async (which) => {
    const { server, url, ...parents } = await start("npm exec slipway serve", { npm_command: "exec" });
    process.kill(parents[which], "SIGKILL");
    await until("the server is gone", () => !isAlive(server) || undefined);
    expect(await answers(url)).toBe(false);
  });

  it("stays where a script started it in the background", async () => {
    const { npx, shell, server, url } = await start("npm run pretest", { npm_command: "run-script" });
    process.kill(npx, "SIGKILL");
    process.kill(shell, "SIGKILL");
    await until("its parents are gone", () => !(isAlive(npx) || isAlive(shell)) || undefined);
    // Longer than it takes to look.
    await new Promise((next) => setTimeout(next, 600));
    expect(isAlive(server)).toBe(true);
    expect(await answers(url)).toBe(true);
  });
});

it.each([
  ["postgres://ada:secret@db.example.com/slipway", "postgres"],
  ["postgresql://ada:secret@db.example.com/slipway", "postgres"],
  ["PostgreSQL://ada:secret@db.example.com/slipway", "postgres"],
  ["postgres:/ada:secret@db.example.com/slipway", "postgres"],
  ["memory", "memory"],
  ["data", path.resolve("data")],
])("the record of a server with its data at %s names %s", (data, named) => {
  expect(withoutAddress(data)).toBe(named);
});
