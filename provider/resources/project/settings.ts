import type * as responses from "../../client/responses";
import { asDeclared, isPlain, own, type Plain, same } from "../../core/values";
import { notedBypass } from "./bypass";
import { projectDefaults } from "./defaults";
import { importableHooks, storedHooks } from "./deploy-hooks";
import { type Inputs, inputs, patchable } from "./inputs";
import { importableNewer } from "./newer";
import { particularOf, returnedSettings, withResets } from "./platform";
import { repositoryOf, storedRepository } from "./repository";
import { separate, separateKeys, separateSettings } from "./separate";

/** Compares the declared settings of a project with those at the service. Sends no requests. */

/**
 * Returns the settings to send: declared settings that differ, and the defaults of settings removed from the program.
 * @param holds the known settings at the service
 */
export function changedSettings(declared: Inputs, holds: Partial<Inputs>, state: Partial<Inputs>): Plain {
  const isChanged = (key: keyof Inputs): boolean =>
    declared[key] === undefined ? state[key] !== undefined && isReset(key) : !same(holds[key], declared[key]);
  const body: Plain = {};
  for (const key of patchable.filter(isChanged)) {
    const isDeclared = declared[key] !== undefined;
    const value = isDeclared ? declared[key] : own(projectDefaults, key);
    body[key] = withResets(key, state[key], value, isDeclared);
  }
  // `serverlessFunctionRegion` and `functionDefaultRegions` are one setting: removing one must not reset the other.
  if (declared.serverlessFunctionRegion !== undefined && isPlain(body.resourceConfig)) {
    const { functionDefaultRegions: left, ...others } = body.resourceConfig;
    if (left !== undefined) body.serverlessFunctionRegion = declared.serverlessFunctionRegion;
    body.resourceConfig = others;
  }
  // Pausing turns off the automatic assignment of domains.
  if (declared.paused) delete body.autoAssignCustomDomains;
  return body;
}

const isReset = (key: string): boolean => Object.hasOwn(projectDefaults, key);

/** Returns the declared settings that the service does not have. */
export function missingSettings(declared: Inputs, remote: responses.Project): Plain {
  const body: Plain = {};
  const returned = returnedSettings(remote);
  for (const key of patchable) {
    const value = declared[key];
    if (value === undefined || (declared.paused && key === "autoAssignCustomDomains")) continue;
    // A password cannot be compared.
    const unseen = key === "passwordProtection" && value !== null;
    if (unseen || !same(asDeclared(value, returned[key] ?? null), value)) body[key] = value;
  }
  return body;
}

/** Returns the declared settings that the service has. */
export function matchingSettings(declared: Inputs, remote: responses.Project): Partial<Inputs> {
  const lacking = missingSettings(declared, remote);
  const stored = pick(declared, ["adopt", ...patchable.filter((key) => !(key in lacking))]);
  const gitRepository = declared.gitRepository && storedRepository(remote, declared.gitRepository);
  return { ...stored, ...(gitRepository && { gitRepository }) };
}

/**
 * Returns the managed inputs with the service's values. Settings that the service does not return count as unchanged.
 */
export function managedSettings(
  remote: responses.Project,
  state: Partial<Inputs>,
  secrets: Record<string, string>,
): Partial<Inputs> {
  const { protectionBypass, deployHooks, paused, gitRepository } = state;
  const now: Plain = { ...inputsOf(state), ...returnedAsDeclared(remote, state) };
  if (protectionBypass) now.protectionBypass = notedBypass(remote, protectionBypass, secrets);
  if (deployHooks) now.deployHooks = storedHooks(remote, deployHooks).hooks;
  if (paused !== undefined) now.paused = remote.paused ?? false;
  if (gitRepository) now.gitRepository = storedRepository(remote, gitRepository);
  for (const key of separateKeys)
    if (state[key] !== undefined) now[key] = asDeclared(state[key], separate[key].of(remote));
  return now as Partial<Inputs>;
}

/** The values of the service for the declared settings that one request changes together. */
function returnedAsDeclared(remote: responses.Project, state: Partial<Inputs>): Plain {
  const returned = returnedSettings(remote);
  const managed = patchable.filter((key) => state[key] !== undefined && returned[key] !== undefined);
  const now: Plain = Object.fromEntries(managed.map((key) => [key, asDeclared(state[key], returned[key])]));
  // The API ignores this setting, and returns null.
  if (state.publicSource !== undefined && remote.publicSource == null) now.publicSource = state.publicSource;
  const { passwordProtection } = state;
  const stored = remote.passwordProtection;
  if (passwordProtection && stored) {
    // The password is never returned, so the declared one stays.
    const { deploymentType = passwordProtection.deploymentType } = stored;
    now.passwordProtection = { ...passwordProtection, deploymentType };
  }
  return now;
}

/** Returns the settings of a project as inputs, without secrets. */
export const comparable = (remote: responses.Project): Plain => ({
  ...returnedSettings(remote),
  gitRepository: repositoryOf(remote),
  paused: remote.paused ?? false,
  ...separateSettings(remote),
  passwordProtection: undefined,
  protectionBypass: undefined,
  deployHooks: undefined,
});

/** Returns all inputs that can be read. The API never returns passwords. */
export function importable(remote: responses.Project): Partial<Inputs> {
  const returned = returnedSettings(remote);
  // A program does not get settings that are deprecated.
  const excluded = { passwordProtection: undefined, publicSource: undefined };
  const settings: Plain = { ...returned, ...particularOf(returned), ...importableNewer(remote), ...excluded };
  const known = patchable.filter((key) => settings[key] != null);
  const found: Plain = Object.fromEntries(known.map((key) => [key, settings[key]]));
  if (remote.oidcTokenConfig)
    found.oidcTokenConfig = asDeclared(projectDefaults.oidcTokenConfig, remote.oidcTokenConfig);
  const gitRepository = repositoryOf(remote);
  if (gitRepository) found.gitRepository = gitRepository;
  const deployHooks = importableHooks(remote);
  if (gitRepository && Object.keys(deployHooks).length > 0) found.deployHooks = deployHooks;
  found.paused = remote.paused ?? false;
  for (const key of separateKeys) if (separate[key].isReturned(remote)) found[key] = separate[key].of(remote);
  return found as Partial<Inputs>;
}

export const pick = (from: Partial<Inputs>, keys: readonly (keyof Inputs)[]): Partial<Inputs> =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]));

export const inputsOf = (state: Partial<Inputs>): Partial<Inputs> =>
  pick(state, Object.keys(inputs.shape) as (keyof Inputs)[]);
