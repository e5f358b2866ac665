/** A path without its version, which is how the router knows it. */
export function unversioned(path: string): string {
  return path.replace(/^\/v\d+(?=\/)/, "");
}

/** What a request asks for, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** Tells which paths, without their version, a pattern means: a segment that begins with `:` stands for any. */
export function matcherOf(pattern: string): (path: string) => boolean {
  const wanted = unversioned(pattern).split("/");
  return (path) => {
    const segments = path.split("/");
    return (
      segments.length === wanted.length &&
      wanted.every((segment, at) => segment.startsWith(":") || segment === segments[at])
    );
  };
}

/** Id or name of the project that a path names, by what stands in it. */
export function projectKeyOf(params: unknown): string | undefined {
  const { idOrName, projectId } = params as { idOrName?: string; projectId?: string };
  return idOrName ?? projectId;
}
