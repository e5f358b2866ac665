import { z } from "zod";
import type { Client } from "../../client/client";
import { anything } from "../../client/responses";
import { refuseConfigReference } from "../../core/config-reference";
import type { Checks, Created, Definition, Operation, ReadResult } from "../../core/definition";
import { type Listing, listing } from "../../core/listing";
import { inputsRead } from "../../core/settings";
import { unmanagedTwin } from "../../core/twins";
import { isPlain, type Plain, same } from "../../core/values";
import { reservedDrainHeaders } from "../../vocabulary";
import { drainPath, drainsOf, type RemoteDrain, remoteDrain } from "./records";

/** The parts that drains of all kinds share. */

/** Headers of each delivery. */
export const drainHeaders = z.record(
  z.string(),
  z.string().regex(/^[\x20-\x7e]{0,4096}$/, "must be one line of ASCII characters"),
);

/** The key that signs deliveries. */
export const drainSecret = z.string().min(32).max(1000);

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** The inputs that drains of all kinds have. */
interface Declared {
  name: string;
  endpoint: string;
  headers?: Record<string, string> | undefined;
  secret?: string | undefined;
}

export const drainChecks = {
  rules: [
    [
      ({ headers = {} }) => Object.keys(headers).some((name) => !headerName.test(name)),
      "headers must have header names as keys, such as authorization.",
    ],
    [
      ({ headers = {} }) =>
        Object.keys(headers).some((name) => reservedDrainHeaders.includes(name.toLowerCase())),
      "headers must not contain host, content-type and other headers that the service sets. Remove them.",
    ],
    [
      ({ headers = {} }) => Object.entries(headers).flat().join("").length > 8192,
      "headers must have at most 8192 characters together. Shorten them.",
    ],
  ],
  refusals: async (_client, previous, { headers, secret }) => [
    ...(isPlain(headers)
      ? Object.values(headers).flatMap((value) => refuseConfigReference(previous, "headers", value))
      : []),
    ...refuseConfigReference(previous, "secret", secret),
  ],
} satisfies Checks<z.ZodObject<{ headers: z.ZodOptional<typeof drainHeaders> }>>;

/** The settings of a drain as programs declare them, with defaults for undeclared ones; without the secret. */
type DrainSettings = { name: string; endpoint: string; headers: Record<string, string> };

/**
 * A member of a request that changes a drain. It replaces several settings at once, so unchanged settings, and settings
 * that programs cannot declare, are sent with the values of the service. A delivery without a secret keeps the secret.
 */
type Member<S> = [settings: (keyof S | "secret")[], member: Plain];

/** How drains of a kind differ from others. */
export interface DrainKind<S extends DrainSettings> {
  /** The key in `schemas` of the data that the drain sends. */
  schema: string;
  /** The names of a drain and of one item that it sends, for messages. */
  nouns: [drain: string, item: string];
  /** Why a drain is not of this kind. */
  otherwise: string;
  /** The defaults of the settings. */
  usual: Omit<S, "name" | "endpoint">;
  isOfKind(remote: RemoteDrain): boolean;
  settingsOf(remote: RemoteDrain): S;
  /** The members of a request. @param remote the drain at the service; undefined for a new one */
  members(
    settings: S,
    secret: string | undefined,
    remote: RemoteDrain | undefined,
    isChanged: (setting: keyof S) => boolean,
  ): Member<S>[];
  /** True for a setting at the service that is as declared. Default: `same`. */
  isAsDeclared?(key: keyof S, declared: unknown, current: unknown): boolean;
}

type Outputs = { status: string | null };
type Life<I> = Pick<Definition<z.ZodObject, z.ZodObject>, "list"> & {
  create(operation: Operation<unknown, unknown>, declared: I): Promise<Created<Outputs>>;
  read(client: Client, id: string, state?: Partial<I>): Promise<ReadResult<I, Outputs>>;
  update(
    operation: Operation<unknown, unknown>,
    id: string,
    state: Partial<I>,
    news: I,
  ): Promise<Created<Outputs>>;
  remove(operation: Operation<unknown, unknown>, id: string): Promise<void>;
};

/** Lists the drains of a kind. */
export const drainListing = <S extends DrainSettings>(
  { isOfKind }: Pick<DrainKind<S>, "isOfKind">,
  filters: z.ZodObject,
): Listing =>
  listing(filters, async (client, query) => ({
    items: (await drainsOf(client, query)).filter(isOfKind).map(({ id, name }) => ({ id, name })),
  }));

