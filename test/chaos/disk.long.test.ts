import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../../server/platform/start-error";
import { developmentToken } from "../../server/seed/development-account";
import { openServer } from "../../server/server";
import { StoreError } from "../../server/store/store";
import { type Child, runChild } from "../support/child";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "slipway-disk-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const database = (): string => path.join(folder, "slipway.db");
const open = () => openServer({ port: 0, data: folder, logLevel: "silent" });

/** A server's folder after its first day: some projects, and a clean end. */
async function fill(): Promise<void> {
  const server = await open();
  for (let n = 0; n < 20; n++) {
    const headers = { authorization: `Bearer ${developmentToken}` };
    const body = JSON.stringify({ name: `web-${n}`, buildCommand: "x".repeat(200) });
    const answer = await server.app.inject({ method: "POST", url: "/v10/projects", headers, body });
    // With its body, which says why it is not.
    expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()]);
  }
  await server.close();
}

/** The content of the folder, byte for byte; the lock has no content. */
const contents = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== "lock")
      .map((name) => [name, readFileSync(path.join(folder, name)).toString("base64")]),
  );

/** @returns the one line that tells why the server does not start */
async function complaint(): Promise<string> {
  const error = await open().then(
    (server) => server.close(),
    (thrown) => thrown,
  );
  expect(error instanceof StoreError || error instanceof StartError).toBe(true);
  expect(error.message).not.toContain("\n");
  return error.message;
}

describe("the server refuses a data folder with its reason, and leaves it unchanged, when", () => {
  const damage: [string, () => void, RegExp][] = [
    [
      "its file lacks its end",
      () => truncateSync(database(), statSync(database()).size / 2),
      /damaged.*Restore it/,
    ],
    [
      "its file was overwritten in the middle",
      () => {
        const bytes = readFileSync(database());
        bytes.fill(0xa5, 5 * 4096, 12 * 4096);
        writeFileSync(database(), bytes);
      },
      /damaged.*Restore it/,
    ],
    [
      "its file is something else",
      () => writeFileSync(database(), "no database\n".repeat(999)),
      /damaged or not a/,
    ],
    [
      "its file is another program's",
      () => {
        rmSync(database());
        const foreign = new DatabaseSync(database());
        foreign.exec("create table theirs (x); insert into theirs values (1)");
        foreign.close();
      },
      /is not a Slipway database\. Give another folder with --data/,
    ],
    [
      "it was written by a newer version",
      () => {
        const newer = new DatabaseSync(database());
        newer.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')");
        newer.close();
      },
      /newer version of Slipway/,
    ],
    ["its key is missing", () => rmSync(path.join(folder, "key")), /key is missing.*Put it back/],
    ["its key is another", () => writeFileSync(path.join(folder, "key"), "00".repeat(32)), /not the one/],
    ["its key is none", () => writeFileSync(path.join(folder, "key"), "gone"), /key does not hold a key/],
  ];

  it.each(damage)("%s", async (_, change, message) => {
    await fill();
    change();
    const before = contents();
    expect(await complaint()).toMatch(message);
    expect(contents()).toEqual(before);
  });

  it("another server has it", async () => {
    const server = await open();
    expect(await complaint()).toMatch(/in use by another server\. Stop it, or give another --data/);
    await server.close();
    await (await open()).close();
  });

  it("it is read-only", async () => {
    await fill();
    const before = contents();
    for (const name of readdirSync(folder)) chmodSync(path.join(folder, name), 0o444);
    chmodSync(folder, 0o555);
    try {
      expect(await unprivileged(complaint)).toMatch(
        /cannot be written.*--data|key cannot be used.*--key-file/,
      );
    } finally {
      chmodSync(folder, 0o755);
    }
    expect(contents()).toEqual(before);
  });
});

/** Root may write everywhere: for a while it is somebody else. */
async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.("nobody");
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

// How large a file may become is how much room is left, for a single process.
const canLimit = spawnSync("prlimit", ["--version"]).status === 0;

(canLimit ? describe : describe.skip)("a disk that is full", () => {
  let child: Child | undefined;
  let url: string;

  afterEach(async () => {
    child?.process.kill("SIGKILL");
    await child?.exited;
  });

  async function start(): Promise<void> {
    child = runChild("server/command.ts", ["serve", "--port", "0", "--data", folder, "--log-level", "error"]);
    url = (await child.waitFor(/listening on (\S+)/))[1] ?? "";
  }

  const limit = (bytes: number | "unlimited"): unknown =>
    execFileSync("prlimit", ["--pid", String(child?.process.pid), `--fsize=${bytes}:unlimited`]);

  async function create(name: string): Promise<number> {
    const response = await fetch(`${url}/v10/projects`, {
      method: "POST",
      headers: { authorization: `Bearer ${developmentToken}`, "content-type": "application/json" },
      body: JSON.stringify({ name, buildCommand: "x".repeat(200) }),
    });
    await response.text();
    return response.status;
  }

  async function names(): Promise<string[]> {
    const response = await fetch(`${url}/v9/projects?limit=100`, {
      headers: { authorization: `Bearer ${developmentToken}` },
    });
    const { projects } = (await response.json()) as { projects: { name: string }[] };
    return projects.map(({ name }) => name).sort();
  }

  it("refuses writes that it cannot store, keeps acknowledged ones, and continues once there is room", async () => {
    await start();
    const kept: string[] = [];
    const statuses = new Set<number>();
    const add = async (name: string): Promise<number> => {
      const status = await create(name);
      statuses.add(status);
      if (status === 200) kept.push(name);
      return status;
    };
    await add("before");
    limit(statSync(`${database()}-wal`).size + 60_000);
    for (let n = 0; n < 60 && (await add(`filling-${n}`)) === 200; n++);
    expect([...statuses]).toEqual([200, 503]);
    expect(await names()).toEqual([...kept].sort());
    limit("unlimited");
    expect(await add("after")).toBe(200);
    expect(await names()).toEqual([...kept].sort());

    child?.process.kill("SIGKILL");
    await child?.exited;
    await start();
    expect(await names()).toEqual([...kept].sort());
  });

  it("is not ready meanwhile", async () => {
    const ready = async (): Promise<number> => (await fetch(`${url}/_ready`)).status;
    await start();
    expect(await create("before")).toBe(200);
    limit(statSync(`${database()}-wal`).size);
    expect(await create("during")).toBe(503);
    expect(await ready()).toBe(503);
    limit("unlimited");
    expect(await ready()).toBe(200);
    expect(await names()).toEqual(["before"]);
  });

  it("lets no server start, and names the reason", async () => {
    // In blocks of 512 or 1024 bytes, as the shell has it: too little for the tables in either case.
    const main = path.join(__dirname, "../../server/command.ts");
    const register = path.join(__dirname, "../support/register.cjs");
    const script = `ulimit -f 200; exec "$0" --require "$1" "$2" serve --port 0 --data "$3"`;
    const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, register, main, folder], {
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^slipway: \S+slipway\.db[^\n]*(the disk is full|The disk may be full)[^\n]*\n$/);
    expect(status).toBe(1);
    await start();
    expect(await names()).toEqual([]);
  });
});
