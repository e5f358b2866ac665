import type * as pulumi from "@pulumi/pulumi";
import { type Lookup, type Settings, settingsFrom, warningsOf } from "../client/config";
import { sentFor } from "../client/sender";
import { withCaller, withLimits } from "../client/step-limits";
import { collapsed, expanded } from "../core/computed";
import { isOnlyRead } from "../core/ownership-record";
import { PartialFailure } from "../core/partial-failure";
import type { Resource } from "../core/resource";
import type { RunContext } from "../core/run-context";
import type { Step } from "../core/step";
import { nameOf } from "../core/urn";
import { fingerprint, isPlain, type Plain, safeRecord, swap, unknown } from "../core/values";
import { Contexts, problemsOf, providerKey, unknownText, withoutProvider } from "../hosting";
import { autoNamedKey, ignoredKey, parseRun, type RunInfo, runKey, urnKey } from "../loader";
import { StackState } from "../stack-state";
import { StepsInProgress } from "../termination";
import type { Cancellation } from "./cancellation";

type Handler = Required<pulumi.dynamic.ResourceProvider>;

/** The host of all dynamic resources of a process, with the stack, the contexts of its accounts, and shown warnings. */
export class DynamicHost {
  readonly contexts: Contexts;
  readonly #warned = new Set<string>();

  constructor(
    private readonly cancellation: Cancellation,
    private readonly steps = new StepsInProgress(),
    private readonly stack = new StackState(),
  ) {
    this.contexts = new Contexts(stack);
  }

  /**
   * Makes the methods that Pulumi calls for one resource. The requests of these methods name the resource. When the run
   * is cancelled, their waits end. When the engine has ended, they send no more requests.
   */
  handlerOf(resource: Resource): Handler {
    const { type } = resource;
    const handler = new ResourceHandler(resource, this);
    /**
     * The logical names by inputs and by ids, because only checks know them. Of resources with equal inputs, the last
     * one.
     */
    const names = new Map<string, string>();
    const run = <T>(name: string | undefined, step: () => Promise<T>) =>
      this.#run(name === undefined ? type : `${type} ${name}`, step);
    return {
      configure: (request) => handler.configure(request),
      async check(olds, news) {
        const { urn } = parseRun(news[runKey]) ?? {};
        const name = urn === undefined ? undefined : nameOf(urn);
        const checked = await run(name, () => handler.check(olds, news));
        if (name !== undefined) names.set(keyOf(checked.inputs), name);
        return checked;
      },
      diff(id, olds, news) {
        const name = names.get(keyOf(news));
        if (name !== undefined) names.set(id, name);
        return run(name, () => handler.diff(id, olds, news));
      },
      create: (inputs) => run(names.get(keyOf(inputs)), () => handler.create(inputs)),
      read: (id, state) => run(names.get(id), () => handler.read(id, state)),
      update: (id, olds, news) => run(names.get(id), () => handler.update(id, olds, news)),
      delete: (id, state) => run(names.get(id), () => handler.delete(id, state)),
    };
  }

  #run<T>(sender: string, step: () => Promise<T>): Promise<T> {
    const { cancelled, engineEnd } = this.cancellation;
    return this.steps.track(() =>
      sentFor(sender, () => withCaller(engineEnd, () => withLimits({ seconds: 0, cancelled }, step))),
    );
  }

  /** Takes the facts about the run from a resource. From then on, the state of the stack can be read. */
  learnRun({ urn, provider }: RunInfo): void {
    this.stack.note(urn);
    this.stack.provider = provider;
  }

  /** Shows a warning once, because all resources of a process have the same configuration. */
  warnOnce(message: string): void {
    if (!this.#warned.has(message)) warn(message);
    this.#warned.add(message);
  }

  /** Shows the warnings that are known only at the end of a run. */
  async showLastWarnings(): Promise<void> {
    for (const warning of await this.contexts.lastWarnings()) warn(warning);
  }
}

/** The methods that Pulumi calls for one resource. */
class ResourceHandler implements Handler {
  /** The configuration of the stack. Before `configure`, only the environment is used. */
  #config: Lookup = () => undefined;
  #settings: Settings | undefined;
  /** The ignored paths of resources, by their inputs. The inputs are all that a create or update has of its check. */
  readonly #ignored = new Map<string, readonly string[]>();

  constructor(
    private readonly resource: Resource,
    private readonly host: DynamicHost,
  ) {}

  get #context(): RunContext {
    return this.host.contexts.of(this.#configured());
  }

