import type { z } from "zod";
import type { Client } from "../client/client";
import { ifFound, isAmbiguous, isNotFound } from "../client/errors";
import { type Failure, failuresOf, type Rule } from "./check";
import { type Change, changesOf } from "./diff";
import { cautionsOf } from "./known-values";
import { digest, type Plain, safeRecord, unknown } from "./values";

/** An object as it was made or changed: who it is, whose it is, and what a program can read of it. */
export interface Made<O> {
  id: string;
  accountId: string;
  outputs: O;
}

/** An object as it was found: beside the above, its inputs as the service has them. */
export interface Found<I, O> extends Made<O> {
  inputs: Partial<I>;
}

/** What a create or update is given to work with. */
export interface Job<I, O> {
  client: Client;
  /** Nobody knows whether all of the last change took effect: what looks unchanged is to be sent, too. */
  unsure: boolean;
  /**
   * Keeps what has been reached so far, so that a failure after it loses nothing.
   * @param applied the inputs that hold by now
   */
  reached(made: Made<O>, applied: Partial<I>): void;
  /** Tells the user something that is no error. */
  warn(message: string): void;
}

/** What is particular to a resource. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  type: string;
  /** What a user may declare. */
  inputs: I;
  /** What a program can read beside the inputs. */
  outputs: O;
  /** Inputs and outputs that are secret as a whole. */
  secret?: readonly string[];
  /** What holds of an input that is not given, and again when it leaves the program. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Outputs that no update changes. */
  stable?: readonly (keyof z.output<O> & string)[];
  /** The input `name` of one that is not named: after what the program calls the resource. */
  autoName?(logicalName: string): string;
  /** Inputs whose change replaces the object. */
  replaceOn?: readonly (keyof z.output<I> & string)[];
  /** The same, when it depends on what there is. */
  replaces?(key: string, state: Plain): boolean;
  /** Whether the old object has to go before the new one can be made: true when it always has to. */
  deleteFirst?: true | ((state: Plain, news: Plain) => boolean);
  /** What no schema says: about values that are known, never about the others. */
  rules?: readonly Rule<z.output<I>>[];
  /** What only the service can tell, asked while nothing is changed yet: about values that are known. */
  refusals?(client: Client, previous: Plain, news: Plain): Promise<Failure[]>;
  /** Corrects the comparison of a key; undefined leaves it as it is. */
  compare?(
    key: string,
    state: Plain,
    news: Plain,
    client: Client,
  ): Promise<boolean | undefined> | boolean | undefined;
  /** Changes that are not about an input. */
  drift?(state: Plain): Change[];

  create(job: Job<z.output<I>, z.output<O>>, inputs: z.output<I>): Promise<Made<z.output<O>>>;
  /**
   * @param state what was known, or undefined when only the id is: then all that can be declared is returned
   * @throws ApiError 404 when it is gone
   */
  read(
    client: Client,
    id: string,
    state: (Partial<z.output<I>> & Partial<z.output<O>>) | undefined,
  ): Promise<Found<z.output<I>, z.output<O>>>;
  update(
    job: Job<z.output<I>, z.output<O>>,
    id: string,
    state: Partial<z.output<I>> & z.output<O>,
    news: z.output<I>,
  ): Promise<Made<z.output<O>>>;
  remove(
    job: Job<z.output<I>, z.output<O>>,
    id: string,
    state: Partial<z.output<I>> & z.output<O>,
  ): Promise<void>;
}

export interface Diff {
  changes: Change[];
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** Something failed when an object was there already: what there is of it has to be kept. */
export class HalfDone extends Error {
  override readonly name = "HalfDone";

