import { connect } from "node:net";
import { Agent, request } from "undici";
import { type Child, runChild } from "../support/child";
import { type DatabaseProxy, openProxy } from "../support/postgres/proxy";
import { openRelay, type Relay } from "../support/relay";
import { until } from "../support/until";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what it is follows from the request
  body: any;
}

export interface Request {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  token: string;
  body?: unknown;
}

/** How long a client waits for an answer, in milliseconds. */
const patienceMs = 10_000;
const endMs = 20_000;

/** A server in a process of its own, behind a relay that keeps its address when it restarts. */
export class Replica {
  private child: Child | undefined;
  private port = 0;
  private isClosed = false;
  private readonly agent = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs });
  /** Called with what it said, when the server ends and nobody made it. */
  onEnd: (said: string) => void = () => {};

  private constructor(
    readonly name: string,
    private readonly data: string,
    private readonly flags: readonly string[],
    /** Between it and its clients. */
    readonly clients: Relay,
    /** Between it and its PostgreSQL. */
    readonly database: DatabaseProxy | undefined,
  ) {}

  /** @param data a folder, or the address of a PostgreSQL with a socket */
  static async open(name: string, data: string, flags: readonly string[]): Promise<Replica> {
    const database = data.startsWith("postgres:") ? await openProxy(data) : undefined;
    const clients = await openRelay(() => connect(replica.port, "127.0.0.1"));
    const replica: Replica = new Replica(name, database?.url ?? data, flags, clients, database);
    return replica;
  }

  /** None while it is not running. */
  get pids(): number[] {
    return [this.child?.process.pid ?? []].flat();
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.process.kill(signal);
  }

  async start(flags: readonly string[] = []): Promise<void> {
    if (this.isClosed) throw new Error(`${this.name} is closed`);
    const args = ["serve", "--port", "0", "--log-level", "error", "--dashboard", "off", "--banner", "off"];
    const child = runChild("server/command.ts", [...args, ...this.flags, ...flags], {
      SLIPWAY_DATA: this.data,
      ...(this.database ? { SLIPWAY_KEY: "00".repeat(32) } : {}),
    });
    this.child = child;
    child.exited.then((code) => {
      if (this.child === child) this.onEnd(`exit ${code}: ${child.output().stderr.slice(-2000)}`);
    });
    const [, port] = await child.waitFor(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
    this.port = Number(port);
  }

  /** @returns its exit code; null: it had to be killed */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    const { child } = this;
    this.child = undefined;
    if (!child) return null;
    child.process.kill(signal);
    const timer = setTimeout(() => child.process.kill("SIGKILL"), endMs);
    const code = await child.exited;
    clearTimeout(timer);
    return code;
  }

  /** @returns undefined when no whole answer came */
  async send({ method, path, token, body }: Request): Promise<Answer | undefined> {
    try {
      const response = await request(`http://127.0.0.1:${this.clients.port}${path}`, {
        dispatcher: this.agent,
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, body: await response.body.json() };
    } catch {
      return undefined;
    }
  }

  async isReady(): Promise<boolean> {
    return (await this.send({ method: "GET", path: "/_ready", token: "" }))?.status === 200;
  }

  async untilReady(): Promise<void> {
    await until(`${this.name} is ready`, async () => (await this.isReady()) || undefined, 60_000);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.end("SIGKILL");
    await this.agent.destroy();
    await this.clients.close();
    await this.database?.close();
  }
}
