/**
 * The objects that this process has created, renamed or deleted. Reads of the service may be some seconds older than a
 * write: a 404 for a created object is asked again before it is believed, and a deleted object in a list is ignored.
 */
export class OwnObjects {
  /** The time of each creation, by path without version. */
  readonly #created = new Map<string, number>();
  /** The time of each deletion, by path without version. */
  readonly #deleted = new Map<string, number>();
  /** The names that this process has given to projects, by id. */
  readonly #names = new Map<string, { name: string; at: number }>();

  /** Records the objects in the answer to a POST, or to a PATCH, which may give an object another name. */
  record(method: "POST" | "PATCH", path: string, body: unknown): void {
    const asked = unversioned(path);
    const parent = method === "POST" ? asked : asked.slice(0, asked.lastIndexOf("/"));
    for (const id of idsIn(body)) this.recordAt(`${parent}/${encodeURIComponent(id)}`);
    if (parent !== "/projects" || typeof body !== "object" || body === null) return;
    const { id, name } = body as Record<string, unknown>;
    if (typeof id === "string" && typeof name === "string") this.#names.set(id, { name, at: Date.now() });
  }

  /** Records the object with a path. */
  recordAt(path: string): void {
    const known = unversioned(path);
    this.#created.set(known, Date.now());
    this.#deleted.delete(known);
  }

  /** The id of the project to which this process gave a name at most `ms` milliseconds ago. */
  idOfName(name: string, ms: number): string | undefined {
    for (const [id, given] of this.#names) if (given.name === name && Date.now() - given.at < ms) return id;
    return undefined;
  }

  /** True for a read that has another name than this process gave to the project, at most `ms` milliseconds ago. */
  hasFormerName({ id, name }: { id: string; name: string }, ms: number): boolean {
    const given = this.#names.get(id);
    return given !== undefined && given.name !== name && Date.now() - given.at < ms;
  }

  /** Records that an object, with all that it contains, was deleted. */
  forget(path: string): void {
    const gone = unversioned(path);
    this.#names.delete(gone.slice(gone.lastIndexOf("/") + 1));
    this.#deleted.set(gone, Date.now());
    for (const known of this.#created.keys())
      if (known === gone || known.startsWith(`${gone}/`)) this.#created.delete(known);
  }

  /**
   * The time since an object in the path was created, in milliseconds; undefined if this process created none.
   * @param isAlone asks only for the last object in the path, not for those that contain it
   */
  ageOf(path: string, isAlone = false): number | undefined {
    const asked = unversioned(path);
    for (let at = asked.length; at > 0; at = isAlone ? 0 : asked.lastIndexOf("/", at - 1)) {
      const created = this.#created.get(asked.slice(0, at));
      if (created !== undefined) return Date.now() - created;
    }
    return undefined;
  }

  /**
   * True for an item of a list that this process deleted at most `ms` milliseconds ago, so that the list may be older.
   * An item without an id is known by its name, like a domain.
   */
  isDeleted(list: string, item: unknown, ms: number): boolean {
    const [id] = idsIn(item);
    return id !== undefined && this.isGone(`${list}/${encodeURIComponent(id)}`, ms);
  }

  /** True for an object that this process deleted at most `ms` milliseconds ago. */
  isGone(path: string, ms: number): boolean {
    const deleted = this.#deleted.get(unversioned(path));
    return deleted !== undefined && Date.now() - deleted < ms;
  }
}

const unversioned = (path: string): string => path.replace(/^\/v\d+(?=\/)/, "");

/** The ids and the names in the answer to a write: domains have no id, and projects are also read by their names. */
function idsIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(idsIn);
  if (typeof body !== "object" || body === null) return [];
  const { created, token, uid, name, id, accessGroupId, projectId } = body as Record<string, unknown>;
  for (const inside of [created, token]) if (typeof inside === "object") return idsIn(inside);
  const ids = accessGroupId === undefined ? [id, uid] : [accessGroupId, projectId];
  return [...ids, name].filter((one) => typeof one === "string");
}
