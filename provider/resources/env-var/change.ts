import { ifFound } from "../../client/errors";
import { variablePath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { takeKeys } from "../../core/key-step";
import type { RunContext } from "../../core/run-context";
import { changesOf } from "../../core/settings";
import { type Plain, same } from "../../core/values";
import { type Adoption, reasonNotToAdopt } from "./adoptable";
import { defaultOf, defaults, type Inputs, type Outputs, settings } from "./inputs";
import { adoptedVariable, editVariable, variableKeys } from "./records";
import { isTemporaryKey } from "./temporary-key";
import { isPlaceholder } from "./unknown-value";

/** Changes of an existing variable, for both `EnvVar` and `EnvVars`. */

/**
 * Sends the settings that differ from the state. Settings that were removed from the program are reset.
 * @param all also sends settings that do not differ
 */
export async function change(
  { client, keys: plan }: RunContext,
  projectId: string,
  envId: string,
  declared: Inputs,
  state: Partial<Inputs & Outputs>,
  all = false,
): Promise<responses.Variable> {
  const body = bodyOf(declared, state, all);
  const read = () => client.get(variablePath(projectId, envId, "v1"), responses.variable);
  // Only `updatedAt` shows that others wrote a sensitive value. A write changes `updatedAt`, so it is read before.
  const unseen = state.type === "sensitive" && body.value === undefined;
  const before = unseen ? await read() : undefined;
  const changed = Object.keys(body).length === 0 ? (before ?? (await read())) : await send(body);
  // This run, or an interrupted one, has given the variable a temporary key.
  const hasTemporaryKey = isTemporaryKey(changed.key) && changed.key !== declared.key;
  const after = hasTemporaryKey ? await send({ key: declared.key }) : changed;
  if (!before || before.updatedAt === state.updatedAt || wasMoved(before)) return after;
  return { ...after, updatedAt: state.updatedAt };

  async function send(body: Plain): Promise<responses.Variable> {
    const secrets = declared.value === undefined ? [] : [declared.value];
    return (await editVariable(client, projectId, envId, body, secrets)) ?? read();
  }

  /** True when the last write was the one by which this run gave the variable a temporary key. */
  function wasMoved({ updatedAt }: responses.Variable): boolean {
    const move = plan.moves.get(`${projectId}/${envId}`);
    return move !== undefined && move.before === state.updatedAt && move.after === updatedAt;
  }
}

/** The settings to send. */
function bodyOf(declared: Inputs, state: Partial<Inputs>, all: boolean): Plain {
  const body = changesOf(settings, declared, state, defaultOf, all);
  const known = declared.type ?? state.type;
  // An empty text never overwrites a sensitive value: it stands for one that is not known.
  // A type that was removed from the program is reset, so that the variable has a value again.
  const isSystem = (body.type ?? known) === "system";
  if (isSystem || body.value === undefined || isPlaceholder({ type: known, value: body.value }))
    delete body.value;
  // A variable that becomes type system keeps the old value at the service, so the value is cleared.
  if (body.type === "system" && state.type !== "system") body.value = "";
  return body;
}

/** Returns the settings of a variable that the program ignores (`ignoreChanges`). */
export type IgnoredSettings = () => Promise<ReadonlySet<string>>;

/**
 * Chooses the variable to adopt among those that conflict with the declared one.
 * @returns undefined when no variable conflicts
 * @throws Error when several variables conflict, or when the adoption would remove the variable from an environment
 */
export async function adoptable(
  declared: Adoption,
  conflicting: readonly responses.Variable[],
  ignored: IgnoredSettings,
): Promise<responses.Variable | undefined> {
  const refused = reasonNotToAdopt(declared, conflicting) !== undefined;
  const reason = refused ? reasonNotToAdopt(declared, conflicting, await ignored()) : undefined;
  if (reason !== undefined) throw new Error(reason);
  return conflicting[0];
}

/**
 * Adopts a variable, and writes the declared settings that differ and are not ignored.
 * @param ignored returns the ignored settings; only called when some settings differ
 * @returns undefined when the variable was deleted, which an old list may still show
 * @throws Error when another resource has the variable
 */
export function adoptVariable(
  operation: Pick<Operation<never, never>, "adopt" | "run">,
  projectId: string,
  found: responses.Variable,
  declared: Inputs,
  ignored: IgnoredSettings,
): Promise<responses.Variable | undefined> {
  const { what, names } = adoptedVariable(projectId, found, declared);
  const adoption = operation.adopt(what, names, async () => {
    const lacking = missing(withHiddenType(declared, found), found);
    const left = new Set(lacking.length > 0 ? await ignored() : []);
    // The empty text leaves a sensitive value unchanged.
    if (isPlaceholder({ type: declared.type ?? found.type, value: declared.value })) left.add("value");
    const sent = without(declared, left);
    // If the value is ignored, no secret is written, so the type can stay. An ignored type stays in any case.
    const managed = left.has("value") || left.has("type") ? sent : withHiddenType(sent, found);
    const existing = without(managed, new Set(missing(managed, found)));
    const { run } = operation;
    const attempt = () => change(run, projectId, found.id, managed, existing);
    // Another resource of the stack may have one of the declared environments.
    const step = { id: `${projectId}/${found.id}`, declared, state: { ...declared, projectId }, attempt };
    return takeKeys(run, variableKeys, step);
  });
  return ifFound(adoption);
}

/** The declared settings that the service does not have, including a value that cannot be read. */
const missing = (declared: Inputs, found: responses.Variable): string[] =>
  settings.filter((key) => declared[key] !== undefined && !same(declared[key], found[key] ?? defaultOf(key)));

/** Leaves out settings of a variable, except `project` and `key`. @param left the settings to leave out */
export const without = <T extends object>(declared: T, left: ReadonlySet<string>): T => {
  const isKept = (setting: string): boolean => /^(project|key)$/.test(setting) || !left.has(setting);
  return Object.fromEntries(Object.entries(declared).filter(([setting]) => isKept(setting))) as T;
};

/**
 * The inputs for an adopted variable.
 * @choice Without a declared type, a readable variable gets the default type. Otherwise everybody could read the
 *   declared value, which may be a secret.
 */
const withHiddenType = (declared: Inputs, { type }: responses.Variable): Inputs =>
  declared.type === undefined && /^(plain|system)$/.test(type)
    ? { ...declared, type: defaults.type }
    : declared;
