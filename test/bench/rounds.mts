import { load, type Round } from "./load.mts";
import type { Plan } from "./plan.mts";
import type { Running } from "./process.mts";
import { median, progress, table } from "./report.mts";

/** A line of the table. */
export interface Row {
  what: string;
  /** Ratios of one run, unless it says its unit. */
  measured: string;
  goal: string;
  /** Processor time of our server per request. */
  cpu?: string;
  /** Requests per second on this machine: for orientation, not for comparison. */
  rate?: string;
}

export function tableOf(rows: readonly Row[]): string {
  return table([
    ["what", "measured", "goal", "processor time per request", "requests per second"],
    ...rows.map(({ what, measured, goal, cpu = "", rate = "" }) => [
      what,
      measured,
      withMisses(measured, goal),
      cpu,
      rate,
    ]),
  ]);
}

/** Marks each part of a goal that is missed, such as `≥ 1.5 × naive` by `1.4 × naive`. */
export function withMisses(measured: string, goal: string): string {
  const parts = measured.split(", ");
  return goal
    .split(", ")
    .map((one) => {
      const [, sign, limit, unit = ""] = /^([≥≤]) ([\d.]+)(.*)$/.exec(one) ?? [];
      const value = Number.parseFloat(parts.find((part) => part.endsWith(unit)) ?? "");
      const isMissed = sign === "≥" ? value < Number(limit) : sign === "≤" && value > Number(limit);
      return isMissed ? `${one} (missed)` : one;
    })
    .join(", ");
}

/** The cost of one round of load for the server. */
export interface Cost extends Round {
  /** Processor time of the server per request, in microseconds. */
  cpu: number;
}

/** @throws when a request is answered with something else than success */
export async function cost(
  server: Running,
  next: () => string | undefined,
  { connections, durationMs }: Pick<Plan, "connections" | "durationMs">,
): Promise<Cost> {
  const before = server.cpu();
  const round = await load(server.url, { connections, durationMs, next });
  const failed = Object.keys(round.statuses).filter((one) => Number(one) >= 300);
  if (failed.length > 0) throw new Error(`not all succeeded: ${JSON.stringify(round.statuses)}`);
  return { ...round, cpu: (server.cpu() - before) / round.requests };
}

/** The cost of a number of requests for the server, however long they take. @throws when not all are answered */
export async function exactly(
  server: Running,
  count: number,
  next: () => string,
  plan: Pick<Plan, "connections">,
): Promise<Cost> {
  let left = count;
  const limited = (): string | undefined => (left-- > 0 ? next() : undefined);
  const measured = await cost(server, limited, { ...plan, durationMs: 600_000 });
  if (measured.requests !== count)
    throw new Error(`${measured.requests} requests were answered instead of ${count}`);
  return measured;
}

/** A server in a comparison, and the requests that it gets. */
export interface Contender {
  server: Running;
  next: () => string;
}

/** Measures servers alternately. The first round warms them up and does not count. @returns rounds by contender */
export async function alternate(
  what: string,
  contenders: readonly Contender[],
  plan: Plan,
): Promise<Cost[][]> {
  const measured: Cost[][] = contenders.map(() => []);
  for (let round = 0; round <= plan.rounds; round++) {
    progress(`${what}: ${round === 0 ? "warming up" : `round ${round} of ${plan.rounds}`}`);
    for (const [at, { server, next }] of alternating(contenders, round)) {
      // Many lines of code take part in a request: it takes a while until all of them are compiled.
      const durationMs = round === 0 ? 3 * plan.durationMs : plan.durationMs;
      const one = await cost(server, next, { ...plan, durationMs });
      if (round > 0) measured[at]?.push(one);
    }
  }
  return measured;
}

/** The contenders with their places. In every other round the last one begins, because the first one is at a disadvantage. */
export function alternating<T>(contenders: readonly T[], round: number): [number, T][] {
  const all = [...contenders.entries()];
  return round % 2 === 0 ? all : all.reverse();
}

/** The middle one of the ratios of rounds that followed each other. */
export function ratio(
  ours: readonly Cost[],
  theirs: readonly Cost[],
  of: (one: Cost) => number = ({ rate }) => rate,
): number {
  return median(ours.map((one, at) => of(one) / of(theirs[at] ?? one)));
}

export const rateOf = (rounds: readonly Cost[]): string => median(rounds.map(({ rate }) => rate)).toFixed(0);
export const cpuOf = (rounds: readonly Cost[]): string =>
  `${median(rounds.map(({ cpu }) => cpu)).toFixed(0)} µs`;