  constructor(
    readonly id: string,
    readonly state: Plain,
    cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

/** The steps that every host goes through, over plain JSON. */
export interface Resource<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly type: string;
  readonly inputs: I;
  readonly outputs: O;
  readonly secret: readonly string[];
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Outputs that no update changes. */
  readonly stable: readonly string[];
  /** The input `name` of one that is not named; undefined when there is no such thing. */
  readonly autoName: ((logicalName: string) => string) | undefined;
  /** Inputs whose change always replaces the object. */
  readonly replaceOn: readonly string[];
  /** Whether the old object always has to go before a new one can be made. */
  readonly deletesFirst: boolean;
  /** @param previous the inputs of the last run; empty when the object is new */
  check(previous: Plain, news: Plain): Failure[];
  /** What a user should know of inputs that pass `check`. */
  cautions(news: Plain): string[];
  /** What the service would refuse of inputs that pass `check`, as far as it can be known before. */
  refusals(client: Client, previous: Plain, news: Plain): Promise<Failure[]>;
  diff(client: Client, id: string, state: Plain, news: Plain): Promise<Diff>;
  /**
   * What is known before it is done of the state that a create or update leads to; the rest is `unknown`.
   * @param state undefined for a create
   */
  planned(news: Plain, state?: Plain): Plain;
  create(client: Client, warn: Warn, inputs: Plain): Promise<{ id: string; state: Plain }>;
  /** @param state undefined when only the id is known */
  read(
    client: Client,
    id: string,
    state: Plain | undefined,
  ): Promise<{ id: string; inputs: Plain; state: Plain } | undefined>;
  update(client: Client, warn: Warn, id: string, state: Plain, news: Plain): Promise<Plain>;
  remove(client: Client, warn: Warn, id: string, state: Plain): Promise<void>;
}

type Warn = (message: string) => void;

/** The key under which the state records where an object lives. */
const recordKey = "at";

/** The key that is in the state after a change of which nobody knows whether it took effect. */
const unsureKey = "unsure";

/**
 * Makes a resource of its definition. The state is the declared inputs, the outputs, and the record of account and
 * API. An update sends what differs between the state and the program and nothing else, so that what a program
 * leaves to others (`ignoreChanges`) stays theirs. An input is managed when the state has its key: so one that leaves the program is seen to leave, and
 * what was never declared is never compared.
 */
export function resource<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Definition<I, O>,
): Resource<I, O> {
  type In = z.output<I>;
  type Out = z.output<O>;
  const { type, replaceOn = [], deleteFirst } = definition;
  const deletesFirst = deleteFirst === true;
  const replaces = (key: string, state: Plain): boolean =>
    replaceOn.includes(key) || (definition.replaces?.(key, state) ?? false);
  const keys = Object.keys(definition.inputs.shape);
  const stable: ReadonlySet<string> = new Set(definition.stable);
  // Others may have the id of an object that is adopted, and are not that object.
  const adopts = keys.includes("adopt");

  const stateOf = (client: Client, made: Made<Out>, inputs: Partial<In>): Plain =>
    safeRecord({ ...inputs, ...made.outputs, [recordKey]: recordOf(client, made.accountId) });

  /** Runs a step that changes things, and keeps what it reached when it fails. */
  async function keeping<T>(
    client: Client,
    warn: Warn,
    step: (job: Job<In, Out>) => Promise<T>,
    before?: { id: string; state: Plain },
  ): Promise<T> {
    const unsure = before?.state[unsureKey] === true;
    let kept: { id: string; state: Plain } | undefined;
    const reached: Job<In, Out>["reached"] = (made, applied) => {
      kept = { id: made.id, state: stateOf(client, made, applied) };
    };
    try {
      return await step({ client, reached, warn, unsure });
    } catch (error) {
      // When nobody knows whether a change took effect, the next run must not take it for done or undone.
      const ambiguous = isAmbiguous(error);
      kept ??= ambiguous ? before : undefined;
      if (!kept || !(error instanceof Error)) throw error;
      const state = ambiguous || unsure ? { ...kept.state, [unsureKey]: true } : kept.state;
      throw new HalfDone(kept.id, state, error);
    }
  }

  return {
    type,
    inputs: definition.inputs,
    outputs: definition.outputs,
    secret: definition.secret ?? [],
    defaults: definition.defaults ?? {},
    stable: definition.stable ?? [],
    autoName: definition.autoName,
    replaceOn: keys.filter((key) => replaces(key, {})),
    deletesFirst,

    check(_previous, news) {
      return failuresOf(definition.inputs, definition.rules ?? [], news);
    },

    cautions: (news) => cautionsOf(definition.inputs, news),

    async refusals(client, previous, news) {
      return (await definition.refusals?.(client, previous, news)) ?? [];
    },

    async diff(client, id, state, news) {
      const changes = definition.drift?.(state) ?? [];
      const find = () => definition.read(client, id, state as Partial<In> & Partial<Out>);
      if (await isElsewhere(client, type, id, state, find))
        changes.push({ path: "provider", kind: "update", replace: true });
      for (const key of keys) {
        const found = changesOf(key, state[key], news[key], replaces(key, state));
        if (found.length === 0) continue;
        if ((await definition.compare?.(key, state, news, client)) === false) continue;
        changes.push(...found);
      }
      const forcing = [
        ...new Set(changes.filter((change) => change.replace).map((change) => topOf(change.path))),
      ];
      const isFirst = typeof deleteFirst === "function" ? deleteFirst(state, news) : deletesFirst;
      const deleteBeforeReplace = forcing.length > 0 && isFirst;
      return { changes, replaces: forcing, deleteBeforeReplace };
    },

    planned(news, state) {
      const isKept = (key: string): boolean => state !== undefined && stable.has(key);
      const outputs = Object.keys(definition.outputs.shape);
      return {
        ...news,
        ...Object.fromEntries(outputs.map((key) => [key, isKept(key) ? state?.[key] : unknown])),
      };
    },

    async create(client, warn, inputs) {
      const declared = inputs as In;
      const made = await keeping(client, warn, (job) => definition.create(job, declared));
      return { id: made.id, state: stateOf(client, made, declared) };
    },

    async read(client, id, state) {
      // State that was never written by a create or read is a mere reference to something that has to exist.
      const known = state?.[recordKey] === undefined ? undefined : state;
      try {
        const found = await definition.read(client, id, known as (Partial<In> & Partial<Out>) | undefined);
        return {
          id: found.id,
          inputs: safeRecord(found.inputs),
          state: stateOf(client, found, found.inputs),
        };
      } catch (error) {
        if (!isNotFound(error)) throw error;
        if (!known)
          throw error.advise(
            "Check the id, and the account: SLIPWAY_TEAM, or the configuration slipway:team.",
          );
      }
      await refuseOtherAccount(client, type, id, state);
      return undefined;
    },

    async update(client, warn, id, state, news) {
      const declared = news as In;
      try {
        const known = state as Partial<In> & Out;
        const step = (job: Job<In, Out>) => definition.update(job, id, known, declared);
        const made = await keeping(client, warn, step, { id, state });
        return stateOf(client, made, declared);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await refuseOtherAccount(client, type, id, state);
        throw error.advise(
          "If it was removed outside of this program, run again with --refresh, which makes it anew.",
        );
      }
    },

    async remove(client, warn, id, state) {
      if (adopts && client.isAdopted(id)) {
        const by = "because a resource of this program with { adopt: true } has just taken it over";
        return warn(`${type} ${id} is kept, ${by}.`);
      }
      try {
        const known = state as Partial<In> & Out;
        await definition.remove({ client, warn, reached: () => {}, unsure: false }, id, known);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await refuseOtherAccount(client, type, id, state);
      }
    },
  };
}

/** Said to the second of two resources that would adopt the same. */
export const takenBy = (what: string): string =>
  `${what} is one that another resource of this program has adopted. Declare it once.`;

const topOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

const recordOf = (client: Client, accountId: string): string =>
  digest(client.settings.apiUrl) + digest(accountId);

/**
 * Whether the program now declares the object for another account than the one that it is in, by giving it a
 * `slipway.Provider` of that account. A project that was transferred there is found, and stays what it is.
 * @throws Error when the provider does not name the account: another token may be a mistake
 */
async function isElsewhere(
  client: Client,
  type: string,
  id: string,
  state: Plain,
  find: () => Promise<unknown>,
): Promise<boolean> {
  const { apiUrl, declared } = client.settings;
  const record = state[recordKey];
  if (!declared || typeof record !== "string" || !record.startsWith(digest(apiUrl))) return false;
  const accountId = await client.account();
  if (accountId === undefined || record === recordOf(client, accountId)) return false;
  if (await ifFound(find())) return false;
  if (declared === "account") return true;
  throw new Error(
    `${type} ${id} is in another account than ${accountId}, as which its provider now asks. ` +
      "Give the provider the token of that account again; or, to make it anew here, name this account " +
      'as the provider\'s team ("" for a personal one).',
  );
}

/**
 * What is not found elsewhere than where it was made is not gone.
 * @throws Error when the requests went to another account or API than the recorded one
 */
async function refuseOtherAccount(
  client: Client,
  type: string,
  id: string,
  state: Plain | undefined,
): Promise<void> {
  const record = state?.[recordKey];
  if (typeof record !== "string") return;
  const start = `${type} ${id} was not found at ${client.settings.apiUrl}`;
  if (!record.startsWith(digest(client.settings.apiUrl))) {
    throw new Error(
      `${start}, but it was made at another address, so it is not taken for gone. ` +
        "Set SLIPWAY_API_URL or slipway:apiUrl back to the API of this stack.",
    );
  }
  const accountId = await client.account();
  if (accountId === undefined) {
    throw new Error(
      `${start}, and the token may not tell its account, so it is not taken for gone. ` +
        "Give the team by its id (SLIPWAY_TEAM=team_…), or remove it with `pulumi state delete`.",
    );
  }
  if (record !== recordOf(client, accountId)) {
    throw new Error(
      `${start} in the account ${accountId}, but it was made in another account, so it is not taken for gone. ` +
        "Set SLIPWAY_TEAM or slipway:team, and the token, back to the account of this stack.",
    );
  }
}
