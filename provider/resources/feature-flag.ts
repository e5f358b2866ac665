import { z } from "zod";
import type { Client } from "../client/client";
import { ifFound } from "../client/errors";
import { anything } from "../client/responses";
import type { Failure } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { reorderingOf } from "../core/diff";
import { reasonForOwner } from "../core/key-step";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { asDeclared, holdsUnknown, type Plain, sameJson } from "../core/values";
import { flagEnvironments } from "../vocabulary";
import { type Environment, type Inputs, inputs, rules, type Variants } from "./feature-flag/inputs";
import { findNow, flagsOf, flagsPath, type RemoteFlag, remoteFlag } from "./feature-flag/records";
import {
  bodyOf,
  defaults,
  environmentOf,
  offVariant,
  settings,
  settingsOf,
  variantsNamed,
  variantsSeen,
} from "./feature-flag/settings";
import { slugKeys } from "./feature-flag/slug-keys";
import { filters, twoParts } from "./names";

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the flag at the service. */
  flagId: z.string(),
});

type Outputs = z.output<typeof outputs>;

const flagKeys: UniqueKeys = {
  ...slugKeys("the feature flag", (client, projectId, slug) => find(client, projectId, slug)),
  async refuseAdoption({ client }, [id = ""], declared) {
    const { project, key } = partsOf(id);
    return otherKind(await find(client, project, key), declared as Partial<Inputs>);
  },
};

/**
 * A feature flag of a project: its variants, and what it serves in each environment. Leave out `production`, `preview`
 * or `development` to leave what the flag serves there to the dashboard.
 * @throws ApiError 409 if the project has a flag with this slug
 * @source the newest official client: /v1/projects/{idOrName}/feature-flags/flags
 * @source the Terraform provider: vercel_feature_flag_definition and vercel_feature_flag_config
 */
