import { paint, shown } from "../core/output";
import type { Audit } from "./read";
import { type Finding, type Risk, risks, type Severity } from "./risks";

const colors = { high: "red", medium: "yellow", low: "cyan" } as const satisfies Record<Severity, string>;

/** Groups findings by risk. The groups and their findings keep the order of the findings. */
function byRisk(findings: readonly Finding[]): [Risk, Finding[]][] {
  const groups = new Map<Risk, Finding[]>();
  for (const finding of findings) groups.set(finding.risk, [...(groups.get(finding.risk) ?? []), finding]);
  return [...groups];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const accountText = ({ account: { kind, name } }: Audit): string =>
  [kind === "team" ? "the team" : "the personal account", ...(name === null ? [] : [shown(name)])].join(" ");

/** A hint for an account without projects, which may be the wrong account. */
export function noProjects(audit: Audit): string | undefined {
  if (audit.projects > 0) return undefined;
  const text = accountText(audit);
  const hint = `Does SLIPWAY_TEAM name the ${audit.account.kind === "team" ? "right " : ""}team?`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} has no projects. ${hint}`;
}

/** The first line of both reports. */
function summary(audit: Audit): string {
  const { findings, projects } = audit;
  if (findings.length === 0 && projects === 0) return noProjects(audit) ?? "";
  const where = `in ${counted(projects, "project")} of ${accountText(audit)}`;
  if (findings.length === 0)
    return audit.unread.length === 0
      ? `No risks found ${where}.`
      : `No risks found in what the token may read ${where}. The rest was not checked.`;
  const high = findings.filter(({ risk }) => risks[risk].severity === "high").length;
  return `${counted(findings.length, "risk")} ${where}, ${high} of them high.`;
}

const unreadText = ({ unread }: Audit): string[] =>
  unread.length === 0
    ? []
    : [`Not checked, because the token may not read it: ${unread.map(shown).join(", ")}.`];

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

/** Escapes names, so that they are not rendered as Markdown and do not mention anybody. */
const cell = (text: string): string => (text === "" ? "" : `\`${shown(text).replace(/[`|]/g, "'")}\``);
