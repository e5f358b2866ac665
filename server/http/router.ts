import FindMyWay, { type HTTPMethod } from "find-my-way";
import { badRequest, Refusal } from "../platform/refusal";
import { closest } from "./closest";
import type { RequestContext } from "./context";
import type { Answer } from "./reply";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Answers the requests of one route. @throws Refusal */
export type Handler = (context: RequestContext) => Answer | Promise<Answer>;

const methods: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/** The maximum length of a path segment. It is never reached, because Node.js refuses a head of this length. */
const longestSegment = 16 * 1024;

interface Entry {
  method: Method;
  /** Without its version. */
  route: string;
  handler: Handler;
}

/** The routes by method and path, such as `GET /projects/:idOrName`. */
type Entries = Map<string, Entry>;

type Index = ReturnType<typeof FindMyWay>;

/** The indexes of sets of routes. Servers of one process share them, because an index takes longer to build than a test. */
const indexes = new Map<string, Index>();

/** Returns an index whose stores have the keys of the routes. */
function indexOf(entries: Entries): Index {
  const all = [...entries.keys()].join("\n");
  let index = indexes.get(all);
  if (index === undefined) {
    index = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: longestSegment, onBadUrl: () => {} });
    for (const [key, { method, route }] of entries) index.on(method, route, () => {}, { key });
    indexes.set(all, index);
  }
  return index;
}

/** Finds the handler of a request by its method and its path, without regard to the version in the path. */
export class Router {
  private readonly entries: Entries = new Map();
  private index: Index | undefined;

  /** The paths with which the routes were added. */
  private readonly known = new Set<string>();
  private readonly missing: MissingPaths[] = [];
  /** The current names of the first segment of a path (without its version), by the other names. */
  private readonly currentNames: Record<string, string> = {};
  private notImplemented: NotImplemented = () => undefined;

  add(method: Method, path: string, handler: Handler): void {
    const route = unversioned(path);
    const key = `${method} ${route}`;
    if (this.entries.has(key)) throw new Error(`the route ${method} ${path} is added twice`);
    this.known.add(path);
    this.entries.set(key, { method, route, handler });
    this.index = undefined;
  }

  /** Accepts `other` in place of `current` as the first segment of a path. */
  addName(other: string, current: string): void {
    this.currentNames[other] = current;
  }

  /** Sets what is asked before a request without a route is refused with 404 or 405. */
  setNotImplemented(check: NotImplemented): void {
    this.notImplemented = check;
  }

  /** Adds refusals for paths without a route, such as the paths of a part that is switched off. */
  addMissing(paths: MissingPaths): void {
    this.missing.push(paths);
  }

  /** Returns the path that routes match: without its version, and with the current name of its first segment. */
  routedPath(path: string): string {
    return currentPath(path, this.currentNames);
  }

  /**
   * Finds the handler, and sets the route and its parameters in the context.
   * @throws Refusal 404 for an unknown path, 405 for another method, 501 for an operation that only the hosted API has,
   * 400 for a malformed path
   */
  find(context: RequestContext): Handler {
    const { method, path, routedPath } = context;
    const found = this.lookUp(method, routedPath);
    if (found === null) throw this.notImplemented(method, routedPath) ?? this.refusalOf(routedPath);
    // `find-my-way` returns a match without a store for a malformed path (`onBadUrl`).
    if (found.store === null)
      throw badRequest(`${JSON.stringify(path)} is not a valid path: its percent-encoding is malformed.`);
    const { handler, route } = this.entries.get(found.store.key) as Entry;
    context.params = found.params;
    context.route = route;
    return handler;
  }

  /** The path, without its version, of the route of a request; undefined if no route matches. */
  routeOf({ method, routedPath }: RequestContext): string | undefined {
    return this.entries.get(this.lookUp(method, routedPath)?.store?.key)?.route;
  }

  private lookUp(method: string, path: string): ReturnType<Index["find"]> {
    this.index ??= indexOf(this.entries);
    return this.index.find((method === "HEAD" ? "GET" : method) as HTTPMethod, path);
  }

  private refusalOf(path: string): Refusal {
    const accepted: string[] = methods.filter((method) => this.lookUp(method, path)?.store);
    if (accepted.length === 0) return this.unknownPath(path);
    if (accepted.includes("GET")) accepted.push("HEAD");
    const allow = accepted.join(", ");
    return new Refusal(
      405,
      "method_unknown",
      `This path does not accept the method. It accepts ${allow}.`,
      {},
      {},
      { allow },
    );
  }

  private unknownPath(path: string): Refusal {
    const missing = this.missing.find(({ path: pattern }) => pattern.test(path));
    if (missing) return missing.refusal();
    const meant = closest(path, this.known);
    const list = "GET /openapi.json lists the paths that it has.";
    return noSuchPath(meant === undefined ? list : `Did you mean ${meant}? ${list}`);
  }
}

/** @returns the refusal of an operation that only the hosted API has; the path is without its version */
export type NotImplemented = (method: string, path: string) => Refusal | undefined;

/** Paths without a route that have their own refusal. */
export interface MissingPaths {
  /** A pattern for the path without its version. */
  readonly path: RegExp;
  readonly refusal: () => Refusal;
}

/** @param hint a path that the caller may have meant, or an option to switch on */
export const noSuchPath = (hint: string): Refusal =>
  new Refusal(404, "not_found", `This server has no such path. ${hint}`);

/**
 * Removes the version from a path, because it does not change the meaning of the path. Also removes the prefix `now`,
 * which older clients send.
 * @source Versioning, and the official command line
 */
export function unversioned(path: string): string {
  return path.replace(/^\/v\d+(?=\/)/, "").replace(/^\/now(?=\/)/, "");
}

/** A path without its version, and with the current name of its first segment. @param names current names, by others */
export function currentPath(path: string, names: Readonly<Record<string, string>>): string {
  const bare = unversioned(path);
  const end = bare.indexOf("/", 1);
  const first = bare.slice(1, end === -1 ? undefined : end);
  return Object.hasOwn(names, first) ? `/${names[first]}${bare.slice(first.length + 1)}` : bare;
}

/** Returns a function that tests paths. A segment of the pattern that begins with `:` matches any segment. */
export function matcherOf(pattern: string): (path: string) => boolean {
  const wanted = pattern.split("/");
  return (path) => {
    const segments = path.split("/");
    return (
      segments.length === wanted.length &&
      wanted.every((segment, at) => segment.startsWith(":") || segment === segments[at])
    );
  };
}
