import type { z } from "zod";
import { Turns } from "../core/turns";
import type { Settings } from "./config";
import {
  ApiError,
  isAmbiguous,
  isConflict,
  isNotFound,
  isRateLimited,
  isTransferring,
  MalformedAnswer,
  OutOfReach,
} from "./errors";
import { pause } from "./limits";
import { projectPath } from "./paths";
import { ReadCache } from "./read-cache";
import * as responses from "./responses";
import { type Ask, Transport } from "./transport";

/** Durations in milliseconds. */
export interface Timing {
  /** Longest wait for the answer of one attempt. */
  attemptMs: number;
  /** Longest time for a request with all its attempts. */
  deadlineMs: number;
  /** Longest time with the waits that a 429 asks for, which do not count against the above. */
  limitedMs: number;
  /** First pause before another attempt; doubles up to `maxPauseMs`, with jitter. */
  pauseMs: number;
  maxPauseMs: number;
  /** Attempts when the service fails or is out of reach; waiting that the service asks for is not counted. */
  attempts: number;
  /** How long a list serves further reads; 0 for a client that others write beside. */
  freshMs: number;
  /** How long a name that is taken may turn out to be another resource's of the run. */
  unheardMs: number;
  /** How long such a resource has to give it up. */
  letGoMs: number;
}

const timing: Timing = {
  attemptMs: 30_000,
  deadlineMs: 120_000,
  limitedMs: 600_000,
  pauseMs: 200,
  maxPauseMs: 5_000,
  attempts: 6,
  freshMs: 10_000,
  unheardMs: 5_000,
  letGoMs: 120_000,
};

/** How long a project that is being transferred is left alone before the next attempt. */
const transferPauseMs = 1_000;

/** A request, and what its answer has to look like. */
export interface Request<T> extends Ask {
  shape: z.ZodType<T>;
  /** False when sending it twice could do something twice. */
  repeatable?: boolean;
}

/** A request that makes something, and how to find out whether it did. */
export interface Creation<T> {
  request: Request<T>;
  /** Finds the object by its name: what the service holds at this moment. */
  look(): Promise<T | undefined>;
  /** Whether a look just before had found one, which then is not ours. */
  existed: boolean;
}

/** The one place that sends requests. @source Authentication; Errors */
export class Client {
  readonly #transport: Transport;
  readonly #timing: Timing;
  readonly #batches: ReadCache;
  /** How the resources of a run pass names on to each other. */
  readonly turns: Turns;
  #account: Promise<string | undefined> | undefined;

  constructor(
    readonly settings: Settings,
    times: Partial<Timing> = {},
  ) {
    this.#transport = new Transport(settings);
    this.#timing = { ...timing, ...times };
    this.#batches = new ReadCache(this.#timing.freshMs);
    this.turns = new Turns(this.#timing);
  }

  get<T>(path: string, shape: z.ZodType<T>, query?: Ask["query"]): Promise<T> {
    return this.#batches.shared(keyOf(path, query), () =>
      this.send({ method: "GET", path, shape, ...(query && { query }) }),
    );
  }

