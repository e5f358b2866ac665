import { execFile } from "node:child_process";
import type { StackReader } from "./core/ownership";
import { parse, withOwner } from "./core/ownership-record";
import { type RecordedResource, StackSnapshot } from "./core/stack-snapshot";
import { labelOf } from "./core/urn";
import { isPlain, isSecret, type Plain } from "./core/values";
import { objectsOf, resourceOfType } from "./hosting";

/**
 * The state of the stack. The engine tells a provider of one resource at a time, so the CLI is asked for the stack as it
 * is recorded. The engine records a step before it asks for it: during a step of the plugin, an answer that lacks the
 * steps under way belongs to another stack, or to a backend that records later, and is not used.
 */

const exportTimeoutMs = 60_000;
/** No limit for the size of a state. */
const maxBuffer = 2 ** 31 - 1;

/** The stack as a host knows it from the URNs of its resources. */
export class StackState implements StackReader {
  /** The URN of the provider. */
  provider: string | undefined;
  /** The stack and the project of the run. */
  #names: { stack: string; project: string } | undefined;
  /** The URNs of the resources that are being created or changed. */
  readonly #underWay = new Set<string>();
  /** Reads, one while nothing is under way, which a preview does, and one during steps. */
  readonly #reads = new Map<boolean, Promise<StackSnapshot>>();
  /** The ignored property paths of steps that were under way at an export, by URN. */
  readonly #ignored = new Map<string, readonly string[]>();
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<State> | undefined;

  /** Records the stack that a resource belongs to. */
  note(urn: string): void {
    const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
    if (stack !== undefined && project !== undefined) this.#names = { stack, project };
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
   * Returns the objects of the stack, read at most twice per run.
   * @returns undefined when no stack is known
   * @throws Error with the reason when they cannot be read
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
   * with the pending step.
   * @throws Error when they are not known
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

  /** Exports the stack after all exports that have begun, once for all steps that ask meanwhile. */
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
      // Backends without organizations, such as a folder, find the stack by this name in any working directory.
      stateOfRun(`organization/${project}/${stack}`, start, steps).catch(() => Promise.reject(error)),
    );
    if (state.recordsIgnored) for (const [urn, paths] of state.pending) this.#ignored.set(urn, paths);
    return state;
  }

  async #ask(): Promise<StackSnapshot> {
    const { resources } = await this.#nextState();
    // The objects of these were deleted, or retained by the option `retainOnDelete`.
    const isAbandoned = ({ pendingReplacement }: Plain): boolean => pendingReplacement === true;
    const abandoned = resources
      .filter(isAbandoned)
      .flatMap(recordedOf)
      .flatMap(({ outputs }) => parse(outputs)?.owner ?? []);
    const kept = resources.filter((one) => !isAbandoned(one)).flatMap(recordedOf);
    return new StackSnapshot(kept, objectsOf, abandoned);
  }
}

/** The first version of the CLI that is known to record `ignoreChanges`. */
const recordingVersion = [3, 187] as const;

/** How often a state is read in which no step can be looked for, because all of them have ended meanwhile. */
const mostReads = 5;

/**
 * @param underWay returns the steps that are under way
 * @throws Error when it is not the state of this run, in which these steps are under way
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
  // A check asks too, beside the steps of other resources.
  if (isOfStack && steps.length === 0 && reads > 1) return stateOfRun(stack, start, underWay, reads - 1);
  throw new Error(`what \`pulumi stack export --stack ${stack}\` prints is not the state of this run`);
}

/** Runs `pulumi stack export`, in which secrets stay encrypted. */
function exported(stack: string): Promise<string> {
  const args = ["stack", "export", "--stack", stack, "--non-interactive", "--color", "never"];
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((resolve, reject) => {
    const options = { env, maxBuffer, timeout: exportTimeoutMs };
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
  /** Whether the CLI records them. */
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

/** Compares a version such as `v3.259.0`. */
function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ownMajor = 0, ownMinor = 0] = (/^v?(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * The recorded object of a resource of Slipway, from either host. An imported object is told from one that is only read,
 * since the engine calls that external. @throws Error when it is encrypted
 */
function recordedOf({
  urn,
  type,
  id,
  outputs,
  external,
  provider,
  delete: isReplaced,
}: Plain): RecordedResource[] {
  const kind = `${type}`.split(":").at(-1) ?? "";
  if (!/^(slipway:index|pulumi-nodejs:dynamic\/slipway):/.test(`${type}`) || !resourceOfType.has(kind))
    return [];
  if (!isPlain(outputs) || external === true) return [];
  if (["at", "accountId", "projectId", "name", "records"].some((key) => isSecret(outputs[key]))) {
    throw new Error(`the state has the outputs of ${labelOf(`${urn}`)} as secrets`);
  }
  // The reference of a provider ends with its id.
  const [of] = /^.*(?=::)/.exec(typeof provider === "string" ? provider : "") ?? [];
  return [
    { urn: `${urn}`, outputs: withOwner(outputs, `${id}`), provider: of, isReplaced: isReplaced === true },
  ];
}
