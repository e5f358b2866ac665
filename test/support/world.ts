import type { ControlClient } from "../../server/control/client";
import { controlOf } from "../../server/control/in-process";
import type { App } from "../../server/http/app";
import type { Role } from "../../server/members/object";
import type { ServerOptions } from "../../server/options";
import { type Clock, standingClock } from "../../server/platform/clock";
import type { Services } from "../../server/platform/services";
import { developmentToken } from "../../server/seed/development-account";
import type { SeedDocument } from "../../server/seed/document";
import { openServer, type Server } from "../../server/server";
import { engine } from "./engine";
import { type TestDatabase, takeDatabase } from "./postgres/database";

/** When a world begins. */
export const beginning = Date.UTC(2025, 0, 1);
const controlToken = "control-token";
/** Of the databases that last longer than a test. */
const key = Buffer.alloc(32, "key").toString("base64");

interface CallOptions {
  /** Whose token is sent. Default: `dev`, owner of `acme`. null: no header. */
  token?: string | null;
  /** Slug of the team it is about. Default `acme`, unless the query says. null: the caller's own account. */
  team?: string | null;
  query?: Record<string, string | number | boolean>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what the answer is
  body: any;
  headers: Record<string, unknown>;
}

/**
 * A server of a test's own: a fresh store, a clock that stands still, answers that are checked against their
 * schemas and documents, and requests without a port. A failure of the server (500) fails the test.
 */
export class TestServer {
  private opened: { server: Server; clock: Clock; control: ControlClient } | undefined;
  private database: TestDatabase | undefined;
  private readonly replicas: TestServer[] = [];
  /** Failures of the server. A test that provokes one empties this. */
  readonly failures: Error[] = [];

  /** @param data a folder, or `memory`: that is a database of its own where the tests run on PostgreSQL */
  async open(data: string, options: Partial<ServerOptions> = {}): Promise<void> {
    const clock = standingClock(beginning);
    if (engine === "postgres" && data === "memory") this.database = await takeDatabase();
    const server = await openServer({
      port: 0,
      data: this.database?.url ?? data,
      ...(this.database ? { key } : {}),
      clock,
      controlToken,
      strict: true,
      logLevel: "silent",
      alwaysDevelopmentAccount: true,
      ...options,
    });
    server.app.onFailure((error) => this.failures.push(error));
    this.opened = { server, clock, control: controlOf(server.app, controlToken) };
  }

  /** One more server over the same database; it ends with this one. Only PostgreSQL is shared by servers. */
  async replica(): Promise<TestServer> {
    if (!this.database) throw new Error("this engine's data belong to one server");
    const replica = new TestServer();
    this.replicas.push(replica);
    await replica.open(this.database.url, { key, alwaysDevelopmentAccount: false });
    return replica;
  }

  async close(): Promise<void> {
    for (const replica of this.replicas.splice(0)) await replica.close();
    await this.opened?.server.close();
    await this.database?.release();
    this.opened = undefined;
    this.database = undefined;
    this.throwFailure();
  }

  /** Throws the first failure of the server since the last call, if there was one. */
  throwFailure(): void {
    const [failure] = this.failures.splice(0);
    if (failure) throw failure;
  }

  get app(): App {
    return this.now.server.app;
  }

  /** A new link to the dashboard. */
  dashboardLink(): string {
    return this.now.server.dashboardLink() ?? "";
  }

  get services(): Services {
    return this.now.server.services;
  }

  get control(): ControlClient {
    return this.now.control;
  }

  get clock(): Clock {
    return this.now.clock;
  }

  private get now(): NonNullable<TestServer["opened"]> {
    if (!this.opened) throw new Error("the world is not open: use it inside a test");
    return this.opened;
  }

  /** Sends a request to the API. @param path with or without version and query */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { token = developmentToken, team = "acme", query = {}, body, headers = {} } = options;
    const named = "teamId" in query || "slug" in query || /[?&](teamId|slug)=/.test(path);
    const parameters = { ...(team === null || named ? {} : { slug: team }), ...query };
    return this.send(method, path, {
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      query: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
      body,
    });
  }

  /** Sends a request to the control plane, where an answer other than success is expected. */
  askControl(method: string, path: string, body?: unknown, token = controlToken): Promise<Answer> {
    return this.send(method, `/_control${path}`, {
      headers: token === "" ? {} : { authorization: `Bearer ${token}` },
      query: {},
      body,
    });
  }

  private async send(
    method: string,
    path: string,
    request: { headers: Record<string, string>; query: Record<string, string>; body: unknown },
  ): Promise<Answer> {
    const [url = "", inPath = ""] = path.split("?", 2);
    // In one pass: the work on many members is counted.
    const sent = new Map<string, string[]>();
    for (const [name, value] of new URLSearchParams(inPath)) {
      const values = sent.get(name);
      if (values) values.push(value);
      else sent.set(name, [value]);
    }
    const query = { ...request.query, ...Object.fromEntries(sent) };
    const response = await this.app.inject({
      method,
      url,
      query,
      headers: {
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(request.body === undefined
        ? {}
        : { payload: typeof request.body === "string" ? request.body : JSON.stringify(request.body) }),
    });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    const body = isJson && response.body !== "" ? response.json() : response.body;
    if (body?.error && /^\W*$|: ?\.$/.test(body.error.message))
      throw new Error(`${method} ${path} is refused with ${response.statusCode} without a word`);
    return { status: response.statusCode, body, headers: response.headers };
  }

  seed(document: SeedDocument): Promise<void> {
    return this.control.seed(document);
  }

  /** Makes a person. @returns a token of theirs */
  async user(username: string, fields: object = {}): Promise<string> {
    const token = `token-of-${username}`;
    await this.seed({ users: [{ username, ...fields }], tokens: [{ token, user: username }] });
    return token;
  }

  /** Makes a team with an owner of its own. @returns a token of that owner */
  async team(slug: string, fields: object = {}): Promise<string> {
    const owner = `owner-of-${slug}`;
    const token = `token-of-${owner}`;
    await this.seed({
      users: [{ username: owner }],
      teams: [{ slug, ...fields, members: [{ user: owner, role: "OWNER" }] }],
      tokens: [{ token, user: owner }],
    });
    return token;
  }

  /** Makes a person who is a member of a team. @returns a token of theirs */
  async member(role: Role, team = "acme"): Promise<string> {
    const username = `${role.toLowerCase()}-of-${team}`;
    const token = `token-of-${username}`;
    await this.seed({
      users: [{ username }],
      teams: [{ slug: team, members: [{ user: username, role }] }],
      tokens: [{ token, user: username }],
    });
    return token;
  }

  /** Advances the clock, and runs the jobs that are due. */
  async advance(ms: number): Promise<void> {
    await this.control.advanceClock(ms);
  }
}

/** Gives each test of a file a world of its own. @param data a folder, or `memory` */
export function useTestServer(data = "memory", options: Partial<ServerOptions> = {}): TestServer {
  const world = new TestServer();
  beforeEach(() => world.open(data, options));
  afterEach(() => world.close());
  return world;
}
