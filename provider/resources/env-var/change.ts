import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Client } from "../../client/client";
import { variablePath } from "../../client/paths";
import * as responses from "../../client/responses";
import { variableNames } from "../../core/claims";
import type { Operation } from "../../core/definition";
import { same } from "../../core/values";
import { defaultOf, defaults, type Inputs, type Outputs, settings } from "./inputs";
import { adoptedVariable } from "./records";

/** Changes of an existing variable, for both `EnvVar` and `EnvVars`. */

/**
 * Sends the settings that differ from the state. Settings that were removed from the program are reset.
 * @param all also sends those that do not differ
 */
export async function change(
  client: Client,
  projectId: string,
  envId: string,
  declared: Inputs,
  state: Partial<Inputs & Outputs>,
  all = false,
): Promise<responses.Variable> {
  const body: Record<string, unknown> = {};
  for (const key of settings) {
    if (!all && same(state[key], declared[key])) continue;
    if (declared[key] !== undefined) body[key] = declared[key];
    else if (state[key] !== undefined) body[key] = defaultOf(key);
  }
  // The service keeps the value of the old type, so it is cleared.
  if (body.type === "system" && state.type !== "system") body.value = "";
  else if (body.type === "system" || body.value === undefined) delete body.value;
  // An unreadable value that was imported or written by others must not be overwritten with an empty one.
  if (state.type === "sensitive" && state.value === "" && body.value === "") delete body.value;
  const read = () => client.get(variablePath(projectId, envId, "v1"), responses.variable);
  // A sensitive value written by others is only noticed by its time, which a write would hide.
  const unseen = state.type === "sensitive" && body.value === undefined;
  const before = unseen ? await read() : undefined;
  const after = Object.keys(body).length === 0 ? (before ?? (await read())) : await send();
  if (!before || before.updatedAt === state.updatedAt) return after;
  return { ...after, updatedAt: state.updatedAt };

  async function send(): Promise<responses.Variable> {
    const path = variablePath(projectId, envId);
    const secrets = declared.value === undefined ? [] : [declared.value];
    // The answer may be an empty object; then the record is read. @source wire-shapes 4
    const shape = z.union([responses.variable, z.looseObject({}).transform(() => undefined)]);
    return (await client.send({ method: "PATCH", path, body, shape, secrets })) ?? read();
  }
}

/** The settings of a variable that the program ignores. */
export type IgnoredSettings = () => Promise<ReadonlySet<string>>;

/**
 * Chooses the variable to adopt among those that conflict with the declared one.
 * @returns undefined when there is none
 * @throws Error when there are several, or when the adoption would remove it from an environment
 */
export async function adoptable(
  declared: Pick<Inputs, "key" | "target" | "customEnvironmentIds">,
  [found, ...more]: readonly responses.Variable[],
  ignored: IgnoredSettings,
): Promise<responses.Variable | undefined> {
  if (!found) return undefined;
  const { key } = declared;
  if (more.length > 0) {
    throw new Error(
      `Several variables named ${key} exist for the declared targets (${[found, ...more].map(({ id }) => id).join(", ")}), ` +
        "so none can be adopted. Declare one variable for each of them, with its own target.",
    );
  }
  const lost = lostEnvironments(declared, found);
  if (lost.length === 0) return found;
  const left = await ignored();
  if (lost.every(({ setting }) => left.has(setting))) return found;
  throw new Error(
    `The variable ${key} (${found.id}) exists for ${[...(found.target ?? []), ...(found.customEnvironmentIds ?? [])].join(", ")}. ` +
      `Adopting it as declared would remove it from ${lost.map(({ name }) => name).join(", ")}. ` +
      "Declare it for all of them to adopt it; a later run can remove it from some and declare others for the rest.",
  );
}

/** The environments that an adoption would remove. Undeclared settings stay as they are. */
function lostEnvironments(
  declared: Pick<Inputs, "target" | "customEnvironmentIds">,
  found: responses.Variable,
): { setting: string; name: string }[] {
  return (["target", "customEnvironmentIds"] as const).flatMap((setting) => {
    const wanted: readonly string[] | undefined = declared[setting];
    const lost = wanted ? (found[setting] ?? []).filter((name) => !wanted.includes(name)) : [];
    return lost.map((name) => ({ setting, name }));
  });
}

/**
 * Adopts a variable, and writes the declared settings that differ and are not ignored.
 * @param ignored returns the ignored ones; only called when some differ
 * @throws Error when another resource has it
 */
export function take(
  operation: Pick<Operation<never, never>, "adopt" | "client">,
  projectId: string,
  found: responses.Variable,
  declared: Inputs,
  ignored: IgnoredSettings,
): Promise<responses.Variable> {
  // Its names are both the present and the declared ones.
  const byKey = [...variableNames(projectId, found), ...variableNames(projectId, declared)];
  const { what, names } = adoptedVariable(projectId, found, byKey);
  return operation.adopt(what, names, async () => {
    const lacking = missing(hidden(declared, found), found);
    const left = lacking.length > 0 ? await ignored() : new Set<string>();
    const sent = without(declared, left);
    // Without a value of the program's, nothing new has to be hidden.
    const managed = left.has("value") || left.has("type") ? sent : hidden(sent, found);
    const held = without(managed, new Set(missing(managed, found)));
    return change(operation.client, projectId, found.id, managed, held);
  });
}

/** The declared settings that the service does not have. A value that cannot be read is one of them. */
const missing = (declared: Inputs, found: responses.Variable): string[] =>
  settings.filter((key) => declared[key] !== undefined && !same(declared[key], found[key] ?? defaultOf(key)));

/** Leaves out settings; what identifies the variable stays. */
export const without = <T extends Inputs>(declared: T, left: ReadonlySet<string>): T => {
  const { project, key } = declared;
  const kept = Object.entries(declared).filter(([setting]) => !left.has(setting));
  return { ...(Object.fromEntries(kept) as T), project, key };
};

/**
 * The inputs for an adopted variable.
 * @choice A readable variable gets the default type unless a type is declared, since it would show the declared value,
 *   which may be its first secret.
 */
const hidden = (declared: Inputs, { type }: responses.Variable): Inputs =>
  declared.type === undefined && /^(plain|system)$/.test(type)
    ? { ...declared, type: defaults.type }
    : declared;

/**
 * The temporary key of a variable that waits for its new key and releases the old one.
 * @choice For instance DATABASE_URL__MOVING_4f9a, which users and the next run can recognize.
 */
export const asideOf = (key: string): string =>
  `${key.slice(0, 200)}__MOVING_${randomBytes(4).toString("hex")}`;
export const isAside = (key: string): boolean => /__MOVING_[0-9a-f]{8}$/.test(key);
