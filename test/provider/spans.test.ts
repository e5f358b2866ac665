import {
  contextBelow,
  parseTraceParent,
  type Span,
  type SpanExporter,
  spanExporter,
  traceParent,
} from "../../provider/spans";
import { Collector } from "../support/collector";

let collector: Collector;
beforeEach(async () => {
  collector = await new Collector().start();
});
afterEach(() => collector.stop());

const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
let told: string[] = [];
beforeEach(() => {
  told = [];
});
const exporterWith = (environment: NodeJS.ProcessEnv): SpanExporter | undefined => {
  const own = told;
  return spanExporter("test", (text) => own.push(text), environment);
};

const someSpan = (more: Partial<Span> = {}): Span => ({
  ...{ name: "GET", kind: "client", context: contextBelow(undefined), parent: undefined },
  ...{ from: 1_700_000_000_000.25, to: 1_700_000_000_001.5, attributes: {}, isError: false },
  ...more,
});

it.each([
  ["a sampled span", `00-${trace}-${span}-01`, { traceId: trace, spanId: span, isSampled: true }],
  [
    "a span that is not sampled",
    `00-${trace}-${span}-00`,
    { traceId: trace, spanId: span, isSampled: false },
  ],
  ["a later version", `01-${trace}-${span}-03-more`, { traceId: trace, spanId: span, isSampled: true }],
  ["zeros", `00-${"0".repeat(32)}-${span}-01`, undefined],
  ["other text", "hello", undefined],
  ["nothing", undefined, undefined],
])("reads %s", (_, text, expected) => {
  expect(parseTraceParent(text)).toEqual(expected);
});

it("continues the trace of a parent, and begins one without a parent", () => {
  const parent = parseTraceParent(`00-${trace}-${span}-00`);
  expect(traceParent(contextBelow(parent))).toMatch(new RegExp(`^00-${trace}-(?!${span})[0-9a-f]{16}-00$`));
  expect(parseTraceParent(traceParent(contextBelow(undefined)))).toMatchObject({ isSampled: true });
});

it("sends spans as the collector reads them", async () => {
  const exporter = exporterWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, x-other=c",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=ci",
  });
  const parent = contextBelow(undefined);
  const context = contextBelow(parent);
  exporter?.add(someSpan({ context, parent, attributes: { a: 1, b: "two", c: undefined }, isError: true }));
  await exporter?.flush();
  expect(collector.arrived).toMatchObject([
    {
      path: "/hook/v1/traces",
      headers: { "x-key": "a b", "x-other": "c", "content-type": "application/json" },
    },
  ]);
  expect(collector.spans).toEqual([
    {
      traceId: parent.traceId,
      spanId: context.spanId,
      parentSpanId: parent.spanId,
      name: "GET",
      kind: 3,
      startTimeUnixNano: "1700000000000250000",
      endTimeUnixNano: "1700000000001500000",
      status: { code: 2 },
      service: "test",
      attributes: { a: "1", b: "two" },
    },
  ]);
});

it("sends many spans in several requests, and soon without being asked", async () => {
  const exporter = exporterWith({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/mine` });
  for (let i = 0; i < 600; i++) exporter?.add(someSpan());
  await collector.waitFor(2);
  await exporter?.flush();
  expect(collector.spans).toHaveLength(600);
  expect(collector.arrived.map(({ path }) => path)).toEqual(["/hook/mine", "/hook/mine"]);
});

it("sends no span of a trace that is not sampled", async () => {
  const exporter = exporterWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  exporter?.add(someSpan({ context: contextBelow(parseTraceParent(`00-${trace}-${span}-00`)) }));
  await exporter?.flush();
  expect(collector.arrived).toEqual([]);
});

it.each([
  ["no collector is named", {}],
  ["it is disabled", { OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }],
  [
    "traces are disabled",
    { OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
  ],
])("sends nothing if %s", (_, environment) => {
  expect(exporterWith(environment)).toBeUndefined();
  expect(told).toEqual([]);
});

it("says that an address is none", () => {
  expect(exporterWith({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" })).toBeUndefined();
  expect(told).toEqual([expect.stringContaining("no address that begins with http:// or https://")]);
});

it("says once that a collector does not take spans, without a token in its address", async () => {
  const { url } = collector;
  const exporter = exporterWith({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/token-of-mine` });
  collector.react = () => 401;
  for (let i = 0; i < 2; i++) {
    exporter?.add(someSpan());
    await exporter?.flush();
  }
  expect(told).toEqual([
    `Spans cannot be sent to the collector at ${new URL(url).host}: it answers 401. ` +
      "Slipway speaks OTLP over HTTP with JSON, whose usual port is 4318.",
  ]);
  const unreachable = exporterWith({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  unreachable?.add(someSpan());
  await unreachable?.flush();
  expect(told[1]).toContain("at 127.0.0.1:9: ");
});
