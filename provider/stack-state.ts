import { execFile } from "node:child_process";
import type { StackReader } from "./core/ownership";
import { parse, withOwner } from "./core/ownership-record";
import { type RecordedResource, StackSnapshot } from "./core/stack-snapshot";
import { identityOf, labelOf } from "./core/urn";
import { isPlain, isSecret, type Plain } from "./core/values";
import { objectsOf, resourceOfType } from "./hosting";
import { pulumiEnvironment } from "./pulumi-cli";
import { type RecordedLinks, type Targets, targetsOfRun } from "./targets";

/**
 * The state of the stack. The engine sends a provider one resource at a time, so the provider asks the CLI for the
 * recorded stack. The engine records a step as pending before it calls the provider. During a step, an export without
 * any of the steps under way belongs to another stack, or to a backend that records later, and is not used.
 */

const exportTimeoutMs = 60_000;
/** The largest size of a state in bytes: in practice no limit. */
const maxBuffer = 2 ** 31 - 1;

/** Reads the stack of a run. A host learns the names of the stack and its project from the URNs of resources. */
export class StackState implements StackReader {
  /** The URN of the provider. */
  provider: string | undefined;
  /** The stack and the project of the run. */
  #names: { stack: string; project: string } | undefined;
  /** The URNs of the resources that are being created or changed. */
  readonly #underWay = new Set<string>();
  /** The reads of the run: `false` has the read outside steps, as in a preview, and `true` the read during steps. */
  readonly #reads = new Map<boolean, Promise<StackSnapshot>>();
  /** The property paths in `ignoreChanges`, by URN, of the steps that were under way during an export. */
  readonly #ignored = new Map<string, readonly string[]>();
  #targets: Promise<Targets | undefined> | undefined;
  /** From the last read. */
  #links: RecordedLinks | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<State> | undefined;

  /** Records to which stack a resource belongs. */
  note(urn: string): void {
    const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
    if (stack !== undefined && project !== undefined) this.#names = { stack, project };
  }

  /** True when `--target` or `--exclude` of the run leaves a resource as it is. */
  async leavesOut(urn: string): Promise<boolean> {
    this.#targets ??= targetsOfRun();
    const targets = await this.#targets;
    if (!targets) return false;
    await this.readSnapshot().catch(() => {});
    return targets.leavesOut(urn, this.#links);
  }

  /** Runs a step that the engine has recorded as pending. */
  async step<T>(urn: string, step: () => Promise<T>): Promise<T> {
    this.#underWay.add(urn);
    try {
      return await step();
    } finally {
      this.#underWay.delete(urn);
    }
  }

  /**
   * Reads the objects of the stack, at most twice per run.
   * @returns undefined when no stack is known
   * @throws Error with the reason when the stack cannot be read
   */
  async readSnapshot(): Promise<StackSnapshot | undefined> {
    if (!this.#names) return undefined;
    const isInStep = this.#underWay.size > 0;
    const read =
      this.#reads.get(true) ??
      this.#reads.get(isInStep) ??
      this.#ask().catch((error) => {
        this.#reads.delete(isInStep);
        throw error;
      });
    this.#reads.set(isInStep, read);
    return read;
  }

  async readAgain(): Promise<StackSnapshot | undefined> {
    return this.#names && this.#ask();
  }

  /**
   * Returns the property paths that a resource ignores. The engine does not send them with a create, but records them
   * in the pending operation.
   * @throws Error when the paths cannot be read
   */
  async ignoredBy(urn: string): Promise<readonly string[]> {
    if (!this.#ignored.has(urn)) await this.#nextState();
    const paths = this.#ignored.get(urn);
    if (paths) return paths;
    throw new Error(
      "It exists and differs from the declared inputs. It is not adopted, because this version of the Pulumi CLI does " +
        "not report which inputs the program ignores (ignoreChanges). Update the CLI, or import the object into the " +
        "stack with `pulumi import`.",
    );
  }

  /** Exports the stack after the export in progress has ended. All steps that ask until then share the export. */
  #nextState(): Promise<State> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#currentState();
    });
    this.#last = this.#next.catch(() => {});
    return this.#next;
  }

  async #currentState(): Promise<State> {
    const steps = (): string[] => [...this.#underWay];
    if (!this.#names) throw new Error("no stack is being updated");
    const { stack, project } = this.#names;
    const start = `urn:pulumi:${stack}::${project}::`;
    const state = await stateOfRun(stack, start, steps).catch((error) =>
      // An inline program of the Automation API runs in its caller's folder, which may belong to another project.
      // In backends without organizations, such as a folder, this name finds the stack from any working directory.
      stateOfRun(`organization/${project}/${stack}`, start, steps).catch(() => Promise.reject(error)),
    );
    if (state.recordsIgnored) for (const [urn, paths] of state.pending) this.#ignored.set(urn, paths);
    return state;
  }

  async #ask(): Promise<StackSnapshot> {
    const { resources } = await this.#nextState();
    this.#links = linksIn(resources);
    // Resources that wait for their replacement: their objects were deleted, or retained by `retainOnDelete`.
    const isAbandoned = ({ pendingReplacement }: Plain): boolean => pendingReplacement === true;
    const abandoned = resources
      .filter(isAbandoned)
      .flatMap(recordedOf)
      .flatMap(({ outputs }) => parse(outputs)?.owner ?? []);
    const kept = resources.filter((one) => !isAbandoned(one)).flatMap(recordedOf);
    return new StackSnapshot(kept, objectsOf, abandoned);
  }
}

