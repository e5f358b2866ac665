/**
 * The objects that this process has created or renamed. Reads of the service may be some seconds older than a write, so a
 * 404 for such an object is asked again before it is believed.
 */
export class OwnObjects {
  /** The time of each creation, by path without version. */
  readonly #created = new Map<string, number>();

  /** Records the objects in the answer to a POST, or to a PATCH, which may give an object another name. */
  record(method: "POST" | "PATCH", path: string, body: unknown): void {
    const asked = unversioned(path);
    const parent = method === "POST" ? asked : asked.slice(0, asked.lastIndexOf("/"));
    for (const id of idsIn(body)) this.#created.set(`${parent}/${encodeURIComponent(id)}`, Date.now());
  }

  /** Forgets an object that is deleted, and all that it contains. */
  forget(path: string): void {
    const gone = unversioned(path);
    for (const known of this.#created.keys())
      if (known === gone || known.startsWith(`${gone}/`)) this.#created.delete(known);
  }

  /** The time since an object in the path was created, in milliseconds; undefined if this process created none. */
  ageOf(path: string): number | undefined {
    const asked = unversioned(path);
    for (let at = asked.length; at > 0; at = asked.lastIndexOf("/", at - 1)) {
      const created = this.#created.get(asked.slice(0, at));
      if (created !== undefined) return Date.now() - created;
    }
    return undefined;
  }
}

const unversioned = (path: string): string => path.replace(/^\/v\d+(?=\/)/, "");

/** The ids and the names in the answer to a write: domains have no id, and projects are also read by their names. */
function idsIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(idsIn);
  if (typeof body !== "object" || body === null) return [];
  const { created, uid, name, id } = body as Record<string, unknown>;
  if (typeof created === "object") return idsIn(created);
  return [id, uid, name].filter((one) => typeof one === "string");
}
