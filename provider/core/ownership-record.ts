import { randomBytes } from "node:crypto";
import { digest, isPlain, type Plain } from "./values";

/**
 * The record in the state of each resource, under the key `at`. It identifies the API, the account and the object. If
 * two resources record the same object, for example after an interrupted run, their owner ids tell them apart.
 */
export interface OwnershipRecord {
  /** The digests of the API and of the account. */
  origin: string;
  /** The digest of the object's id; undefined for an object that is only read, and in states of earlier versions. */
  object?: string | undefined;
  /** The id of the owner. */
  owner?: string | undefined;
  /**
   * Only for an object that was read by `get` or for an import: the digest of the URN of the resource that read it, or
   * "" until the URN is known (see `withReader`).
   */
  reader?: string | undefined;
}

/** The key of the record in the state. */
export const recordKey = "at";

const originLength = 12;
const digestLength = 6;

/**
 * Returns the key of an object: the digest of the API, then the digest of the object's id.
 * @param object the digest of the object's id
 */
export const objectKey = ({ origin }: OwnershipRecord, object: string): string =>
  origin.slice(0, digestLength) + object;

export const originOf = (apiUrl: string, accountId: string): string => digest(apiUrl) + digest(accountId);

export function format({ origin, object, owner, reader }: OwnershipRecord): string {
  if (reader !== undefined) return `${origin}-${reader}`;
  return `${origin}${object ?? ""}${owner ?? ""}`;
}

/** Parses the record in a state. @returns undefined for a state without a record */
export function parse({ [recordKey]: at }: Plain): OwnershipRecord | undefined {
  if (typeof at !== "string") return undefined;
  const origin = at.slice(0, originLength);
  const rest = at.slice(originLength);
  // The length tells the kinds of records apart, because a digest may begin with `-` too.
  if (rest.length === 2 * digestLength)
    return { origin, object: rest.slice(0, digestLength), owner: rest.slice(digestLength) };
  if (rest.length === 1 || rest.length === 1 + digestLength) return { origin, reader: rest.slice(1) };
  return { origin };
}

/** True for the state of an object that was only read, by `get` or for an import. */
export const isOnlyRead = (state: Plain): boolean => parse(state)?.reader !== undefined;

export const newOwnerId = (): string => randomBytes(6).toString("base64url").slice(0, digestLength);

/**
 * Returns the owner id in a state. Without one, returns the digest of the reader's URN, or else a digest of the state.
 */
export function ownerIdOf(state: Plain): string {
  const { owner, reader } = parse(state) ?? {};
  return owner ?? (reader || `-${digest(JSON.stringify(state, sorted))}`);
}

/** Sorts the keys of objects, because the engine does not keep their order. */
const sorted = (_key: string, value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/**
 * Adds the digest of a resource's URN to the state of an object that was only read. After an import, the digest
 * distinguishes the resource from another resource with the same object.
 */
export function withReader(state: Plain, urn: string): Plain {
  const record = parse(state);
  if (record?.reader === undefined) return state;
  return { ...state, [recordKey]: format({ origin: record.origin, reader: digest(urn) }) };
}

/** Adds an owner id to the state of an object that was read for an import. */
export function withOwner(state: Plain, id: string): Plain {
  const record = parse(state);
  if (record?.reader === undefined) return state;
  const owned = { origin: record.origin, object: digest(id), owner: newOwnerId() };
  return { ...state, [recordKey]: format(owned) };
}