/** The first version of the CLI that records `ignoreChanges`. */
const recordingVersion = [3, 187] as const;

/** How often a state is read if all steps end during each read, so that no step is left to look for in the state. */
const mostReads = 5;

/**
 * Exports the state of a stack.
 * @param start the beginning of every URN of the stack
 * @param underWay returns the URNs of the steps that are under way
 * @throws Error when the state contains none of these steps, or URNs of another stack
 */
async function stateOfRun(
  stack: string,
  start: string,
  underWay: () => readonly string[],
  reads = mostReads,
): Promise<State> {
  const before = underWay();
  const state = stateIn(await exported(stack));
  const isOfStack = state.resources.every(({ urn }) => `${urn}`.startsWith(start));
  const steps = before.filter((urn) => underWay().includes(urn));
  if (isOfStack && (before.length === 0 || steps.some((urn) => state.pending.has(urn)))) return state;
  // All steps ended during the export. The caller may be a check, which is no step.
  if (isOfStack && steps.length === 0 && reads > 1) return stateOfRun(stack, start, underWay, reads - 1);
  throw new Error(`the output of \`pulumi stack export --stack ${stack}\` is not the state of this run`);
}

/** Runs `pulumi stack export`, in which secrets stay encrypted. */
function exported(stack: string): Promise<string> {
  const args = ["stack", "export", "--stack", stack, "--non-interactive", "--color", "never"];
  return new Promise((resolve, reject) => {
    const options = { env: pulumiEnvironment(), maxBuffer, timeout: exportTimeoutMs };
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const said = stderr.trim().split("\n").at(-1) || error.message;
      reject(new Error(`\`pulumi stack export --stack ${stack}\` failed: ${said}`));
    });
  });
}

interface State {
  resources: Plain[];
  /** The ignored property paths of pending operations, by URN. */
  pending: ReadonlyMap<string, readonly string[]>;
  /** Whether the CLI records ignored property paths. */
  recordsIgnored: boolean;
}

function stateIn(text: string): State {
  const { deployment } = JSON.parse(text) as { deployment?: { [key: string]: unknown } };
  const listed = (key: string): Plain[] => {
    const list = deployment?.[key];
    return Array.isArray(list) ? list.filter(isPlain) : [];
  };
  const pending = listed("pending_operations").flatMap(({ resource }): [string, string[]][] => {
    if (!isPlain(resource)) return [];
    const { urn, ignoreChanges } = resource;
    return [[`${urn}`, Array.isArray(ignoreChanges) ? ignoreChanges : []]];
  });
  const { manifest } = deployment ?? {};
  const version = isPlain(manifest) ? `${manifest.version}` : "";
  return {
    resources: listed("resources"),
    pending: new Map(pending),
    recordsIgnored: isAtLeast(version, recordingVersion),
  };
}

/** True if a version such as `v3.276.0` is not older than the given one. */
function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ownMajor = 0, ownMinor = 0] = (/^v?(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** The URN of a provider. @param reference the URN, `::` and the id of the provider */
const providerOf = (reference: string): string => reference.replace(/::[^:]*$/, "");

/** The resources of a state, and what each depends on. */
function linksIn(resources: readonly Plain[]): RecordedLinks {
  const texts = (...values: unknown[]): string[] =>
    values.flat().filter((value): value is string => typeof value === "string");
  const dependencies = new Map<string, string[]>();
  for (const {
    urn,
    parent,
    provider,
    deletedWith,
    dependencies: listed,
    propertyDependencies,
  } of resources) {
    const ofProperties = isPlain(propertyDependencies) ? Object.values(propertyDependencies) : [];
    const ofProvider = texts(provider).map(providerOf);
    const all = [...ofProvider, ...texts(parent, deletedWith, listed, ...ofProperties)].map(identityOf);
    const identity = identityOf(`${urn}`);
    dependencies.set(identity, [...(dependencies.get(identity) ?? []), ...all]);
  }
  return { urns: [...dependencies.keys()], dependencies };
}

/**
 * Returns the record of a resource of Slipway, from either host; an empty list for other resources, and for resources
 * that the program only reads, which the engine marks as external. @throws Error when the outputs are encrypted
 */
function recordedOf({
  urn,
  type,
  id,
  outputs,
  external,
  provider,
  ignoreChanges,
  delete: isReplaced,
  ...options
}: Plain): RecordedResource[] {
  const kind = `${type}`.split(":").at(-1) ?? "";
  if (!/^(slipway:index|pulumi-nodejs:dynamic\/slipway):/.test(`${type}`) || !resourceOfType.has(kind))
    return [];
  if (!isPlain(outputs) || external === true) return [];
  if (["at", "accountId", "projectId", "name", "records"].some((key) => isSecret(outputs[key]))) {
    throw new Error(`the state has the outputs of ${labelOf(`${urn}`)} as secrets`);
  }
  return [
    {
      ...{
        urn: `${urn}`,
        outputs: withOwner(outputs, `${id}`),
        provider: typeof provider === "string" ? providerOf(provider) : undefined,
        isReplaced: isReplaced === true,
      },
      ...(Array.isArray(ignoreChanges) && { ignored: ignoreChanges }),
      keptBy: (["protect", "retainOnDelete"] as const).find((option) => options[option] === true),
    },
  ];
}
