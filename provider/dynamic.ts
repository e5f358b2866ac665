import type * as pulumi from "@pulumi/pulumi";
import { cancellation, engineEnd } from "./cancellation";
import { type Lookup, settingsFrom, warningsOf } from "./client/config";
import { sentFor } from "./client/sender";
import { withCaller, within } from "./client/step-limits";
import { collapsed, expanded } from "./core/computed";
import { isOnlyRead } from "./core/ownership-record";
import { PartialFailure } from "./core/partial-failure";
import type { Resource } from "./core/resource";
import type { Step } from "./core/step";
import { nameOf } from "./core/urn";
import { fingerprint, isPlain, type Plain, safeRecord, swap, unknown } from "./core/values";
import { Contexts, problemsOf, providerKey, unknownText, withoutProvider } from "./hosting";
import {
  autoNamedKey,
  handlerName,
  ignoredKey,
  parseRun,
  type ResourceType,
  type RunInfo,
  runKey,
  urnKey,
} from "./loader";
import { resources } from "./resources";
import { StackState } from "./stack-state";
import { trackStep } from "./termination";

const stack = new StackState();
const contexts = new Contexts(stack);

/** The dynamic host. Pulumi evaluates `__provider` (see `loader`) and calls `handler` of what it names. */
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
 * Wraps the steps: their requests name the resource, their waits end when the run is cancelled, and when the engine has
 * ended they send nothing further.
 */
function naming(type: string, { configure, ...steps }: Host): Host {
  const { check, diff, create, read, update, delete: remove } = steps;
  const cancelled = cancellation();
  /** The logical names, by inputs and ids: only checks are told them. Resources with equal inputs share the last one. */
  const names = new Map<string, string>();
  const run = <T>(name: string | undefined, step: () => Promise<T>) =>
    trackStep(() =>
      sentFor(name === undefined ? type : `${type} ${name}`, () =>
        withCaller(engineEnd(), () => within({ seconds: 0, cancelled }, step)),
      ),
    );
  return {
    configure,
    async check(olds, news) {
      const { urn } = parseRun(news[runKey]) ?? {};
      const name = urn === undefined ? undefined : nameOf(urn);
      const checked = await run(name, () => check(olds, news));
      if (name !== undefined) names.set(keyOf(checked.inputs), name);
      return checked;
    },
    diff(id, olds, news) {
      const name = names.get(keyOf(news));
      if (name !== undefined) names.set(id, name);
      return run(name, () => diff(id, olds, news));
    },
    create: (inputs) => run(names.get(keyOf(inputs)), () => create(inputs)),
    read: (id, state) => run(names.get(id), () => read(id, state)),
    update: (id, olds, news) => run(names.get(id), () => update(id, olds, news)),
    delete: (id, state) => run(names.get(id), () => remove(id, state)),
  };
}

