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
import { labelOf, nameOf } from "../core/urn";
import { fingerprint, isPlain, type Plain, safeRecord, swap, unknown } from "../core/values";
import { Contexts, problemsOf, providerKey, unknownText, withoutProvider } from "../hosting";
import { autoNamedKey, ignoredKey, parseRun, type RunInfo, runKey, urnKey } from "../loader";
import { StackState } from "../stack-state";
import { StepsInProgress } from "../termination";
import type { Cancellation } from "./cancellation";

type Handler = Required<pulumi.dynamic.ResourceProvider>;

/** The host of all dynamic resources of a process: the state of the stack, the accounts, and the shown warnings. */
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
   * The methods that Pulumi calls for the resources of one type. Their requests name the resource. Their waits end when
   * the run is cancelled. After the engine has ended, they send no further requests.
   */
  handlerOf(resource: Resource): Handler {
    const { type } = resource;
    const handler = new ResourceHandler(resource, this);
    /** The logical names by inputs and by id, since only a check gets the name. Equal inputs share the last name. */
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

  /** Records the stack and the provider of a resource. From then on, the state of the stack can be read. */
  learnRun({ urn, provider }: RunInfo): void {
    this.stack.note(urn);
    this.stack.provider = provider;
  }

  /** Shows a warning, unless it was already shown for another resource of the process. */
  warnOnce(message: string): void {
    if (!this.#warned.has(message)) warn(message);
    this.#warned.add(message);
  }

  /** Shows the warnings that are not known before the end of a run. */
  async showLastWarnings(): Promise<void> {
    for (const warning of await this.contexts.lastWarnings()) warn(warning);
  }
}

/** The methods for the resources of one type, without the limits and the names that `handlerOf` adds. */
class ResourceHandler implements Handler {
  /** Until Pulumi calls `configure`, settings come only from the environment. */
  #config: Lookup = () => undefined;
  #settings: Settings | undefined;
  /** The ignored paths of resources, by their inputs, because a create or update does not get the ignored paths. */
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

  // Pulumi does not await `configure` before other calls, so `configure` must not await anything.
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
      const label = run?.urn === undefined ? resource.type : labelOf(run.urn);
      for (const warning of await resource.warnings(inputs)) this.host.warnOnce(`${label}: ${warning}`);
      const refusals = await messageOnly(() =>
        resource.declare(this.#context, olds, inputs, { urn: run?.urn, ignored }),
      );
      failures.push(...refusals.map(({ reason }) => reason));
    }
    const known = outgoing({ ...inputs, [urnKey]: news[urnKey] });
    this.#ignore(known, ignored);
    // If a failure named its property, the engine would print the property's value, even a secret.
    return { inputs: known, failures: failures.map((reason) => ({ property: "", reason })) };
  }

  /** Records the paths that a resource ignores. Resources with equal inputs ignore the paths of all of them. */
  #ignore(inputs: Plain, paths: readonly string[]): void {
    if (paths.length === 0) return;
    const key = keyOf(inputs);
    this.#ignored.set(key, [...(this.#ignored.get(key) ?? []), ...paths]);
  }

  async diff(id: string, state: Plain, news: Plain): Promise<pulumi.dynamic.DiffResult> {
    const { changes, replaces, deleteBeforeReplace } = await messageOnly(async () => {
      const [olds, inputs] = [incoming(state), incoming(news)];
      this.resource.record(this.#context, id, olds, inputs);
      const ignored = this.#ignored.get(keyOf(news)) ?? [];
      return this.resource.diff(this.#context, id, olds, inputs, ignored);
    });
    // The state of a resource from the plugin lacks the provider's text (`__provider`). The state of an object that was
    // only read, such as in an import by an earlier version, lacks an owner id. An update by this host adds both.
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
    // For an object that is only read, the SDK has an output for each input.
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

/** Keeps the name of an existing object that the program does not name. Only a new object gets the default name. */
function named(olds: Plain, { [autoNamedKey]: isAutoNamed, ...inputs }: Plain): Plain {
  return isAutoNamed && olds.name !== undefined ? { ...inputs, name: olds.name } : inputs;
}

const outgoing = (values: Plain): Plain => safeRecord(swap(values, unknown, unknownText) as Plain);

/** Reports the progress of a failed step to the engine, with the provider's text, which later calls need. */
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

/** An error without a stack. Pulumi's process prints it as a line `: `, which `muteStackLine` drops. */
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
