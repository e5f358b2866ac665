import { contextBelow, parseTraceParent, spanExporter } from "../../provider/spans";
import type { App } from "../http/app";
import type { Log } from "../platform/log";

/**
 * Sends a span for each request, if the environment names a collector. The request's header `traceparent` makes it part
 * of the client's trace. A span has the path of its route, the account and the status, and no values.
 * @returns sends the spans that wait
 */
export function traceRequests(app: App, log: Log): () => Promise<void> {
  const exporter = spanExporter("slipway-server", (warning) => log.warn({}, warning));
  if (!exporter) return async () => {};
  app.observe(({ request, route, path, requestId, status, ms, account, refusal }) => {
    const { method = "", headers } = request;
    const parent = parseTraceParent(String(headers.traceparent ?? ""));
    const to = Date.now();
    exporter.add({
      name: route === undefined ? method : `${method} ${route}`,
      kind: "server",
      context: contextBelow(parent),
      parent,
      ...{ from: to - ms, to },
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "url.path": path,
        "http.response.status_code": status ?? undefined,
        "slipway.account": account?.id,
        "slipway.code": refusal?.code,
        "slipway.request_id": requestId,
      },
      isError: status === null || status >= 500,
    });
  });
  return () => exporter.flush();
}
