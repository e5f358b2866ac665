import type { z } from "zod";
import type { Client } from "../client/client";
import { ifFound, isAmbiguous, isNotFound } from "../client/errors";
import { type Failure, failuresOf, type Rule } from "./check";
import { claims, markOf, newMark, placeOf, recordedMark, recordOf, recordOfRead } from "./claims";
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
  /** Says what is about to be made, by what makes it the only one of its kind, unless another resource has said so. */
  claim(names: readonly string[]): void;
  /**
   * Takes over an object that exists.
   * @param names what the object is called: its id, and what makes it the only one of its kind
   * @throws Error when another resource has it
   */
  adopt<T>(what: string, names: readonly [id: string, ...string[]], step: () => Promise<T>): Promise<T>;
  /** Whether another resource has an object, which then is left alone. */
  isOthers(id: string): boolean;
  /**
   * The way out when what was to be made exists and is not to be adopted.
   * @param otherwise such as "choose another name"
   */
  wayOut(names: readonly string[], otherwise: string): string;
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
  /** The ids of the objects that it has at the service and nobody else: itself, if it can be adopted. */
  objects?(outputs: z.output<O>): string[];

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

/** The key under which the state records where an object lives, and which resource has it. */
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
  const objectsOf = (id: string, outputs: Out): string[] =>
    definition.objects?.(outputs) ?? (adopts ? [id] : []);

  /** The state of a resource, which from now on is known to have its objects. @param done what it was to make is made */
  function stateOf(client: Client, made: Made<Out>, inputs: Partial<In>, mark: string, done = true): Plain {
    const { apiUrl } = client.settings;
    if (done) claims.release(mark);
    claims.settle(apiUrl, mark, objectsOf(made.id, made.outputs));
    const record = recordOf(placeOf(apiUrl, made.accountId), made.id, mark);
    return safeRecord({ ...inputs, ...made.outputs, [recordKey]: record });
  }

  /** @throws Error when another resource has the object, too */
  function refuseShared({ settings: { apiUrl } }: Client, id: string, state: Plain): void {
    const mark = markOf(state);
    const objects = objectsOf(id, state as Out);
    const shared = objects.find((object) => claims.isOthers(apiUrl, mark, object));
    if (shared !== undefined) throw new Error(sharedBy(`${type} ${shared}`));
    claims.claim(apiUrl, mark, objects);
  }

  const jobOf = (
    client: Client,
    warn: Warn,
    mark: string,
    unsure: boolean,
    reached: Job<In, Out>["reached"],
  ): Job<In, Out> => {
    const { apiUrl } = client.settings;
    return {
      client,
      warn,
      unsure,
      reached,
      claim: (names) => void claims.claim(apiUrl, mark, names),
      async adopt(what, names, step) {
        const holder = claims.holder(apiUrl, names);
        if (holder !== undefined) throw new Error(belongsTo(what, holder));
        if (!claims.claim(apiUrl, mark, names)) throw new Error(takenBy(what));
        return step();
      },
      isOthers: (id) => claims.isOthers(apiUrl, mark, id),
      wayOut(names, otherwise) {
        if (!names.some((name) => claims.isOthers(apiUrl, mark, name)))
          return `Adopt it with { adopt: true } if no program has it, or ${otherwise}. ${renameHint}`;
        return `Another resource of this program has it: declare it once, or ${otherwise}.`;
      },
    };
  };

  /** Runs a step that changes things, and keeps what it reached when it fails. */
  async function keeping<T>(
    client: Client,
    warn: Warn,
    mark: string,
    step: (job: Job<In, Out>) => Promise<T>,
    before?: { id: string; state: Plain },
  ): Promise<T> {
    const unsure = before?.state[unsureKey] === true;
    let kept: { id: string; state: Plain } | undefined;
    const reached: Job<In, Out>["reached"] = (made, applied) => {
      kept = { id: made.id, state: stateOf(client, made, applied, mark, false) };
    };
    try {
      return await step(jobOf(client, warn, mark, unsure, reached));
    } catch (error) {
      // When nobody knows whether a change took effect, the next run must not take it for done or undone.
      const ambiguous = isAmbiguous(error);
      kept ??= ambiguous ? before : undefined;
      // What it was about to make is free again.
      claims.release(mark);
      const there = kept ?? before;
      if (there) claims.settle(client.settings.apiUrl, mark, objectsOf(there.id, there.state as Out));
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
      refuseShared(client, id, state);
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
      const mark = newMark();
      const made = await keeping(client, warn, mark, (job) => definition.create(job, declared));
      return { id: made.id, state: stateOf(client, made, declared, mark) };
    },

    async read(client, id, state) {
      // State that was never written by a create or read is a mere reference to something that has to exist.
      const known = state?.[recordKey] === undefined ? undefined : state;
      try {
        if (known) refuseShared(client, id, known);
        const found = await definition.read(client, id, known as (Partial<In> & Partial<Out>) | undefined);
        const inputs = safeRecord(found.inputs);
        if (known)
          return { id: found.id, inputs, state: stateOf(client, found, found.inputs, remark(known)) };
        // What is only read is nobody's.
        const record = recordOfRead(placeOf(client.settings.apiUrl, found.accountId));
        return {
          id: found.id,
          inputs,
          state: { ...inputs, ...safeRecord(found.outputs), [recordKey]: record },
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
        const mark = remark(state);
        claims.claim(client.settings.apiUrl, mark, objectsOf(id, known));
        const made = await keeping(client, warn, mark, step, { id, state });
        return stateOf(client, made, declared, mark);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await refuseOtherAccount(client, type, id, state);
        throw error.advise(
          "If it was removed outside of this program, run again with --refresh, which makes it anew.",
        );
      }
    },

    async remove(client, warn, id, state) {
      const { apiUrl } = client.settings;
      const mark = markOf(state);
      const known = state as Partial<In> & Out;
      const objects = objectsOf(id, known);
      const kept = objects.filter((object) => claims.isOthers(apiUrl, mark, object));
      for (const object of kept)
        warn(`${type} ${object} is kept, because another resource of this program has it.`);
      if (objects.length > 0 && kept.length === objects.length) return claims.release(mark);
      try {
        await definition.remove(
          jobOf(client, warn, mark, false, () => {}),
          id,
          known,
        );
        for (const object of objects) if (!kept.includes(object)) claims.forget(apiUrl, object);
        claims.release(mark);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await refuseOtherAccount(client, type, id, state);
      }
    },
  };
}

