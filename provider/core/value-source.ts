// Longer than other files: all methods of a resource, and how a value is read.
import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import type { Client } from "../client/client";
import type { Settings } from "../client/config";
import { digestToken, newDigest, tokenDigest } from "../client/digests";
import type { Failure } from "./check";
import type { Change } from "./diff";
import { isIgnored, parsePath } from "./ignored";
import { PartialFailure } from "./partial-failure";
import type { Diff, Resource } from "./resource";
import { digestKey } from "./revision";
import type { RunContext } from "./run-context";
import type { CheckStep, Step } from "./step";
import { holdsUnknown, isPlain, own, type Plain, same, unknown } from "./values";

/**
 * Values that neither the program nor the state contains. The provider reads them where it runs, and the state has a
 * keyed digest instead, so that a changed value is seen. The definition of a resource knows nothing of this: it gets
 * inputs with the value, and states with a text that equals the value (`digestToken`).
 */

/** Where the provider reads a value. */
export const valueSource = z.strictObject({
  /** Name of an environment variable of the process that runs Pulumi. It must not be empty. */
  environment: z.string().min(1).max(256).optional(),
  /**
   * Path of a file, absolute, or relative to the folder of the program. One line break at the end of the file is left
   * out.
   */
  file: z.string().min(1).max(4096).optional(),
});

/** Digests by the name of the part. */
type Digests = Readonly<Record<string, string>>;

type Read = NonNullable<Awaited<ReturnType<Resource["read"]>>>;

/**
 * Returns a resource whose values can come from a source (`valueFrom`).
 * @param map the input with a map of objects that have a value each. Default: the inputs have the value
 */
export const withValueSources = <R extends Resource>(inner: R, map?: string): R =>
  Object.assign(new WithSources(inner, map), inner);

/** Gives the steps of a resource the values, and takes the values out of what they return. */
class WithSources {
  constructor(
    private readonly inner: Resource,
    private readonly map: string | undefined,
  ) {}

