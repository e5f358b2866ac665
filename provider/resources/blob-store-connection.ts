import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifFound, isConflict, unlessRefused } from "../client/errors";
import { anything } from "../client/responses";
import { type Failure, inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf } from "../core/settings";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { asDeclared, holdsUnknown, type Plain, same } from "../core/values";
import { blobEnvironments, blobPrefix, blobTokenKey, envTargets } from "../vocabulary";
import {
  absentStore,
  connectionsOf,
  connectionsPath,
  findStore,
  type RemoteConnection,
  storesOf,
} from "./blob-store/records";
import { isOfIntegration } from "./env-var/other-tools";
import { matchingVariables, variablesWithoutValues } from "./env-var/records";
import { blobStoreIdInput } from "./id-inputs";
import { blobStoreId, filters, projectRef, twoParts } from "./names";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the connection. */
  project: projectRef,
  /** Id of the Blob store, such as the `id` of a `BlobStore`. Changing it replaces the connection. */
  blobStoreId: blobStoreId,
  /** Beginning of the key of the variable, without the `_` after it: ASSETS for ASSETS_READ_WRITE_TOKEN. */
  envVarPrefix: z
    .string()
    .max(200)
    .regex(/^[A-Za-z_]\w*$/, "must consist of letters, digits and '_', and must not begin with a digit")
    .optional(),
  /** Environments that get the variable. */
  environments: z
    .array(z.enum(envTargets))
    .min(1)
    .refine((names) => new Set(names).size === names.length, "must not name an environment twice")
    .optional(),
  /** If the store is connected to the project already, takes the connection over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the connection at the service. */
  connectionId: z.string(),
  /** Key of the variable, such as BLOB_READ_WRITE_TOKEN. */
  envVarKey: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

const settings = ["envVarPrefix", "environments"] as const;
const defaults = { envVarPrefix: blobPrefix, environments: blobEnvironments };
const defaultOf = (key: string): unknown => defaults[key as keyof typeof defaults];

/** The unique key: a store is connected to a project once. It gets no temporary name: another resource takes it over. */
const connectionKeys: UniqueKeys = {
  noun: "the connection of the Blob store",
  choices: "another project or store",
  scope: "project",
  within: { blobStoreId: "the Blob store" },
  mayBeShared: true,
  of: ({ blobStoreId: id }, projectId) => (typeof id === "string" ? [`${projectId}/${id}`] : undefined),

  async owners({ client }, keys) {
    const found = await Promise.all(keys.map((key) => find(client, refOf(key))));
    return keys.filter((_, at) => found[at] !== undefined);
  },

  freeKeys: async () => async () => {},
};

/**
 * Connects a Blob store to a project. The project gets a variable with the token of the store, which belongs to the
 * connection.
 * @throws ApiError 403 if another variable of the project has the key; 409 if the store is connected to the project
 * @source the Terraform provider: vercel_blob_project_connection
 */
