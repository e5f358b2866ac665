import type { FastifyRequest } from "fastify";
import { Refusal } from "../platform/refusal";
import type { Route } from "./route";
import { matcherOf, pathOf } from "./router";

/** A known path under a method that it does not take, or a path that there is not. */
export function refuseUnrouted(routes: readonly Route[]): (request: FastifyRequest) => Refusal {
  const known = routes.map(({ path, method }) => ({ method, fits: matcherOf(path) }));
  return ({ url }) => {
    const path = pathOf(url).replace(/(?<=.)\/$/, "");
    const taken = new Set(known.filter(({ fits }) => fits(path)).map(({ method }): string => method));
    if (taken.size === 0) return unserved(url);
    if (taken.has("GET")) taken.add("HEAD");
    const allow = [...taken].join(", ");
    return new Refusal(405, "method_unknown", `This path takes ${allow}.`, {}, {}, { allow });
  };
}

/** @choice The newest clients' drains are of traces and files too, and of shapes that are not public. */
const unserved = (url: string): Refusal =>
  /^\/drains(?=[/?]|$)/.test(url)
    ? new Refusal(501, "not_implemented", "This server has no drains of that kind. Use /v1/log-drains.")
    : new Refusal(404, "not_found", "This server has no such path.");
