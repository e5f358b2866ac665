import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { RunningServer } from "../../server";
import { block } from "../support/pages";
import { startServer } from "../support/profile";
import { root } from "../support/server";
import { Shell } from "../support/shell";
import { step } from "../support/step";

const register = join(root, "test/support/register.cjs");

/** An executable that runs the command from the sources, and `npx` that runs this one. */
const launcher = `#!/bin/bash
[ "$1" = slipway ] && shift
case "$1" in serve|stop) entry=server ;; *) entry=cli ;; esac
exec "${process.execPath}" --require "${register}" "${root}/$entry/command.ts" "$@"
`;

let folder: string;
let other: RunningServer;
let shell: Shell;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-page-"));
  mkdirSync(join(folder, "bin"));
  for (const name of ["slipway", "npx"]) {
    writeFileSync(join(folder, "bin", name), launcher);
    chmodSync(join(folder, "bin", name), 0o755);
  }
  writeFileSync(join(folder, "bin/pulumi"), "#!/bin/sh\necho v3.260.0\n", { mode: 0o755 });
  other = await startServer({ controlToken: "a-long-random-text" });
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SLIPWAY|npm)_/.test(name));
  const path = [join(folder, "bin"), process.env.PATH].join(delimiter);
  shell = new Shell(
    join(folder, "work"),
    { ...Object.fromEntries(inherited), PATH: path, SLIPWAY_PORT: "0", SLIPWAY_BANNER: "off" },
    {
      "http://127.0.0.1:4001": other.url,
      "https://api.vercel.com": other.url,
      "SLIPWAY_TOKEN=…": `SLIPWAY_TOKEN=${other.token}`,
    },
  );
});
afterAll(async () => {
  await shell.attempt("unset SLIPWAY_API_URL SLIPWAY_CONTROL_TOKEN; slipway stop");
  shell.close();
  await other.close();
  rmSync(folder, { recursive: true });
});

it("runs the blocks of docs/cli.md and of the guide to audits in their order", async () => {
  const run = (id: string) => step(id, () => shell.run(block(id)));
  await run("docs/cli.md sh 1");
  await run("docs/cli.md sh 2");
  expect(await run("docs/cli.md sh 3")).toMatch(
    /^dpl_\S+ {2}production {2}READY .*\ndpl_\S+ {2}preview {2}ERROR /,
  );
  await run("docs/cli.md sh 4");
  expect(await run("docs/cli.md sh 5")).toContain("no faults remain");
  expect(await run("docs/cli.md sh 6")).toMatch(/^copied [\s\S]*\nrestored [\s\S]*slipway is listening on /);
  expect(await run("docs/cli.md sh 7")).toContain(other.url);
  await fetch(`${other.url}/v9/projects/none`);
  expect(await run("docs/cli.md sh 8")).toBe("/v9/projects/none\n");
  expect(await run("docs/cli.md sh 9")).toMatch(/^ok +token +of the user dev$/m);
  expect(await run("docs/cli.md sh 10")).toContain(": no differences.\n");
  await run("docs/cli.md sh 11");
  await shell.run(
    `echo '{ projects: [{ team: acme, name: web, ssoProtection: { deploymentType: all } }] }' | slipway seed -`,
  );
  expect(await run("docs/guides/audit.md sh 1")).toBe("No risks found in 1 project of the team acme.\n");
  await run("docs/guides/audit.md sh 2");
  await run("docs/guides/audit.md sh 3");
});
