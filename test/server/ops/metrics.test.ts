import type { App } from "../../../server/http/app";
import { serveMetrics } from "../../../server/ops/metrics";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const read = async (): Promise<string> =>
  (await world.call("GET", "/metrics", { token: null, team: null })).body;

describe("the metrics", () => {
  it("count requests by method, route and status, and need no token", async () => {
    await world.call("POST", "/v10/projects", { body: { name: "secret-name" } });
    for (let i = 0; i < 3; i++) await world.call("GET", "/v9/projects/secret-name");
    await world.call("GET", "/v9/projects/nothing");
    const text = await read();
    expect(text).toContain('slipway_requests_total{method="GET",route="/projects/:idOrName",status="200"} 3');
    expect(text).toContain('slipway_requests_total{method="GET",route="/projects/:idOrName",status="404"} 1');
    expect(text).toContain('slipway_request_duration_seconds_count{method="POST",route="/projects"} 1');
    expect(text).not.toContain("secret-name");
  });

  it("take paths that there are not for one", async () => {
    await world.call("GET", "/v9/one");
    await world.call("GET", "/v9/two");
    expect(await read()).toContain('slipway_requests_total{method="GET",route="unknown",status="404"} 2');
  });

  it("tell what waits for delivery, and what failed for good", async () => {
    expect(await read()).toContain(
      'slipway_deliveries{state="waiting"} 0\nslipway_deliveries{state="dead"} 0\n',
    );
    // Nothing listens there.
    const body = { url: "http://127.0.0.1:9/", events: ["project.created"] };
    await world.call("POST", "/v1/webhooks", { body });
    for (const name of ["a", "b"]) await world.call("POST", "/v10/projects", { body: { name } });
    await world.services.store.write((tx) =>
      tx.updateTable("deliveries").set({ state: "dead" }).where("attempts", ">=", 0).execute(),
    );
    await world.call("POST", "/v10/projects", { body: { name: "c" } });
    expect(await read()).toContain(
      'slipway_deliveries{state="waiting"} 1\nslipway_deliveries{state="dead"} 2\n',
    );
    await world.services.store.write((tx) =>
      tx.updateTable("deliveries").set({ state: "delivered" }).execute(),
    );
    expect(await read()).toContain(
      'slipway_deliveries{state="waiting"} 0\nslipway_deliveries{state="dead"} 0\n',
    );
  });

  it("are in the form that Prometheus reads, with times added up", async () => {
    await world.call("GET", "/v9/projects");
    await world.call("GET", "/v9/projects");
    const answer = await world.call("GET", "/metrics", { token: null, team: null });
    expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = String(answer.body).split("\n");
    const kinds = {
      slipway_requests_total: "counter",
      slipway_request_duration_seconds: "histogram",
      slipway_deliveries: "gauge",
      process_resident_memory_bytes: "gauge",
      process_start_time_seconds: "gauge",
    };
    for (const [name, kind] of Object.entries(kinds)) {
      const at = lines.indexOf(`# TYPE ${name} ${kind}`);
      expect(lines[at - 1]).toMatch(new RegExp(`^# HELP ${name} \\S`));
      expect(lines[at + 1]).toMatch(new RegExp(`^${name}[ {_]`));
    }
    for (const line of lines) expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[^}]+\})? [\d.e+-]+|)$/);
    const labels = 'method="GET",route="/projects"';
    const value = (start: string): number =>
      Number(lines.find((line) => line.startsWith(start))?.split("} ")[1] ?? Number.NaN);
    const buckets = lines.filter((line) => line.includes(`_bucket{${labels}`));
    expect(buckets.map((line) => /le="([^"]+)"/.exec(line)?.[1])).toEqual(
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, "+Inf"].map(String),
    );
    const counts = buckets.map((line) => Number(line.split("} ")[1]));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(2);
    expect(value(`slipway_request_duration_seconds_count{${labels}}`)).toBe(2);
    const sum = value(`slipway_request_duration_seconds_sum{${labels}}`);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(60);
    const of = (name: string): number =>
      Number(lines.find((line) => line.startsWith(`${name} `))?.split(" ")[1]);
    expect(of("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(Math.abs(of("process_start_time_seconds") - (Date.now() / 1000 - process.uptime()))).toBeLessThan(
      2,
    );
  });

  it("count a request that takes longer than the largest bound in the last bucket alone", async () => {
    let observe: ((seen: object) => void) | undefined;
    let answer: (() => Promise<{ body: string }>) | undefined;
    const app = {
      observe: (observer: typeof observe) => {
        observe = observer;
      },
      route: (_method: string, _path: string, handler: typeof answer) => {
        answer = handler;
      },
    };
    serveMetrics(app as unknown as App, world.services);
    for (const ms of [5_000, 5_001])
      observe?.({ request: { method: "GET" }, route: "/projects", status: 200, ms });
    const text = (await answer?.())?.body ?? "";
    expect([...text.matchAll(/le="(1|5|\+Inf)"} (\d)/g)].map(([, bound, count]) => [bound, count])).toEqual([
      ["1", "0"],
      ["5", "1"],
      ["+Inf", "2"],
    ]);
  });
});
