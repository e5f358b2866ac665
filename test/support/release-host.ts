import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  createReadStream,
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
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { root } from "./server";

export const { ownPlatform }: { ownPlatform: string } = require("../../scripts/release/platforms.mjs");

/** The folders that the commands created. */
const madeHere = new Set(["node_modules", ".git", ".slipway", "coverage", "site"]);

/** A release of this tree, and a local server that stands in for the host of its files. */
export class ReleaseHost {
  readonly folder = mkdtempSync(join(tmpdir(), "slipway-release-host-"));
  /** The files of the release. */
  readonly files = join(this.folder, "files");
  /** A pre-release, since the changelog has unreleased changes. */
  readonly version = "0.2.0-alpha.1";
  /** The output of the command. */
  readonly said: string;
  private readonly clone = join(this.folder, "clone");
  private readonly server: Server;

  /** @param parts the platforms of the plugin, and the languages of the SDKs */
  constructor(private readonly parts: { platforms: string[]; sdks: string[] }) {
    const filter = (path: string): boolean => !madeHere.has(relative(root, path));
    cpSync(root, this.clone, { recursive: true, filter, preserveTimestamps: true });
    symlinkSync(join(root, "node_modules"), join(this.clone, "node_modules"));
    const changelog = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n";
    writeFileSync(join(this.clone, "CHANGELOG.md"), changelog);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: this.clone, stdio: "pipe" });
    git("init", "--quiet");
    git("add", "--all", "--", ".", ":!node_modules");
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    git(...author, "commit", "--quiet", "--message", "Begin");
    this.said = this.build(this.files);
    this.server = createServer((request, response) => {
      const file = join(this.files, basename(decodeURIComponent(request.url ?? "")));
      if (!existsSync(file)) return response.writeHead(404).end();
      // The CLI compares the size.
      response.writeHead(200, { "content-length": statSync(file).size });
      return createReadStream(file).pipe(response);
    });
  }

  /** Builds the files of a release into a folder. @returns what the command said */
  build(out: string): string {
    const { platforms, sdks } = this.parts;
    const { status, stderr } = this.run("--out", out, "--platforms", platforms.join(), "--sdks", sdks.join());
    if (status !== 0) throw new Error(stderr);
    return stderr;
  }

  /** Does something while the clone has another changelog. */
  withChangelog<T>(text: string, work: () => T): T {
    const file = join(this.clone, "CHANGELOG.md");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, text);
    try {
      return work();
    } finally {
      writeFileSync(file, before);
    }
  }

  /** Runs `npm run release`. */
  run(...args: string[]): { status: number | null; stderr: string } {
    return spawnSync(process.execPath, ["scripts/release.mjs", ...args], {
      cwd: this.clone,
      encoding: "utf8",
    });
  }

  /** Interrupts `npm run release` while it packs the npm package. @returns its exit code */
  interrupted(temporary: string): Promise<number | null> {
    const child = spawn(process.execPath, ["scripts/release.mjs"], {
      cwd: this.clone,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (data) => {
      said += data;
      if (said.includes("the npm package")) child.kill("SIGINT");
    });
    return new Promise((done) => child.once("close", done));
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The path of a file of the release, found by its start. */
  file(start: string): string {
    const name = readdirSync(this.files).find((one) => one.startsWith(start) && !one.endsWith(".cdx.json"));
    if (name === undefined) throw new Error(`the release has no ${start}`);
    return join(this.files, name);
  }

  /**
   * The environment of a machine that has nothing but the Pulumi CLI and some programs.
   * @param programs the files on this machine, by name
   */
  machine(name: string, programs: Record<string, string>): NodeJS.ProcessEnv {
    const [bin, home] = ["bin", "home"].map((part) => join(this.folder, name, part)) as [string, string];
    for (const folder of [bin, home]) mkdirSync(folder, { recursive: true });
    for (const [program, file] of Object.entries(programs)) symlinkSync(file, join(bin, program));
    return {
      PATH: bin,
      HOME: home,
      PULUMI_HOME: join(home, ".pulumi"),
      // Has the address of the schema lead to this server.
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://=${this.url}`,
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: undefined,
      NODE_OPTIONS: undefined,
      // Its home does not know which stack was selected.
      PULUMI_STACK: "test",
    };
  }

  close(): void {
    this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
