import { withAccount } from "../core/account";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { refuseExisting, refuseIrregular, refuseOwnFiles, refuseUnwritable } from "../core/own-files";
import { kinds, namesOf } from "../objects";
import { SnapshotFile } from "./file";
import { showProgress } from "./progress";
import { AccountReader, type Counts } from "./read";

const copied = kinds.filter((kind) => "rows" in kind);

export const snapshot = command({
  summary: "writes a copy of an account to a seed file, which slipway serve can start from",
  description:
    "Reads an account with GET requests only, and writes a seed file: its projects with all settings, " +
    `${namesOf(copied, "aliases", "newest deployments")}, with their ids and times. ` +
    "SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select the account.",
  flags: {
    output: { value: "file", short: "o", help: "file to write; by default standard output" },
    force: { help: "overwrites an existing file" },
    withValues: {
      help: "also reads the values of variables and other secrets; only you can read the file",
    },
  },
  notes: `Without --with-values, the file has placeholders for all values of variables, and only the origins of the URLs of
webhooks and log drains. It lists them at its end, with everything else that the API does not return, and with what this
version does not know and leaves out. It never has an access token. A server with this file sends no events, log lines
or mail.`,
  examples: [
    ["slipway snapshot -o account.json", "writes the account to a file"],
    ["slipway serve --data memory --seed account.json", "serves the copy"],
  ],
  run: ({ flags }) => runSnapshot(flags),
});

interface SnapshotFlags {
  output: string | undefined;
  withValues: boolean | undefined;
  force: boolean | undefined;
}

/** @throws UserError, ConfigError */
async function runSnapshot({ output, force, withValues = false }: SnapshotFlags): Promise<void> {
  if (withValues && output === undefined)
    throw new UserError(
      "A snapshot with values contains secrets. Write it to a file, which only you can read: --output account.json",
    );
  if (output !== undefined) {
    refuseOwnFiles(output);
    refuseIrregular(output, "Choose another file.");
    if (!force) refuseExisting([output], "Choose another file, or overwrite it with --force.");
    refuseUnwritable(output, "Choose another file with --output.");
  }
  const file = new SnapshotFile();
  try {
    const counts = await withAccount(async (client) => {
      const progress = showProgress();
      const counts = await new AccountReader(client, file, { withValues, progress: progress.show }).read();
      progress.end();
      write(file, client.settings.apiUrl, output, withValues);
      return counts;
    });
    process.stderr.write(`slipway: ${summary(counts, output)}\n`);
  } finally {
    file.close();
  }
}

function write(file: SnapshotFile, apiUrl: string, output: string | undefined, isSecret: boolean): void {
  try {
    file.write(apiUrl, output, isSecret ? 0o600 : 0o644);
  } catch (error) {
    // A reader such as `head` has closed the pipe.
    if (output === undefined && (error as NodeJS.ErrnoException).code === "EPIPE") process.exit(0);
    throw new UserError(
      `${output ?? "The standard output"} cannot be written (${(error as Error).message}). Choose another file with --output.`,
    );
  }
}

function summary({ projects, placeholders }: Counts, output: string | undefined): string {
  const what = `${projects} project${projects === 1 ? "" : "s"}`;
  const start = output === undefined ? `wrote a snapshot of ${what}` : `wrote ${output}: ${what}`;
  if (placeholders === 0) return start;
  const missing = placeholders === 1 ? "1 fact was" : `${placeholders} facts were`;
  return `${start}. ${missing} not read: see "placeholders" at the end of the file`;
}