  /**
   * Sends a request until it is answered for good.
   * Whatever is repeatable is sent again after a network error or 5xx; everything is sent again after 429, and
   * while the project is being transferred.
   */
  async send<T>(request: Request<T>): Promise<T> {
    const begun = Date.now();
    let deadline = begun + this.#timing.deadlineMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(request, deadline);
      } catch (error) {
        const wait = this.#pause(error, attempt, request.repeatable !== false);
        // A service that takes so many a minute makes the last of many wait for several minutes.
        const limit = isRateLimited(error) ? begun + this.#timing.limitedMs : deadline;
        if (wait === undefined || Date.now() + wait > limit) throw error;
        if (isRateLimited(error)) deadline += wait;
        await pause(wait);
      }
    }
  }

  /**
   * Makes something once, although an answer may get lost: then it is looked up before it is tried again, and
   * what is found is ours if nothing had been there just before.
   */
  async create<T>({ request, look, existed }: Creation<T>): Promise<T> {
    const deadline = Date.now() + this.#timing.deadlineMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send({ ...request, repeatable: false });
      } catch (error) {
        const lost = isAmbiguous(error);
        // A conflict with what an earlier attempt of ours made is no conflict.
        if (existed || !(lost || (attempt > 1 && isConflict(error)))) throw error;
        const found = await look();
        if (found !== undefined) return found;
        const wait = this.#pause(error, attempt, true);
        if (wait === undefined || Date.now() + wait > deadline) throw error;
        await pause(wait);
      }
    }
  }

  /**
   * All pages of a project's list. Served from a list of the last moments (`freshMs`) unless the project was written to since.
   * @param stale also serve it when something was added to the project: good enough to know what was there before
   */
  list<T, Page extends responses.Page>(
    path: string,
    shape: z.ZodType<Page>,
    items: (page: Page) => T[],
    query: Ask["query"] = {},
    stale = false,
  ): Promise<T[]> {
    return this.#batches.list(keyOf(path, query), scopeOf(path), stale, async () => {
      const all: T[] = [];
      for (let until: string | undefined; ; ) {
        const page = await this.send({
          method: "GET",
          path,
          shape,
          query: { ...query, ...(until !== undefined && { until }) },
        });
        all.push(...items(page));
        const next = page.pagination?.next;
        if (next === null || next === undefined || String(next) === until) return all;
        until = String(next);
      }
    });
  }

  /** A project as it is now. @throws ApiError 404 */
  async project(idOrName: string): Promise<responses.Project> {
    const project = await this.get(projectPath(idOrName), responses.project);
    this.#batches.remember(idOrName, project);
    this.#batches.remember(project.id, project);
    return project;
  }

  /** Who a project is, which does not change from one moment to the next. @throws ApiError 404 */
  async identify(idOrName: string): Promise<{ id: string; accountId: string }> {
    const known = this.#batches.recall(idOrName);
    if (known) return known;
    try {
      return await this.project(idOrName);
    } catch (error) {
      throw isNotFound(error) ? error.advise("Give the id or the name of a project of this account.") : error;
    }
  }

  /** A project is about to be renamed. In a preview it never is, and yet what names it by the new name is on it. */
  planRename(id: string, accountId: string, to: string): void {
    this.#batches.plan(to, { id, accountId });
  }

  /** The id of the account that requests act for, or undefined when the token may not tell. */
  account(): Promise<string | undefined> {
    this.#account ??= this.#findAccount();
    return this.#account;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #findAccount(): Promise<string | undefined> {
    const { team } = this.settings;
    if (team?.startsWith("team_")) return team;
    try {
      if (team === undefined) return (await this.get("/v2/user", responses.user)).user.id;
      return (await this.get(`/v2/teams/${encodeURIComponent(team)}`, responses.team)).id;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // An integration's token may have no scope for that, but every project names its account.
      const { projects } = await this.get("/v9/projects", responses.projectList, { limit: "1" });
      return projects[0]?.accountId;
    }
  }

  async #once<T>(request: Request<T>, deadline: number): Promise<T> {
    const writes = request.method !== "GET";
    const scope = scopeOf(request.path);
    const timeout = Math.max(1, Math.min(this.#timing.attemptMs, deadline - Date.now()));
    if (writes) this.#forget(request, scope);
    try {
      const answer = await this.#transport.send(request, timeout);
      const parsed = request.shape.safeParse(answer);
      if (parsed.success) return parsed.data;
      throw new MalformedAnswer(request, describe(parsed.error));
    } finally {
      // Again, for a list that was begun while the write was under way.
      if (writes) this.#forget(request, scope);
    }
  }

  #forget({ method, path }: Ask, scope: string): void {
    // What is only added to was there before; what is removed or renamed was not.
    this.#batches.forget(scope, method !== "POST");
    if (/\/projects\/[^/]+$/.test(path)) this.#batches.forgetIdentities();
  }

  /** @returns how long to wait before another attempt, or undefined when there is none */
  #pause(error: unknown, attempt: number, repeatable: boolean): number | undefined {
    const { pauseMs, maxPauseMs, attempts } = this.#timing;
    const backOff = Math.min(maxPauseMs, pauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
    if (isRateLimited(error)) return error.retryAfterMs ?? backOff;
    if (isTransferring(error)) return Math.min(transferPauseMs, pauseMs * 5);
    if (attempt >= attempts) return undefined;
    if (error instanceof OutOfReach) return repeatable || error.neverSent ? backOff : undefined;
    if (error instanceof ApiError && error.status >= 500 && repeatable) return error.retryAfterMs ?? backOff;
    return undefined;
  }
}

const keyOf = (path: string, query: Ask["query"] = {}): string => JSON.stringify([path, query]);

/** The project that a path is about, in whose lists a write shows. */
const scopeOf = (path: string): string => /\/projects\/([^/]+)/.exec(path)?.[1] ?? "";

const describe = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.code}`).join(", ");
