import type { FastifyInstance } from "fastify";
import type { Route } from "../http/route";
import { loadAssets, sendAsset } from "../platform/assets";
import { once } from "../platform/lazy";
import { Refusal } from "../platform/refusal";
import type * as OpenApiPart from "./openapi";

/** The viewer sets styles of its elements, and draws its arrows from data. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What the reference fills in, so that requests can be tried: nothing where there is no development account. */
export interface Development {
  token?: string;
  team?: string;
}

/**
 * Serves the OpenAPI document, which is made when it is first asked for, and `/docs`, where people read it and
 * try requests.
 * @choice The address that the server prints leads there, for those who open it in a browser.
 */
export function serveDocuments(
  app: FastifyInstance,
  routes: () => readonly Route[],
  development: () => Promise<Development>,
): void {
  const maker = (): typeof OpenApiPart => require("./openapi");
  const document = once(() => JSON.stringify(maker().openApi(routes())));
  const pages = loadAssets("ops/reference");
  app.get("/openapi.json", (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(document()),
  );
  app.get("/", (_request, reply) => reply.redirect("/docs"));
  app.get("/docs", (request, reply) => {
    const page = pages.get("index.html");
    if (!page)
      throw new Refusal(503, "not_built", "The reference was not built yet: npm run setup builds it.");
    reply.hijack();
    sendAsset(request.raw, reply.raw, page, {
      "content-security-policy": contentPolicy,
      "referrer-policy": "no-referrer",
    });
  });
  app.get("/docs/development", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return development();
  });
  app.get<{ Params: { file: string } }>("/docs/:file", (request, reply) => {
    const file = pages.get(request.params.file);
    if (!file) throw new Refusal(404, "not_found", "There is no such file.");
    reply.hijack();
    sendAsset(request.raw, reply.raw, file);
  });
}