  /** Applies a function to the objects that can have a value, each with its key in the map. */
  #each(values: Plain, change: (part: Plain, key: string) => Plain): Plain {
    if (this.map === undefined) return change(values, "");
    const all = values[this.map];
    if (!isPlain(all)) return values;
    const changed = Object.entries(all).map(([key, one]) => [key, isPlain(one) ? change(one, key) : one]);
    return { ...values, [this.map]: Object.fromEntries(changed) };
  }

  #path(key: string, member: string): string[] {
    return this.map === undefined ? [member] : [this.map, key, member];
  }

  /** The sources that are wrong or cannot be read. */
  #failures(inputs: Plain): Failure[] {
    const failures: Failure[] = [];
    this.#each(inputs, (part, key) => {
      const reason = isSourced(part) ? reasonAgainst(part) : undefined;
      const path = this.#path(key, "valueFrom");
      if (reason !== undefined) failures.push({ property: path[0], reason: `${path.join(".")}: ${reason}` });
      return part;
    });
    return failures;
  }

  get deletesFirst(): boolean {
    return this.inner.deletesFirst;
  }

  normalize(news: Plain): Plain {
    return this.inner.normalize(news);
  }

  complete(settings: Settings, previous: Plain, inputs: Plain): Plain {
    return this.inner.complete(settings, previous, inputs);
  }

  check(previous: Plain, news: Plain): Failure[] {
    const failures = this.inner.check(previous, this.#valued(news));
    const isReported = ({ property }: Failure): boolean => failures.some((one) => one.property === property);
    return [...failures, ...this.#failures(news).filter((one) => !isReported(one))];
  }

  warnings(news: Plain): Promise<string[]> {
    return this.inner.warnings(this.#valued(news));
  }

  declare(run: RunContext, previous: Plain, news: Plain, step?: CheckStep): Promise<Failure[]> {
    const known = step && { ...step, ignored: step.ignored?.map(ofValue) };
    return this.inner.declare(run, this.#valued(previous), this.#valued(news), known);
  }

  record(run: RunContext, id: string, state: Plain, news: Plain): void {
    this.inner.record(run, id, this.#tokened(state), this.#valued(news));
  }

  recordedObjects(state: Plain): string[] {
    return this.inner.recordedObjects(state);
  }

  uniqueKeysOf(state: Plain): string[] {
    return this.inner.uniqueKeysOf(state);
  }

  async diff(
    run: RunContext,
    id: string,
    state: Plain,
    news: Plain,
    ignored: readonly string[] = [],
  ): Promise<Diff> {
    const after = this.#valued(news, digestsOf(state), ignored);
    const found = await this.inner.diff(run, id, this.#tokened(state), after, ignored.map(ofValue));
    return isSourced(news) ? { ...found, changes: namedBySource(found.changes) } : found;
  }

  needsRefresh(state: Plain): boolean {
    return this.inner.needsRefresh(this.#tokened(state));
  }

  planned(news: Plain, state?: Plain): Plain {
    return this.#each(this.inner.planned(this.#valued(news), state && this.#tokened(state)), withoutValue);
  }

  async create(run: RunContext, step: Step, inputs: Plain): Promise<{ id: string; state: Plain }> {
    const values = this.#required(inputs);
    const { id, state } = await this.#recording({}, this.inner.create(run, ofValues(step), values));
    return { id, state: this.#recorded(state, {}) };
  }

  async read(run: RunContext, id: string, state: Plain = {}): Promise<Read | undefined> {
    const found = await this.inner.read(run, id, this.#tokened(state));
    if (!found) return undefined;
    const inputs = this.#each(this.#sourced(found.inputs, state), withoutValue);
    return {
      id: found.id,
      inputs,
      state: this.#recorded(this.#sourced(found.state, state), state, () => ""),
    };
  }

  find(client: Client, id: string): Promise<Plain> {
    return this.inner.find(client, id);
  }

  async update(run: RunContext, step: Step, id: string, state: Plain, news: Plain): Promise<Plain> {
    const digests = digestsOf(state);
    const values = this.#required(news, digests, digests ? await step.ignored() : []);
    const after = this.inner.update(run, ofValues(step), id, this.#tokened(state), values);
    return this.#recorded(await this.#recording(state, after), state);
  }

  remove(run: RunContext, step: Step, id: string, state: Plain): Promise<void> {
    return this.inner.remove(run, step, id, this.#tokened(state));
  }

  /**
   * Inputs with the values. A value that cannot be read is unknown.
   * @param digests those of the state. A value with a digest counts as unchanged if it cannot be read, as in a refresh
   *   in another environment, or if the program ignores it
   */
  #valued(inputs: Plain, digests?: Digests, ignored: readonly string[] = []): Plain {
    const paths = ignored.map(ofValue).map(parsePath);
    return this.#each(inputs, (part, key) => {
      if (!isSourced(part)) return part;
      const { value, reason } = readValue(part.valueFrom);
      const digest = own(digests, key);
      const isKept = reason !== undefined || isIgnored(paths, this.#path(key, "value"));
      // Without the value, an empty digest shows that the service has another one.
      const isKnown = isKept && (digest === "" ? reason === undefined : digest !== undefined);
      return { ...part, value: isKnown ? digestToken(digest ?? "") : (value ?? unknown) };
    });
  }

  /** @throws Error when a value cannot be read */
  #required(inputs: Plain, digests?: Digests, ignored?: readonly string[]): Plain {
    const [failure] = this.#failures(inputs);
    if (failure) throw new Error(failure.reason);
    return this.#valued(inputs, digests, ignored);
  }

  /** A state with a text in place of each value, which equals the value. */
  #tokened(state: Plain): Plain {
    const digests = digestsOf(state);
    return this.#each(state, (part, name) =>
      isSourced(part) ? { ...part, value: digestToken(own(digests, name) ?? "") } : part,
    );
  }

  /**
   * The state that a step returned, with the digests instead of the values.
   * @param before the state before the step
   * @param digestOf returns the digest of a value that has changed. After a read: empty, which equals no value, because
   *   the service has another value than the declared one
   */
  #recorded(state: Plain, before: Plain, digestOf = (value: string) => newDigest(value)): Plain {
    const known = digestsOf(before);
    const digests: Record<string, string> = {};
    const left = this.#each(state, (part, name) => {
      if (isSourced(part)) digests[name] = digestAfter(part.value, own(known, name), digestOf);
      return withoutValue(part);
    });
    return { ...left, [digestKey]: Object.keys(digests).length === 0 ? "" : JSON.stringify(digests) };
  }

  async #recording<T>(before: Plain, step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      throw new PartialFailure(error.id, this.#recorded(error.state, before), error.cause as Error);
    }
  }

  /** Adds the sources in a state to what was read. */
  #sourced(values: Plain, state: Plain): Plain {
    const sources = new Map<string, unknown>();
    this.#each(state, (part, name) => {
      if (isSourced(part)) sources.set(name, part.valueFrom);
      return part;
    });
    return this.#each(values, (part, name) =>
      sources.has(name) ? { ...part, valueFrom: sources.get(name) } : part,
    );
  }
}

