import type { Client } from "../../client/client";
import { type ApiError, ifFound, isConflict, isNotFound } from "../../client/errors";
import { recordPath, recordsPath } from "../../client/paths";
import * as responses from "../../client/responses";
import { pause } from "../../client/step-limits";
import type { Operation } from "../../core/definition";
import { reasonForOwner } from "../../core/key-step";
import { ownerIdOf } from "../../core/ownership-record";
import { changesOf } from "../../core/settings";
import { declaringResource, plannedKey } from "../../core/unique-keys";
import { identityOf } from "../../core/urn";
import { isPlain, own, type Plain, same } from "../../core/values";
import { type AnyRecord, keyOf, membersOf, recordKeys, recordWith, settings } from "./records";
import { isSamePart, partsOf } from "./values";

/**
 * Creates and changes records. The id of a record follows its contents: a change gives the record another id, and the
 * old id is unknown afterwards. Resources that exchange contents therefore exchange the records.
 */

/** How often a conflict is looked into. Reads of the service may be some seconds old. */
const mostAttempts = 6;
const firstPauseMs = 200;

type Step = Operation<never, never>;
/** Declared inputs. */
type Declared = Plain & { domain: string };
/** A recorded state. */
type State = Plain & { recordId: string };

/** Creates a record, or takes over the one that another resource of the stack releases. */
export async function createRecord(operation: Step, declared: Declared): Promise<{ id: string }> {
  const { domain, ...body } = declared;
  const { client } = operation;
  const find = () => recordWith(client, domain, keyOf(declared));
  // Ignores a record that another resource has created meanwhile.
  const look = async (): Promise<{ id: string } | undefined> => {
    const found = await find();
    return found && !operation.isOthers(`${domain}/${found.id}`) ? found : undefined;
  };
  const path = recordsPath(domain, undefined, "v2");
  const request = { method: "POST", path, body, shape: responses.createdDnsRecord } as const;
  const found = await find();
  // The service takes a record that is spelled otherwise as another one, and would store both.
  if (found && isSpelledOtherwise(found, declared)) {
    const record = await takeRecord(operation, declared, undefined);
    if (record) return record;
  }
  const existed = (await look()) !== undefined;
  return repeatedly(async () => {
    try {
      return await client.create({ request, look, existed });
    } catch (error) {
      if (!isConflict(error)) throw error;
      return (await takeRecord(operation, declared, error)) ?? error;
    }
  });
}

/**
 * Changes a record as declared.
 * @throws ApiError 404 when the record was deleted
 */
export async function changeRecord(operation: Step, state: State, declared: Declared): Promise<AnyRecord> {
  const { client, run } = operation;
  const { domain } = declared;
  const [oldKey = "", newKey = ""] = [keyOf(state), keyOf(declared)];
  const recordId = await currentIdOf(client, state);
  const own = `${domain}/${recordId}`;
  const locked = <T>(key: string, step: () => Promise<T>): Promise<T> =>
    run.keys.exclusive(plannedKey(recordKeys, scoped(run, key)), step);
  // In an interrupted run, another resource took the record, and left this one without the declared contents.
  const isShared = await run.ownership.isRecordedForOther(ownerIdOf(state), own);
  // Another resource of the program has taken the record, or declares its contents and will take it.
  const isLeft = (): boolean =>
    operation.isOthers(own) || (oldKey !== newKey && (isShared || isDeclaredByOther(operation, oldKey)));
  return repeatedly(async () => {
    const outcome = await locked(oldKey, async () => {
      if (isLeft()) return undefined;
      return sendChange(client, recordId, changesIn(state, declared, operation.unsure)).catch(
        (error: unknown) => {
          if (isConflict(error) || isNotFound(error)) return error;
          throw error;
        },
      );
    });
    if (outcome !== undefined && !(outcome instanceof Error)) return outcome;
    const wasFound = outcome !== undefined && !isNotFound(outcome);
    const claimed = await locked(newKey, async () => {
      // If the record is gone, a change without an answer has given it the declared contents.
      const owed = isNotFound(outcome) || isShared;
      const record = await takeRecord(operation, declared, outcome, { own, owed });
      if (record || outcome) return record;
      const { id } = await createRecord(operation, declared);
      return read(client, id);
    });
    if (claimed && wasFound)
      await locked(oldKey, async () => {
        if (!isLeft()) await ifFound(sendDelete(client, domain, recordId));
      });
    return claimed ?? (outcome as ApiError);
  });
}

/** Runs an attempt until it has a result. An error that it returns is thrown after the last attempt. */
async function repeatedly<T extends object>(attempt: () => Promise<T | ApiError>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const result = await attempt();
    if (!(result instanceof Error)) return result;
    if (attempts === mostAttempts) throw result;
    await pause(firstPauseMs * 2 ** (attempts - 1));
  }
}

