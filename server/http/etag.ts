/**
 * True if a client already has the version of an answer that an entity tag names.
 * @param header `If-None-Match` of the request: tags separated by commas, or `*`
 * @param etag with its quotation marks
 */
export function hasVersion(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
