import { spawn } from "node:child_process";
import * as z from "zod";
import { command } from "../core/command";
import { UsageError, UserError } from "../core/errors";
import { printJson, say } from "../core/output";
import { findHost, hostNote } from "./find-host";
import type { Host } from "./host";
import { codeBlock, hasMarker, isSameText, markerFor, shortened, withoutSecrets } from "./text";

const driftCode = 3;

export const ciDrift = command({
  summary: "opens an issue when a stack has drifted, and closes it when the drift is gone",
  description:
    "Runs a preview that expects no changes. When it finds some, opens an issue with them, or updates the open one. " +
    "When it finds none, closes the issue. When the preview fails for another reason, the issue stays as it is.",
  arguments: [
    {
      name: "command",
      isRepeated: true,
      isCommandLine: true,
      help: "pulumi preview with --expect-no-changes",
    },
  ],
  flags: {
    name: { value: "name", help: "names the stack in the issue", default: "production" },
    label: { value: "label", help: "the label of the issue", default: "drift" },
  },
  examples: [
    [
      "slipway ci drift -- pulumi preview --refresh --expect-no-changes --diff --non-interactive",
      "every night",
    ],
  ],
  notes: hostNote,
  exitCodes: { 1: "failure, or that of the command", 3: "drift" },
  output: z.strictObject({
    /** The number of the issue; null if there was no issue and no drift. */
    issue: z.int().nullable(),
    outcome: z.enum(["opened", "updated", "unchanged", "closed", "none"]),
  }),
  async run({ args, flags: { name, label }, json }) {
    if (!args.includes("--expect-no-changes")) {
      throw new UsageError("Add --expect-no-changes: its exit code shows whether there is drift.");
    }
    const host = findHost();
    const { code, output } = await runCommand(args);
    const isDrift = code !== 0 && driftPattern.test(output);
    if (code !== 0 && !isDrift) {
      say("the command failed for another reason than drift, so the issue stays as it is");
      return code;
    }
    const done = await recordDrift(host, { name, label, diff: isDrift ? output : undefined });
    if (json) printJson(done);
    else say(done.issue === null ? "no drift" : `${done.outcome}: issue ${done.issue} on ${host.name}`);
    return isDrift ? driftCode : 0;
  },
});

/** Matches the error that the Pulumi CLI prints with `--expect-no-changes` when it finds changes. */
const driftPattern = /no changes were expected (for \w+ )?but changes (were proposed|occurred)/;

interface Drift {
  name: string;
  label: string;
  /** The output of the preview; undefined without drift. */
  diff: string | undefined;
}
type Outcome = { issue: number | null; outcome: "opened" | "updated" | "unchanged" | "closed" | "none" };

/** Opens, updates or closes the issue of a stack. */
export async function recordDrift(host: Host, { name, label, diff }: Drift): Promise<Outcome> {
  const marker = markerFor(`drift of ${name}`);
  const known = (await host.issues(label)).find(({ body }) => hasMarker(body, marker));
  const job = host.jobUrl === undefined ? "" : ` by [this job](${host.jobUrl})`;
  if (diff === undefined) {
    if (known === undefined) return { issue: null, outcome: "none" };
    await host.closeIssue(known.id, `No drift was found${job}.`);
    return { issue: known.id, outcome: "closed" };
  }
  const intro =
    `The account differs from the stack ${name}. To revert the account, run \`pulumi up --refresh\`. ` +
    "To keep a change, declare it in the program.";
  const text = `${marker}\n${intro}\n\n${codeBlock(withoutSecrets(diff))}\n`;
  const body = shortened(text, host.longest, "See the log of the job for the rest.");
  if (known === undefined) {
    const { id } = await host.openIssue({ title: `Drift in ${name}`, body, label });
    return { issue: id, outcome: "opened" };
  }
  if (isSameText(known.body, body)) return { issue: known.id, outcome: "unchanged" };
  await host.changeIssue(known.id, body);
  return { issue: known.id, outcome: "updated" };
}

/** Runs a command without colors, and shows its output as it comes. */
function runCommand([file = "", ...args]: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((done, fail) => {
    // The program must not get the token of the Git host.
    const { GITHUB_TOKEN: _github, GH_TOKEN: _gh, NOTE_TOKEN: _note, ...env } = process.env;
    const child = spawn(file, args, {
      env: { ...env, PULUMI_OPTION_COLOR: "never" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        process.stderr.write(text);
      });
    }
    child.once("error", (error) => fail(new UserError(`${file} cannot be run (${error.message}).`)));
    child.once("close", (code) => done({ code: code ?? 1, output: stripped(output) }));
  });
}

/** Removes colors, warnings of npm, and lines that differ in every run, such as progress and links to the run. */
const stripped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
    .replace(/\u001b\[[\d;]*m/g, "")
    .split("\n")
    .filter((line) => !/^\s*(@ |npm warn |Duration:|View (Live|in Browser))/.test(line))
    .join("\n");
