import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningServer, type StartOptions, startServer } from "../../server";
import type { SeedDocument } from "../../server/seed/document";
import { engine } from "../support/engine";
import { takeDatabase } from "../support/postgres/database";
import { type Answered, Client } from "./client";
import { type Generation, loadSdk, type Sdk } from "./generations";
import { type Operation, operations } from "./operations";

/** A person who may only look. */
export const viewerToken = "token-of-viewer";
/** An installation of the integration `cron`, on all projects of `acme`. */
export const installationToken = "token-of-cron";

const people: SeedDocument = {
  users: [{ username: "viewer" }, { username: "maker" }],
  teams: [
    { slug: "acme", members: [{ user: "viewer", role: "VIEWER" }] },
    { slug: "blocked", plan: "pro", softBlocked: true, members: [{ user: "dev", role: "OWNER" }] },
    {
      slug: "waiting",
      members: [
        { user: "viewer", role: "OWNER" },
        { user: "dev", role: "MEMBER", confirmed: false },
      ],
    },
  ],
  projects: [{ team: "blocked", name: "stalled" }],
  tokens: [{ token: viewerToken, user: "viewer" }],
  integrations: [
    {
      slug: "cron",
      owner: "maker",
      clientSecret: "secret",
      redirectUrl: "https://cron.example.com/callback",
      scopes: [
        "project",
        "log-drain",
        "integration-configuration",
        "global-project-env-vars",
        "deployment-check",
      ],
    },
  ],
  installations: [
    { id: "icfg_cron", integration: "cron", team: "acme", installedBy: "dev", token: installationToken },
  ],
};

interface Started {
  server: RunningServer;
  release: () => Promise<void>;
}

/** Memory; in full length, where a user's server has its data: in a folder, or in a database. */
export async function takeStore(): Promise<Pick<StartOptions, "data" | "key"> & Pick<Started, "release">> {
  if (engine === "postgres") {
    const { url, release } = await takeDatabase();
    return { data: url, key: Buffer.alloc(32, "key").toString("base64"), release };
  }
  if (!process.env.SLIPWAY_TEST_LONG) return { data: "memory", release: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), "slipway-contract-"));
  return { data: folder, release: async () => rmSync(folder, { recursive: true }) };
}

/** One generation, one server that all of its tests share, and what they run; each test has projects of its own. */
export class Contract {
  readonly sdk: Sdk;
  /** The operations that tests run. */
  readonly covered = new Set<Operation>();
  private started: (Started & { client: Client }) | undefined;
  private projects = 0;

  constructor(readonly generation: Generation) {
    this.sdk = loadSdk(generation);
    beforeAll(async () => {
      const { release, ...store } = await takeStore();
      const server = await startServer({ seed: people, ...store });
      this.started = { server, client: new Client(generation, this.sdk, server.url, server.token), release };
    });
    afterAll(async () => {
      await this.started?.server.close();
      await this.started?.release();
    });
  }

  get client(): Client {
    return this.running.client;
  }

  get server(): RunningServer {
    return this.running.server;
  }

  private get running() {
    if (!this.started) throw new Error("the server is not started: use it inside a test");
    return this.started;
  }

  /** A test of an operation, where the generation has it; it fails unless the operation succeeds in it. */
  it(operation: Operation, does: string, test: (client: Client) => Promise<void>): void {
    if (!operations[operation].includes(this.generation)) return;
    this.covered.add(operation);
    it(`${operation} ${does}`, async () => {
      this.client.succeeded.clear();
      await test(this.client);
      expect([...this.client.succeeded]).toContain(operation);
    });
  }

  /** Makes a project of the team `acme`, with a name that no other has. */
  async project(fields: object = {}): Promise<Answered> {
    this.projects += 1;
    const requestBody = { name: `project-${this.projects}-x`, ...fields };
    return this.client.call("POST /v10/projects", { requestBody });
  }

  /** The project as the generation reads it: by itself, or in the list where it has no other way. */
  async read(project: { id: string; name: string }): Promise<Answered> {
    if (this.client.has("GET /v9/projects/:idOrName")) {
      return this.client.call("GET /v9/projects/:idOrName", { idOrName: project.id });
    }
    const { projects } = await this.client.call("GET /v9/projects", { search: project.name });
    return projects.find(({ id }: { id: string }) => id === project.id);
  }
}
