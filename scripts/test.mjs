import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { provideLanguage } from "./setup/languages.mjs";
import { root } from "./setup/paths.mjs";
import { pulumiEnvironment } from "./setup/pulumi.mjs";
import { CommandError } from "./setup/run.mjs";

const usage = `npm test [-- <jest arguments>]
npm run test:long [-- <jest arguments>]

Sets up, then runs every test: provider, server, and end to end with the real Pulumi CLI.
The last line contains the result: N passed, N failed.

  --seed N  the order of the tests within each file; without it a random one, whose seed is printed
  --long    runs the long tests in full (npm run test:long); without it, only a part of each
  others    are passed to jest, for instance test/server, or -t "a name"

Without --long, npm test leaves out the files *.long.test.ts, and runs on PostgreSQL only the tests of the store. It runs
all in a folder or file that the arguments name, such as test/server/domains or test/e2e/deployment.long.
On the profile hosted, --long runs the tests of the provider, the commands and the examples again; so does
npm test -- test/provider --selectProjects hosted.`;

await command({
  usage,
  needs: ["pulumi", "dist"],
  async run(args, { pulumi }) {
    await provideYaml(pulumi);
    const folder = mkdtempSync(join(tmpdir(), "slipway-test-"));
    const closingLine = join(folder, "closing-line");
    try {
      const code = await foreground(
        process.execPath,
        [join(root, "node_modules/jest/bin/jest.js"), ...args.filter((arg) => arg !== "--long")],
        {
          ...pulumiEnvironment(pulumi),
          SLIPWAY_PULUMI: pulumi,
          SLIPWAY_CLOSING_LINE: closingLine,
          ...(args.includes("--long") && { SLIPWAY_TEST_LONG: "1" }),
          ...(args.some(namesTests) && { SLIPWAY_TEST_NAMED: "1" }),
        },
      );
      process.stdout.write(read(closingLine) ?? `0 passed, ${code === 0 ? 0 : 1} failed\n`);
      return code;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** True if an argument names tests. The named tests run on both stores, the long ones too. */
function namesTests(arg) {
  return arg === "--selectProjects" || arg.startsWith("test/");
}

/** Provides the language host of YAML. On a busy machine, its build can take longer than the time-out of a test. */
async function provideYaml(pulumi) {
  try {
    await provideLanguage("yaml", pulumi);
  } catch (error) {
    // The tests that need the host fail with the same message.
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
  }
}

/** Reads the closing line. There is none if Jest failed, or only listed tests. */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
