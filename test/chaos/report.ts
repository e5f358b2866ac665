import { type Breach, breaches } from "./ledger";
import type { Outcome } from "./run";

/** The ledger of a run as Markdown. */
export function reportOf({ plan, struck, ledger, events, again, stormMs, drainMs }: Outcome): string {
  const faults = [...struck.values()].reduce((sum, { times }) => sum + times, 0);
  const rows: [string, string | number][] = [
    [
      "written and acknowledged",
      `${ledger.acknowledged} in ${seconds(stormMs)}, ${ledger.doubtful} without an answer`,
    ],
    ["lists read meanwhile", ledger.reads],
    ["events", `${events}; the last arrived ${seconds(drainMs)} later, ${again} arrived again`],
    ["faults", faults],
    ...[...struck]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([kind, { times, doubtful, slowestMs }]): [string, string] => [
        `– ${kind}`,
        `${times}, ready at most ${seconds(slowestMs)} later, ${doubtful} writes without an answer`,
      ]),
    ...Object.entries(breaches).map(([breach, what]): [string, number] => [
      `**${breach}**: ${what}`,
      ledger.findings.filter((finding) => finding.breach === (breach as Breach)).length,
    ]),
  ];
  const head = ["on PostgreSQL, two servers", "on SQLite, one server"][plan.engine === "postgres" ? 0 : 1];
  const lines = rows.map(([what, count]) => `| ${what} | ${count} |`);
  const found = ledger.findings.slice(0, 20).map(({ breach, text }) => `- ${breach}: ${text}`);
  return [`| ${head}, seed ${plan.seed} | |`, "| --- | --- |", ...lines, ...found].join("\n");
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
