import * as z from "zod";
import { blobAccesses, blobRegions, envTargets } from "../../provider/vocabulary";

/**
 * Bodies and answers of Blob stores and their connections to projects.
 * @source the newest official client: /storage/stores; the Terraform provider: /v1/storage/stores
 */

/** @choice The public API gives no limit. */
export const storeName = z.string().min(1).max(128).regex(/\S/, "must not be blank");

/** @source the Terraform provider: the default region */
export const createStore = z.strictObject({
  name: storeName,
  region: z.enum(blobRegions).optional(),
  access: z.enum(blobAccesses).optional(),
});

export const updateStore = z.strictObject({ name: storeName });

const connectedProject = z.strictObject({
  /** Id of the connection. */
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  framework: z.string().nullable(),
  environments: z.array(z.string()),
  environmentVariables: z.array(z.string()),
  envVarPrefix: z.string(),
});

export const blobStore = z.strictObject({
  id: z.string(),
  type: z.literal("blob"),
  name: z.string(),
  ownerId: z.string(),
  access: z.enum(blobAccesses),
  region: z.enum(blobRegions),
  status: z.literal("available"),
  /** The number of files. */
  count: z.number(),
  /** The bytes of all files. */
  size: z.number(),
  usageQuotaExceeded: z.boolean(),
  isTokenExpired: z.boolean(),
  totalConnectedProjects: z.number(),
  projectsMetadata: z.array(connectedProject),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type BlobStore = z.infer<typeof blobStore>;

export const oneStore = z.strictObject({ store: blobStore });
export const storeList = z.strictObject({ stores: z.array(blobStore) });
export const deletedStore = z.strictObject({ id: z.string() });
export const storeSecrets = z.strictObject({ rwToken: z.string() });

/** @choice The prefix is limited so that the key of the variable is valid. */
export const envVarPrefix = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_]\w*$/, "must consist of letters, digits and '_', and must not begin with a digit");

export const connectionEnvironments = z
  .array(z.enum(envTargets))
  .min(1)
  .max(envTargets.length)
  .refine((names) => new Set(names).size === names.length, "must not name an environment twice");

export const updateConnection = z.strictObject({
  envVarEnvironments: connectionEnvironments.optional(),
  envVarPrefix: envVarPrefix.optional(),
});

export const createConnection = updateConnection.extend({
  projectId: z.string().max(256),
  /** @source the official command line */
  type: z.literal("integration").optional(),
});

export const blobConnection = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  envVarEnvironments: z.array(z.string()),
  envVarPrefix: z.string(),
  project: z.strictObject({ id: z.string(), name: z.string(), framework: z.string().nullable() }),
  productionDeployment: z.strictObject({ id: z.string(), url: z.string() }).nullable(),
});
export type BlobConnection = z.infer<typeof blobConnection>;
export const connectionList = z.strictObject({ connections: z.array(blobConnection) });
