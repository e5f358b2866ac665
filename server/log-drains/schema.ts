import * as z from "zod";
import { logEnvironments, logSources, reservedDrainHeaders } from "../../provider/vocabulary";
import { receiverUrl } from "../events/receiver-url";

/** Bodies and answers of log drains. @source wire-shapes 10 */

const sources = z.array(z.enum(logSources)).min(1).max(7);
const environments = z.array(z.enum(logEnvironments)).min(1).max(2);
const deliveryFormat = z.enum(["json", "ndjson"]);

/** The largest length of all headers of a drain together. @choice Few receivers accept longer headers. */
const largestHeaders = 8192;

/** Headers of every batch. Headers that HTTP itself needs cannot be set. */
const headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be a header name"),
    z.string().regex(/^[\x20-\x7e]{0,4096}$/, "must be a header value"),
  )
  .refine((given) => !Object.keys(given).some((name) => reservedDrainHeaders.includes(name.toLowerCase())), {
    message: "must not set headers such as content-length and host, which are set by the server",
  })
  .refine((given) => Object.entries(given).flat().join("").length <= largestHeaders, {
    message: `must have at most ${largestHeaders} characters together`,
  });
const shared = {
  url: receiverUrl,
  projectIds: z.array(z.string().min(1)).min(1).max(50).optional(),
  secret: z.string().min(1).max(100).optional(),
  headers: headers.optional(),
  environments: environments.optional(),
};

const name = z
  .string()
  .max(100)
  .regex(/^[A-z0-9_ -]+$/, "must consist of letters, digits, '_', '-' and spaces");

/** @source wire-shapes 10, create */
export const createDrain = z.strictObject({
  ...shared,
  name,
  deliveryFormat: deliveryFormat.optional(),
  sources: sources.optional(),
});

/** @source wire-shapes 10, account drains */
export const createAccountDrain = z.strictObject({
  ...shared,
  name: name.optional(),
  deliveryFormat,
  sources,
  samplingRate: z.number().min(0.01).max(1).optional(),
});

const drainFields = {
  name: z.string(),
  url: z.string(),
  deliveryFormat,
  projectIds: z.array(z.string()).optional(),
  sources: sources.optional(),
  environments,
  headers: z.record(z.string(), z.string()).optional(),
  samplingRate: z.number().optional(),
};

/** The stored settings of a drain, without its secret. */
export type DrainSettings = z.infer<z.ZodObject<typeof drainFields>>;

/** A drain of an installation. */
export const drain = z.strictObject({
  ...drainFields,
  id: z.string(),
  ownerId: z.string(),
  createdAt: z.number(),
  clientId: z.string(),
  configurationId: z.string(),
  createdFrom: z.literal("integration"),
  source: z.strictObject({
    kind: z.literal("integration"),
    integrationId: z.string(),
    integrationConfigurationId: z.string(),
  }),
});

/** A drain of an account. */
export const accountDrain = z.strictObject({
  ...drainFields,
  id: z.string(),
  ownerId: z.string(),
  teamId: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  deletedAt: z.null(),
  /** @choice Always empty: the secret is not shown, but clients require a string. */
  secret: z.literal(""),
  status: z.literal("enabled"),
  createdFrom: z.literal("self-served"),
  source: z.strictObject({ kind: z.literal("self-served") }),
});
