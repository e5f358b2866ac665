import { type Arrival, Receiver } from "./receiver";

/** A span as a collector gets it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  /** The name of the service. */
  service: string;
  attributes: Record<string, string | undefined>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}
const membersOf = (attributes: Attribute[]): Record<string, string | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

interface ResourceSpans {
  resource: { attributes: Attribute[] };
  scopeSpans: { spans: (Omit<CollectedSpan, "attributes" | "service"> & { attributes: Attribute[] })[] }[];
}
const spansIn = ({ body }: Arrival): CollectedSpan[] =>
  (body.resourceSpans as ResourceSpans[]).flatMap(({ resource, scopeSpans }) => {
    const service = membersOf(resource.attributes)["service.name"] ?? "";
    const spans = scopeSpans.flatMap((one) => one.spans);
    return spans.map((span) => ({ ...span, service, attributes: membersOf(span.attributes) }));
  });

/** A collector of OpenTelemetry that takes OTLP over HTTP with JSON. */
export class Collector extends Receiver {
  /** All spans that came, in order. */
  get spans(): CollectedSpan[] {
    return this.arrived.flatMap(spansIn);
  }
}
