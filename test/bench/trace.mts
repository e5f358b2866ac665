import { readFileSync } from "node:fs";

/** Seconds since the epoch. */
export interface Interval {
  begin: number;
  end: number;
}

interface Span extends Interval {
  name: string;
}

/** A line of the file: what one process has exported at once, in the form of OpenTelemetry. */
interface Exported {
  resourceSpans: {
    scopeSpans: { spans: { name: string; startTimeUnixNano: string; endTimeUnixNano: string }[] }[];
  }[];
}

/** The parts that work in an `up`. A moment counts for the first of them that is working. */
const kinds = ["API", "provider", "file backend", "start of processes", "engine and program"] as const;
export type Shares = Record<(typeof kinds)[number], number>;
export const shareNames: readonly (keyof Shares)[] = kinds;

/**
 * Divides the time of a run, by the trace that the CLI writes with `--otel-traces`.
 * @param requests the times of the requests to the API
 * @returns seconds, which add up to the whole run
 */
export function sharesOf(file: string, requests: readonly Interval[]): Shares {
  const spans = spansIn(file);
  const whole = spans.find(({ name }) => name === "pulumi");
  if (!whole) throw new Error(`${file} has no span of the whole run.`);
  const named = (pattern: RegExp): Interval[] => spans.filter(({ name }) => pattern.test(name));
  const [program] = named(/^run-program$/);
  const registered = named(/ResourceMonitor\/RegisterResource$/).map(({ begin }) => begin);
  const loading = program ? [{ begin: program.begin, end: Math.min(program.end, ...registered) }] : [];
  const starts = named(/^newPlugin$|ResourceProvider\/(Handshake|GetPluginInfo|CheckConfig|Configure)$/);
  const atWork: Record<keyof Shares, Interval[]> = {
    API: [...requests],
    provider: named(/ResourceProvider\/(Check|Diff|Create|Read|Update|Delete)$/),
    "file backend": named(/^gocloud\.dev\/blob\./),
    "start of processes": [...starts, ...loading],
    "engine and program": [whole],
  };
  return divided(whole, atWork);
}

function spansIn(file: string): Span[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => (JSON.parse(line) as Exported).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map(({ name, startTimeUnixNano, endTimeUnixNano }) => ({
      name,
      begin: Number(startTimeUnixNano) / 1e9,
      end: Number(endTimeUnixNano) / 1e9,
    }));
}

/** Counts each moment of the whole for the first kind that has an interval there. */
function divided(whole: Interval, atWork: Record<keyof Shares, Interval[]>): Shares {
  const shares = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Shares;
  const marks = kinds.flatMap((kind, rank) =>
    atWork[kind].flatMap(({ begin, end }) => [
      { at: clamp(begin, whole), rank, change: 1 },
      { at: clamp(end, whole), rank, change: -1 },
    ]),
  );
  const open = kinds.map(() => 0);
  let last = whole.begin;
  for (const { at, rank, change } of marks.sort((a, b) => a.at - b.at)) {
    const kind = kinds[open.findIndex((count) => count > 0)];
    if (kind !== undefined) shares[kind] += at - last;
    open[rank] = (open[rank] ?? 0) + change;
    last = at;
  }
  return shares;
}

const clamp = (at: number, { begin, end }: Interval): number => Math.min(end, Math.max(begin, at));
