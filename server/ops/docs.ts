import type { FastifyInstance } from "fastify";
import type { Route } from "../http/route";
import { once } from "../platform/lazy";
import type * as OpenApiPart from "./openapi";

/**
 * Serves the OpenAPI document and a page that is readable without any other host, which are made when they are
 * first asked for.
 * @choice The address that the server prints leads to the page, for those who open it in a browser.
 */
export function serveDocuments(app: FastifyInstance, routes: () => readonly Route[]): void {
  const maker = (): typeof OpenApiPart => require("./openapi");
  const document = once(() => JSON.stringify(maker().openApi(routes())));
  const page = once(() => maker().readablePage(routes()));
  app.get("/openapi.json", (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(document()),
  );
  app.get("/", (_request, reply) => reply.redirect("/docs"));
  app.get("/docs", (_request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .send(page()),
  );
}
