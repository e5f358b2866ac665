import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAccount } from "../../cli/rehearse/copy";
import { compare } from "../../cli/rehearse/outcome";
import type { Report } from "../../cli/rehearse/report";
import { resourcesIn } from "../../cli/rehearse/stack";
import { Client } from "../../provider/client/client";
import { isPlain } from "../../provider/core/values";
import type { Snapshot } from "../../server/control/routes/snapshot";
import { built } from "./dist";
import type { Stack, Workspace } from "./pulumi";
import { openRecordingProxy, type RecordingProxy } from "./recording-proxy";

export interface Rehearsed {
  code: number | null;
  stdout: string;
  stderr: string;
  /** As `--json` wrote it. */
  report: Report;
  /** As `--report` wrote it. */
  markdown: string;
}

/** The command that is rehearsed if a test gives no other. */
const up = ["pulumi", "up", "--yes", "--stack", "test", "--skip-preview"];

/** Rehearses stacks of a workspace, whose server stands for the account, behind a proxy that records requests. */
export class Rehearsals {
  /** Where the rehearsals make their folders. */
  readonly temporary = mkdtempSync(join(tmpdir(), "slipway-rehearsals-"));

  private constructor(
    readonly world: Workspace,
    readonly proxy: RecordingProxy,
  ) {}

  static async of(world: Workspace): Promise<Rehearsals> {
    return new Rehearsals(world, await openRecordingProxy(world.server.url));
  }

  async close(): Promise<void> {
    await this.proxy.close();
    rmSync(this.temporary, { recursive: true });
  }

  /** The environment of the account behind the proxy. */
  get env() {
    return { SLIPWAY_API_URL: this.proxy.url };
  }

  start(stack: Stack, args: string[], command = up, env: NodeJS.ProcessEnv = {}): ChildProcess {
    const own = { ...this.env, TMPDIR: this.temporary, NODE_OPTIONS: "" };
    return spawn(process.execPath, [built("cli/main.js"), "rehearse", ...args, "--", ...command], {
      cwd: stack.folder,
      env: { ...this.world.environment(), ...own, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Waits for the end of a rehearsal, whose output must not have secrets. */
  async ended(child: ChildProcess): Promise<Omit<Rehearsed, "report" | "markdown">> {
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (text) => {
      stdout += text;
    });
    child.stderr?.on("data", (text) => {
      stderr += text;
    });
    const code = await new Promise<number | null>((done) => child.on("close", done));
    this.world.record(stdout + stderr);
    return { code, stdout, stderr };
  }

  /** Rehearses, and checks that nothing but the copy has changed and that nothing is left over. */
  async rehearse(
    stack: Stack,
    {
      args = [],
      command = up,
      env = {},
    }: { args?: string[]; command?: string[]; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Rehearsed> {
    const [json, markdown] = [join(this.temporary, "report.json"), join(this.temporary, "report.md")];
    const before = await this.untouched(stack);
    const seen = this.proxy.requests.length;
    const run = await this.ended(
      this.start(stack, ["--json", json, "--report", markdown, ...args], command, env),
    );
    expect(await this.untouched(stack)).toEqual(before);
    expect(this.proxy.requests.slice(seen).filter(({ method }) => method !== "GET")).toEqual([]);
    const [report = "", text = ""] = [json, markdown].map((file) => take(file));
    expect(readdirSync(this.temporary)).toEqual([]);
    this.world.record(report + text);
    if (report === "") throw new Error(`there is no report:\n${run.stdout}${run.stderr}`);
    return { ...run, report: JSON.parse(report), markdown: text };
  }

  /** All that a rehearsal must leave as it is. */
  async untouched(stack: Stack): Promise<object> {
    return {
      account: await this.snapshot(),
      backend: digestsOf(join(this.world.folder, "state")),
      program: digestsOf(stack.folder),
    };
  }

  async snapshot(): Promise<Omit<Snapshot, "now">> {
    const { now: _, ...all } = (await this.world.server.control("GET", "/snapshot")).body as Snapshot;
    return all;
  }

  /** Carries a step out for real. @returns what it has changed, in the form of a report */
  async carryOut(stack: Stack, step: () => Promise<unknown>): Promise<Pick<Report, "changes" | "aliases">> {
    const client = new Client({ apiUrl: this.world.server.url, token: this.world.token, team: "acme" });
    const read = async () => ({
      state: await readAccount(client, (await this.snapshot()).deployments),
      resources: resourcesIn(
        JSON.parse((await stack.cli(["stack", "export", "--show-secrets"], {}, false)).stdout).deployment,
      ),
    });
    try {
      const before = await read();
      await step();
      const after = await read();
      return compare(before.state, after.state, { before: before.resources, after: after.resources });
    } finally {
      await client.close();
    }
  }
}

/** The comparable part of two reports: ids of new objects differ, and the order of members. */
export function comparable({ changes, aliases }: Pick<Report, "changes" | "aliases">): string[] {
  return [...changes.map(({ id: _, ...change }) => change), ...aliases]
    .map((line) => JSON.stringify(line, inOrder).replace(/\b(prj|dpl|env|ld|account_hook)_\w{10,}/g, "$1"))
    .sort();
}

const inOrder = (_key: string, value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

function take(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  } finally {
    rmSync(file, { force: true });
  }
}

/** A digest of each file in a folder; links are not followed. */
function digestsOf(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return digestsOf(path);
      return entry.isFile()
        ? `${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`
        : path;
    })
    .join("\n");
}