const isSourced = ({ valueFrom }: Plain): boolean => isPlain(valueFrom) || valueFrom === unknown;

function withoutValue(part: Plain): Plain {
  if (!isSourced(part)) return part;
  const { value: _, ...rest } = part;
  return rest;
}

/** Reads a value. @returns the value, or why it cannot be read; neither while the source is not known */
function readValue(source: unknown): { value?: string; reason?: string } {
  if (!isPlain(source) || holdsUnknown(source)) return {};
  const { environment, file } = source as z.output<typeof valueSource>;
  if (environment !== undefined) {
    const value = process.env[environment];
    return value
      ? { value }
      : {
          reason: `the environment variable ${environment} is ${value === "" ? "empty" : "not set"}. Set it where Pulumi runs.`,
        };
  }
  return file === undefined ? {} : contentsOf(file);
}

/** The largest file that is read, in bytes: no value can be longer, in any characters. */
const largest = 4 * 65_536 + 2;

function contentsOf(file: string): { value?: string; reason?: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { reason: `${file} is not a regular file.` };
    if (stats.size > largest) return { reason: `the file ${file} is too large for a value.` };
    const bytes = readFileSync(file);
    if (!isUtf8(bytes))
      return { reason: `the file ${file} is not text in UTF-8. Encode it, for example with base64.` };
    const value = bytes.toString("utf8").replace(/\r?\n$/, "");
    return value === "" ? { reason: `the file ${file} is empty.` } : { value };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    return { reason: `the file ${file} ${what}. A relative path begins at ${process.cwd()}.` };
  }
}

function reasonAgainst({ value, valueFrom }: Plain): string | undefined {
  if (value !== undefined)
    return "value is declared too. Remove one of them. If ignoreChanges keeps value, ignore valueFrom too.";
  if (!isPlain(valueFrom)) return undefined;
  const given = ["environment", "file"].filter((key) => valueFrom[key] !== undefined);
  if (given.length !== 1) return "give either environment or file.";
  const { environment } = valueFrom;
  if (typeof environment === "string" && /[=\s\0]/.test(environment))
    return "environment must be the name of an environment variable.";
  return readValue(valueFrom).reason;
}

/** The program ignores the value if it ignores its source. */
const ofValue = (path: string): string => path.replace(/\bvalueFrom$/, "value");

const ofValues = (step: Step): Step => ({
  ...step,
  urn: step.urn,
  warn: (message) => step.warn(message),
  inform: (message) => step.inform(message),
  ignored: async () => (await step.ignored()).map(ofValue),
});

/** Names the source where the value has changed, because the program has no value. */
function namedBySource(changes: readonly Change[]): Change[] {
  const others = changes.filter(({ path }) => path !== "value");
  const value = changes.find(({ path }) => path === "value");
  const isNamed = !value || others.some(({ path }) => path.startsWith("valueFrom"));
  return isNamed ? others : [...others, { ...value, path: "valueFrom", kind: "update" }];
}

/** The digests in a state, by the name of the part. */
function digestsOf({ [digestKey]: text }: Plain): Digests | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    const digests: unknown = JSON.parse(text);
    return isPlain(digests) ? (digests as Digests) : undefined;
  } catch {
    return undefined;
  }
}

/** The digest of a value after a step. The digest of an unchanged value stays as it was. */
function digestAfter(
  value: unknown,
  before: string | undefined,
  digestOf: (value: string) => string,
): string {
  if (typeof value !== "string") return before ?? "";
  const known = tokenDigest(value);
  if (known !== undefined) return known;
  return before !== undefined && same(digestToken(before), value) ? before : digestOf(value);
}
