import type { App } from "../http/app";
import { json, jsonText } from "../http/reply";
import type { Route } from "../http/route";
import { assetAnswer, loadAssets } from "../platform/assets";
import { Refusal } from "../platform/refusal";
import { type DevelopmentAccess, signpost } from "./banner";
import { openApi } from "./openapi";

const pageHeaders = {
  /** Allows nothing from other origins, nothing inline, and no frames. */
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

/**
 * Serves the OpenAPI documents, which are made on first use, and `/docs`, where people read them and try requests.
 * @choice Without a dashboard, `/` redirects browsers to `/docs`.
 */
export function serveDocs(
  app: App,
  routes: readonly Route[],
  controlDocument: () => object,
  development: () => Promise<DevelopmentAccess | undefined>,
): void {
  const pages = loadAssets("ops/reference");
  let api: string | undefined;
  let control: string | undefined;
  app.route("GET", "/openapi.json", () => {
    api ??= JSON.stringify(openApi(routes));
    return jsonText(200, api);
  });
  app.route("GET", "/openapi-control.json", () => {
    control ??= JSON.stringify(controlDocument());
    return jsonText(200, control);
  });
  app.route("GET", "/", async ({ headers }) =>
    /\btext\/html\b/.test(headers.accept ?? "")
      ? { status: 302, headers: { location: "/docs" } }
      : {
          status: 200,
          headers: { "content-type": "text/plain; charset=utf-8" },
          body: signpost(`http://${headers.host}`, await development()),
        },
  );
  app.route("GET", "/docs", ({ headers }) => {
    const page = pages.get("index.html");
    if (!page)
      throw new Refusal(503, "not_built", "The reference is not built yet. Build it with npm run setup.");
    return assetAnswer(headers, page, pageHeaders);
  });
  app.route("GET", "/docs/development", async () => {
    const access = await development();
    // The reference page fills the token and the team into its forms.
    const answer = json(200, access ? { token: access.tokens[0], team: access.team.slug } : {});
    return { ...answer, headers: { ...answer.headers, "cache-control": "no-store" } };
  });
  app.route("GET", "/docs/:file", ({ headers, params: { file = "" } }) => {
    const found = pages.get(file);
    if (!found) throw new Refusal(404, "not_found", "The reference has no such file.");
    return assetAnswer(headers, found);
  });
}
