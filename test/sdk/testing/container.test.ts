import { PassThrough } from "node:stream";
import { type SeedDocument, startContainer, useServer } from "../../../sdk/testing";
import { type RunningServer, startServer } from "../../../server";

/** Containers of Testcontainers that run the bundled server in this process. test/e2e/containers.long.test.ts has real ones. */
const seen: Record<string, unknown>[] = [];
let running: RunningServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
  seen.length = 0;
});

class GenericContainer {
  private readonly settings: Record<string, unknown>;
  private readonly log = new PassThrough();
  constructor(image: string) {
    this.settings = { image };
    seen.push(this.settings);
  }
  private with(setting: Record<string, unknown>): this {
    Object.assign(this.settings, setting);
    return this;
  }
  withEnvironment = (environment: Record<string, string>) => this.with({ environment });
  withCopyContentToContainer = (files: object[]) => this.with({ files });
  withExposedPorts = (port: number) => this.with({ port });
  withWaitStrategy = (strategy: unknown) => this.with({ strategy });
  withStartupTimeout = (timeoutMs: number) => this.with({ timeoutMs });
  withName = (name: string) => this.with({ name });
  withLogConsumer(consume: (stream: PassThrough) => unknown): this {
    consume(this.log);
    return this;
  }
  async start() {
    const { image, environment, files } = this.settings as {
      image: string;
      environment: { SLIPWAY_CONTROL_TOKEN: string };
      files: { content: string }[];
    };
    if (image === "broken") {
      this.log.write("slipway: the seed is invalid\n");
      throw new Error("container exited");
    }
    const seed: SeedDocument = JSON.parse(files[0]?.content ?? "");
    running = await startServer({
      developmentAccount: false,
      seed,
      controlToken: environment.SLIPWAY_CONTROL_TOKEN,
    });
    const { hostname, port } = new URL(running.url);
    return {
      getHost: () => hostname,
      getMappedPort: () => Number(port),
      stop: async () => this.with({ isStopped: true }),
      getName: () => this.settings.name,
    };
  }
}
const Wait = { forHttp: (path: string, port: number, options: object) => ({ path, port, ...options }) };
const testcontainers = { GenericContainer, Wait };
const projects = [{ team: "acme", name: "web" }];

it("starts the image with the development account and the seed, and waits until it is ready", async () => {
  const server = await startContainer(testcontainers, {
    image: "slipway",
    seed: { projects },
    configure: (container) => container.withName("tests"),
  });
  expect(seen).toEqual([
    expect.objectContaining({
      image: "slipway",
      name: "tests",
      port: 4000,
      strategy: { path: "/_ready", port: 4000, abortOnContainerExit: true },
      timeoutMs: 60_000,
      environment: expect.objectContaining({ SLIPWAY_DATA: "memory", SLIPWAY_SEED: "/tmp/seed.json" }),
      files: [expect.objectContaining({ target: "/tmp/seed.json", mode: 0o644 })],
    }),
  ]);
  expect(server.container.getName()).toBe("tests");
  expect(server.env).toEqual({
    SLIPWAY_API_URL: running?.url,
    SLIPWAY_TOKEN: server.token,
    SLIPWAY_TEAM: "acme",
  });
  await server.request("DELETE", "/v9/projects/web");
  await server.control.reset();
  expect(await server.request("GET", "/v9/projects/web")).toMatchObject({ name: "web" });
  await server.close();
  expect(seen).toEqual([expect.objectContaining({ isStopped: true })]);
});

it("uses the accounts of the seed without the development account", async () => {
  const seed: SeedDocument = {
    users: [{ username: "ci", email: "ci@example.com" }],
    teams: [{ slug: "shop", members: [{ user: "ci", role: "OWNER" }] }],
    tokens: [{ token: "ci-token", user: "ci" }],
    projects: [{ team: "shop", name: "web" }],
  };
  const options = { image: "slipway", seed, developmentAccount: false };
  const server = await startContainer(testcontainers, { ...options, token: "ci-token", team: "shop" });
  expect(await server.request("GET", "/v9/projects")).toMatchObject({ projects: [{ name: "web" }] });
  await expect(startContainer(testcontainers, options)).rejects.toThrow("set token to a token of the seed");
});

it("adds no second row for a token that the seed has", async () => {
  const seed: SeedDocument = { projects, tokens: [{ token: "ci-token", user: "dev", team: "acme" }] };
  const server = await startContainer(testcontainers, { image: "slipway", seed, token: "ci-token" });
  expect(await server.request("GET", "/v9/projects/web")).toMatchObject({ name: "web" });
});

it("shows the log of a container that does not start", async () => {
  await expect(startContainer(testcontainers, { image: "broken" })).rejects.toThrow(
    "The container of broken has not started: container exited\nslipway: the seed is invalid",
  );
});

it("rejects a refused call of the control plane with the request and the reason", async () => {
  const server = await startContainer(testcontainers, { image: "slipway" });
  await expect(server.control.loadState("missing")).rejects.toThrow(
    /^POST \/_control\/states\/missing\/load: 404 .*"code"/,
  );
});

describe("a container for useServer", () => {
  const server = useServer({
    start: () => startContainer(testcontainers, { image: "slipway", seed: { projects }, team: "acme" }),
  });
  it("is reset before a test", async () => {
    expect(await server.request("GET", "/v9/projects")).toMatchObject({ projects: [{ name: "web" }] });
  });
});
