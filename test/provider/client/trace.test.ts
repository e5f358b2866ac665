import { sentFor } from "../../../provider/client/sender";
import { flushSpans, tracedBy } from "../../../provider/client/trace";
import { project } from "../../../provider/resources/project";
import { Collector } from "../../support/collector";
import { Receiver } from "../../support/receiver";
import { type Harness, startHarness } from "../stack";

const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

let collector: Collector;
let w: Harness;
beforeAll(async () => {
  collector = await new Collector().start();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  w = await startHarness();
});
afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await w.close();
  await collector.stop();
});

it("makes each request a span below that of its caller", async () => {
  const stack = w.stack(project);
  await sentFor("Project web", () => tracedBy(`00-${trace}-${span}-01`, () => stack.up({ name: "web" })));
  await flushSpans();
  expect(collector.spans.find(({ name }) => name === "POST")).toMatchObject({
    traceId: trace,
    parentSpanId: span,
    service: "pulumi-slipway",
    attributes: {
      "http.request.method": "POST",
      "http.response.status_code": "200",
      "slipway.resource": "Project web",
    },
    status: {},
  });
  expect(JSON.stringify(collector.spans)).not.toContain(w.server.token);
});

it("passes its span on to the service", async () => {
  const service = await new Receiver().start();
  service.react = () => 404;
  const { length } = collector.spans;
  const client = w.another({ apiUrl: new URL(service.url).origin });
  await tracedBy(`00-${trace}-${span}-01`, () => client.project("web")).catch(() => {});
  await flushSpans();
  await service.stop();
  const [sent] = collector.spans.slice(length);
  expect(service.arrived[0]?.headers.traceparent).toBe(`00-${trace}-${sent?.spanId}-01`);
});

it("marks a request that is refused", async () => {
  const { length } = collector.spans;
  await expect(tracedBy(undefined, () => w.another().project("nothing"))).rejects.toThrow();
  await flushSpans();
  expect(collector.spans.slice(length)).toMatchObject([
    { name: "GET", status: { code: 2 }, attributes: { "http.response.status_code": "404" } },
  ]);
});
