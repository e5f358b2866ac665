import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A shell in which a reader types one block after the other: the folder, what was exported and what runs in the
 * background stay from one to the next.
 */
export class Shell {
  private readonly memory = mkdtempSync(join(tmpdir(), "slipway-shell-"));
  private readonly groups: number[] = [];

  /** @param swap what a reader would put in the place of a text, such as the port of the test's server */
  constructor(
    folder: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly swap: Record<string, string> = {},
  ) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.file("folder"), folder);
  }

  get folder(): string {
    return readFileSync(this.file("folder"), "utf8").trim();
  }

  /** Runs a block to its end; what it left in the background goes on. @throws Error with all that it said, if a line fails */
  async run(text: string): Promise<string> {
    const { code, output } = await this.attempt(text);
    if (code !== 0) throw new Error(`exit code ${code} of:\n${text}\n${output}`);
    return output;
  }

  async attempt(text: string): Promise<{ code: number; output: string }> {
    const exported = this.file("exported");
    const script = [
      ...(existsSync(exported) ? [`. ${exported}`] : []),
      `cd "$(cat ${this.file("folder")})"`,
      this.swapped(text),
      `export -p > ${exported}`,
      `pwd > ${this.file("folder")}`,
    ].join("\n");
    const said = this.file("said");
    // To a file: what runs on in the background would keep a pipe open.
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", `exec >${said} 2>&1\n${script}`], {
      env: this.env,
      stdio: "ignore",
      detached: true,
    });
    if (child.pid !== undefined) this.groups.push(child.pid);
    const code = await new Promise<number>((done, fail) => {
      child.once("error", fail);
      child.once("exit", (exit) => done(exit ?? 1));
    });
    return { code, output: readFileSync(said, "utf8") };
  }

  swapped(text: string): string {
    return Object.entries(this.swap).reduce((all, [from, to]) => all.replaceAll(from, to), text);
  }

  /** Ends what is left in the background. */
  close(): void {
    for (const group of this.groups) {
      try {
        process.kill(-group, "SIGTERM");
      } catch {
        // It ended by itself.
      }
    }
    rmSync(this.memory, { recursive: true, force: true });
  }

  private file(name: string): string {
    return join(this.memory, name);
  }
}
