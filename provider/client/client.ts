// Longer than other files: the requests of a run share its caches.
import type { z } from "zod";
import type { Settings } from "./config";
import {
  ApiError,
  ifAllowed,
  ifFound,
  isAmbiguous,
  isConflict,
  isNotFound,
  isServerFailure,
  MalformedAnswer,
  OutOfReach,
} from "./errors";
import { OwnObjects } from "./own-objects";
import { projectPath, teamPath } from "./paths";
import { ReadCache } from "./read-cache";
import { ReadOnce } from "./read-once";
import * as responses from "./responses";
import { Retries, type RetryTiming } from "./retries";
import { pause } from "./step-limits";
import { type RequestOptions, Transport } from "./transport";
import { recordWrite } from "./writes";

/** Durations in milliseconds. */
export interface Timing extends RetryTiming {
  /** Timeout of one attempt. */
  attemptMs: number;
  /** How long lists and the ids of projects are cached; 0 if other processes write at the same time. */
  freshMs: number;
  /** How long after a write of this process its reads may be older than the write. */
  settleMs: number;
}

const timing: Timing = {
  attemptMs: 30_000,
  deadlineMs: 120_000,
  rateLimitDeadlineMs: 600_000,
  pauseMs: 200,
  maxPauseMs: 5_000,
  attempts: 6,
  freshMs: 10_000,
  settleMs: 10_000,
};

/** The longest pause between reads of what this process has just written. */
const settlePauseMs = 500;

/** A request, and the shape of its answer. */
export interface Request<T> extends RequestOptions {
  shape: z.ZodType<T>;
}

export interface Answer<T> {
  data: T;
  requestId: string | undefined;
}

/** A request that creates an object, and how to check whether the object was created. */
export interface Creation<T> {
  request: Request<T>;
  /** Looks the object up by its name, uncached. */
  look(): Promise<T | undefined>;
  /**
   * True when the object existed just before the request: finding it then does not prove that the request succeeded.
   */
  existed: boolean;
  /**
   * True when the service accepts a second object like the first. A lost request is then only repeated when no read can
   * be older than the request.
   */
  mayBeTwice?: boolean;
  /** True when an earlier request to create the object may have taken effect. */
  isRepeated?: boolean;
}

/** Adds to the error of a look-up, which is about another request, what the user has to know of the create before it. */
function withUnknownEffect({ method, path }: RequestOptions, failure: unknown): unknown {
  const hint = `Before, ${method} ${path} failed: it may have created an object that no state has. Run again to continue.`;
  if (isServerFailure(failure)) return failure.withHint(hint);
  return failure instanceof OutOfReach ? failure.withHint(hint) : failure;
}

/** The writes whose answers have an object. A PUT of a list creates one. */
const recordedAs = { POST: "POST", PUT: "POST", PATCH: "PATCH", GET: undefined, DELETE: undefined } as const;

/** Sends all requests to the service. @source Authentication; Errors */
export class Client {
  readonly #transport: Transport;
  readonly #timing: Timing;
  readonly #cache: ReadCache;
  readonly #own = new OwnObjects();
  /** The time of the last write to each project, by its scope. */
  readonly #written = new Map<string, number>();
  readonly #account = new ReadOnce<string | undefined>();
  readonly #team = new ReadOnce<responses.Team>();
  #plannedPolicy: string | undefined;
  #userId: Promise<string | undefined> | undefined;
  /** The projects at the time of their last read, by id and by name. */
  readonly #seen = new Map<string, responses.Project>();

  constructor(
    readonly settings: Settings,
    times: Partial<Timing> = {},
  ) {
    this.#transport = new Transport(settings);
    this.#timing = { ...timing, ...times };
    this.#cache = new ReadCache(this.#timing.freshMs);
  }

