import FindMyWay, { type HTTPMethod } from "find-my-way";
import { badRequest, Refusal } from "../platform/refusal";
import { closest } from "./closest";
import type { RequestContext } from "./context";
import type { Answer } from "./reply";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Answers the requests of one route. @throws Refusal */
export type Handler = (context: RequestContext) => Answer | Promise<Answer>;

const methods: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/** The longest segment of a path: above the limit of a request's head, so there is no limit of its own. */
const longestSegment = 16 * 1024;

/** Finds the handler of a request by method and path, whatever the version in the path. */
export class Router {
  private readonly routes = FindMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: longestSegment,
    onBadUrl: () => {},
  });

  /** The paths of the routes, as they were added. */
  private readonly known = new Set<string>();
  private readonly missing: MissingPaths[] = [];

  add(method: Method, path: string, handler: Handler): void {
    const route = unversioned(path);
    this.known.add(path);
    this.routes.on(method, route, () => {}, { handler, route });
  }

  /** Refuses paths without a route in their own way, such as those of a part that is switched off. */
  addMissing(paths: MissingPaths): void {
    this.missing.push(paths);
  }

  /**
   * Finds the handler, and sets the route and its parameters in the context.
   * @throws Refusal 404 for an unknown path, 405 for another method, 400 for a malformed path
   */
  find(context: RequestContext): Handler {
    const { method, path } = context;
    const wanted = unversioned(path);
    const found = this.routes.find((method === "HEAD" ? "GET" : method) as HTTPMethod, wanted);
    if (found === null) throw this.refusalOf(wanted);
    // A match without a store is the answer of `onBadUrl`.
    if (found.store === null)
      throw badRequest(`${JSON.stringify(path)} is not a valid path: its percent-encoding is malformed.`);
    const { handler, route }: { handler: Handler; route: string } = found.store;
    context.params = found.params;
    context.route = route;
    return handler;
  }

  private refusalOf(path: string): Refusal {
    const accepted: string[] = methods.filter((method) => this.routes.find(method, path)?.store);
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

/** Paths without a route that are refused in their own way. */
export interface MissingPaths {
  /** Matches the path without its version. */
  readonly path: RegExp;
  readonly refusal: () => Refusal;
}

/** @param hint what the caller may have meant, or has to switch on */
export const noSuchPath = (hint: string): Refusal =>
  new Refusal(404, "not_found", `This server has no such path. ${hint}`);

/**
 * A path without its version, which never changes the meaning of a known path, and without the prefix `now`, which
 * older clients put in front of it. The newest client calls Edge Configs Global Configs.
 * @source Versioning, and the official command line and Terraform provider
 */
export function unversioned(path: string): string {
  return path
    .replace(/^\/v\d+(?=\/)/, "")
    .replace(/^\/now(?=\/)/, "")
    .replace(/^\/global-config(?=\/|$)/, "/edge-config");
}

/** Makes a test for paths without a version. A segment of the pattern that begins with `:` matches any segment. */
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
