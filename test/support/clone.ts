import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./server";

export interface Running {
  child: ChildProcess;
  /** Standard output and standard error. */
  said(): string;
  stdout(): string;
  ended: Promise<number>;
}

/** A clone of the repository with its dependencies and `dist/` in place, and without `.slipway/`. */
export class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), "slipway-clone-"));
  readonly transcript: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {
    const { include: sources } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8"));
    const entries =
      "package.json package-lock.json publishing.json tsconfig.json tsconfig.build.json Pulumi.yaml scripts examples docs/resources dist";
    for (const entry of [...entries.split(" "), ...sources]) {
      cpSync(join(root, entry), join(this.folder, entry), { recursive: true, preserveTimestamps: true });
    }
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
  }

  start(script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Running {
    const child = spawn("npm", ["run", script, ...(args.length > 0 ? ["--", ...args] : [])], {
      cwd: this.folder,
      env: { ...withoutSlipway(), ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let stdout = "";
    child.stdout.on("data", (text) => {
      output += text;
      stdout += text;
    });
    child.stderr.on("data", (text) => {
      output += text;
    });
    const ended = new Promise<number>((done) => child.once("close", (code) => done(code ?? 1)));
    return { child, said: () => output, stdout: () => stdout, ended };
  }

  async npm(script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
    const running = this.start(script, args, env);
    const code = await running.ended;
    if (script !== "pulumi") this.transcript.push(running.said());
    return { code, output: running.said(), stdout: running.stdout() };
  }

  async end({ child, ended }: Running, signal: NodeJS.Signals = "SIGTERM") {
    child.kill(signal);
    return ended;
  }

  server(): { pid: number; url: string } {
    return JSON.parse(readFileSync(join(this.folder, ".slipway/server.json"), "utf8"));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever the server answers.
  async api(method: string, path: string, body?: object, query: Record<string, string> = {}): Promise<any> {
    const parameters = new URLSearchParams({ slug: "acme", ...query });
    const response = await fetch(`http://127.0.0.1:${this.env.SLIPWAY_PORT}${path}?${parameters}`, {
      method,
      headers: { authorization: "Bearer slipway-dev-token", "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async production(): Promise<string | undefined> {
    return (await this.api("GET", "/v9/projects/quickstart")).targets?.production?.id;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }

  async remove() {
    if (existsSync(join(this.folder, ".slipway/server.json"))) await this.npm("down");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function withoutSlipway(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^SLIPWAY_(?!PROFILE$)/.test(name)),
  );
}
