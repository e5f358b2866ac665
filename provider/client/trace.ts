import { AsyncLocalStorage } from "node:async_hooks";
import {
  contextBelow,
  parseTraceParent,
  type Span,
  type SpanContext,
  type SpanExporter,
  spanExporter,
  traceParent,
} from "../spans";
import { currentSender } from "./sender";

/** The traces of runs: Pulumi's `--otel-traces` begins them, and each request to the service is a span in them. */

const parents = new AsyncLocalStorage<SpanContext | undefined>();

/** Runs a step within the span of its caller. @param header the `traceparent` of the call, if it has one */
export const tracedBy = <T>(header: string | undefined, step: () => T): T =>
  parents.run(parseTraceParent(header), step);

/** Undefined until the first request; null if no collector is configured. */
let exporter: SpanExporter | null | undefined;

const exporterNow = (): SpanExporter | null => {
  exporter ??= spanExporter("pulumi-slipway", (text) => console.error(`slipway: warning: ${text}`)) ?? null;
  return exporter;
};

/** Sends the spans that wait. */
export const flushSpans = async (): Promise<void> => exporter?.flush();

/** A request that is part of a trace. */
export interface TracedRequest {
  /** `traceparent`, by which the spans of the server become part of the trace; empty outside of a trace. */
  headers: Record<string, string>;
  /** @param status the status of the answer; undefined if there is none */
  end(status: number | undefined): void;
}

/** @param path the path of the request, without its query */
export function traceRequest(method: string, path: string): TracedRequest {
  const parent = parents.getStore() ?? parseTraceParent(process.env.TRACEPARENT);
  const sends = exporterNow();
  if (!sends) return { headers: parent ? { traceparent: traceParent(parent) } : {}, end: () => {} };
  const context = contextBelow(parent);
  const [from, begun] = [Date.now(), performance.now()];
  return {
    headers: { traceparent: traceParent(context) },
    end(status) {
      const span: Span = {
        ...{ name: method, kind: "client", context, parent, from, to: from + performance.now() - begun },
        attributes: {
          "http.request.method": method,
          "url.path": path,
          "http.response.status_code": status,
          "slipway.resource": currentSender(),
        },
        isError: status === undefined || status >= 400,
      };
      sends.add(span);
    },
  };
}
