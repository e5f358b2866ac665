import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../support/server";

const { withLock }: { withLock: <T>(file: string, work: () => Promise<T>) => Promise<T> } =
  require("../../../scripts/setup/lock.mjs");

const folder = join(root, "test/contract/cli");
const command = join(folder, "node_modules/vercel/dist/vc.js");

/**
 * The official command line is some 350 MB: it is fetched for tests in full length, and otherwise only used where it
 * is there already.
 */
export const isWanted = Boolean(process.env.SLIPWAY_TEST_LONG) || existsSync(command);

/** Two test files that begin at once must not install beside each other. npm writes the list of packages last. */
export async function fetchCommandLine(): Promise<void> {
  const isThere = (): boolean => existsSync(join(folder, "node_modules/.package-lock.json"));
  if (isThere()) return;
  await withLock(join(root, ".slipway/official-cli.lock"), async () => {
    if (isThere()) return;
    await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
    });
  });
}

interface Run {
  code: number | null;
  /** Both outputs together, as somebody before a terminal reads them. */
  said: string;
  stdout: string;
}

/** Where the command line works: a folder of its own, inside its home, which it would not deploy. */
export interface Desk {
  folder: string;
  url: string;
  token: string;
}

/** The environment of the official command line: it reaches the server and nothing else, and tells nobody of it. */
export const environmentOf = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  CI: "1",
  NO_COLOR: "1",
  NO_UPDATE_NOTIFIER: "1",
  VERCEL_TELEMETRY_DISABLED: "1",
  // All other addresses end at a port where nobody listens.
  HTTPS_PROXY: "http://127.0.0.1:9",
});

/** Runs the official command line. @param input what is typed */
export async function vercel(desk: Desk, args: readonly string[], input = ""): Promise<Run> {
  const separator = args.includes("--") ? args.indexOf("--") : args.length;
  const child = spawn(
    process.execPath,
    [
      command,
      ...args.slice(0, separator),
      // After the words, of which some commands have three.
      ...["--api", desk.url, "--token", desk.token, "--global-config", join(desk.folder, ".config")],
      ...args.slice(separator),
    ],
    { cwd: desk.folder, env: environmentOf(join(desk.folder, "..")), stdio: ["pipe", "pipe", "pipe"] },
  );
  let [said, stdout] = ["", ""];
  child.stdout.on("data", (text: Buffer) => {
    said += text;
    stdout += text;
  });
  child.stderr.on("data", (text: Buffer) => {
    said += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said, stdout };
}
