import * as z from "zod";
import { command } from "../core/command";
import { UsageError } from "../core/errors";
import { paint, print, printJson, say } from "../core/output";
import { checkAccount } from "./account";
import { compareAnswers } from "./api/compare";
import { mostRequests } from "./api/reader";
import { comparison, comparisonMarkdown, comparisonText } from "./api/report";
import { objectsRead } from "./api/walk";
import { type Check, check } from "./check";
import { checkNode, checkPlugin, checkPulumi } from "./machine";

export const doctor = command({
  summary: "checks this machine and the account, and says what to do",
  description:
    "Checks Node.js, the Pulumi CLI and the plugin, then the address, token, team, scopes, clock and version of the " +
    "API that SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select. With --api, compares the answers of the API with " +
    "those that Slipway expects instead. Sends GET requests only.",
  flags: {
    api: { help: "compares the answers of the API with the provider and the bundled server" },
    markdown: { help: "prints the comparison of --api as Markdown" },
  },
  notes: `--api reads the first page of each list, ${objectsRead} projects, and ${objectsRead} objects of each other kind in each project or
account, with at most ${mostRequests} requests. It also reads unknown objects, to compare error codes. The report has the names and
types of members, and never a value, an id or a key of a map. If the token may not read a kind of object, the report
says so.`,
  examples: [
    ["slipway doctor", "checks everything"],
    ["slipway doctor --json", "for a bug report, without the token"],
    ["slipway doctor --api --markdown", "for a report about an answer that Slipway does not expect"],
  ],
  exitCodes: { 1: "a check found a problem, or --api found a difference" },
  output: z.union([z.strictObject({ checks: z.array(check) }), comparison]),
  async run({ flags: { api, markdown }, json }) {
    if (json && markdown) throw new UsageError("Give --json or --markdown, not both.");
    if (markdown && !api) throw new UsageError("--markdown needs --api.");
    if (api) return compareApi(json, markdown);
    const checks = [checkNode(), checkPulumi(), checkPlugin(), ...(await checkAccount())];
    if (json) printJson({ checks });
    else for (const one of checks) printCheck(one);
    return checks.some(({ state }) => state === "problem") ? 1 : 0;
  },
});

async function compareApi(json: boolean, markdown: boolean | undefined): Promise<number> {
  const found = await compareAnswers((kind) => say(`comparing ${kind}`));
  if (json) printJson(found);
  else for (const line of (markdown ? comparisonMarkdown : comparisonText)(found)) print(line);
  return found.differences.length > 0 ? 1 : 0;
}

const marks = {
  ok: ["green", "ok"],
  warning: ["yellow", "warning"],
  problem: ["red", "problem"],
  skipped: ["gray", "skipped"],
} as const;

function printCheck({ name, state, found, hint }: Check): void {
  const [color, mark] = marks[state];
  print(`${paint(color, mark.padEnd(7))}  ${name.padEnd(14)}  ${found}`);
  if (hint !== null) print(`${" ".repeat(25)}${hint}`);
}
