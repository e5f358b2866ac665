/** A line of the benchmark's table. */
export interface Row {
  name: string;
  /** A ratio of one run, unless it says its unit. */
  measured: string;
  goal: string;
  /** Requests per second on the machine of the run: for orientation, not for comparison. */
  rate?: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, measured, goal, rate }) => `| ${name} | ${measured} | ${goal} | ${rate ?? ""} |`,
  );
  return ["| what | measured | goal | requests/s |", "|---|---|---|---|", ...lines].join("\n");
}