function host(resource: Resource): Host {
  // Before `configure`, only the environment is used.
  let config: Lookup = () => undefined;
  const context = () => contexts.of(settingsFrom(config));
  /** The ignored paths of resources, by their inputs: a create or update is told nothing else of its check. */
  const ignored = new Map<string, readonly string[]>();
  const stepOf = (inputs: Plain): Step => ({
    ...{ urn: textOf(inputs[urnKey]), warn, inform },
    ignored: async () => ignored.get(keyOf(inputs)) ?? [],
  });

  return {
    // The engine does not await `configure` before other calls, so it must be synchronous.
    async configure(request) {
      config = (key) => textOf(request.config.get(key));
      for (const warning of warningsOf(config)) warnOnce(warning);
    },

    async check(previous, news) {
      const { [runKey]: text, [ignoredKey]: paths, ...declared } = news;
      const run = parseRun(text);
      if (run) learnRun(run);
      const olds = incoming(previous);
      const problems = problemsOf(config);
      const given = named(olds, resource.normalize(incoming(declared)));
      const inputs = problems.length > 0 ? given : resource.complete(settingsFrom(config), olds, given);
      const failures = [...problems, ...resource.check(olds, inputs).map(({ reason }) => reason)];
      if (failures.length === 0) {
        for (const warning of resource.warnings(inputs)) warnOnce(`${resource.type}: ${warning}`);
        const refusals = await messageOnly(() =>
          resource.refusals(context(), olds, inputs, {
            urn: run?.urn,
            ignored: Array.isArray(paths) ? paths : [],
          }),
        );
        failures.push(...refusals.map(({ reason }) => reason));
      }
      const known = outgoing({ ...inputs, [urnKey]: news[urnKey] });
      // Of two resources with equal inputs, both leave alone what either ignores.
      if (Array.isArray(paths)) ignored.set(keyOf(known), [...(ignored.get(keyOf(known)) ?? []), ...paths]);
      // With a property, the engine would print its value, even a secret.
      return { inputs: known, failures: failures.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, state, news) {
      const { changes, replaces, deleteBeforeReplace } = await messageOnly(async () => {
        const [olds, inputs] = [incoming(state), incoming(news)];
        resource.record(context(), id, olds, inputs);
        return resource.diff(context(), id, olds, inputs);
      });
      // A resource that the plugin made lacks the provider's text until this host updates it; one that an earlier
      // version imported lacks its mark.
      const isForeign = state[providerKey] === undefined || isOnlyRead(state);
      return { changes: isForeign || changes.length > 0, replaces, deleteBeforeReplace };
    },

    async create(inputs) {
      const { id, state } = await reportingPartialFailure(inputs, () =>
        resource.create(context(), stepOf(inputs), incoming(inputs)),
      );
      return { id, outs: outgoing(state) };
    },

    async read(id, state) {
      const found = await messageOnly(() => resource.read(context(), id, incoming(state ?? {})));
      // A result without an id means that the object was deleted.
      if (!found) return {};
      // The SDK has an output for each input of what is only read.
      const outs = isOnlyRead(found.state) ? expanded(found.state) : found.state;
      return { id: found.id, props: outgoing(outs), inputs: outgoing(found.inputs) };
    },

    async update(id, state, news) {
      const outs = await reportingPartialFailure(news, () =>
        resource.update(context(), stepOf(news), id, incoming(state), incoming(news)),
      );
      return { outs: outgoing(outs) };
    },

    async delete(id, state) {
      await messageOnly(() => resource.remove(context(), stepOf({}), id, incoming(state)));
    },
  };
}

/** From then on, the state of the stack can be read. */
function learnRun({ urn, provider }: RunInfo): void {
  stack.note(urn);
  stack.provider = provider;
}

const keyOf = (inputs: Plain): string => fingerprint(withoutProvider(inputs));

function incoming(values: Plain): Plain {
  const { [urnKey]: _, ...own } = withoutProvider(values);
  const plain = swap(own, unknownText, unknown);
  return isPlain(plain) ? collapsed(plain) : {};
}

/** Keeps the name of an object that the program does not name. Only a new one gets the default name. */
function named(olds: Plain, { [autoNamedKey]: isAutoNamed, ...inputs }: Plain): Plain {
  return isAutoNamed && olds.name !== undefined ? { ...inputs, name: olds.name } : inputs;
}

const outgoing = (values: Plain): Plain => safeRecord(swap(values, unknown, unknownText) as Plain);

/** Reports the progress of a failed step to the engine, with the text that later calls need. */
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

/** An error without a stack. */
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
 * Drops a redundant line: for each failed diff, read and delete, Pulumi's process prints `error: stack` and also sends
 * the message to the engine, which prints it.
 */
function muteStackLine(): void {
  if (quiet) return;
  quiet = true;
  const print = console.error;
  console.error = (...values: unknown[]) => {
    if (values.length !== 1 || values[0] !== ": ") print(...values);
  };
}

const inform = (message: string): void => console.error(`slipway: ${message}`);
const warn = (message: string): void => console.error(`slipway: warning: ${message}`);

const warned = new Set<string>();

/** Warns once, since all resources of a process have the same configuration. */
function warnOnce(message: string): void {
  if (!warned.has(message)) warn(message);
  warned.add(message);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
