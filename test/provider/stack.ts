import { Client, type Timing } from "../../provider/client/client";
import type { StackReader } from "../../provider/core/ownership";
import { PartialFailure } from "../../provider/core/partial-failure";
import type { Resource } from "../../provider/core/resource";
import { RunContext } from "../../provider/core/run-context";
import { StackSnapshot } from "../../provider/core/stack-snapshot";
import type { Step } from "../../provider/core/step";
import type { Plain } from "../../provider/core/values";
import { objectsOf } from "../../provider/hosting";
import type { RunningServer } from "../../server";
import { urnOf } from "../support/fake-cli";
import { startServer } from "../support/profile";

/** Fast enough for tests; the proportions are those of the real thing. */
export const timing = {
  settleMs: 0,
  attemptMs: 2_000,
  deadlineMs: 4_000,
  rateLimitDeadlineMs: 4_000,
  pauseMs: 5,
  maxPauseMs: 20,
  attempts: 4,
};

export interface Harness {
  server: RunningServer;
  client: Client;
  /** The run of `client`. */
  run: RunContext;
  /** The run of a client. */
  runOf(client: Client): RunContext;
  /** The messages of the resources. */
  warnings: string[];
  /** A client that knows nothing of what the first one read. */
  another(settings?: {
    apiUrl?: string;
    team?: string | undefined;
    token?: string;
    explicitProvider?: "with-team" | "without-team";
    times?: Partial<Timing>;
  }): Client;
  /**
   * A resource under an engine's care.
   * @param name has it checked against the service and the other resources of the run, as hosts do
   */
  stack(resource: Resource, name?: string): Stack;
  /** A request behind the provider's back. */
  curl(method: string, path: string, body?: object): Promise<Record<string, never>>;
  close(): Promise<void>;
}

type Outcome = "create" | "update" | "replace" | "same";

/** A step of a program that ignores nothing, without output. */
export const quietStep: Step = { warn() {}, inform() {}, ignored: async () => [] };

/** One resource as the engine handles it: check, diff, and what follows from them. */
export interface Stack {
  readonly type: string;
  /** Its name in the stack. */
  readonly name: string;
  id: string;
  inputs: Plain;
  state: Plain;
  readonly client: Client;
  /** Goes on with another client, as a later run does. */
  use(client: Client): void;
  /** The steps that were taken, the last one at the end. */
  steps: Outcome[];
  /** @param host replaces parts of what the host tells the step @throws Error with the reasons when a check fails */
  up(news: Plain, host?: Partial<Step>): Promise<Outcome>;
  /** The plan of `up`. */
  preview(news: Plain): Promise<Outcome>;
  /** @returns false when the object is gone */
  refresh(client?: Client): Promise<boolean>;
  destroy(client?: Client): Promise<void>;
}

/** The runs of clients, each with what it knows of the stack. */
const runs = new WeakMap<Client, RunContext>();
/** That of the newest run. */
let reader: StackReader = {};

function runOf(client: Client): RunContext {
  const run = runs.get(client);
  if (!run) throw new Error("the client is not of this harness");
  return run;
}

