import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Services } from "./services";
import type { Traffic } from "./traffic";

/**
 * `/metrics` in Prometheus' text format, without a token: it tells paths of the API and counts, never a name
 * or a value.
 */
export function metrics(app: FastifyInstance, { store }: Services, traffic: Traffic): void {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "slipway_requests_total",
    help: "Requests answered.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "slipway_request_duration_seconds",
    help: "Time from a request's head to the end of its answer.",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  new Gauge({
    name: "slipway_deliveries",
    help: "Events on their way to a receiver, by state.",
    labelNames: ["state"],
    registers,
    async collect() {
      const rows = await store.read((tx) =>
        tx
          .selectFrom("deliveries")
          .select((eb) => ["state", eb.fn.countAll<number>().as("count")])
          .where("state", "!=", "delivered")
          .groupBy("state")
          .execute(),
      );
      this.reset();
      for (const state of ["waiting", "dead"]) this.set({ state }, 0);
      for (const { state, count } of rows) this.set({ state }, Number(count));
    },
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the process started.",
    registers,
  }).set(Math.round(Date.now() / 1000 - process.uptime()));

  // Paths that the server does not have are one: a scanner must not fill the memory with them.
  traffic.onAnswered(({ request: { method = "" }, route = "unknown", status, ms }) => {
    requests.inc({ method, route, status });
    durations.observe({ method, route }, ms / 1000);
  });
  app.get("/metrics", async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