/** The life of the drains of a kind. */
export const drainLife = <S extends DrainSettings, I extends Declared>(kind: DrainKind<S>): Life<I> => ({
  // Drains have no unique key. After a lost response, an equal drain that was not listed before is taken for the new
  // one, so drains are created one at a time.
  create: (operation, declared) =>
    operation.run.keys.exclusive("drains", () => createDrain(kind, operation, declared)),

  async read(client, id, state) {
    const remote = await find(kind, client, id);
    const { isAsDeclared = isSame } = kind;
    const current = kind.settingsOf(remote);
    const now = inputsRead(namesOf(kind), state, { ...current }, (key, declared) =>
      isAsDeclared(key, declared, current[key]) ? declared : (current[key] ?? null),
    );
    if (state?.secret !== undefined) now.secret = state.secret;
    return { ...resultOf(kind, remote), inputs: now as Partial<I> };
  },

  async update({ client, unsure }, id, state, declared) {
    const remote = await find(kind, client, id);
    // A secret that is removed from the program stays at the service.
    const isChanged = (key: keyof S | "secret"): boolean => {
      const [before, now] = [state[key as keyof I], declared[key as keyof I]];
      if (now === undefined && key === "secret") return false;
      return (unsure && now !== undefined) || !same(before, now);
    };
    const after = settingsAfter(kind, declared);
    const wanted = { ...kind.settingsOf(remote) };
    for (const key of namesOf(kind)) if (isChanged(key)) wanted[key] = after[key];
    const changes = kind
      .members(wanted, declared.secret, remote, isChanged)
      .filter(([settings]) => settings.some(isChanged));
    if (changes.length === 0) return resultOf(kind, remote);
    const body = bodyOf(changes);
    const request = { path: drainPath(id), shape: remoteDrain, secrets: secretsOf(declared) };
    return resultOf(kind, await client.send({ method: "PATCH", body, ...request }));
  },

  async remove({ client }, id) {
    await client.send({ method: "DELETE", path: drainPath(id), shape: anything });
  },
});

async function createDrain<S extends DrainSettings>(
  kind: DrainKind<S>,
  operation: Operation<unknown, unknown>,
  declared: Declared,
): Promise<Created<Outputs>> {
  const { client, isOthers, warn } = operation;
  const wanted = settingsAfter(kind, declared);
  const isTwin = (one: RemoteDrain): boolean => {
    if (!kind.isOfKind(one) || isOthers(one.id)) return false;
    const { isAsDeclared = isSame } = kind;
    const current = kind.settingsOf(one);
    return namesOf(kind).every((key) => isAsDeclared(key, wanted[key], current[key]));
  };
  const existing = await drainsOf(client);
  const before = new Set(existing.map(({ id }) => id));
  const twin = await unmanagedTwin(operation, existing.filter(isTwin), ({ id }) => id);
  if (twin) warn(twinHint(kind.nouns, twin.id));
  const look = async (): Promise<RemoteDrain | undefined> =>
    (await drainsOf(client)).find((one) => !before.has(one.id) && isTwin(one));
  const members = kind.members(wanted, declared.secret, undefined, () => true);
  const request = {
    method: "POST",
    path: drainPath(),
    body: {
      ...withoutEmpty(bodyOf(members)),
      ...{ schemas: { [kind.schema]: { version: "v1" } }, source: { kind: "self-served" } },
    },
    shape: remoteDrain,
    secrets: secretsOf(declared),
  } as const;
  return resultOf(kind, await client.create({ request, look, existed: false, mayBeTwice: true }));
}

const isSame = (_key: unknown, a: unknown, b: unknown): boolean => same(a, b);

const namesOf = <S extends DrainSettings>({ usual }: DrainKind<S>): (keyof S & string)[] => [
  "name",
  "endpoint",
  ...(Object.keys(usual) as (keyof S & string)[]),
];

/** The declared settings, with the defaults of undeclared settings. */
function settingsAfter<S extends DrainSettings>({ usual }: DrainKind<S>, declared: Declared): S {
  const given = Object.entries(declared).filter(([key, value]) => key !== "secret" && value !== undefined);
  return { ...usual, ...Object.fromEntries(given) } as S;
}

/** @throws ApiError 404, Error for a drain of another kind */
async function find<S extends DrainSettings>(
  { isOfKind, otherwise }: DrainKind<S>,
  client: Client,
  id: string,
): Promise<RemoteDrain> {
  const remote = await client.get(drainPath(id), remoteDrain);
  if (isOfKind(remote)) return remote;
  throw new Error(
    `The drain ${id} ${otherwise}, or belongs to an integration, so Slipway cannot manage it. Manage it at the service.`,
  );
}

const resultOf = <S extends DrainSettings>(
  { settingsOf }: DrainKind<S>,
  remote: RemoteDrain,
): Created<Outputs> => ({
  id: remote.id,
  accountId: remote.ownerId,
  outputs: { status: remote.status ?? null },
  existing: { ...settingsOf(remote) },
});

const bodyOf = <S>(members: Member<S>[]): Plain => Object.assign({}, ...members.map(([, member]) => member));

/** A body without members that are null or empty lists, which stand for a default. */
const withoutEmpty = (body: Plain): Plain =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** An interrupted run can leave a drain that no state records. It looks like a drain of another program. */
const twinHint = ([drain, item]: [string, string], id: string): string =>
  `The account already has an equal ${drain} (${id}), so each ${item} is delivered twice. If an interrupted run ` +
  "created it, import it, or delete it at the service.";

/** Texts that messages redact. The endpoint may contain a token of the receiver. */
const secretsOf = ({ endpoint, headers = {}, secret }: Declared): string[] => [
  endpoint,
  ...Object.values(headers),
  ...(secret === undefined ? [] : [secret]),
];

/** The projects of a drain in a request. @param projectIds undefined: all */
export const projectsOf = (projectIds: readonly string[] | undefined): Plain => ({
  projects: projectIds === undefined ? "all" : "some",
  projectIds: projectIds ?? null,
});