export async function startHarness(options?: Parameters<typeof startServer>[0]): Promise<Harness> {
  const server = await startServer(options);
  const clients: Client[] = [];
  const warnings: string[] = [];
  const another: Harness["another"] = ({
    apiUrl = server.url,
    team = "acme",
    token = server.token,
    explicitProvider,
    times,
  } = {}) => {
    // It is of a process of its own, which knows nothing yet.
    reader = {};
    const client = new Client(
      { apiUrl, token, team: team || undefined, explicitProvider },
      { ...timing, ...times },
    );
    clients.push(client);
    runs.set(client, new RunContext(client, reader));
    return client;
  };
  const client = another();
  return {
    server,
    client,
    run: runOf(client),
    runOf,
    warnings,
    another,
    stack: (resource, name) => stack(resource, name, client, warnings),
    async curl(method, path, body) {
      const answer = await fetch(`${server.url}${path}${path.includes("?") ? "&" : "?"}slug=acme`, {
        method,
        headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === "" ? {} : JSON.parse(text);
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
    },
  };
}

function stack(resource: Resource, planned: string | undefined, first: Client, warnings: string[]): Stack {
  const [isPlanned, name] = [planned !== undefined, planned ?? "it"];
  let client = first;
  const quiet: Step = { ...quietStep, warn: (message) => void warnings.push(message) };
  let exists = false;
  /** The engine updates what is only half done, even if a diff finds no change. */
  let halfDone = false;
  const replaced = new Replaced((id, state) => resource.remove(runOf(client), quiet, id, state));

  async function keep(news: Plain, step: () => Promise<{ id: string; state: Plain }>): Promise<void> {
    try {
      const { id, state } = await step();
      Object.assign(self, { id, state: wire(state), inputs: wire(news) });
      exists = true;
      halfDone = false;
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      Object.assign(self, { id: error.id, state: wire(error.state), inputs: wire(news) });
      exists = true;
      halfDone = true;
      throw error;
    }
  }

  async function check(previous: Plain, news: Plain): Promise<void> {
    // A resource without a name leaves out what `refusals` asks the service, but is still part of a program.
    await runOf(client).phases.check(async () => {});
    const failures = resource.check(previous, news);
    if (failures.length === 0 && isPlanned)
      failures.push(
        ...(await resource.declare(runOf(client), previous, news, { urn: urnOf(resource.type, name) })),
      );
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
  }

  const self: Stack = {
    type: resource.type,
    name,
    id: "",
    inputs: {},
    state: {},
    steps: [],

    get client() {
      return client;
    },

    use(next) {
      client = next;
    },

    async preview(news) {
      await check(exists ? self.inputs : {}, news);
      if (!exists) return "create";
      resource.record(runOf(client), self.id, self.state, news);
      const diff = await resource.diff(runOf(client), self.id, self.state, news);
      if (diff.changes.length === 0) return halfDone ? "update" : "same";
      if (diff.replaces.length === 0) return "update";
      await check({}, news);
      return "replace";
    },

    async up(news, host) {
      const told = { ...quiet, ...host };
      await replaced.removeAll();
      const step = await self.preview(news);
      self.steps.push(step);
      if (step === "create") await keep(news, () => resource.create(runOf(client), told, news));
      if (step === "update") {
        const { id, state } = self;
        await keep(news, async () => ({
          id,
          state: await resource.update(runOf(client), told, id, state, news),
        }));
      }
      if (step === "replace") {
        const { id, state } = self;
        const { deleteBeforeReplace } = await resource.diff(runOf(client), id, state, news);
        if (deleteBeforeReplace) await resource.remove(runOf(client), told, id, state);
        await keep(news, () => resource.create(runOf(client), told, news));
        if (!deleteBeforeReplace) replaced.add(id, state);
        await replaced.removeAll();
      }
      if (step === "same") self.inputs = wire(news);
      return step;
    },

    async refresh(reader = client) {
      const found = await resource.read(runOf(reader), self.id, self.state);
      const last = self.inputs;
      if (found) {
        Object.assign(self, { id: found.id, state: wire(found.state), inputs: wire(found.inputs) });
        // So the engine shows what has changed.
        resource.record(runOf(reader), self.id, self.state, last);
        await resource.diff(runOf(reader), self.id, self.state, last);
      }
      exists = found !== undefined;
      return exists;
    },

    async destroy(remover = client) {
      await replaced.removeAll();
      await resource.remove(runOf(remover), quiet, self.id, self.state);
      exists = false;
    },
  };
  return self;
}

/** Replaced objects that are still to be deleted: the engine does that first in each run, until it succeeds. */
export class Replaced {
  private readonly rest: { id: string; state: Plain }[] = [];

  constructor(private readonly remove: (id: string, state: Plain) => Promise<void>) {}

  add(id: string, state: Plain): void {
    this.rest.push({ id, state });
  }

  async removeAll(): Promise<void> {
    for (let one = this.rest[0]; one; one = this.rest[0]) {
      await this.remove(one.id, one.state);
      this.rest.shift();
    }
  }
}

/**
 * Lets the run know that the state of the stack has these resources.
 * @param abandoned owner ids of resources whose objects were let go, and that are not yet recreated
 * @param provider that of the newest run
 */
export function recordStack(
  resources: readonly {
    type: string;
    name: string;
    outputs: Plain;
    provider?: string;
    isReplaced?: boolean;
    ignored?: readonly string[];
    keptBy?: "protect" | "retainOnDelete";
  }[],
  abandoned: readonly string[] = [],
  provider?: string,
  leftOut: readonly string[] = [],
): void {
  const recorded = resources.map(({ type, name, ...rest }) => ({ urn: urnOf(type, name), ...rest }));
  const snapshot = new StackSnapshot(recorded, objectsOf, abandoned);
  reader.readSnapshot = async () => snapshot;
  reader.readAgain = reader.readSnapshot;
  reader.provider = provider;
  reader.leavesOut = async (urn) => leftOut.some((name) => urn.endsWith(`::${name}`));
}

/** Values after their way through the engine. */
const wire = (values: Plain): Plain => JSON.parse(JSON.stringify(values));
