import * as z from "zod";
import { withAccount } from "../core/account";
import { command } from "../core/command";
import { UsageError } from "../core/errors";
import { print, printJson, say } from "../core/output";
import { choicesFrom } from "../core/parse";
import { type Audit, audit } from "./read";
import { markdownReport, noProjects, textReport } from "./report";
import { type Finding, riskNames, risks, severities } from "./risks";

const finding = z.strictObject({
  risk: z.enum(riskNames),
  severity: z.enum(severities),
  project: z.string().nullable(),
  object: z.string().nullable(),
  detail: z.string(),
  hint: z.string(),
});

const conditions = ["any", ...severities, ...riskNames];
const parseFailOn = choicesFrom(conditions);

export const auditCommand = command({
  summary: "finds risks in an account",
  description:
    "Reads an account with GET requests only, and reports risks with a hint each: secrets that can be read, " +
    "unprotected previews, domains that are not verified, and more. It never prints the value of a variable. " +
    "SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select the account.",
  flags: {
    failOn: {
      value: "risks",
      help: "exits with 3 for these severities or risks, separated by commas; any stands for all, and for parts of the account that cannot be read",
      listOf: conditions,
      parse: parseFailOn,
    },
    markdown: { help: "prints Markdown" },
  },
  examples: [
    ["slipway audit", "shows the risks of an account"],
    ["slipway audit --fail-on high,preview-unprotected", "fails in CI for these"],
    ["slipway audit --markdown > audit.md", "for an issue or a wiki"],
  ],
  notes: `Risks:\n${riskNames.map((name) => `  ${name.padEnd(31)} ${risks[name].severity.padEnd(7)} ${risks[name].about}`).join("\n")}`,
  exitCodes: {
    1: "failure, or --fail-on for an account without projects",
    3: "--fail-on matches a risk, or any a part of the account that cannot be read",
  },
  output: z.strictObject({
    account: z.strictObject({
      kind: z.enum(["team", "user"]),
      /** The slug of the team, or the name of the user; null if the token may not read it. */
      name: z.string().nullable(),
    }),
    projects: z.int(),
    findings: z.array(finding),
    /** Parts of the account that the token may not read. Their risks are unknown. */
    unread: z.array(z.string()),
  }),
  async run({ flags: { failOn = [], markdown }, json }) {
    if (json && markdown) throw new UsageError("Give --json or --markdown, not both.");
    const found = await withAccount((client) => audit(client, showProgress));
    if (json) printJson(described(found));
    else for (const line of markdown ? markdownReport(found) : textReport(found)) print(line);
    if (found.findings.some((one) => matches(one, failOn))) return 3;
    if (found.unread.length > 0 && failOn.includes("any")) {
      say("--fail-on any fails, because the token may not read a part of the account.");
      return 3;
    }
    const hint = noProjects(found);
    if (failOn.length === 0 || hint === undefined) return 0;
    // An audit of the wrong account must not pass.
    say(`--fail-on has nothing to check. ${hint}`);
    return 1;
  },
});

const described = ({ findings, ...rest }: Audit) => ({
  ...rest,
  findings: findings.map((one) => ({
    ...one,
    severity: risks[one.risk].severity,
    hint: risks[one.risk].hint,
  })),
});

const matches = ({ risk }: Finding, failOn: readonly string[]): boolean =>
  failOn.some((name) => name === "any" || name === risk || name === risks[risk].severity);

/** On a terminal, shows how many projects were read. */
function showProgress(read: number, all: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\rslipway: read ${read} of ${all} projects${read === all ? "\r\u001b[K" : ""}`);
}