  /** @throws ConfigError for an invalid configuration */
  #configured(): Settings {
    this.#settings ??= settingsFrom(this.#config);
    return this.#settings;
  }

  #stepOf(inputs: Plain): Step {
    const ignored = async () => this.#ignored.get(keyOf(inputs)) ?? [];
    return { urn: textOf(inputs[urnKey]), warn, inform, ignored };
  }

  // The engine does not await `configure` before other calls, so it must be synchronous.
  async configure(request: pulumi.dynamic.ConfigureRequest): Promise<void> {
    this.#config = (key) => textOf(request.config.get(key));
    this.#settings = undefined;
    for (const warning of warningsOf(this.#config)) this.host.warnOnce(warning);
  }

  async check(previous: Plain, news: Plain): Promise<pulumi.dynamic.CheckResult> {
    const { resource } = this;
    const { [runKey]: text, [ignoredKey]: paths, ...declared } = news;
    const run = parseRun(text);
    if (run) this.host.learnRun(run);
    const ignored: string[] = Array.isArray(paths) ? paths : [];
    const olds = incoming(previous);
    const problems = problemsOf(() => this.#configured());
    const given = named(olds, resource.normalize(incoming(declared)));
    const inputs = problems.length > 0 ? given : resource.complete(this.#configured(), olds, given);
    const failures = [...problems, ...resource.check(olds, inputs).map(({ reason }) => reason)];
    if (failures.length === 0) {
      for (const warning of resource.warnings(inputs)) this.host.warnOnce(`${resource.type}: ${warning}`);
      const refusals = await messageOnly(() =>
        resource.refusals(this.#context, olds, inputs, { urn: run?.urn, ignored }),
      );
      failures.push(...refusals.map(({ reason }) => reason));
    }
    const known = outgoing({ ...inputs, [urnKey]: news[urnKey] });
    this.#ignore(known, ignored);
    // With a property, the engine would print its value, even a secret.
    return { inputs: known, failures: failures.map((reason) => ({ property: "", reason })) };
  }

  /**
   * Records the ignored paths. Two resources with equal inputs cannot be distinguished, so both ignore the paths of
   * both.
   */
  #ignore(inputs: Plain, paths: readonly string[]): void {
    if (paths.length === 0) return;
    const key = keyOf(inputs);
    this.#ignored.set(key, [...(this.#ignored.get(key) ?? []), ...paths]);
  }

  async diff(id: string, state: Plain, news: Plain): Promise<pulumi.dynamic.DiffResult> {
    const { changes, replaces, deleteBeforeReplace } = await messageOnly(async () => {
      const [olds, inputs] = [incoming(state), incoming(news)];
      this.resource.record(this.#context, id, olds, inputs);
      return this.resource.diff(this.#context, id, olds, inputs);
    });
    // A resource that the plugin created lacks the provider's text until this host updates it. A resource that an
    // earlier version imported lacks the mark of an import.
    const isForeign = state[providerKey] === undefined || isOnlyRead(state);
    return { changes: isForeign || changes.length > 0, replaces, deleteBeforeReplace };
  }

  async create(inputs: Plain): Promise<pulumi.dynamic.CreateResult> {
    const { id, state } = await reportingPartialFailure(inputs, () =>
      this.resource.create(this.#context, this.#stepOf(inputs), incoming(inputs)),
    );
    return { id, outs: outgoing(state) };
  }

  async read(id: string, state?: Plain): Promise<pulumi.dynamic.ReadResult> {
    const found = await messageOnly(() => this.resource.read(this.#context, id, incoming(state ?? {})));
    // A result without an id means that the object was deleted.
    if (!found) return {};
    // A resource that is only read has an output for each input in the SDK.
    const outs = isOnlyRead(found.state) ? expanded(found.state) : found.state;
    return { id: found.id, props: outgoing(outs), inputs: outgoing(found.inputs) };
  }

  async update(id: string, state: Plain, news: Plain): Promise<pulumi.dynamic.UpdateResult> {
    const outs = await reportingPartialFailure(news, () =>
      this.resource.update(this.#context, this.#stepOf(news), id, incoming(state), incoming(news)),
    );
    return { outs: outgoing(outs) };
  }

  async delete(id: string, state: Plain): Promise<void> {
    await messageOnly(() => this.resource.remove(this.#context, this.#stepOf({}), id, incoming(state)));
  }
}

const keyOf = (inputs: Plain): string => fingerprint(withoutProvider(inputs));

function incoming(values: Plain): Plain {
  const { [urnKey]: _, ...own } = withoutProvider(values);
  const plain = swap(own, unknownText, unknown);
  return isPlain(plain) ? collapsed(plain) : {};
}

/** Keeps the name of an object that the program does not name. Only a new object gets the default name. */
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

const inform = (message: string): void => console.error(`slipway: ${message}`);
const warn = (message: string): void => console.error(`slipway: warning: ${message}`);

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
