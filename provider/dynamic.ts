import type * as pulumi from "@pulumi/pulumi";
import { cancellation } from "./cancellation";
import { cautionsOf, type Lookup, settingsFrom } from "./client/config";
import { within } from "./client/limits";
import { sentFor } from "./client/sender";
import { claims } from "./core/claims";
import { PartialFailure } from "./core/partial-failure";
import type { Resource } from "./core/resource";
import { isPlain, type Plain, safeRecord, swap, unknown } from "./core/values";
import { clientFor, problemsOf, providerKey, unknownText, withoutProvider } from "./hosting";
import { resources } from "./resources";
import { autoNamedKey, handlerName, heldKey, type ResourceType, selfKey } from "./trampoline";

/** The dynamic host. Pulumi evaluates `__provider` (see `trampoline`) and calls `handler` of what it names. */
for (const resource of Object.values<Resource>(resources)) {
  exports[handlerName(resource.type as ResourceType)] = hosted(resource);
}

type Host = Required<pulumi.dynamic.ResourceProvider>;

function hosted(resource: Resource): { handler(): Host } {
  return {
    handler() {
      muteStackLine();
      return naming(resource.type, host(resource));
    },
  };
}

/**
 * Has the requests of each step say whose they are, and its waits end when the run is cancelled. This host is not told
 * a resource's logical name.
 */
function naming(type: string, { configure, ...steps }: Host): Host {
  const { check, diff, create, read, update, delete: remove } = steps;
  const cancelled = cancellation();
  const run = <T>(step: () => Promise<T>) => sentFor(type, () => within({ seconds: 0, cancelled }, step));
  return {
    configure,
    check: (olds, news) => run(() => check(olds, news)),
    diff: (id, olds, news) => run(() => diff(id, olds, news)),
    create: (inputs) => run(() => create(inputs)),
    read: (id, state) => run(() => read(id, state)),
    update: (id, olds, news) => run(() => update(id, olds, news)),
    delete: (id, state) => run(() => remove(id, state)),
  };
}

function host(resource: Resource): Host {
  // Before `configure` the environment alone decides.
  let config: Lookup = () => undefined;
  const client = () => clientFor(settingsFrom(config));

  return {
    // Other calls run before the promise of `configure` is awaited, so that it may do no more than this.
    async configure(request) {
      config = (key) => textOf(request.config.get(key));
      for (const caution of cautionsOf(config)) warnOnce(caution);
    },

    async check(previous, news) {
      const { [heldKey]: held, [selfKey]: self, ...declared } = news;
      if (typeof held === "string" && held !== unknownText) claims.learn(held);
      const olds = incoming(previous);
      const inputs = named(olds, incoming(declared));
      const failures = [...problemsOf(config), ...resource.check(olds, inputs).map(({ reason }) => reason)];
      if (failures.length === 0) {
        for (const caution of resource.cautions(inputs)) warnOnce(`${resource.type}: ${caution}`);
        const refusals = await messageOnly(() => resource.refusals(client(), olds, inputs, textOf(self)));
        failures.push(...refusals.map(({ reason }) => reason));
      }
      // Naming a property would make the engine print its value, secret or not.
      return { inputs: outgoing(inputs), failures: failures.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, state, news) {
      const { changes, replaces, deleteBeforeReplace } = await messageOnly(() =>
        resource.diff(client(), id, incoming(state), incoming(news)),
      );
      // A resource that the plugin has made lacks what its read and delete ask for here, until it is written once.
      const isForeign = state[providerKey] === undefined;
      return { changes: isForeign || changes.length > 0, replaces, deleteBeforeReplace };
    },

    async create(inputs) {
      const { id, state } = await reportingPartialFailure(inputs, () =>
        resource.create(client(), warn, incoming(inputs)),
      );
      return { id, outs: outgoing(state) };
    },

    async read(id, state) {
      const found = await messageOnly(() => resource.read(client(), id, incoming(state ?? {})));
      // The engine takes a result without id for an object that is gone.
      if (!found) return {};
      return { id: found.id, props: outgoing(found.state), inputs: outgoing(found.inputs) };
    },

    async update(id, state, news) {
      const outs = await reportingPartialFailure(news, () =>
        resource.update(client(), warn, id, incoming(state), incoming(news)),
      );
      return { outs: outgoing(outs) };
    },

    async delete(id, state) {
      await messageOnly(() => resource.remove(client(), warn, id, incoming(state)));
    },
  };
}

function incoming(values: Plain): Plain {
  const plain = swap(withoutProvider(values), unknownText, unknown);
  return isPlain(plain) ? plain : {};
}

/** What the program does not name keeps the name that it has: only a new one is called after its resource. */
function named(olds: Plain, { [autoNamedKey]: isAutoNamed, ...inputs }: Plain): Plain {
  return isAutoNamed && olds.name !== undefined ? { ...inputs, name: olds.name } : inputs;
}

const outgoing = (values: Plain): Plain => safeRecord(swap(values, unknown, unknownText) as Plain);

/** Hands the engine what a failed step has reached, with the text that later calls need. */
async function reportingPartialFailure<T>(inputs: Plain, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    throw Object.assign(new Error(error.message), {
      id: error.id,
      properties: { ...outgoing(error.state), [providerKey]: inputs[providerKey] },
      reasons: [error.message],
    });
  }
}

/** An error of which only the message is there to be printed. */
class MessageOnlyError extends Error {
  override toString(): string {
    return "";
  }
}

async function messageOnly<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const shown = new MessageOnlyError(error instanceof Error ? error.message : String(error));
    shown.stack = "";
    throw shown;
  }
}

let quiet = false;

/**
 * Pulumi's process prints `error: stack` for each failed diff, read and delete, beside handing the message to the
 * engine, which prints it properly. What is left of that line for a `MessageOnlyError` is dropped here.
 */
function muteStackLine(): void {
  if (quiet) return;
  quiet = true;
  const print = console.error;
  console.error = (...values: unknown[]) => {
    if (values.length !== 1 || values[0] !== ": ") print(...values);
  };
}

const warn = (message: string): void => console.error(`slipway: warning: ${message}`);

const warned = new Set<string>();

/** Every resource of a process is configured alike. */
function warnOnce(message: string): void {
  if (!warned.has(message)) warn(message);
  warned.add(message);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
