import { ifFound, isConflict } from "../../client/errors";
import { sharedEnvPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { isIgnored } from "../../core/ignored";
import { takeKeys } from "../../core/key-step";
import { losesIgnored } from "../../core/unique-key-messages";
import { ownerLabel } from "../../core/unique-keys";
import { type Plain, same } from "../../core/values";
import { without } from "../env-var/change";
import { isPlaceholder } from "../env-var/unknown-value";
import { reasonNotToAdopt } from "./adoptable";
import { change, membersOf } from "./change";
import { defaultOf, defaults, type Inputs, type Outputs, settings } from "./inputs";
import {
  adoptedShared,
  keysOf,
  matchingShared,
  readShared,
  refuseFailed,
  sharedKeys,
  sharedVariablesOf,
} from "./records";

type SharedOperation = Operation<Inputs, Outputs>;

/** Creates a shared variable, or adopts one. */
export async function createOrAdopt(
  operation: SharedOperation,
  declared: Inputs,
): Promise<responses.SharedVariable> {
  const before = matchingShared(await sharedVariablesOf(operation.client, true), declared);
  const existing = before.length > 0 && declared.adopt ? await adopt(operation, declared) : undefined;
  if (existing) return existing;
  const ids = before.map(({ id }) => id);
  try {
    return await takeKeys(operation.run, sharedKeys, {
      declared,
      attempt: () => create(operation, declared, ids),
    });
  } catch (error) {
    const adopted = isConflict(error) && declared.adopt ? await adopt(operation, declared) : undefined;
    if (adopted) return adopted;
    throw error;
  }
}

/**
 * Creates a shared variable exactly once, even if the answer is lost.
 * @param before the ids of variables that had these unique keys just before the create, and belong to others
 */
async function create(
  { client, isOthers }: SharedOperation,
  declared: Inputs,
  before: readonly string[],
): Promise<responses.SharedVariable> {
  const { adopt: _, valueFrom: __, key, value = "", comment, type = defaults.type, ...rest } = declared;
  const ev = { key, value, ...(comment === undefined ? {} : { comment }) };
  const asked = { method: "POST", path: sharedEnvPath() } as const;
  const secrets = [value];
  const request = {
    ...asked,
    body: { evs: [ev], type, ...membersOf(rest) },
    shape: responses.sharedVariableCreated,
    secrets,
  };
  const look = async () => {
    const [found, ...more] = matchingShared(await sharedVariablesOf(client), declared);
    // Ignores a variable that another resource has created meanwhile.
    if (!found || more.length > 0 || before.includes(found.id) || isOthers(found.id)) return undefined;
    return { record: found, failed: [] };
  };
  const { record, failed } = await client.create({ request, look, existed: false });
  if (record) return record;
  refuseFailed(asked, failed, [client.settings.token, ...secrets]);
  throw new Error("The service did not create the shared variable, and gave no reason. Run again.");
}

/**
 * Adopts the unmanaged shared variable that conflicts with the declared one. Variables of other resources of the stack
 * are moved out of the way.
 * @returns undefined when no unmanaged variable conflicts, or when it was deleted
 * @throws Error when the variable cannot be adopted, or when several conflict
 */
async function adopt(
  operation: SharedOperation,
  declared: Inputs,
): Promise<responses.SharedVariable | undefined> {
  const { client, run } = operation;
  const ignored = async (): Promise<ReadonlySet<string>> => {
    const paths = await operation.ignored();
    return new Set(settings.filter((key) => isIgnored(paths, [key])));
  };
  const conflicting: responses.SharedVariable[] = [];
  for (const variable of matchingShared(await sharedVariablesOf(client), declared)) {
    const what = `The shared variable ${declared.key} (${variable.id})`;
    const owner = await operation.ownerOf(what, variable.id);
    // A variable that another resource of the run adopts just now has an owner without a name. It is refused later.
    if (owner?.urn === undefined) conflicting.push(variable);
    else if ((await ignored()).has("value"))
      throw new Error(
        losesIgnored(sharedKeys, ownerLabel(owner), keysOf(client.settings.team ?? "", declared)),
      );
  }
  const refused = reasonNotToAdopt(declared, conflicting) !== undefined;
  const reason = refused ? reasonNotToAdopt(declared, conflicting, await ignored()) : undefined;
  if (reason !== undefined) throw new Error(reason);
  const [chosen] = conflicting;
  if (!chosen) return undefined;
  const { what, names } = adoptedShared(client.settings.team ?? "", chosen, declared);
  const attempt = async () => {
    const found = await readShared(client, chosen.id);
    const lacking = missing(declared, found);
    const left = new Set(lacking.length > 0 ? await ignored() : []);
    // The empty text leaves a sensitive value unchanged.
    if (isPlaceholder({ type: declared.type ?? found.type, value: declared.value })) left.add("value");
    const managed = without(declared, left);
    return change(run, found.id, managed, without(managed, new Set(missing(managed, found))));
  };
  // An old list may still show a variable that was deleted.
  return ifFound(
    operation.adopt(what, names, () => takeKeys(run, sharedKeys, { id: chosen.id, declared, attempt })),
  );
}

/** Converts a shared variable of the API to inputs. */
export const settingsOf = ({ projectId, comment, ...remote }: responses.SharedVariable): Plain => ({
  ...remote,
  applyToAllCustomEnvironments: remote.applyToAllCustomEnvironments ?? false,
  comment: comment ?? "",
  projectIds: projectId ?? [],
});

/** The declared settings that the service does not have, including a value that cannot be read. */
function missing(declared: Inputs, remote: responses.SharedVariable): string[] {
  const found = settingsOf(remote);
  return settings.filter(
    (key) => declared[key] !== undefined && !same(declared[key], found[key] ?? defaultOf(key)),
  );
}
