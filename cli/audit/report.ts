import { paint, shown } from "../core/output";
import type { Audit } from "./read";
import { type Finding, type Risk, risks, type Severity } from "./risks";

const colors = { high: "red", medium: "yellow", low: "cyan" } as const satisfies Record<Severity, string>;

/** The findings of each risk, in their order. */
function byRisk(findings: readonly Finding[]): [Risk, Finding[]][] {
  const groups = new Map<Risk, Finding[]>();
  for (const finding of findings) groups.set(finding.risk, [...(groups.get(finding.risk) ?? []), finding]);
  return [...groups];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The first line of both reports. */
function summary({ findings, projects }: Audit): string {
  const where = `in ${counted(projects, "project")}`;
  if (findings.length === 0) return `No risks found ${where}.`;
  const high = findings.filter(({ risk }) => risks[risk].severity === "high").length;
  return `${counted(findings.length, "risk")} ${where}, ${high} of them high.`;
}

const unreadText = ({ unread }: Audit): string[] =>
  unread.length === 0 ? [] : [`Not checked, because the token may not read it: ${unread.join(", ")}.`];

export function textReport(audit: Audit): string[] {
  const groups = byRisk(audit.findings).flatMap(([risk, findings]) => {
    const { severity, about, hint } = risks[risk];
    return [
      "",
      `${paint(colors[severity], severity.padEnd(6))}  ${paint("bold", risk)}: ${about}`,
      ...findings.map(({ project, object, detail }) => {
        const place = [project, object].filter((part) => part !== null).map(shown);
        return `        ${place.join(": ")}: ${shown(detail)}`;
      }),
      `        ${paint("gray", hint)}`,
    ];
  });
  return [summary(audit), ...groups, ...unreadText(audit).flatMap((line) => ["", line])];
}

export function markdownReport(audit: Audit): string[] {
  const groups = byRisk(audit.findings).flatMap(([risk, findings]) => {
    const { severity, about, hint } = risks[risk];
    return [
      "",
      `### ${risk} (${severity})`,
      "",
      `${about.charAt(0).toUpperCase()}${about.slice(1)}. ${hint}`,
      "",
      "| project | object | |",
      "| --- | --- | --- |",
      ...findings.map(
        ({ project, object, detail }) =>
          `| ${cell(project ?? "")} | ${cell(object ?? "")} | ${cell(detail)} |`,
      ),
    ];
  });
  return [`**${summary(audit)}**`, ...groups, ...unreadText(audit).flatMap((line) => ["", line])];
}

/** Names of others must not be Markdown or mention anybody. */
const cell = (text: string): string => (text === "" ? "" : `\`${shown(text).replace(/[`|]/g, "'")}\``);
