import { randomBytes } from "node:crypto";
import { controlAt, developmentAccount, type SeedDocument } from "../../server";
import { type Account, type StartedServer, type TestServer, testServer } from "./test-server";

/** The members of `GenericContainer` of Testcontainers that start a server. */
export interface StartableContainer {
  withEnvironment(variables: Record<string, string>): this;
  withCopyContentToContainer(files: { content: string; target: string; mode: number }[]): this;
  withExposedPorts(port: number): this;
  withLogConsumer(consume: (stream: LogStream) => unknown): this;
  withWaitStrategy(strategy: never): this;
  withStartupTimeout(timeoutMs: number): this;
  start(): Promise<StartedContainerHandle>;
}

interface LogStream {
  on(event: "data", listener: (data: unknown) => void): unknown;
}

interface StartedContainerHandle {
  getHost(): string;
  getMappedPort(port: number): number;
  stop(): Promise<unknown>;
}

/** The members of the module `testcontainers` that start a server. Versions 10 to 12 have them. */
export interface Containers<C extends StartableContainer> {
  GenericContainer: new (image: string) => C;
  Wait: { forHttp(path: string, port: number, options: { abortOnContainerExit: boolean }): unknown };
}

export interface ContainerOptions<C extends StartableContainer = StartableContainer> extends Account {
  /** The name of the server's image. */
  image: string;
  /** Accounts and objects to start with, besides the development account. `control.reset` restores them. */
  seed?: SeedDocument;
  /** Creates the development account: user `dev`, owner of the team `acme`, with a random token. Default: true. */
  developmentAccount?: boolean;
  /** Changes the container before it starts, such as `(container) => container.withNetwork(network)`. */
  configure?: (container: C) => C;
  /** The limit for the start of the server, in milliseconds. Default: 60,000. */
  startupTimeoutMs?: number;
}

/** A server in a container. */
export interface StartedContainer<C extends StartableContainer = StartableContainer> extends TestServer {
  /** Stops and removes the container. */
  close(): Promise<void>;
  /** The container of Testcontainers, such as for its logs. */
  readonly container: Awaited<ReturnType<C["start"]>>;
}

const port = 4000;
/** How many parts of the log, each of some lines, are in the error of a container that does not start. */
const shownParts = 20;

/**
 * Starts the server's image with Testcontainers, and waits until the server is ready. The data are in memory. The
 * server can be used at once, or given to `useServer({ start })`.
 * @param containers the module: `import * as testcontainers from "testcontainers"`
 * @throws Error if the container does not start or becomes ready in time, with the end of its log
 * @throws Error if `developmentAccount` is false and there is no `token`
 */
export async function startContainer<C extends StartableContainer>(
  { GenericContainer, Wait }: Containers<C>,
  options: ContainerOptions<C>,
): Promise<StartedContainer<C>> {
  const { image, configure = (same) => same, startupTimeoutMs = 60_000 } = options;
  const { token, seed } = accountsOf(options);
  const controlToken = randomToken();
  const log: string[] = [];
  const container = new GenericContainer(image)
    .withEnvironment({
      SLIPWAY_SEED: "/tmp/seed.json",
      SLIPWAY_CONTROL_TOKEN: controlToken,
      SLIPWAY_DATA: "memory",
    })
    // The server runs as another user, who must be able to read the file.
    .withCopyContentToContainer([{ content: JSON.stringify(seed), target: "/tmp/seed.json", mode: 0o644 }])
    .withExposedPorts(port)
    .withLogConsumer((stream) =>
      stream.on("data", (data) => {
        log.push(String(data));
        if (log.length > shownParts) log.shift();
      }),
    )
    .withWaitStrategy(Wait.forHttp("/_ready", port, { abortOnContainerExit: true }) as never)
    .withStartupTimeout(startupTimeoutMs);
  const started = await configure(container)
    .start()
    .catch((error: unknown) => {
      throw startError(image, error, log);
    });
  const url = `http://${started.getHost()}:${started.getMappedPort(port)}`;
  const server: StartedServer = {
    url,
    token,
    control: controlAt(url, controlToken),
    close: async () => void (await started.stop()),
  };
  return {
    ...testServer(server, options),
    close: server.close,
    container: started as Awaited<ReturnType<C["start"]>>,
  };
}

/** The token of the tests, and the seed with its account. */
function accountsOf(options: Omit<ContainerOptions, "configure">): { token: string; seed: SeedDocument } {
  const { seed = {}, developmentAccount: hasAccount = true } = options;
  const token = options.token ?? (hasAccount ? randomToken() : undefined);
  if (token === undefined)
    throw new Error("startContainer: without the development account, set token to a token of the seed.");
  if (!hasAccount) return { token, seed };
  const { users = [], teams = [] } = developmentAccount;
  const tokens = seed.tokens ?? [];
  const isInSeed = tokens.some((row) => row.token === token);
  return {
    token,
    seed: {
      ...seed,
      users: [...users, ...(seed.users ?? [])],
      teams: [...teams, ...(seed.teams ?? [])],
      // The tokens that everyone knows are accepted on the loopback address only.
      tokens: isInSeed ? tokens : [{ token, user: "dev" }, ...tokens],
    },
  };
}

function startError(image: string, error: unknown, log: string[]): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const lines = log.map((part) => part.trimEnd());
  return new Error([`The container of ${image} has not started: ${reason}`, ...lines].join("\n"), {
    cause: error,
  });
}

const randomToken = (): string => randomBytes(24).toString("hex");
