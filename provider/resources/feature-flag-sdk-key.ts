import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom } from "../client/errors";
import { anything } from "../client/responses";
import { createSecret } from "../core/create-secret";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { flagEnvironments, sdkKeyTypes } from "../vocabulary";
import { flagsPath, keysOf, type RemoteKey } from "./feature-flag/records";
import { filters, projectRef, twoParts } from "./names";

/** The key is returned only once. */
const createdKey = z
  .looseObject({ hashKey: z.string(), keyValue: z.string(), connectionString: z.string().nullish() })
  .transform((key) => ({ ...key, id: key.hashKey }));

/** The API cannot update an SDK key, so every change replaces it. */
const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the key. */
  project: projectRef,
  /** Environment whose configuration of the flags the key reads. Changing it replaces the key. */
  environment: z.enum(flagEnvironments),
  /** Kind of the application: server, mobile or client. Changing it replaces the key. */
  type: z.enum(sdkKeyTypes),
  /** Label that says what the key is for. Changing it replaces the key. */
  label: z.string().min(1).max(2000).optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Hash of the key, by which the service names it. */
  hashKey: z.string(),
  /**
   * The key, with which an application evaluates the flags of the project. Null after an import or
   * `FeatureFlagSdkKey.get`, because the API returns the key only when it is created.
   */
  sdkKey: z.string().nullable(),
  /** The key in the form of the variable `FLAGS`. Null if `sdkKey` is null, or if the service does not return it. */
  connectionString: z.string().nullable(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * An SDK key, with which applications evaluate the feature flags of a project in one environment. `sdkKey` and
 * `connectionString` are secrets.
 * @throws ApiError 404 if the account does not have the project
 * @source the newest official client: /v1/projects/{idOrName}/feature-flags/sdk-keys
 * @source the Terraform provider: vercel_feature_flag_sdk_key
 */
export const featureFlagSdkKey = resource({
  type: "FeatureFlagSdkKey",
  handler: "flagkey",
  scopes: ["read-write:project"],
  importId: "`<project>/<hash of the key>`",
  inputs,
  outputs,
  traits: {
    secret: ["sdkKey", "connectionString"],
    stable: ["projectId", "hashKey", "sdkKey", "connectionString"],
    replaceOn: ["project", "environment", "type", "label"],
  },
  ownership: { objects: (_outputs, id) => [id] },
  // The service returns all keys in one page.
  list: listing(filters, async (client, { project }) => {
    const { id: projectId } = await client.identify(project);
    const all = await keysOf(client, projectId);
    return { items: all.map((key) => ({ id: `${projectId}/${key.id}`, name: nameOf(key) })) };
  }),

  // Labels are not unique.
  async create(operation, declared) {
    const { id: projectId, accountId } = await operation.client.identify(declared.project);
    return operation.run.keys.exclusive(`SDK keys of ${projectId}`, async () => {
      const { hashKey, keyValue, connectionString } = await createNew(operation, projectId, declared);
      const secrets = { sdkKey: keyValue, connectionString: connectionString ?? null };
      return resultOf(projectId, accountId, { hashKey, ...secrets });
    });
  },

  async read(client, id, state) {
    const { project, hashKey } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const { type, environment, label } = await find(client, projectId, hashKey);
    const { sdkKey = null, connectionString = null } = state ?? {};
    return {
      ...resultOf(projectId, accountId, { hashKey, sdkKey, connectionString }),
      inputs: {
        ...({ project: state?.project ?? projectId, type, environment } as Partial<Inputs>),
        ...(label && { label }),
      },
    };
  },

  async update({ client }, _id, { projectId, hashKey, sdkKey, connectionString }) {
    const { accountId } = await client.identify(projectId);
    await find(client, projectId, hashKey);
    return resultOf(projectId, accountId, { hashKey, sdkKey, connectionString });
  },

  async remove({ client }, _id, { projectId, hashKey }) {
    await remove(client, projectId, hashKey);
  },
});

const createNew = (
  operation: Operation<Inputs, Outputs>,
  projectId: string,
  { type, environment, label }: Inputs,
): Promise<z.infer<typeof createdKey>> => {
  const { client, isOthers } = operation;
  const body = { sdkKeyType: type, environment, ...(label !== undefined && { label }) };
  return createSecret(operation, {
    request: { method: "PUT", path: flagsPath(projectId, "sdk-keys"), body, shape: createdKey },
    equal: async () =>
      (await keysOf(client, projectId)).filter(
        (one) =>
          one.type === type &&
          one.environment === environment &&
          (one.label || undefined) === label &&
          !isOthers(`${projectId}/${one.id}`),
      ),
    idOf: ({ id }) => `${projectId}/${id}`,
    twinHint: (twin) =>
      `The project ${projectId} already has an SDK key ${nameOf(twin)} (${twin.id}). If an interrupted run created it, ` +
      "delete it at the service: nobody knows its value.",
    remove: (id) => remove(client, projectId, id),
  });
};

const nameOf = ({ label, type, environment }: RemoteKey): string => label || `${type} ${environment}`;

/** @throws ApiError 404 */
async function find(client: Client, projectId: string, hashKey: string): Promise<RemoteKey> {
  const found = (await keysOf(client, projectId)).find(({ id }) => id === hashKey);
  if (found) return found;
  // The message omits the hash, because a user may pass the key itself, which is a secret.
  const said = `The project ${projectId} has no SDK key with this hash.`;
  throw absentFrom(flagsPath(projectId, "sdk-keys"), said);
}

const remove = (client: Client, projectId: string, hashKey: string): Promise<unknown> =>
  client.send({ method: "DELETE", path: flagsPath(projectId, "sdk-keys", hashKey), shape: anything });

/** Parses `project/hash`, with the project by id or name. */
function partsOf(id: string): { project: string; hashKey: string } {
  const form = 'The id of an SDK key is "project/hash", with the hash of the key, such as "web/4f9a…".';
  const [project, hashKey] = twoParts(id, form);
  return { project, hashKey };
}

const resultOf = (
  projectId: string,
  accountId: string,
  key: Omit<Outputs, "projectId">,
): Created<Outputs> => ({ id: `${projectId}/${key.hashKey}`, accountId, outputs: { projectId, ...key } });
