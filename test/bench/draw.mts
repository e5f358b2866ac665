import { request } from "./load.mts";
import { token } from "./servers.mts";

/** Draws a whole number from 0 up to, but not including, this one. */
export type Draw = (below: number) => number;

/** Mulberry32: a seed of 32 bits fixes what is drawn. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The kinds of requests in a load. */
export interface Mix {
  /** How many projects there are to draw from. */
  projects: number;
  /** Of a thousand requests, so many create a variable. */
  creates: number;
  /** Path of the other requests. Default: a GET of a random project. */
  read?: ((draw: Draw) => string) | undefined;
}

/** Keys of variables are never drawn twice, in whatever load of a run. */
let keys = 0;

/** The requests of a load, each about a project of its own drawing. */
export function requestsOf({ projects, creates, read }: Mix, seed: number): () => string {
  const draw = drawFrom(seed);
  const readPath = read ?? ((one: Draw) => `/v9/projects/project-${one(projects)}`);
  return () => (draw(1000) < creates ? createOf(draw(projects)) : request("GET", readPath(draw), token));
}

/** Reads pages of 100 projects that begin anywhere in the list. @param times see `timesOf` */
export const pagesFrom =
  (times: readonly number[]) =>
  (draw: Draw): string =>
    `/v9/projects?limit=100&until=${times[100 + draw(times.length - 100)] ?? 0}`;

export function createOf(project: number): string {
  const body = { key: `KEY_${keys++}`, value: "value", type: "encrypted", target: ["production"] };
  return request("POST", `/v10/projects/project-${project}/env`, token, body);
}
