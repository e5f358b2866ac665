import FindMyWay, { type HTTPMethod } from "find-my-way";
import { badRequest, Refusal } from "../platform/refusal";
import type { RequestContext } from "./context";
import type { Answer } from "./reply";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Answers the requests of one route. @throws Refusal what answers instead */
export type Handler = (context: RequestContext) => Answer | Promise<Answer>;

const methods: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/** Longest segment of a path: of any length that the header limit lets through. */
const longestSegment = 16 * 1024;

/** Finds the handler of a request by its method and path, whatever version the path begins with. */
export class Router {
  private readonly routes = FindMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: longestSegment,
    onBadUrl: () => {},
  });

  add(method: Method, path: string, handler: Handler): void {
    const route = unversioned(path);
    this.routes.on(method, route, () => {}, { handler, route });
  }

  /**
   * Notes in the context what was found.
   * @throws Refusal 404 for a path that there is not, 405 for one that has other methods, 400 for one that is none
   */
  find(context: RequestContext): Handler {
    const { method, path } = context;
    const wanted = unversioned(path);
    const found = this.routes.find((method === "HEAD" ? "GET" : method) as HTTPMethod, wanted);
    if (found === null) throw this.refusalOf(wanted);
    // What is found without a route is what `onBadUrl` answers.
    if (found.store === null) throw badRequest(`${JSON.stringify(path)} is not a valid url.`);
    const { handler, route }: { handler: Handler; route: string } = found.store;
    context.params = found.params;
    context.route = route;
    return handler;
  }

  private refusalOf(path: string): Refusal {
    const taken: string[] = methods.filter((method) => this.routes.find(method, path)?.store);
    if (taken.length === 0) return unserved(path);
    if (taken.includes("GET")) taken.push("HEAD");
    const allow = taken.join(", ");
    return new Refusal(405, "method_unknown", `This path takes ${allow}.`, {}, {}, { allow });
  }
}

/** @choice The newest clients' drains are of traces and files too, and of shapes that are not public. */
const unserved = (path: string): Refusal =>
  /^\/drains(?=\/|$)/.test(path)
    ? new Refusal(501, "not_implemented", "This server has no drains of that kind. Use /v1/log-drains.")
    : new Refusal(404, "not_found", "This server has no such path.");

/**
 * A path without its version: a version in front of a known path never changes its meaning.
 * @source Versioning
 */
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