export const blobStoreConnection = resource({
  type: "BlobStoreConnection",
  handler: "blobconnection",
  scopes: [],
  importId: "`<project>/<store>`, with the id or name of the store",
  inputs,
  outputs,
  traits: {
    defaults: { ...defaults, adopt: false },
    stable: ["projectId", "connectionId"],
    replaceOn: ["project", "blobStoreId"],
    ids: { blobStoreId: blobStoreIdInput },
  },
  checks: { refusals: (client, previous, news) => refuseTakenKey(client, previous, news) },
  // Two variables of a project cannot have the same key.
  diff: { deleteFirst: ({ project, projectId }, news) => [project, projectId].includes(news.project) },
  ownership: { uniqueKeys: connectionKeys },
  list: listing(filters, async (client, { project }) => {
    const { id: projectId } = await client.identify(project);
    const stores = await storesOf(client);
    const connected = await Promise.all(stores.map(({ id: store }) => find(client, { projectId, store })));
    const found = stores.filter((_, at) => connected[at] !== undefined);
    return { items: found.map(({ id, name }) => ({ id: `${projectId}/${id}`, name })) };
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const ref = { projectId, store: declared.blobStoreId };
    const request = { method: "POST", path: connectionsPath(ref.store), shape: anything } as const;
    const body = { projectId, ...bodyOf({ ...defaults, ...declared }) };
    await createOrTake<unknown, RemoteConnection>(operation, declared.adopt, {
      find: () => find(client, ref).catch(absentStore),
      idOf: () => idOf(ref),
      create: (look) => client.create({ request: { ...request, body }, look, existed: false }),
      take: (existing) => take(operation, ref, existing, declared),
      refusal: (error, existing) => error.withHint(existing ? existsAlready(ref) : takenHint),
    });
    // The answer to the create is not documented, and the read of the id may fail.
    operation.checkpoint(resultOf(ref, accountId, { id: "", ...body } as RemoteConnection), declared);
    return resultOf(ref, accountId, await findNew(client, ref));
  },

  async read(client, id, state) {
    const { projectId: project, store: idOrName } = refOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const store = state ? idOrName : (await findStore(client, idOrName)).id;
    const ref = { projectId, store };
    const found = await find(client, ref);
    if (!found) throw absentFrom(connectionsPath(store), notConnected(store, project));
    const current = settingsOf(found);
    const known: Partial<Inputs> = state
      ? inputsIn(inputs, state)
      : { project: projectId, blobStoreId: store, ...(current as Partial<Inputs>) };
    const now = settings.filter((key) => known[key] !== undefined);
    const seen = Object.fromEntries(now.map((key) => [key, asDeclared(known[key], current[key])]));
    return { ...resultOf(ref, accountId, found), inputs: { ...known, ...seen } };
  },

  async update({ client, unsure }, id, state, declared) {
    const ref = refOf(id);
    const { accountId } = await client.identify(ref.projectId);
    const found = await findNew(client, ref);
    const changed = changesOf(settings, declared, state, defaultOf, unsure);
    const isChanged = Object.keys(changed).length > 0;
    const now = isChanged ? await change(client, ref, found, changed) : found;
    return resultOf(ref, accountId, now);
  },

  async remove({ client }, id) {
    const { projectId, store } = refOf(id);
    // A store of another account is not found, which is an error.
    const found = (await connectionsOf(client, store)).find((one) => one.projectId === projectId);
    if (!found) throw absentFrom(connectionsPath(store), notConnected(store, projectId));
    const path = connectionsPath(store, found.id);
    await client.send({ method: "DELETE", path, shape: anything });
  },
});

/** A connection by its project and store. */
interface Ref {
  projectId: string;
  store: string;
}

/** Finds the connection, uncached; undefined if there is no such store, or it is not connected to the project. */
async function find(client: Client, { projectId, store }: Ref): Promise<RemoteConnection | undefined> {
  const all = await ifFound(connectionsOf(client, store));
  return all?.find((one) => one.projectId === projectId);
}

/** Finds a connection that must exist. @throws ApiError 404 */
async function findNew(client: Client, ref: Ref): Promise<RemoteConnection> {
  const path = connectionsPath(ref.store);
  const found = await client.readUntil(
    path,
    () => find(client, ref),
    (one) => one !== undefined,
  );
  if (found) return found;
  throw absentFrom(path, notConnected(ref.store, ref.projectId));
}

const notConnected = (store: string, project: string): string =>
  `The Blob store ${store} is not connected to ${project}.`;

/** Adopts a connection, or takes it over from another resource of the stack, and changes it as declared. */
const take = (
  operation: Operation<Inputs, Outputs>,
  ref: Ref,
  found: RemoteConnection,
  declared: Inputs,
): Promise<RemoteConnection> => {
  const current = settingsOf(found);
  const isOther = (key: (typeof settings)[number]): boolean =>
    declared[key] !== undefined && !same(asDeclared(declared[key], current[key]), declared[key]);
  return takeOver(operation, declared, {
    unique: connectionKeys,
    keys: [idOf(ref)],
    id: idOf(ref),
    what: `The connection of the Blob store ${ref.store} to ${ref.projectId}`,
    changed: settings.filter(isOther),
    refusal: existsAlready(ref),
    change: async (keys) => {
      if (keys.length === 0) return found;
      const wanted = Object.fromEntries(Object.entries(declared).filter(([key]) => keys.includes(key)));
      return change(operation.client, ref, found, wanted);
    },
  });
};

const existsAlready = (ref: Ref): string => unmanagedExists(connectionKeys, idOf(ref), [idOf(ref)], true);

const takenHint =
  "Choose another envVarPrefix or other environments, or delete the variable that has the key first.";

/** Changes some settings. The request always has both, as those of other clients do. */
async function change(
  client: Client,
  ref: Ref,
  found: RemoteConnection,
  changed: Plain,
): Promise<RemoteConnection> {
  const path = connectionsPath(ref.store, found.id);
  const wanted = { ...settingsOf(found), ...changed };
  try {
    await client.send({ method: "PATCH", path, body: bodyOf(wanted), shape: anything });
  } catch (error) {
    throw isConflict(error) ? error.withHint(takenHint) : error;
  }
  return { ...found, ...bodyOf(wanted) } as RemoteConnection;
}

const bodyOf = ({ envVarPrefix, environments }: Plain): Plain => ({
  envVarPrefix,
  envVarEnvironments: environments,
});

/** The settings of a connection, in the form of inputs. */
const settingsOf = ({ envVarPrefix, envVarEnvironments }: RemoteConnection): Plain => ({
  envVarPrefix: envVarPrefix || blobPrefix,
  environments: envVarEnvironments,
});

/**
 * Refuses a key that a variable of the project has, at preview. The variable of another connection may leave in the same
 * run.
 */
async function refuseTakenKey(client: Client, previous: Plain, news: Plain): Promise<Failure[]> {
  const { project, envVarPrefix: prefix = blobPrefix, environments = [...blobEnvironments] } = news;
  const isKnown = typeof project === "string" && typeof prefix === "string" && Array.isArray(environments);
  const isSame = ["project", ...settings].every((key) => same(previous[key], news[key]));
  if (!isKnown || holdsUnknown(environments) || isSame) return [];
  // The run may create the project.
  const found = await unlessRefused(client.identify(project));
  const variables = found && (await unlessRefused(variablesWithoutValues(client, found.id)));
  const wanted = { key: blobTokenKey(prefix), target: environments };
  const conflict = matchingVariables(variables ?? [], wanted).find((one) => !isOfIntegration(one));
  if (!conflict) return [];
  const reason = `The project ${project} has a variable ${conflict.key} (${conflict.id}). ${takenHint}`;
  return [{ property: "envVarPrefix", reason }];
}

const idOf = ({ projectId, store }: Ref): string => `${projectId}/${store}`;

/** Parses `project/store`, each by its id or name. */
function refOf(id: string): Ref {
  const form = 'The id of a connection is "project/store", such as "web/images" or "prj_…/store_…".';
  const [projectId, store] = twoParts(id, form);
  return { projectId, store };
}

const resultOf = (ref: Ref, accountId: string, remote: RemoteConnection): Created<Outputs> => ({
  id: idOf(ref),
  accountId,
  outputs: {
    projectId: ref.projectId,
    connectionId: remote.id,
    envVarKey: blobTokenKey(`${settingsOf(remote).envVarPrefix}`),
  },
});
