import { fork } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { root } from "../setup/paths.mjs";

const copied = ["cli", "provider", "sdk", "server", "test", "scripts", "docs", "examples", "dist"];
const settings = ["jest.config.cjs", "package.json", "package-lock.json", "tsconfig.json", "Pulumi.yaml"];
/** A process that uses more memory than this is replaced. */
const mostBytes = 1.5e9;

/**
 * Functions that ask which fault is active. The answer comes from `environment.cjs`, or from `switch.cjs` in processes
 * that tests start. The functions are hoisted, because modules may import each other.
 */
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
    // The package name `slipway` refers to this copy. All other packages are shared.
    const packages = join(this.#folder, "node_modules");
    mkdirSync(packages);
    for (const name of readdirSync(join(root, "node_modules"))) {
      symlinkSync(name === "slipway" ? ".." : join(root, "node_modules", name), join(packages, name), "dir");
    }
    for (const [file, text] of texts) {
      const source = header(this.#folder) + text;
      writeFileSync(join(this.#folder, file), source);
      // The method `bundle` compiles the server.
      if (file.startsWith("server/")) continue;
      const { code } = transformSync(source, { loader: "ts", format: "cjs" });
      writeFileSync(join(this.#folder, `dist/${file.replace(/\.ts$/, ".js")}`), code);
    }
  }

  /** Builds the bundles again, so that the faults are in child processes too. */
  async bundle() {
    const script = (name) => import(join(this.#folder, "scripts/setup", name));
    const { bundleDynamicHost, bundleServer, recordDist } = await script("dist.mjs");
    await bundleServer();
    await bundleDynamicHost();
    await (await script("plugin.mjs")).bundlePlugin();
    recordDist();
  }

  /**
   * Runs a test file.
   * @param {object} task see `task.cjs`. `left` is the number of servers and processes that the tests leave without a
   * fault. With a fault, more can be left and disturb later tests. Then the next fault gets a new process.
   * @returns {Promise<object>} the outcome, or `{ timedOut: true }`, or `{ died: true }`
   */
  async run({ left = Number.MAX_SAFE_INTEGER, ...task }, timeoutMs) {
    // Code that a fault left running may have ended the process after its last outcome.
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

  /** Ends the process and all processes that it has started. */
  #retire() {
    try {
      if (this.#runner) process.kill(-this.#runner.pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
    this.#runner = undefined;
  }

  close() {
    this.#retire();
    process.off("exit", this.#stop);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
