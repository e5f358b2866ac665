/**
 * True if an entity tag is among those of a request.
 * @param header `If-None-Match` or `If-Match` of the request: tags separated by commas, or `*`
 * @param etag with its quotation marks
 */
export function hasVersion(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