/** The mark that a state gets: its own, or a new one for that of an earlier version. */
function remark(state: Plain): string {
  const mark = recordedMark(state);
  if (mark !== undefined) return mark;
  claims.release(markOf(state));
  return newMark();
}

const renameHint =
  "If this is a resource of the stack under a new name, give it the option `aliases` instead.";

/** Said to the second of two resources that would make or adopt the same. */
const takenBy = (what: string): string =>
  `${what} is one that another resource of this program has. Declare it once.`;

/** Said to one that would adopt what the stack has already. */
const belongsTo = (what: string, holder: string): string =>
  `${what} belongs to ${holder} of this stack, so it is not adopted. ${givenUp(holder)}`;

const givenUp = (holder: string): string =>
  `If this is ${holder} under another name, give it the option \`aliases\`, which changes nothing at the service. ` +
  `To take it over otherwise, let ${holder} go with \`pulumi state delete\`, which leaves it at the service, and then adopt it.`;

/** Said when two resources have one object. */
const sharedBy = (what: string): string =>
  `${what} is in the state of two resources of this stack, so that removing one would take it from the other. ` +
  "Keep one of them: remove the other from the program and, with `pulumi state delete`, from the state, which leaves it at the service.";

const topOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

/** Whether a record is of this account. */
const isIn = (client: Client, accountId: string, record: string): boolean =>
  record.startsWith(placeOf(client.settings.apiUrl, accountId));

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
  if (accountId === undefined || isIn(client, accountId, record)) return false;
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
  if (!isIn(client, accountId, record)) {
    throw new Error(
      `${start} in the account ${accountId}, but it was made in another account, so it is not taken for gone. ` +
        "Set SLIPWAY_TEAM or slipway:team, and the token, back to the account of this stack.",
    );
  }
}
