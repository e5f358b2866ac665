// Longer than other files: the steps of many variables as one resource, with what they know of each other.
import type { Client } from "../client/client";
import { ifFound, isConflict } from "../client/errors";
import type * as responses from "../client/responses";
import type { Failure } from "../core/check";
import type { Operation } from "../core/definition";
import { missingIds } from "../core/existing-ids";
import { isIgnored, type PropertyPath } from "../core/ignored";
import { takeKeys } from "../core/key-step";
import { inParallel } from "../core/parallel";
import { resource } from "../core/resource";
import type { UniqueKeys } from "../core/unique-keys";
import { withValueSources } from "../core/value-source";
import { asDeclared, holdsUnknown, isPlain, own, type Plain, same, unknown } from "../core/values";
import { adoptable, adoptVariable, change, type IgnoredSettings, without } from "./env-var/change";
import { unmanagedOf } from "./env-var/create";
import { withDefaultTypes } from "./env-var/default-type";
import { settings } from "./env-var/inputs";
import { reasonOfPolicy } from "./env-var/policy";
import {
  environmentsForCreate,
  find,
  keysOf,
  matchingVariables,
  variableKeys,
  variablesOf,
} from "./env-var/records";
import { removeVariable } from "./env-var/remove-batch";
import { isPlaceholder, placeholderReason } from "./env-var/unknown-value";
import { sizeWarnings, whiteSpaceWarnings } from "./env-var/value-warnings";
import { createAll, type Wanted } from "./env-vars/create";
import { findTogether } from "./env-vars/import";
import {
  defaults,
  type Inputs,
  inputs,
  type Outputs,
  outputs,
  type Records,
  type Variables,
  wantedOf,
} from "./env-vars/inputs";
import { Ledger, recordOf } from "./env-vars/ledger";
import { isMadeReadable, lossIn, unknownReason } from "./env-vars/unknown-values";
import { environmentIdInput } from "./id-inputs";
import { textOf } from "./names";

const objectsOf = ({ projectId, records }: Outputs): string[] =>
  Object.values(records ?? {}).map(({ id }) => `${projectId}/${id}`);

/** The declared variables that are known, each with its key. */
function settingsIn({ variables, target, type }: Plain): Plain[] {
  if (!isPlain(variables)) return [];
  const known = Object.entries(variables).filter(([, one]) => one !== unknown);
  const inputs = { variables: Object.fromEntries(known), target, type } as Parameters<typeof wantedOf>[0];
  return Object.entries(wantedOf(inputs)).map(([key, one]) => ({ ...one, key }));
}

/** The unique keys of all variables whose settings are known. */
const manyKeys: UniqueKeys = {
  ...variableKeys,
  hasSeveral: true,
  of: (declared, projectId) =>
    isPlain(declared.variables)
      ? settingsIn(declared).flatMap((one) => variableKeys.of(one, projectId) ?? [])
      : undefined,
  refuseAdoption: (run, ids, declared, ignored = []) =>
    firstReason(declared, ignored, (one, paths) => variableKeys.refuseAdoption?.(run, ids, one, paths)),

  refuseReplacement: (run, ids, declared, ignored) =>
    firstReason(declared, ignored, (one, paths) => variableKeys.refuseReplacement?.(run, ids, one, paths)),
};

/**
 * The first reason against a declared variable.
 * @param reasonOf gets a variable as the inputs of an `EnvVar`, and the ignored ones among these inputs
 */