export const featureFlag = resource({
  type: "FeatureFlag",
  handler: "flag",
  scopes: ["read-write:project"],
  importId: "`<project>/<slug>`, or `<project>/<id>`",
  inputs,
  outputs,
  traits: {
    defaults: { ...defaults, adopt: false },
    stable: ["projectId", "flagId"],
    replaceOn: ["project", "slug", "kind"],
  },
  checks: { rules, refusals: refuseServedVariants },
  diff: {
    drift: (state, news) => reorderingOf("variants", state.variants, news.variants),
    // A project cannot have two flags with the same slug.
    deleteFirst: (state, news) =>
      state.slug === news.slug && (news.project === state.project || news.project === state.projectId),
  },
  ownership: { uniqueKeys: flagKeys },
  list: listing(filters, async (client, { project }) => {
    const { id: projectId } = await client.identify(project);
    const all = await flagsOf(client, projectId);
    return { items: all.map(({ id, slug }) => ({ id: `${projectId}/${id}`, name: slug })) };
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { slug, adopt } = declared;
    const { id: projectId, accountId } = await client.identify(declared.project);
    // Ignores a flag that another resource has created meanwhile.
    const flag = await createOrTake<RemoteFlag>(operation, adopt, {
      isNew: client.hasCreated(projectId),
      find: () => find(client, projectId, slug),
      idOf: ({ id }) => `${projectId}/${id}`,
      create: (look) => createNew(operation, { projectId, accountId, look }, declared),
      take: async (existing) =>
        (await isReleasedWithOtherKind(operation, projectId, existing, declared))
          ? replaceFlag(operation, { projectId, accountId }, existing, declared)
          : takeFlag(operation, projectId, existing, declared),
      refusal: (error, existing) => (existing ? error.withHint(existsAlready(projectId, existing)) : error),
    });
    return resultOf(projectId, accountId, flag);
  },

  async read(client, id, state) {
    const { project, key } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const remote = await client.get(flagsPath(projectId, "flags", key), remoteFlag);
    const current = settingsOf(remote);
    const now: Plain = {
      ...{ project: state?.project ?? projectId, slug: remote.slug, kind: remote.kind },
      ...inputsRead(settings, state, current, (input, declared) =>
        input === "variants"
          ? variantsSeen(declared as Variants, remote)
          : asDeclared(declared, current[input] ?? null),
      ),
    };
    if (state?.adopt !== undefined) now.adopt = state.adopt;
    return { ...resultOf(projectId, accountId, remote), inputs: now as Partial<Inputs> };
  },

  async update({ client, unsure }, _id, state, declared) {
    const { projectId, flagId } = state;
    const { accountId } = await client.identify(projectId);
    const changes = changesOf(
      settings,
      declared,
      state,
      (key) => defaults[key],
      unsure,
      (_key, a, b) => sameJson(a, b),
    );
    const remote = await client.get(flagsPath(projectId, "flags", flagId), remoteFlag);
    return resultOf(projectId, accountId, await change(client, projectId, remote, changes, state.variants));
  },

  remove: ({ client }, _id, { projectId, flagId }) => deleteFlag(client, projectId, flagId),
});

/** Refuses, at preview, to remove a variant that an environment, a rule, a split or a target names afterwards. */
async function refuseServedVariants(client: Client, previous: Plain, news: Plain): Promise<Failure[]> {
  const { project, slug, variants: before = [] } = previous as Partial<Inputs>;
  const isKnown = typeof project === "string" && typeof slug === "string" && Array.isArray(news.variants);
  if (!isKnown || holdsUnknown(news.variants)) return [];
  const kept = (news.variants as Variants).map(({ id }) => id);
  const removed = before.map(({ id }) => id).filter((id) => !kept.includes(id));
  const flag = removed.length > 0 && slug === news.slug ? await find(client, project, slug) : undefined;
  return Object.entries(flag?.environments ?? {}).flatMap(([name, environment]) => {
    const declared = news[name] as Environment | undefined;
    const named = variantsNamed(declared ? environmentOf(declared, environment) : environment);
    const served = removed.find((id) => named.includes(id));
    return served === undefined ? [] : [{ property: "variants", reason: stillServed(name, served) }];
  });
}

const stillServed = (environment: string, variant: string): string =>
  `The environment ${environment} still names the variant ${variant}, in a rule, a split, a target or as what it serves. ` +
  "Change this in the dashboard, or declare the environment, before you remove the variant.";

/** Deletes a flag. The service deletes archived flags only. */
async function deleteFlag(client: Client, projectId: string, flagId: string): Promise<void> {
  const path = flagsPath(projectId, "flags", flagId);
  await client.send({ method: "PATCH", path, body: { state: "archived" }, shape: anything });
  await client.send({ method: "DELETE", path, shape: anything });
}

const find = (client: Client, projectId: string, key: string): Promise<RemoteFlag | undefined> =>
  findNow(client, [projectId, "flags", key], remoteFlag);

type FlagOperation = Operation<Inputs, Outputs>;

interface Creation {
  projectId: string;
  accountId: string;
  look(): Promise<RemoteFlag | undefined>;
}

/** Creates a flag, and then archives it if declared: a request cannot create an archived flag. */
async function createNew(
  { client, checkpoint }: FlagOperation,
  { projectId, accountId, look }: Creation,
  { project, slug, kind, archived, adopt: _, ...declared }: Inputs,
): Promise<RemoteFlag> {
  const off = offVariant(declared.variants);
  const paused = { enabled: false, defaultVariantId: off, disabledVariantId: off };
  const all = Object.fromEntries(flagEnvironments.map((key) => [key, declared[key] ?? paused]));
  const body = { slug, kind, ...bodyOf({ ...declared, ...all }) };
  const request = { method: "PUT", path: flagsPath(projectId, "flags"), body, shape: remoteFlag } as const;
  const made = await client.create({ request, look, existed: false });
  if (!archived) return made;
  checkpoint(resultOf(projectId, accountId, made), { project, slug, kind, ...declared });
  return change(client, projectId, made, { archived });
}

/**
 * True for a flag of another kind that another resource of the stack releases. No request changes the kind, and the engine
 * deletes the flag only after the create, which would therefore fail in every run.
 * @throws Error if the other resource keeps the flag
 */
async function isReleasedWithOtherKind(
  { run, isOfStack }: FlagOperation,
  projectId: string,
  found: RemoteFlag,
  declared: Inputs,
): Promise<boolean> {
  const id = `${projectId}/${found.id}`;
  if (otherKind(found, declared) === undefined || !(await isOfStack(whatOf(projectId, found), id)))
    return false;
  const keys = flagKeys.of(declared, projectId) ?? [];
  const reason = await reasonForOwner(run, flagKeys, { declared }, keys, id);
  if (reason !== undefined) throw new Error(reason);
  return true;
}

/** Deletes the flag that another resource of the stack releases, and creates the declared one. */
async function replaceFlag(
  operation: FlagOperation,
  of: Omit<Creation, "look">,
  found: RemoteFlag,
  declared: Inputs,
): Promise<RemoteFlag> {
  const { client } = operation;
  await ifFound(deleteFlag(client, of.projectId, found.id));
  const look = async (): Promise<RemoteFlag | undefined> => {
    const flag = await find(client, of.projectId, declared.slug);
    return flag?.id === found.id ? undefined : flag;
  };
  return createNew(operation, { ...of, look }, declared);
}

/** Adopts a flag, or takes it over from another resource of the stack, and changes it as declared. */
function takeFlag(
  operation: FlagOperation,
  projectId: string,
  found: RemoteFlag,
  declared: Inputs,
): Promise<RemoteFlag> {
  const reason = otherKind(found, declared);
  if (reason !== undefined) throw new Error(reason);
  const current = settingsOf(found);
  const seen = (key: (typeof settings)[number]): unknown =>
    key === "variants" ? variantsSeen(declared.variants, found) : asDeclared(declared[key], current[key]);
  return takeOver(operation, declared, {
    unique: flagKeys,
    keys: flagKeys.of(declared, projectId) ?? [],
    id: `${projectId}/${found.id}`,
    what: whatOf(projectId, found),
    changed: settings.filter((key) => declared[key] !== undefined && !sameJson(declared[key], seen(key))),
    refusal: existsAlready(projectId, found),
    change: (changed) =>
      change(
        operation.client,
        projectId,
        found,
        Object.fromEntries(changed.map((key) => [key, declared[key as keyof Inputs]])),
      ),
  });
}

const whatOf = (projectId: string, { slug }: RemoteFlag): string =>
  `The feature flag ${slug} of the project ${projectId}`;

const existsAlready = (projectId: string, { id, slug }: RemoteFlag): string =>
  unmanagedExists(flagKeys, `${projectId}/${id}`, [`${projectId}/${slug}`], true);

/** Why a flag is not adopted as declared. */
const otherKind = (found: RemoteFlag | undefined, { kind }: Partial<Inputs>): string | undefined =>
  found === undefined || kind === undefined || found.kind === kind
    ? undefined
    : `The feature flag ${found.slug} exists with the kind ${found.kind}, which no request changes. Set the input kind to ` +
      `${found.kind}, or choose another slug.`;

/** Changes settings of a flag. @param before the variants in the state */
async function change(
  client: Client,
  projectId: string,
  remote: RemoteFlag,
  changes: Plain,
  before?: Variants,
): Promise<RemoteFlag> {
  if (Object.keys(changes).length === 0) return remote;
  const path = flagsPath(projectId, "flags", remote.id);
  const body = bodyOf(changes, remote, before);
  return client.send({ method: "PATCH", path, body, shape: remoteFlag });
}

/** Parses `project/flag`, with the project by id or name, and the flag by id or slug. */
function partsOf(id: string): { project: string; key: string } {
  const [project, key] = twoParts(id, 'The id of a feature flag is "project/flag", such as "web/checkout".');
  return { project, key };
}

const resultOf = (projectId: string, accountId: string, { id }: RemoteFlag): Created<Outputs> => ({
  id: `${projectId}/${id}`,
  accountId,
  outputs: { projectId, flagId: id },
});
