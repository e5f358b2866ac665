import { countUndelivered } from "../events/delivery-store";
import type { App } from "../http/app";
import type { Services } from "../platform/services";
import type { Store } from "../store/store";

/** Upper bounds of the histogram's buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** The counts of requests of one method to one route. */
interface Counts {
  byStatus: Map<number, number>;
  /** The number of requests in each bucket. The last bucket is for requests above the largest bound. */
  buckets: number[];
  seconds: number;
}

/**
 * Serves `/metrics` in the text format of Prometheus, without a token. The answer has paths of routes and counts, but
 * no names or values.
 */
export function serveMetrics(app: App, { store }: Services): void {
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  const routes = new Map<string, Counts>();
  // Unknown paths share one label, so that a scanner cannot fill the memory.
  app.observe(({ request: { method = "" }, route = "unknown", status, ms }) => {
    if (status === null) return;
    const labels = `method="${method}",route="${route}"`;
    let counts = routes.get(labels);
    if (counts === undefined) {
      counts = { byStatus: new Map(), buckets: new Array(bounds.length + 1).fill(0), seconds: 0 };
      routes.set(labels, counts);
    }
    const seconds = ms / 1000;
    const at = bounds.findIndex((bound) => seconds <= bound);
    const bucket = at < 0 ? bounds.length : at;
    counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
    counts.seconds += seconds;
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
  });
  app.route("GET", "/metrics", async () => {
    const text = [
      metric("slipway_requests_total", "counter", "Requests answered.", requestsIn(routes)),
      metric(
        "slipway_request_duration_seconds",
        "histogram",
        "Time from the head of a request to the end of its answer.",
        durationsIn(routes),
      ),
      metric(
        "slipway_deliveries",
        "gauge",
        "Deliveries of events to receivers, by state.",
        await deliveriesIn(store),
      ),
      metric("process_resident_memory_bytes", "gauge", "Resident memory.", [["", process.memoryUsage.rss()]]),
      metric("process_start_time_seconds", "gauge", "When the process started.", [["", startedAt]]),
    ];
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return { status: 200, headers, body: text.join("") };
  });
}

/** The suffix with labels, and the value. */
type Sample = [suffix: string, value: number];

const metric = (name: string, type: string, help: string, samples: Sample[]): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map(([suffix, value]) => `${name}${suffix} ${value}\n`).join("")}`;

const requestsIn = (routes: ReadonlyMap<string, Counts>): Sample[] =>
  [...routes].flatMap(([labels, { byStatus }]) =>
    [...byStatus].map(([status, count]): Sample => [`{${labels},status="${status}"}`, count]),
  );

/** The buckets of Prometheus are cumulative. */
function durationsIn(routes: ReadonlyMap<string, Counts>): Sample[] {
  return [...routes].flatMap(([labels, { buckets, seconds }]) => {
    let total = 0;
    const samples = buckets.map((count, at): Sample => {
      total += count;
      return [`_bucket{${labels},le="${bounds[at] ?? "+Inf"}"}`, total];
    });
    return [...samples, [`_sum{${labels}}`, seconds], [`_count{${labels}}`, total]];
  });
}

async function deliveriesIn(store: Store): Promise<Sample[]> {
  const counts = await store.read(countUndelivered);
  return Object.entries(counts).map(([state, count]) => [`{state="${state}"}`, count]);
}