  get<T>(path: string, shape: z.ZodType<T>, query?: RequestOptions["query"]): Promise<T> {
    return this.#cache.shared(keyOf(path, query), () =>
      this.send({ method: "GET", path, shape, ...(query && { query }) }),
    );
  }

  /**
   * Sends a request, with retries: idempotent requests after network errors and 5xx, all requests after 429 and while
   * the project is being transferred.
   */
  async send<T>(request: Request<T>): Promise<T> {
    const retries = this.retries(uploadMs(request));
    for (;;) {
      try {
        return (await this.sendOnce(request, retries)).data;
      } catch (error) {
        const isEarly = isNotFound(error) && this.#isSettling(request);
        await pause(isEarly ? settlePauseMs : retries.pauseAfter(error, request.repeatable !== false));
      }
    }
  }

  /** True when this process has just created what a read does not find, so that the read may be older. */
  #isSettling({ method, path, mayBeAbsent = false }: RequestOptions): boolean {
    const age = method === "GET" ? this.#own.ageOf(path, mayBeAbsent) : undefined;
    return age !== undefined && age < this.#timing.settleMs;
  }

  /**
   * Reads again until the answer is as expected, or cannot be older than the last write of this process to the project
   * any more.
   * @param path of the write or of the read
   * @param since the time of the last write, in milliseconds, if another process may have written: that of another
   *   provider of the program
   * @returns the last answer, which may not be as expected
   */
  async readUntil<T>(
    path: string,
    read: () => Promise<T>,
    isExpected: (answer: T) => boolean,
    since = this.#written.get(scopeOf(path)) ?? 0,
  ): Promise<T> {
    const scope = scopeOf(path);
    const end = since + this.#timing.settleMs;
    for (;;) {
      const answer = await read();
      const left = end - Date.now();
      if (left <= 0 || isExpected(answer)) return answer;
      await pause(Math.min(settlePauseMs, left));
      this.#cache.forget(scope, true);
    }
  }

  /** Returns a counter of the attempts of a request that begins now. @param extraMs added to its `deadlineMs` */
  retries(extraMs = 0): Retries {
    return new Retries(this.#timing, extraMs);
  }

  /**
   * Creates an object exactly once, even if an answer is lost. Before a retry, looks the object up. If the object now
   * exists, but did not exist before the first attempt, an earlier attempt has created it.
   */
  async create<T>(creation: Creation<T>): Promise<T> {
    const retries = this.retries();
    for (;;) {
      try {
        return await this.send({ ...creation.request, repeatable: false });
      } catch (error) {
        const isRepeated = creation.isRepeated || retries.isRepeated;
        const created = await this.#createdDespite(error, { ...creation, isRepeated });
        if (created !== undefined) return created;
        await pause(retries.pauseAfter(error, true));
      }
    }
  }

  /** Looks up what a failed attempt may have created. @throws the error if no attempt can have created the object */
  async #createdDespite<T>(error: unknown, creation: Creation<T>): Promise<T | undefined> {
    const { request, look, existed, mayBeTwice, isRepeated } = creation;
    // If an earlier attempt has created the object, a conflict means success.
    const isDone = isRepeated && isConflict(error);
    if (existed || !(isDone || isAmbiguous(error))) throw error;
    try {
      if (!isDone && !mayBeTwice) return await look();
      return await this.readUntil(request.path, look, (one) => one !== undefined);
    } catch (failure) {
      throw withUnknownEffect(request, failure);
    }
  }

  /**
   * Reads all pages of a project's list, or takes them from the cache unless the project was written to since.
   * @param stale accepts a cached list that lacks later additions. Such a list still shows which objects existed
   *   before.
   */
  list<T, Page extends responses.Page>(
    path: string,
    shape: z.ZodType<Page>,
    items: (page: Page) => T[],
    query: RequestOptions["query"] = {},
    stale = false,
  ): Promise<T[]> {
    const read = () => this.listNow(path, shape, items, query);
    return this.#cache.list(keyOf(path, query), scopeOf(path), stale, read);
  }

  /**
   * Reads all pages of a list, uncached, without what this process has just deleted.
   * @param cursor the parameter that asks for the next page
   */
  async listNow<T, Page extends responses.Page>(
    path: string,
    shape: z.ZodType<Page>,
    items: (page: Page) => T[],
    query: RequestOptions["query"] = {},
    cursor: responses.Cursor = "until",
  ): Promise<T[]> {
    const all: T[] = [];
    const read = new Set<string>();
    for (let at: string | undefined; ; ) {
      const page = await this.send({
        method: "GET",
        path,
        shape,
        query: { ...query, ...(at !== undefined && { [cursor]: at }) },
      });
      all.push(...items(page).filter((item) => !this.#own.isDeleted(path, item, this.#timing.settleMs)));
      const next = page.pagination?.next;
      // Stops if the service repeats a page, so that the run does not loop forever.
      if (next === null || next === undefined || read.has(String(next))) return all;
      at = String(next);
      read.add(at);
    }
  }

  /** True for an object that this process has just deleted, so that a read of it may be older. @param path its path */
  hasDeleted(path: string): boolean {
    return this.#own.isGone(path, this.#timing.settleMs);
  }

  /** Reads a project, uncached. @param query asks for further members @throws ApiError 404 */
  async project(idOrName: string, query?: RequestOptions["query"]): Promise<responses.Project> {
    const { settleMs } = this.#timing;
    const { renames } = this.#cache;
    // A name that this process has just given may still lead to the project that had it before.
    const own = this.#own.idOfName(idOrName, settleMs);
    const project = await this.get(projectPath(own ?? idOrName), responses.project, query).catch((error) => {
      if (own === undefined || !isNotFound(error)) throw error;
      // Somebody else has deleted the project of this run, and the name may be another's.
      this.#own.forget(projectPath(own));
      return this.project(idOrName, query);
    });
    if (this.#own.hasFormerName(project, settleMs)) {
      await pause(settlePauseMs);
      return this.project(idOrName, query);
    }
    // If a project was renamed during the request, the answer may be outdated and is not cached.
    if (this.#cache.renames === renames)
      for (const key of [idOrName, project.id, project.name]) this.#cache.remember(key, project);
    for (const key of [project.id, project.name]) this.#seen.set(key, project);
    return project;
  }

  /** True when a list is cached, so that it needs no request. @param stale see `list` */
  isListed(path: string, query: RequestOptions["query"], stale: boolean): boolean {
    return this.#cache.hasList(keyOf(path, query), stale);
  }

  /**
   * Reads the project with a name; undefined if there is none.
   * @param stale accepts an earlier read that found none. Such a read still shows that no project had the name before.
   */
  async projectNamed(name: string, stale: boolean): Promise<responses.Project | undefined> {
    if (stale && this.#cache.isAbsent(name)) return undefined;
    const { renames } = this.#cache;
    const found = await ifFound(this.project(name));
    if (!found && this.#cache.renames === renames) this.#cache.rememberAbsent(name);
    return found;
  }

  /** Records a project that this run has created. It is known to be empty, so later steps need fewer requests. */
  recordCreated({ id, name, accountId }: responses.Project): void {
    this.#cache.rememberCreated(id, name, accountId);
  }

  /** True for a project that this run has created. */
  hasCreated(projectId: string): boolean {
    return this.#cache.hasCreated(projectId);
  }

  /** The result of the last read of a project; undefined if it was not read. */
  lastSeen(idOrName: string): responses.Project | undefined {
    return this.#seen.get(idOrName);
  }

  /** Finds the id and the account of a project, which may be cached. @throws ApiError 404 */
  async identify(idOrName: string): Promise<{ id: string; accountId: string }> {
    return this.#cache.recall(idOrName) ?? (await this.declaredProject(idOrName));
  }

  /** Reads the project that a program names. @param query see `project` @throws ApiError 404 with a hint */
  async declaredProject(idOrName: string, query?: RequestOptions["query"]): Promise<responses.Project> {
    try {
      return await this.project(idOrName, query);
    } catch (error) {
      throw isNotFound(error)
        ? error.withHint(
            "Give the id or the name of a project of this account. If this program created it, `pulumi up --refresh` " +
              "creates it again.",
          )
        : error;
    }
  }

  /** Returns the id of the project with a name; undefined if there is none. The result may come from the cache. */
  async idOfName(name: string): Promise<string | undefined> {
    const known = this.#cache.recall(name);
    if (known) return known.id;
    const found = await this.#cache.list(`id of ${name}`, "", false, async () => {
      const project = await ifFound(this.project(name));
      return project ? [project.id] : [];
    });
    return found[0];
  }

  /** Records a planned rename, so that a preview finds the project by its new name. */
  planRename(id: string, accountId: string, to: string): void {
    this.#cache.plan(to, { id, accountId });
  }

  /** The id of the account that requests act on; undefined when the token has no scope to read it. */
  account(): Promise<string | undefined> {
    return this.#account.get(() => this.#findAccount());
  }

  /** The id of the user of the token; undefined when the token has no scope to read it. */
  userId(): Promise<string | undefined> {
    this.#userId ??= ifAllowed(this.get("/v2/user", responses.user)).then((found) => found?.user.id);
    this.#userId.catch(() => {
      this.#userId = undefined;
    });
    return this.#userId;
  }

  /** Returns the id of the account that has a project; undefined if no account that the token can read has it. */
  async accountOfProject(projectId: string): Promise<string | undefined> {
    const path = projectPath(projectId);
    const teams = await ifAllowed(this.list("/v2/teams", responses.teamList, (page) => page.teams));
    const found = await Promise.all(
      [null, ...(teams ?? []).map(({ id }) => id)].map((team) =>
        this.#cache.shared(keyOf(path, { of: `${team}` }), () =>
          ifAllowed(this.send({ method: "GET", path, team, shape: responses.project })),
        ),
      ),
    );
    return found.find((project) => project !== undefined)?.accountId;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Reads the team of the settings. */
  #readTeam(team: string): Promise<responses.Team> {
    return this.#team.get(() => this.get(teamPath(team), responses.team));
  }

  /** Records a planned change of the team's policy on variables, which counts before it is made. */
  planVariablePolicy(policy: unknown): void {
    if (typeof policy === "string") this.#plannedPolicy = policy;
  }

  /**
   * Returns the team's `sensitiveEnvironmentVariablePolicy`, as planned; undefined without a team, or if the token cannot
   * read it.
   */
  async variablePolicy(): Promise<string | null | undefined> {
    const { team } = this.settings;
    if (team === undefined) return undefined;
    try {
      const { sensitiveEnvironmentVariablePolicy: current } = await this.#readTeam(team);
      // The plan may have been made meanwhile.
      return this.#plannedPolicy ?? current;
    } catch {
      // A token that may not read the team may still create variables.
      return this.#plannedPolicy;
    }
  }

  async #findAccount(): Promise<string | undefined> {
    const { team } = this.settings;
    if (team?.startsWith("team_")) return team;
    try {
      if (team === undefined) return responses.accountOfUser(await this.get("/v2/user", responses.user));
      return (await this.#readTeam(team)).id;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The token of an integration may lack the scope to read the account, but every project has the account's id.
      const { projects } = await this.get("/v9/projects", responses.projectList, { limit: "1" });
      return projects[0]?.accountId;
    }
  }

  /** Sends a request once, without retries. */
  async sendOnce<T>(request: Request<T>, { deadline }: Pick<Retries, "deadline">): Promise<Answer<T>> {
    const writes = request.method !== "GET";
    const scope = scopeOf(request.path);
    const timeout = Math.max(1, Math.min(this.#timing.attemptMs + uploadMs(request), deadline - Date.now()));
    if (writes) this.#forget(request, scope);
    try {
      const { body, requestId } = await this.#transport.send(request, timeout);
      if (writes) recordWrite();
      this.#recordWrite(request, body);
      const parsed = request.shape.safeParse(body);
      if (parsed.success) return { data: parsed.data, requestId };
      throw new MalformedAnswer(request, describe(parsed.error));
    } finally {
      // Forgets again after the write, because lists may have been requested during it.
      if (writes) this.#forget(request, scope);
    }
  }

  /** Records the objects that a write has created, changed or deleted. */
  #recordWrite({ method, path, object }: RequestOptions, body: unknown): void {
    const recorded = recordedAs[method];
    if (recorded) this.#own.record(recorded, path, body);
    if (method === "POST") for (const made of [object ?? []].flat()) this.#own.recordAt(made);
    if (method === "DELETE") for (const gone of [object ?? path].flat()) this.#own.forget(gone);
  }

  #forget({ method, path }: RequestOptions, scope: string): void {
    this.#written.set(scope, Date.now());
    // After an addition, cached lists can still be used as stale ones. After removals and renames they cannot.
    this.#cache.forget(scope, method !== "POST");
    if (!/\/projects\/[^/]+$/.test(path)) return;
    this.#cache.forgetIdentities();
    if (method === "DELETE") this.#cache.forgetCreated(scope);
  }
}

/** Returns the additional time for a large body, in milliseconds: one second for each 50 KB. */
const uploadMs = ({ content }: RequestOptions): number => Math.ceil((content?.size ?? 0) / 50);

const keyOf = (path: string, query: RequestOptions["query"] = {}): string => JSON.stringify([path, query]);

/**
 * Returns the id or name of the project in a path; "" if there is none. A write to the path changes this project's
 * lists.
 */
const scopeOf = (path: string): string => /\/projects\/([^/]+)/.exec(path)?.[1] ?? "";

const describe = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.code}`).join(", ");
