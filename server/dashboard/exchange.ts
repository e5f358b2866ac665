import type { IncomingMessage, ServerResponse } from "node:http";
import { readChunks } from "../http/context";
import { badRequest, Refusal } from "../platform/refusal";

/** The largest body of a request, in bytes. */
const bodyLimit = 256 * 1024;

/** Allows nothing from other origins, nothing inline, and no frames. */
export const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const pageHeaders = {
  "content-security-policy": contentPolicy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
};

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const body = value === undefined ? "" : JSON.stringify(value);
  response
    .writeHead(status, {
      ...headers,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
}

/** @returns the value of the body, which is an object @throws Refusal 400 or 413 */
export async function readJson(request: IncomingMessage): Promise<object> {
  const parts: Buffer[] = [];
  await readChunks(request, bodyLimit, (part) => parts.push(part));
  const text = Buffer.concat(parts).toString("utf8");
  const value = text === "" ? {} : parse(text);
  if (typeof value === "object" && value !== null) return value;
  throw badRequest("The body is not a JSON object.");
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badRequest("The body is not JSON.");
  }
}

/**
 * Guards against cross-site requests. A change needs a header that forms and other origins cannot send. If the
 * browser names the origin of the request, that must be the dashboard's.
 * @throws Refusal 403
 */
export function refuseForeignPage({ headers }: IncomingMessage): void {
  const { origin, host = "" } = headers;
  const site = headers["sec-fetch-site"];
  const isOwn =
    headers["x-slipway-dashboard"] === "1" &&
    (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) &&
    (site === undefined || site === "same-origin");
  if (isOwn) return;
  throw new Refusal(
    403,
    "forbidden",
    "Only the page of the dashboard can make changes. Open it, and try again.",
  );
}
