import type { Client } from "../../provider/client/client";
import type { Resource } from "../../provider/core/resource";
import type { RunContext } from "../../provider/core/run-context";
import type { Plain } from "../../provider/core/values";
import { DynamicHost } from "../../provider/dynamic/host";
import { Contexts } from "../../provider/hosting";
import type { ResourceType } from "../../provider/loader";
import { FakeCli } from "../support/fake-cli";
import type { Failed, Host } from "./host";
import { dynamicHost, neverCancelled } from "./in-process-host";
import { newService, pluginHostOf } from "./in-process-plugin-host";
import { type Harness, Replaced, type Stack } from "./stack";

/** Resources through a host in this process, whose requests go by the clients of a test, with its times. */

export const hostNames = ["dynamic", "plugin"] as const;
export type HostName = (typeof hostNames)[number];

const differs = 2;

/** By the API that they ask. */
const runs = new Map<string, RunContext>();
jest.spyOn(Contexts.prototype, "of").mockImplementation(({ apiUrl }) => runs.get(apiUrl) as RunContext);

/** Tells of a stack that holds nothing. */
let cli: FakeCli;
const path = process.env.PATH;
beforeAll(() => {
  // Where resources warn; what they say is looked at elsewhere.
  jest.spyOn(console, "error").mockImplementation(() => {});
  cli = new FakeCli();
  process.env.PATH = cli.path;
});
afterAll(() => {
  process.env.PATH = path;
  cli.close();
  jest.restoreAllMocks();
});

async function hostOf(name: HostName, { server: { url, token } }: Harness): Promise<Host> {
  const config = { apiUrl: url, token, team: "acme" };
  if (name === "plugin") {
    const host = await pluginHostOf(newService(), config, cli);
    host.record([], []);
    return host;
  }
  const settings = Object.entries(config).map(([key, value]) => [`slipway:${key}`, value]);
  return dynamicHost(new DynamicHost(neverCancelled), Object.fromEntries(settings));
}

/** As `Harness.stack`, through a host. */
export async function hosted(w: Harness, { type: name }: Resource, by: HostName): Promise<Stack> {
  const type = name as ResourceType;
  const host = await hostOf(by, w);
  let client = w.client;
  let exists = false;
  /** The engine updates what is only half done, even if a diff finds no change. */
  let halfDone = false;
  const replaced = new Replaced((id, state) => host.remove(type, id, state));
  const use = (next: Client): void => void runs.set(w.server.url, w.runOf(next));

  async function checked(news: Plain): Promise<Plain> {
    const { inputs, failures } = await host.check(type, self.inputs, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return bare(inputs);
  }

  /** Keeps what a step leads to, and of one that fails half-way what it has reached. */
  async function keep(news: Plain, step: () => Promise<{ id: string; properties: Plain }>): Promise<void> {
    const reached = await step().catch((error: Failed) => {
      if (!error.kept) throw error;
      return { ...error.kept, error };
    });
    Object.assign(self, { id: reached.id, state: bare(reached.properties), inputs: news });
    exists = true;
    halfDone = "error" in reached;
    if ("error" in reached) throw reached.error;
  }

  async function stepFor(inputs: Plain): Promise<{ step: Stack["steps"][number]; deleteFirst: boolean }> {
    if (!exists) return { step: "create", deleteFirst: false };
    const { changes, replaces, deleteFirst } = await host.diff(type, self.id, self.state, inputs);
    if (changes !== differs) return { step: halfDone ? "update" : "same", deleteFirst };
    return { step: replaces.length > 0 ? "replace" : "update", deleteFirst };
  }

  const self: Stack = {
    type,
    name: "it",
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
      use(client);
      return (await stepFor(await checked(news))).step;
    },

    async up(news) {
      use(client);
      await replaced.removeAll();
      const inputs = await checked(news);
      const { step, deleteFirst } = await stepFor(inputs);
      self.steps.push(step);
      const { id, state } = self;
      if (step === "create") await keep(inputs, () => host.create(type, inputs));
      if (step === "update")
        await keep(inputs, async () => ({ id, properties: await host.update(type, id, state, inputs) }));
      if (step === "replace") {
        if (deleteFirst) await host.remove(type, id, state);
        await keep(inputs, () => host.create(type, inputs));
        if (!deleteFirst) replaced.add(id, state);
        await replaced.removeAll();
      }
      if (step === "same") self.inputs = inputs;
      return step;
    },

    async refresh(reader = client) {
      use(reader);
      const found = await host.read(type, self.id, self.state);
      exists = found.id !== "" && found.id !== undefined;
      if (exists)
        Object.assign(self, { id: found.id, state: bare(found.properties), inputs: bare(found.inputs) });
      return exists;
    },

    async destroy(remover = client) {
      use(remover);
      await replaced.removeAll();
      await host.remove(type, self.id, self.state);
      exists = false;
    },
  };
  return self;
}

/** The text that says how a dynamic resource is hosted is not the resource's. */
const bare = ({ __provider: _, ...values }: Plain): Plain => values;
