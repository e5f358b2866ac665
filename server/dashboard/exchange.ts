import type { IncomingMessage, ServerResponse } from "node:http";
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

/** @throws Refusal 400 or 413 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > bodyLimit) throw new Refusal(413, "bad_request", "The body is too large.");
    parts.push(part as Buffer);
  }
  const text = Buffer.concat(parts).toString("utf8");
  try {
    return text === "" ? {} : JSON.parse(text);
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