async function firstReason(
  declared: Plain,
  ignored: readonly PropertyPath[],
  reasonOf: (one: Plain, ignored: PropertyPath[]) => Promise<string | undefined> | undefined,
): Promise<string | undefined> {
  for (const one of settingsIn(declared)) {
    const left = ignoredSettings(declared, `${one.key}`, ignored);
    const reason = await reasonOf(
      { ...one, project: declared.project },
      [...left].map((setting) => [setting]),
    );
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Many environment variables of a project in one declaration, created with one request. Other variables of the project
 * stay as they are. The whole map `variables` is a secret.
 * @throws ApiError 403 when variables with the same key, target and branch exist
 * @source Environment variables, POST /v10/projects/{idOrName}/env
 */
export const envVars = withValueSources(
  resource({
    type: "EnvVars",
    handler: "envs",
    scopes: ["read:project", "read-write:global-project-env-vars"],
    importId: "`<project>/<KEY>,<KEY>`, or `<project>` for all",
    inputs,
    outputs,
    traits: {
      secret: ["variables", "valueDigest"],
      defaults: { target: defaults.target, adopt: defaults.adopt },
      stable: ["projectId"],
      replaceOn: ["project"],
    },
    checks: {
      normalize({ variables, ...inputs }) {
        if (!isPlain(variables)) return { ...inputs, ...(variables !== undefined && { variables }) };
        const texts = Object.entries(variables).map(([key, one]) => [
          key,
          isPlain(one) && one.value !== undefined ? { ...one, value: textOf(one.value) } : textOf(one),
        ]);
        return { ...inputs, variables: Object.fromEntries(texts) };
      },
      complete: withDefaultTypes,
      warnings(news) {
        const declared = settingsIn(news);
        return [...declared.flatMap(whiteSpaceWarnings), ...sizeWarnings(declared)];
      },
      async refusals(client, previous, news) {
        const [before, declared] = [settingsIn(previous), settingsIn(news)];
        const missing = await missingEnvironments(client, before, declared, news.project);
        if (missing.length > 0) return missing;
        // Adopted variables may stay as they are.
        const reason =
          unknownReason(before, declared) ??
          (news.adopt === true ? undefined : await reasonOfPolicy(client, declared, before));
        return reason === undefined ? [] : [{ property: undefined, reason }];
      },
    },
    diff: {
      // Two variables with the same identity cannot exist at once.
      deleteFirst: true,
      compare(key, state, news) {
        if (key === "adopt" || holdsUnknown([news.variables, news.target, news.type])) return undefined;
        // A setting can be declared for each variable or for all.
        return !same(wantedOf(state as Partial<Inputs>), wantedOf(news as Inputs));
      },
      /**
       * Finds variables that have a record, but that neither `variables` of the state nor the program contains. The
       * update deletes them. A refresh drops a variable that others renamed from `variables`, and keeps its record.
       */
      drift({ variables, records }, { variables: declared }) {
        const given = [variables, declared].map((all) => (isPlain(all) ? all : {}));
        const isLeft = Object.keys(isPlain(records) ? records : {}).some((key) =>
          given.every((all) => !Object.hasOwn(all, key)),
        );
        return isLeft ? [{ path: "variables", kind: "update", replace: false }] : [];
      },
      refuseLoss: ({ state, news, isReplaced, ignored }) =>
        lossIn(settingsIn(state), settingsIn(news), isReplaced, (key) =>
          ignoredSettings(news, key, ignored).has("value"),
        ),
      needsRefresh: (state) => settingsIn(state).some(({ type }) => (type ?? defaults.type) === "sensitive"),
    },
    ownership: { objects: objectsOf, recordedObjects: objectsOf, uniqueKeys: manyKeys },
    production: {
      revisionValues: (values) =>
        holdsUnknown([values.variables, values.target, values.type])
          ? unknown
          : Object.entries(wantedOf(values as Partial<Inputs>))
              .map(([key, { comment: _, valueFrom: __, ...one }]) => ({
                key,
                ...one,
                type: one.type ?? defaults.type,
              }))
              .sort((a, b) => (a.key < b.key ? -1 : 1)),
    },

    async create(operation, declared) {
      const { id: projectId, accountId } = await operation.client.identify(declared.project);
      const ledger = new Ledger(operation, projectId, accountId, declared);
      await createOrAdopt({ operation, ledger, wanted: wantedOf(declared) });
      return ledger.result();
    },

    async read(client, id, state) {
      if (!state) return findTogether(client, id);
      const { id: projectId, accountId } = await client.identify(state.projectId ?? id);
      const variables: Variables = {};
      const records: Records = {};
      // This request fails with 404 if the project is gone. Later 404s are about one variable.
      await variablesOf(client, projectId);
      const known = wantedOf(state);
      for (const [key, record] of Object.entries(state.records ?? {})) {
        const existing = (await ifFound(find(client, `${projectId}/${record.id}`)))?.remote;
        if (!existing) continue;
        records[key] = recordOf(existing);
        const wanted = own(known, key);
        // A renamed variable still belongs to this resource: an update restores its key, or deletes the variable.
        if (!wanted || existing.key !== key) continue;
        const seen = seenOf(existing, wanted, record.updatedAt);
        variables[key] = withDrift(own(state.variables, key), wanted, seen);
      }
      const { project = projectId, target, type, adopt } = state;
      const now = { project, variables, target, type, adopt };
      return { id: projectId, accountId, inputs: now, outputs: { projectId, records } };
    },

    async update(operation, _id, state, declared) {
      const { client } = operation;
      const { projectId, records } = state;
      const { accountId } = await client.identify(projectId);
      const before = wantedOf(state);
      const wanted = wantedOf(declared);
      const ignored = operation.unsure ? await operation.ignored() : [];
      const ledger = new Ledger(operation, projectId, accountId, declared, before, records);

      // Deletes come before creates, so that resources do not wait for each other in a loop.
      const dropped = Object.keys(records).filter((key) => !Object.hasOwn(wanted, key));
      await forEachToEnd(dropped, drop, dropped.length);
      await forEachToEnd(Object.entries(wanted), async ([key, one]) => {
        const record = own(records, key);
        if (record) await edit(key, one, record);
      });
      const missing = Object.entries(wanted).filter(([key]) => !ledger.has(key));
      await createOrAdopt({ operation, ledger, wanted: Object.fromEntries(missing) });
      return ledger.result();

      async function edit(key: string, one: Wanted, record: Records[string]): Promise<void> {
        const old = own(before, key);
        const found = operation.unsure ? await ifFound(find(client, `${projectId}/${record.id}`)) : undefined;
        // An earlier run with an unknown outcome has deleted the variable, which is created again below.
        if (operation.unsure && !found) return ledger.lose(key);
        if (same(old, one) && holds(key, one, record, found?.remote)) return;
        // A sensitive value cannot be made readable, so the variable is created again below.
        if (isMadeReadable(old, one)) return drop(key);
        await send(operation, ledger, key, one, { record, old });
      }

      /** True if the service has the declared settings. @param remote undefined if the state is known to be current */
      function holds(
        key: string,
        one: Wanted,
        record: Records[string],
        remote?: responses.Variable,
      ): boolean {
        if (!remote) return true;
        const seen = seenOf(remote, one, record.updatedAt);
        const left = ignoredSettings(declared, key, ignored);
        return Object.entries(one).every(
          ([setting, value]) => left.has(setting) || same(seen[setting as keyof Wanted], value),
        );
      }

      async function drop(key: string): Promise<void> {
        const id = own(records, key)?.id ?? "";
        await erase(operation, projectId, id);
        ledger.lose(key);
      }
    },

    async remove(operation, _id, { projectId, records }) {
      // This request fails with 404 if the project is gone. Later 404s are about one variable.
      await operation.client.project(projectId);
      const all = Object.values(records);
      await forEachToEnd(all, ({ id }) => erase(operation, projectId, id), all.length);
    },
  }),
  "variables",
);

/** A failure for each custom environment that does not exist. */
const missingEnvironments = (
  client: Client,
  before: readonly Plain[],
  declared: readonly Plain[],
  project: unknown,
): Promise<Failure[]> => {
  const [old, ids] = [before, declared].map((all) => [
    ...new Set(all.flatMap(({ customEnvironmentIds }) => customEnvironmentIds ?? [])),
  ]);
  const named = (customEnvironmentIds: unknown): Plain => ({ project, customEnvironmentIds });
  return missingIds(client, { customEnvironmentIds: environmentIdInput }, named(old), named(ids));
};

/** The variables that a step creates or adopts. */
interface Creating {
  operation: Operation<Inputs, Outputs>;
  ledger: Ledger;
  wanted: Record<string, Wanted>;
}

/**
 * Creates variables, or adopts existing ones.
 * @throws Error with the keys of the variables that could not be created
 */
async function createOrAdopt(creating: Creating): Promise<void> {
  const { operation, ledger } = creating;
  const { projectId, declared } = ledger;
  const missing = (): [string, Wanted][] => missingOf(creating);
  if (declared.adopt && missing().length > 0) await adoptMissing(creating, true);
  if (missing().length === 0) return;
  try {
    const wants = async () => missing().flatMap(([key, one]) => keysOf(projectId, { ...one, key }));
    const attempt = () => createMissing(creating);
    await takeKeys(operation.run, manyKeys, { declared, wants, attempt });
  } catch (error) {
    if (!isConflict(error) || !declared.adopt) throw error;
    // The variables were created meanwhile.
    await adoptMissing(creating, false);
    if (missing().length > 0) throw error;
  }
}

const missingOf = ({ ledger, wanted }: Creating): [string, Wanted][] =>
  Object.entries(wanted).filter(([key]) => !ledger.has(key));

async function createMissing(creating: Creating): Promise<void> {
  const { operation, ledger, wanted } = creating;
  const halfMade: [key: string, one: Wanted, remote: responses.Variable][] = [];
  const missing = Object.fromEntries(missingOf(creating));
  for (const [key, one] of Object.entries(missing))
    if (isPlaceholder({ ...one })) throw new Error(placeholderReason(key));
  const refusal = await createAll(operation, ledger.projectId, missing, (key, remote) => {
    const one = own(wanted, key);
    if (!one) return;
    const { isWhole } = environmentsForCreate(one);
    if (!isWhole) halfMade.push([key, one, remote]);
    ledger.keep(key, isWhole ? one : { ...one, customEnvironmentIds: undefined }, remote);
  });
  await forEachToEnd(halfMade, async ([key, one, remote]) => {
    const old = { ...one, customEnvironmentIds: undefined };
    await send(operation, ledger, key, one, { record: recordOf(remote), old });
  });
  if (refusal && missingOf(creating).length > 0) throw refusal;
}

/** Adopts all existing variables, or none if one cannot be adopted. @param stale uses a cached list */
async function adoptMissing(creating: Creating, stale: boolean): Promise<void> {
  const { operation, ledger } = creating;
  const { projectId, declared } = ledger;
  const ignoredOf = (key: string): IgnoredSettings => {
    return async () => ignoredSettings(declared, key, await operation.ignored());
  };
  const all = await variablesOf(operation.client, projectId, stale);
  const found = await Promise.all(
    missingOf(creating).map(async ([key, one]) => {
      const named = { ...one, key };
      const conflicting = matchingVariables(all, named);
      const unmanaged = await unmanagedOf(operation, projectId, named, conflicting, ignoredOf(key));
      return [key, one, await adoptable(named, unmanaged, ignoredOf(key))] as const;
    }),
  );
  await forEachToEnd(found, async ([key, one, chosen]) => {
    if (!chosen) return;
    const adopted = { ...one, key, project: projectId };
    const remote = await adoptVariable(operation, projectId, chosen, adopted, ignoredOf(key));
    if (remote) ledger.keep(key, one, remote);
  });
}

/** The ignored settings of one variable: settings of its own, and common settings that apply to the variable. */
function ignoredSettings(
  { variables }: Plain,
  key: string,
  ignored: readonly PropertyPath[],
): ReadonlySet<string> {
  const given = isPlain(variables) ? own(variables, key) : undefined;
  const declared = isPlain(given) ? given : { value: given };
  const isCommon = (setting: string): boolean =>
    (setting === "target" || setting === "type") && !Object.hasOwn(declared, setting);
  return new Set(
    settings.filter(
      (setting) =>
        isIgnored(ignored, ["variables", key, setting]) ||
        (isCommon(setting) && isIgnored(ignored, [setting])),
    ),
  );
}

/**
 * Changes a variable.
 * @param old the recorded settings. Undefined if others have renamed the variable: all settings are then sent
 * @throws ApiError with the key of the variable when another variable conflicts with the change
 */
async function send(
  { run, unsure, ignored }: Operation<Inputs, Outputs>,
  ledger: Ledger,
  key: string,
  one: Wanted,
  { record, old }: { record: Records[string]; old: Wanted | undefined },
): Promise<void> {
  const { projectId } = ledger;
  const id = `${projectId}/${record.id}`;
  // When unchanged settings are sent too, the ignored settings are left out.
  const left = unsure || !old ? ignoredSettings(ledger.declared, key, await ignored()) : new Set<string>();
  const declared = without({ ...one, key, project: projectId }, left);
  const known = old ? { ...old, key, project: projectId, updatedAt: record.updatedAt } : {};
  const attempt = () =>
    change(run, projectId, record.id, declared, old ? without(known as typeof declared, left) : {}, unsure);
  ledger.keep(key, one, await takeKeys(run, variableKeys, { id, declared, attempt }));
}

/** Deletes a variable, if it exists and no other resource has it. */
async function erase(
  { run, isOthers }: Operation<Inputs, Outputs>,
  projectId: string,
  id: string,
): Promise<void> {
  if (isOthers(`${projectId}/${id}`)) return;
  await ifFound(removeVariable(run, projectId, id));
}

/**
 * The number of concurrent writes. The service limits writes per minute. With more concurrent writes, all of them would
 * retry until the minute ends.
 */
const width = 16;

/**
 * Runs a step for all items, even when one fails.
 * @param atOnce how many steps run at the same time; all of them where they share requests
 * @throws the first error
 */
async function forEachToEnd<T>(
  items: readonly T[],
  step: (item: T) => Promise<unknown>,
  atOnce = width,
): Promise<void> {
  const errors: unknown[] = [];
  await inParallel(items, (item) => step(item).catch((error) => errors.push(error)), atOnce);
  if (errors.length > 0) throw errors[0];
}

/** The managed settings of a variable at the service. */
function seenOf(remote: responses.Variable, wanted: Wanted, updatedAt: number): Wanted {
  // An empty text stands for a sensitive value that somebody else wrote, because the value cannot be read.
  const isOurs = remote.updatedAt == null || remote.updatedAt === updatedAt;
  const value = remote.type === "sensitive" ? (isOurs ? wanted.value : "") : (remote.value ?? undefined);
  const current: Plain = {
    value,
    valueFrom: wanted.valueFrom,
    type: remote.type,
    target: remote.target ?? [],
    gitBranch: remote.gitBranch ?? undefined,
    comment: remote.comment ?? "",
    customEnvironmentIds: remote.customEnvironmentIds ?? [],
  };
  const managed = Object.entries(wanted).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    managed.map(([key, item]) => [key, asDeclared(item, current[key])]),
  ) as unknown as Wanted;
}

/** The declared settings, with the service's values where they differ. An undeclared default stays undeclared. */
function withDrift(declared: Variables[string] | undefined, wanted: Wanted, seen: Wanted): Variables[string] {
  if (declared === undefined) return seen;
  const differs = Object.entries(seen).filter(([key, item]) => !same(item, wanted[key as keyof Wanted]));
  if (differs.length === 0) return declared;
  const drift: Partial<Wanted> = Object.fromEntries(differs);
  // The default of `target` depends on the type, so another type declares all settings.
  if ("type" in drift) return seen;
  if (typeof declared === "string")
    return drift.value !== undefined && differs.length === 1 ? drift.value : { value: declared, ...drift };
  return { ...declared, ...drift };
}
