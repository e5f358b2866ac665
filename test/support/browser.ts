import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const places = [process.env.SLIPWAY_CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"];

/** A name that somebody had pointed at this machine. */
export const foreignName = "rebound.example";

/** Without these Chromium asks hosts of its maker, which no test may. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--host-resolver-rules=MAP ${foreignName} 127.0.0.1`,
];

/** Starts a real Chromium without a window, with a new and empty profile. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: find() ?? install(), args });
}

const find = (): string | undefined => places.find((place) => place !== undefined && existsSync(place));

/** Debian's, where this user may install it. Of several tests that ask at once, one installs and the others wait. */
function install(): string {
  const script =
    "[ -x /usr/bin/chromium ] || { apt-get update; apt-get install -y --no-install-recommends chromium; }";
  try {
    execFileSync("flock", [join(tmpdir(), "slipway-chromium.lock"), "sh", "-c", script], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: "ignore",
    });
  } catch {
    // The next line finds out whether it is there.
  }
  const found = find();
  if (found !== undefined) return found;
  throw new Error(
    "The dashboard's tests need Chromium: apt-get install chromium, or name yours in SLIPWAY_CHROMIUM.",
  );
}
