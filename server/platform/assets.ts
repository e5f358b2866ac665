import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** A file for browsers, compressed during the build. */
interface Asset {
  gzip: Buffer;
  type: string;
  etag: string;
}

export type Assets = ReadonlyMap<string, Asset>;

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads the files of a folder below `dist/server` into memory, so that a build does not disturb a running server.
 * Before the first build, the map is empty.
 */
export function loadAssets(folder: string): Assets {
  // The server runs bundled in dist/server, and in tests from its sources.
  const built = [path.join(__dirname, folder), path.join(__dirname, "../../dist/server", folder)];
  const found = built.find((candidate) => existsSync(path.join(candidate, "index.html.gz")));
  if (found === undefined) return new Map();
  return new Map(
    readdirSync(found)
      .filter((file) => file.endsWith(".gz"))
      .map((file) => {
        const name = file.slice(0, -".gz".length);
        const gzip = readFileSync(path.join(found, file));
        const etag = `"${createHash("sha256").update(gzip).digest("base64url").slice(0, 22)}"`;
        return [name, { gzip, etag, type: types[path.extname(name)] ?? "application/octet-stream" }];
      }),
  );
}

/** @param asked the headers of the request @param headers further headers of the answer, such as a content policy */
export function assetAnswer(
  asked: IncomingHttpHeaders,
  { gzip, type, etag }: Asset,
  headers: Record<string, string> = {},
): { status: number; headers: Record<string, string>; body?: Buffer } {
  const about = {
    etag,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
    ...headers,
  };
  if (asked["if-none-match"] === etag) return { status: 304, headers: about };
  const takesGzip = /\bgzip\b/.test(asked["accept-encoding"] ?? "");
  return {
    status: 200,
    headers: { ...about, "content-type": type, ...(takesGzip ? { "content-encoding": "gzip" } : {}) },
    body: takesGzip ? gzip : gunzipSync(gzip),
  };
}

export function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  asset: Asset,
  headers: Record<string, string> = {},
): void {
  const { status, headers: all, body } = assetAnswer(request.headers, asset, headers);
  response.writeHead(status, body ? { ...all, "content-length": body.length } : all).end(body);
}
