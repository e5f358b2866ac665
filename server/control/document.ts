import { documented, inputSchema, json, parameters, refused, withComponents } from "../ops/openapi";
import { packageVersion } from "../platform/version";
import type { ControlRoute } from "./route";

/** The control plane as OpenAPI 3.1. */
export function controlOpenApi(routes: readonly ControlRoute[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = documented(`/_control${route.path}`);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Slipway control plane",
      version: packageVersion(),
      description:
        "Simulates events outside the API: builds, DNS records, time and failures. The control plane is available if the server was started with --control-token, and accepts only this token.",
    },
    servers: [{ url: "/" }],
    security: [{ controlToken: [] }],
    ...withComponents(paths, { controlToken: { type: "http", scheme: "bearer" } }),
  };
}

/** The first segment of the path, as a heading. */
function tagOf(path: string): string {
  const segment = path.split("/")[1] ?? "";
  return segment === "dns" ? "DNS" : segment.charAt(0).toUpperCase() + segment.slice(1);
}

function operation(route: ControlRoute): Record<string, unknown> {
  const { path, operationId, summary, params, query, body, example } = route;
  const content = body && json(inputSchema(body), example);
  return {
    operationId,
    summary,
    tags: [tagOf(path)],
    parameters: [...parameters(params, "path"), ...parameters(query, "query")],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      200: { description: "The result.", content: json({}) },
      204: { description: "Done." },
      400: refused("`bad_request`: an invalid value in the body or the query"),
      401: refused("`forbidden`: the control token is missing or wrong"),
      403: refused("`forbidden`: the request has a `Host` that is not allowed"),
      404: refused("`not_found`: there is no such object"),
    },
  };
}
