import { randomBytes } from "node:crypto";

/**
 * Spans of OpenTelemetry, sent to the collector that the usual variables name: OTLP over HTTP with JSON, with the ids of
 * W3C Trace Context. Without these variables, nothing is sent.
 */

/** A span that another process, or the caller, has begun. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** False if the spans of this trace are not to be sent. */
  isSampled: boolean;
}

export interface Span {
  name: string;
  kind: "server" | "client";
  context: SpanContext;
  parent: SpanContext | undefined;
  /** Milliseconds since the epoch, with fractions. */
  from: number;
  to: number;
  /** A member that is undefined is left out. It must contain no secret. */
  attributes: Record<string, string | number | undefined>;
  isError: boolean;
}

const kinds = { server: 2, client: 3 };
const header = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Reads the header or variable `traceparent`. @returns undefined if it is missing or malformed */
export function parseTraceParent(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = header.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceParent = ({ traceId, spanId, isSampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** A new span in the trace of its parent, or in a trace of its own. */
export const contextBelow = (parent: SpanContext | undefined): SpanContext => ({
  traceId: parent?.traceId ?? randomBytes(16).toString("hex"),
  spanId: randomBytes(8).toString("hex"),
  isSampled: parent?.isSampled ?? true,
});

/** @choice Spans are sent soon, because Pulumi ends the process of a provider without notice. */
const batchMs = 250;
const largestBatch = 512;
/** Spans beyond this number are dropped while the collector does not answer. */
const mostWaiting = 4_096;
const requestMs = 10_000;

/** Sends spans in batches. A span that the collector does not take is lost, and the first failure is told. */
export class SpanExporter {
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #hasFailed = false;

  /** @param tell shows one line to the user */
  constructor(
    private readonly collector: Collector,
    private readonly tell: (warning: string) => void,
  ) {}

  add(span: Span): void {
    if (!span.context.isSampled || this.#waiting.length >= mostWaiting) return;
    this.#waiting.push(span);
    this.#timer ??= setTimeout(() => void this.flush(), batchMs);
  }

  /** Sends all spans, and waits until the collector has answered. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#waiting.splice(0);
    for (let at = 0; at < spans.length; at += largestBatch)
      this.#sending = this.#sending.then(() => this.#send(spans.slice(at, at + largestBatch)));
    return this.#sending;
  }

  async #send(spans: Span[]): Promise<void> {
    const { url, headers, service, resource } = this.collector;
    const body = {
      resourceSpans: [
        {
          resource: { attributes: attributesOf({ ...resource, "service.name": service }) },
          scopeSpans: [{ scope: { name: "slipway" }, spans: spans.map(wireSpan) }],
        },
      ],
    };
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(requestMs),
      });
      await answer.arrayBuffer();
      if (!answer.ok) this.#failed(`it answers ${answer.status}`);
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      this.#failed(cause?.code ?? (error as Error).name);
    }
  }

  /** The warning names the host alone: the address of a collector can contain a token. */
  #failed(reason: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.tell(
      `Spans cannot be sent to the collector at ${new URL(this.collector.url).host}: ${reason}. ` +
        "Slipway speaks OTLP over HTTP with JSON, whose usual port is 4318.",
    );
  }
}

interface Collector {
  url: string;
  headers: Record<string, string>;
  /** The name of the service in the traces. */
  service: string;
  resource: Record<string, string>;
}

/**
 * The exporter that the environment asks for. Its collector is `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or the path
 * `/v1/traces` below `OTEL_EXPORTER_OTLP_ENDPOINT`.
 * @returns undefined if there is no collector, or if `OTEL_SDK_DISABLED` or `OTEL_TRACES_EXPORTER=none` disables traces
 */
export function spanExporter(
  service: string,
  tell: (warning: string) => void,
  environment: NodeJS.ProcessEnv = process.env,
): SpanExporter | undefined {
  const of = (name: string): string | undefined => environment[name]?.trim() || undefined;
  if (of("OTEL_SDK_DISABLED")?.toLowerCase() === "true" || of("OTEL_TRACES_EXPORTER") === "none")
    return undefined;
  const base = of("OTEL_EXPORTER_OTLP_ENDPOINT");
  const url = of("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? (base && `${base.replace(/\/$/, "")}/v1/traces`);
  if (url === undefined) return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    tell(
      "The variable OTEL_EXPORTER_OTLP_ENDPOINT has no address that begins with http:// or https://, so no spans are sent.",
    );
    return undefined;
  }
  const headers = pairsOf(of("OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? of("OTEL_EXPORTER_OTLP_HEADERS"));
  const resource = pairsOf(of("OTEL_RESOURCE_ATTRIBUTES"));
  return new SpanExporter({ url, headers, service: of("OTEL_SERVICE_NAME") ?? service, resource }, tell);
}

/** Reads a list such as `a=1,b=two%20words`. */
function pairsOf(text = ""): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === undefined || value === undefined ? [] : [[name, decoded(value)] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const attributesOf = (all: Record<string, string | number | undefined>): object[] =>
  Object.entries(all).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [{ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } }];
  });

/** The time in nanoseconds, which JSON has as a text. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const wireSpan = ({ name, kind, context, parent, from, to, attributes, isError }: Span): object => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parent && { parentSpanId: parent.spanId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(from),
  endTimeUnixNano: nanoseconds(to),
  attributes: attributesOf(attributes),
  status: isError ? { code: 2 } : {},
});
