import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { built } from "../support/dist";

it.each(["cli/main.js", "server/main.js"])(
  "%s does not show that Node.js 22 calls its SQLite experimental",
  async (main) => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-warnings-"));
    // As Node.js 22 does once the module is loaded; other warnings are for whoever runs it.
    const warn = `setImmediate(() => {
    process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
    process.emitWarning("something else");
  });`;
    try {
      writeFileSync(join(folder, "warn.cjs"), warn);
      const args = ["--require", join(folder, "warn.cjs"), built(main), "stop"];
      const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });
      expect(stderr).toContain("something else");
      expect(stderr).not.toContain("SQLite");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
