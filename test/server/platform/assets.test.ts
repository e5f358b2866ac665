import { gzipSync } from "node:zlib";
import { assetAnswer } from "../../../server/platform/assets";

it("a file for browsers is compressed for those that accept that, and not sent again to those that have it", () => {
  const text = "<p>hello</p>";
  const page = { gzip: gzipSync(text), type: "text/html; charset=utf-8", etag: '"v1"' };
  const policy = { "content-security-policy": "default-src 'none'" };
  const about = {
    etag: '"v1"',
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
    ...policy,
  };
  const headers = { ...about, "content-type": page.type };
  expect(assetAnswer({ "accept-encoding": "br, gzip" }, page, policy)).toEqual({
    status: 200,
    headers: { ...headers, "content-encoding": "gzip" },
    body: page.gzip,
  });
  const plain = assetAnswer({ "if-none-match": '"v0"' }, page, policy);
  expect({ ...plain, body: String(plain.body) }).toEqual({ status: 200, headers, body: text });
  expect(assetAnswer({ "if-none-match": '"v1"' }, page, policy)).toEqual({ status: 304, headers: about });
});
