/** @own-code */
import { startServer } from "../../../server";
import { Collector } from "../../support/collector";

const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

let collector: Collector;
beforeEach(async () => {
  collector = await new Collector().start();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
});
afterEach(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await collector.stop();
});

it("sends a span for each request, in the trace of its client, when the server ends at the latest", async () => {
  const server = await startServer();
  const get = (path: string, headers = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.token}`, ...headers } });
  const traced = await get("/v9/projects/secret-name?slug=acme&until=1", {
    traceparent: `00-${trace}-${span}-01`,
  });
  await get("/v9/projects?slug=acme");
  await get("/health", { traceparent: `00-${trace}-${span}-00` });
  await server.close();
  expect(collector.spans).toMatchObject([
    {
      traceId: trace,
      parentSpanId: span,
      name: "GET /projects/:idOrName",
      kind: 2,
      service: "slipway-server",
      attributes: {
        "http.route": "/projects/:idOrName",
        "http.response.status_code": "404",
        "slipway.code": "not_found",
        "slipway.request_id": traced.headers.get("x-vercel-id"),
      },
      status: {},
    },
    { name: "GET /projects", attributes: { "http.response.status_code": "200" } },
  ]);
  expect(collector.spans[1]?.parentSpanId).toBeUndefined();
  expect(JSON.stringify(collector.spans)).not.toContain(server.token);
});

it("sends nothing without a collector", async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const server = await startServer();
  await fetch(`${server.url}/health`);
  await server.close();
  expect(collector.arrived).toEqual([]);
});