/**
 * Takes over the record with the declared contents, which another resource of the stack releases.
 * @param refusal the refusal of the service that led here
 * @param change `own`: the object of the resource before an update. `owed`: an unmanaged record belongs to the resource
 * @returns undefined if there is no such record
 * @throws ApiError the refusal, with a hint why the record cannot be taken
 */
async function takeRecord(
  operation: Step,
  declared: Declared,
  refusal: ApiError | undefined,
  { own, owed = false }: { own?: string; owed?: boolean } = {},
): Promise<AnyRecord | undefined> {
  const { client, run } = operation;
  const { domain } = declared;
  const key = keyOf(declared) ?? "";
  const found = await recordWith(client, domain, key);
  if (!found) return undefined;
  const id = `${domain}/${found.id}`;
  const reason = await reasonForOwner(run, recordKeys, { id: own, declared }, [scoped(run, key)], id);
  const isUnmanaged = async () => owed && !(await operation.isOfStack(`The DNS record ${key}`, id));
  if (reason !== undefined && !(await isUnmanaged())) throw refusal?.withHint(reason) ?? new Error(reason);
  operation.take(id);
  const now = { domain, ...membersOf(found), ttl: found.ttl ?? 60, comment: found.comment || undefined };
  return ifFound(sendChange(client, found.id, changesIn(now, declared, false)));
}

const scoped = ({ client }: Step["run"], key: string): string => `${client.settings.team ?? ""}/${key}`;

/** True when another resource of the program declares a record with this key. */
function isDeclaredByOther({ run, urn }: Step, key: string): boolean {
  const declaring = declaringResource(run, recordKeys, scoped(run, key));
  return declaring !== undefined && urn !== undefined && declaring !== identityOf(urn);
}

/**
 * The members of an update: the settings that differ. Settings that were removed from the program go back to their
 * defaults.
 * @param all also the settings that do not differ
 */
function changesIn(before: Plain, declared: Declared, all: boolean): Plain {
  const isSame = (key: string, a: unknown, b: unknown): boolean => isSamePart(declared.type, key, a, b);
  const { https, ...body } = changesOf(settings, declared, before, (key) => own(defaults, key), all, isSame);
  return isPlain(https) ? { ...body, https: { params: "", ...https } } : body;
}

/** The values of inputs that were removed from the program. */
const defaults: Plain = { ttl: 60, comment: "" };

/** True for a record with the same contents that are not written alike, such as `2001:db8::1` and `2001:DB8:0::1`. */
function isSpelledOtherwise(found: responses.ListedDnsRecord, declared: Declared): boolean {
  const { type, ...parts } = membersOf(found);
  if (type === "CNAME") return false;
  return partsOf(`${type}`).some((part) => !same(parts[part], declared[part]));
}

/** Without members, the record is only read. */
const sendChange = (client: Client, recordId: string, body: Plain): Promise<responses.DnsRecord> =>
  Object.keys(body).length === 0
    ? read(client, recordId)
    : client.send({ method: "PATCH", path: recordPath(recordId, "v1"), body, shape: responses.dnsRecord });

const read = (client: Client, recordId: string): Promise<responses.DnsRecord> =>
  client.get(recordPath(recordId), responses.dnsRecord);

const sendDelete = (client: Client, domain: string, recordId: string): Promise<unknown> =>
  client.send({ method: "DELETE", path: recordsPath(domain, recordId, "v2"), shape: responses.anything });

/** The id of a record, also after a change without an answer, whose contents the state then has in `pending`. */
export async function currentIdOf(client: Client, state: State): Promise<string> {
  const { recordId, pending, domain } = state;
  if (typeof pending !== "string" || (await ifFound(read(client, recordId)))) return recordId;
  return (await recordWith(client, String(domain), pending))?.id ?? recordId;
}

/**
 * Reads a record. If the id is unknown, the record may have got another one: by a change without an answer, or because
 * somebody has changed the value of a CNAME record.
 * @param id the id without a state
 * @throws ApiError 404
 */
export async function readRecord(client: Client, state: Plain, id: string): Promise<responses.DnsRecord> {
  const { recordId = id } = state;
  try {
    return await read(client, String(recordId));
  } catch (error) {
    const found = isNotFound(error) ? await recordOf(client, state) : undefined;
    if (!found) throw error;
    return read(client, found.id);
  }
}

/** Finds a record by the contents in the state. */
async function recordOf(client: Client, state: Plain): Promise<AnyRecord | undefined> {
  const { pending, domain } = state;
  const last = typeof pending === "string" ? await recordWith(client, `${domain}`, pending) : undefined;
  return last ?? recordWith(client, `${domain}`, keyOf(state));
}
