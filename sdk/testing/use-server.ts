import { type StartOptions, startServer } from "../../server";
import { type Hooks, hooksOf, register } from "./hooks";
import { PulumiState, type PulumiVariables } from "./pulumi-state";
import {
  type Account,
  type ServerVariables,
  type StartedServer,
  type TestServer,
  testServer,
} from "./test-server";

export interface UseServerOptions extends StartOptions, Account {
  /** The hooks of the test runner, for Vitest without `globals: true` and for `node:test`. Default: the global ones. */
  hooks?: Partial<Hooks>;
  /**
   * Resets the server to its seed before each test, and removes all stacks. The clock is not reset. Without it, tests
   * share what a `beforeAll` or an earlier test created. Default: true.
   */
  reset?: boolean;
  /**
   * Sets the variables of `env` in `process.env` while the server runs. Look-ups of an inline program of the Automation
   * API, such as `getProject`, run in the process of the test and need them. Default: false.
   */
  processEnv?: boolean;
  /** Starts the server. Default: the bundled server in this process, with the options of `startServer`. */
  start?: () => Promise<StartedServer>;
  /** The limit for the start and for the end of the server, in milliseconds. Default: 120,000. */
  timeoutMs?: number;
}

/** The server of a test file or of a `describe`. */
export interface UsedServer extends TestServer {
  /**
   * `env`, and the variables with which Pulumi keeps its state in a temporary folder, for `envVars` of
   * `LocalWorkspace` or for the environment of the Pulumi CLI. The folder is emptied when the server is reset, and
   * removed when it ends.
   */
  readonly pulumiEnv: ServerVariables & PulumiVariables;
}

/**
 * Starts the bundled server before the tests of a file or of a `describe`, resets it before each test, and ends it after
 * the last one. Each call has its own server, at a free port. Tests that run at the same time share it: use
 * `reset: false` with `test.concurrent`.
 * @returns an object whose members can be used in tests and in hooks. They throw before the server has started and after
 *   it has ended
 * @throws Error if the test runner has no global hooks and `hooks` lacks some
 * @example
 * const server = useServer({ seed: { projects: [{ team: "acme", name: "web" }] } });
 *
 * it("has a project", async () => {
 *   expect(await server.request("GET", "/v9/projects/web")).toMatchObject({ name: "web" });
 * });
 */
export function useServer(options: UseServerOptions = {}): UsedServer {
  const {
    hooks,
    reset = true,
    processEnv = false,
    timeoutMs = 120_000,
    start,
    token,
    team,
    ...rest
  } = options;
  const { beforeAll, beforeEach, afterAll } = hooksOf(hooks);
  const account: Account = { ...(token !== undefined && { token }), ...(team !== undefined && { team }) };
  const run = new Run(start ?? (() => startServer(rest)), account, processEnv);
  register(beforeAll, timeoutMs, () => run.open());
  if (reset) register(beforeEach, timeoutMs, () => run.reset());
  register(afterAll, timeoutMs, () => run.close());
  return {
    get url() {
      return run.server("url").url;
    },
    get token() {
      return run.server("token").token;
    },
    get team() {
      return run.server("team").team;
    },
    get control() {
      return run.server("control").control;
    },
    get env() {
      return run.server("env").env;
    },
    get pulumiEnv() {
      return { ...run.server("pulumiEnv").env, ...run.state.variables() };
    },
    request: async (method, path, body) => run.server("request").request(method, path, body),
  };
}

/** A server between the first and the last hook. */
class Run {
  readonly state = new PulumiState();
  private started: StartedServer | undefined;
  private current: TestServer | undefined;
  private hasEnded = false;
  private restoreVariables = (): void => {};

  constructor(
    private readonly start: () => Promise<StartedServer>,
    private readonly account: Account,
    private readonly processEnv: boolean,
  ) {}

  async open(): Promise<void> {
    this.started = await this.start();
    this.current = testServer(this.started, this.account);
    if (this.processEnv) this.restoreVariables = setVariables(this.current.env);
  }

  async reset(): Promise<void> {
    await this.current?.control.reset();
    this.state.clear();
  }

  async close(): Promise<void> {
    this.hasEnded = true;
    this.current = undefined;
    this.restoreVariables();
    this.state.close();
    await this.started?.close();
  }

  /** @throws Error before the start and after the end */
  server(member: string): TestServer {
    if (this.current) return this.current;
    throw new Error(
      this.hasEnded
        ? `server.${member}: the server of useServer has ended. Use it in tests, and in afterEach instead of afterAll.`
        : `server.${member}: the server of useServer has not started yet. It starts in beforeAll: ` +
            "read the members of the returned object in a test or in a hook, and do not destructure the object.",
    );
  }
}

/** Sets variables of this process. @returns a function that restores the earlier values */
function setVariables(variables: Record<string, string>): () => void {
  const earlier = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of earlier) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
