import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { App } from "../http/app";
import { json } from "../http/reply";
import type { Services } from "../platform/services";
import { StartError } from "../platform/start-error";
import { applySeed } from "../seed/apply";
import { SeedError } from "../seed/error";
import type { InitEntry } from "./folder";
import { ProgramError, runProgram } from "./program";

/** `skipped`: an entry before it has failed. */
type State = "waiting" | "running" | "done" | "failed" | "skipped";

/** The state of the initialization, as `GET /_init` answers. */
export interface InitStatus {
  state: "running" | "done" | "failed";
  entries: {
    name: string;
    kind: InitEntry["kind"];
    state: State;
    /** When it began and ended, in milliseconds since the epoch. */
    startedAt?: number;
    endedAt?: number;
    /** Why it failed. Without values and output, which may contain secrets. */
    error?: string;
  }[];
}

interface InitContext {
  services: Services;
  /** True if the store was empty at the start. Rows of seeds that conflict with later changes are left out otherwise. */
  isNew: boolean;
  /** The folder of the data; undefined if it is in memory. */
  folder: string | undefined;
  /** The variables that point a program at the server. */
  env: Readonly<Record<string, string>>;
}

/** How long a program may take to end when the server stops, in milliseconds. */
const mostMsToStop = 4_000;

/** Applies the entries of the folder that `--init` names, one after the other, once the server listens. */
export class Init {
  readonly status: InitStatus;
  #child: ChildProcess | undefined;
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(private readonly entries: readonly InitEntry[]) {
    this.status = {
      state: "running",
      entries: entries.map(({ name, kind }) => ({ name, kind, state: "waiting" as const })),
    };
  }

  /** Serves `/_init`. It needs no token. */
  serve(app: App): void {
    app.route("GET", "/_init", () => json(200, this.status));
  }

  /** Applies the entries, and stops at the first that fails. The log says why. */
  run(at: InitContext): Promise<void> {
    this.#running = this.#run(at);
    return this.#running;
  }

  /** Ends the program that runs, and waits for its end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#child?.kill("SIGINT");
    const late = setTimeout(() => this.#child?.kill("SIGKILL"), mostMsToStop);
    await this.#running;
    clearTimeout(late);
  }

  async #run(at: InitContext): Promise<void> {
    const state = at.folder ?? mkdtempSync(path.join(tmpdir(), "slipway-init-"));
    try {
      for (const [i, entry] of this.entries.entries()) {
        if (this.#isStopped) return;
        if (!(await this.#apply(i, entry, { ...at, folder: path.join(state, "init", entry.name) }))) return;
      }
      this.status.state = "done";
      at.services.log.info({}, "the server is initialized");
    } finally {
      if (at.folder === undefined) rmSync(state, { recursive: true, force: true });
    }
  }

  async #apply(i: number, entry: InitEntry, at: InitContext & { folder: string }): Promise<boolean> {
    const { log } = at.services;
    const status = this.status.entries[i] as InitStatus["entries"][number];
    Object.assign(status, { state: "running", startedAt: Date.now() });
    try {
      await (entry.kind === "seed" ? applyFile(entry, at) : this.#runProgram(entry, at));
      Object.assign(status, { state: "done", endedAt: Date.now() });
      log.info({ init: entry.name }, "applied");
      return true;
    } catch (error) {
      if (this.#isStopped) return false;
      const isExpected = error instanceof ProgramError || error instanceof StartError;
      const reason = isExpected ? error.message : "An error in the server. The log has it.";
      Object.assign(status, { state: "failed", endedAt: Date.now(), error: reason });
      this.status.state = "failed";
      for (const later of this.status.entries.slice(i + 1)) later.state = "skipped";
      log.error({ init: entry.name, ...(!isExpected && { err: error }) }, reason);
      return false;
    }
  }

  #runProgram(
    { name, folder }: InitEntry & { kind: "program" },
    { services, folder: state, env }: InitContext & { folder: string },
  ): Promise<void> {
    return runProgram({
      ...{ folder, state, env },
      onLine: (line) => services.log.info({ init: name }, line),
      onProcess: (child) => {
        this.#child = child;
      },
    });
  }
}

/** @throws StartError with the place in the file */
async function applyFile(
  { name, seed, explain }: InitEntry & { kind: "seed" },
  { services, isNew }: InitContext,
): Promise<void> {
  const leaveOut = (error: SeedError): void =>
    services.log.warn({ init: name, row: explain(error).message }, "a row of the seed is left out");
  try {
    await services.store.write((tx) => applySeed(tx, services, seed, isNew ? undefined : leaveOut));
  } catch (error) {
    throw error instanceof SeedError ? explain(error) : error;
  }
}
