import { fork } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { root } from "../setup/paths.mjs";

const copied = ["cli", "provider", "sdk", "server", "test", "scripts", "docs", "examples", "dist"];
const settings = ["jest.config.cjs", "package.json", "package-lock.json", "tsconfig.json", "Pulumi.yaml"];
/** A process that has grown beyond this is replaced. */
const mostBytes = 1.5e9;

/** Asks the environment of the tests, or else `switch.cjs`, which fault is in place. Hoisted, for the sake of cycles. */
const header = (folder) => {
  const fallback = JSON.stringify(join(folder, "scripts/mutants/switch.cjs"));
  return `function faults$() { return (globalThis.faultSwitch ??= require(${fallback})); }
function isFault$(key) { return faults$().isFault(key); }
function passed$(...keys) { return faults$().passed(...keys); }
`;
};

/** A copy of the tree with every drawn fault behind a switch, and a process that runs tests there. */
export class Sandbox {
  #folder = mkdtempSync(join(tmpdir(), "slipway-mutants-"));
  #engine;
  #runner;
  #printed = "";
  #stop = () => this.#retire();

  /**
   * @param {Map<string, string>} texts sources with switches, by file
   * @param {"slipway" | "postgres"} engine the project of `jest.config.cjs` that runs the tests
   */
  constructor(texts, engine = "slipway") {
    this.#engine = engine;
    process.on("exit", this.#stop);
    for (const path of [...copied, ...settings])
      cpSync(join(root, path), join(this.#folder, path), { recursive: true });
    // The package under its own name is this copy; everything else is shared.
    const packages = join(this.#folder, "node_modules");
    mkdirSync(packages);
    for (const name of readdirSync(join(root, "node_modules"))) {
      symlinkSync(name === "slipway" ? ".." : join(root, "node_modules", name), join(packages, name), "dir");
    }
    for (const [file, text] of texts) {
      const source = header(this.#folder) + text;
      writeFileSync(join(this.#folder, file), source);
      // The server is compiled to bundles.
      if (file.startsWith("server/")) continue;
      const { code } = transformSync(source, { loader: "ts", format: "cjs" });
      writeFileSync(join(this.#folder, `dist/${file.replace(/\.ts$/, ".js")}`), code);
    }
  }

  /** Builds the bundles again, so that the faults are in child processes too. */
  async bundle() {
    const script = (name) => import(join(this.#folder, "scripts/setup", name));
    const { bundleServer, recordDist } = await script("dist.mjs");
    await bundleServer();
    await (await script("plugin.mjs")).bundlePlugin();
    recordDist();
  }

  /**
   * Runs a test file.
   * @param {object} task see `task.cjs`; and `left`: how many servers and processes its tests leave without a fault. More
   * of them could meddle with the tests of the next fault, which then has a new process.
   * @returns {Promise<object>} the outcome, or `{ timedOut: true }`, or `{ died: true }`
   */
  async run({ left = Number.MAX_SAFE_INTEGER, ...task }, timeoutMs) {
    // It may have ended since its last outcome, by what a fault left running.
    if (!this.#runner?.connected) this.#retire();
    this.#runner ??= this.#start();
    const runner = this.#runner;
    const outcome = await new Promise((done) => {
      const timer = setTimeout(() => done({ timedOut: true }), timeoutMs);
      const finish = (result) => {
        clearTimeout(timer);
        runner.removeAllListeners();
        done(result);
      };
      runner.once("message", finish);
      runner.once("exit", () => finish({ died: true, printed: this.#printed.slice(-1000) }));
      runner.send({ ...task, engine: this.#engine }, (error) => {
        if (error) finish({ died: true, printed: this.#printed.slice(-1000) });
      });
    });
    if (!("tests" in outcome) || outcome.left > left || outcome.bytes > mostBytes) this.#retire();
    return outcome;
  }

  #start() {
    const runner = fork(join(this.#folder, "scripts/mutants/runner.cjs"), [], {
      cwd: this.#folder,
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#printed = "";
    runner.stderr.on("data", (text) => {
      this.#printed += text;
    });
    return runner;
  }

  /** Ends the process with all that it has started. */
  #retire() {
    try {
      if (this.#runner) process.kill(-this.#runner.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
    this.#runner = undefined;
  }

  close() {
    this.#retire();
    process.off("exit", this.#stop);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
