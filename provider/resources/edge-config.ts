import { z } from "zod";
import type { Client } from "../client/client";
import { edgeConfigPath, edgeConfigSchemaPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { reorderingOf } from "../core/diff";
import { isIgnored } from "../core/ignored";
import { reasonForOwner } from "../core/key-step";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import type { UniqueKeys } from "../core/unique-keys";
import { sameJson } from "../core/values";
import { configsNamed, configsOf, findConfig, readConfig, severalHave } from "./edge-config/records";

const inputs = z.strictObject({
  /** Slug of the Edge Config: letters, digits, '-' and '_'. Changing it renames the Edge Config. */
  slug: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, "must consist of letters, digits, '-' and '_'"),
  /**
   * JSON schema of the items. If you never declare `schema`, an existing schema is kept. If you remove a declared
   * `schema` from the program, the schema is deleted.
   */
  schema: z
    .record(z.string(), z.unknown())
    .refine((schema) => JSON.stringify(schema).length <= 64 * 1024, "must have at most 64 KiB of JSON")
    .optional(),
  /**
   * Takes over an existing Edge Config with this slug. If false, the create fails when the account already has an Edge
   * Config with this slug. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /**
   * Id of the Edge Config, the same as `id`. With the npm package, use `id`, because the preview of a changed Edge
   * Config knows `id` but not `edgeConfigId`.
   */
  edgeConfigId: z.string(),
});

const filters = z.strictObject({});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/**
 * The unique keys of Edge Configs: their slugs.
 * @choice The service lets several Edge Configs have the same slug. A program can declare each slug only once, so that
 *   a create finds its Edge Config after a lost answer. Temporary slugs are not needed, since a slug can exist twice.
 */
const slugKeys: UniqueKeys = {
  noun: "the Edge Config",
  choices: "another slug",
  scope: "account",
  isContainer: true,
  of: ({ slug }, account) => (typeof slug === "string" ? [`${account}/${slug}`] : undefined),

  async owners({ client }, keys) {
    const slugs = keys.map((key) => key.slice(key.indexOf("/") + 1));
    return (await configsOf(client)).filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id);
  },

  refuseAdoption: async (_run, ids, { slug }) =>
    ids.length > 1
      ? notOne(
          `${slug}`,
          ids.map((id) => ({ id })),
        )
      : undefined,

  freeKeys: async () => async () => {},
};

/**
 * An Edge Config of the account: a small store of items that functions read quickly.
 * @throws ApiError 400 if the account has as many Edge Configs as its plan permits
 * @source the newest official client: /v1/global-config; the Terraform provider: vercel_edge_config
 */
export const edgeConfig = resource({
  type: "EdgeConfig",
  handler: "edgeconfig",
  scopes: ["read-write:edge-config"],
  importId: "`<slug>`, or `<id>`",
  inputs,
  outputs,
  traits: { defaults: { schema: null, adopt: false }, stable: ["edgeConfigId"] },
  diff: { drift: (state, news) => reorderingOf("schema", state.schema, news.schema) },
  ownership: { uniqueKeys: slugKeys },
  // The service returns all Edge Configs in one page.
  list: listing(filters, async (client) => ({
    items: (await configsOf(client)).map(({ id, slug }) => ({ id, name: slug })),
  })),

  // The service accepts a slug twice, so Edge Configs with the same slug are created one at a time.
  create: (operation, declared) =>
    operation.run.keys.exclusive(`edge config ${declared.slug}`, async () => {
      const existing = await configsNamed(operation.client, declared.slug);
      const adopted = declared.adopt ? await adopt(operation, existing, declared) : undefined;
      return adopted ?? createNew(operation, existing, declared);
    }),

  async read(client, id, state) {
    const remote = await findConfig(client, id);
    const now: Partial<Inputs> = state ? inputsIn(inputs, state) : {};
    now.slug = remote.slug;
    if (!state && remote.schema) now.schema = remote.schema;
    if (state?.schema !== undefined && !sameJson(state.schema, remote.schema))
      Object.assign(now, { schema: remote.schema ?? null });
    return { ...resultOf(remote), inputs: now };
  },

  async update({ client, unsure, checkpoint }, id, state, declared) {
    const { slug, schema } = declared;
    const isRenamed = unsure || state.slug !== slug;
    const remote = isRenamed ? await rename(client, id, slug) : await readConfig(client, id);
    if (isRenamed) checkpoint(resultOf(remote), { ...inputsIn(inputs, state), slug });
    if (schema === undefined && state.schema !== undefined) await deleteSchema(client, id);
    if (schema !== undefined && (unsure || !sameJson(state.schema, schema)))
      await setSchema(client, id, schema);
    return resultOf(remote);
  },

  async remove({ client }, id) {
    await client.send({ method: "DELETE", path: edgeConfigPath(id), shape: responses.anything });
  },
});

type ConfigOperation = Operation<Inputs, Outputs>;

/**
 * Creates an Edge Config, even if others with the slug exist, and sets the declared schema.
 * @param existing the Edge Configs with the slug
 * @throws Error when one of these Edge Configs belongs to another program or resource
 */
async function createNew(
  { client, run, isOthers, checkpoint }: ConfigOperation,
  existing: readonly responses.EdgeConfig[],
  declared: Inputs,
): Promise<Created<Outputs>> {
  const { slug, schema, ...rest } = declared;
  const keys = slugKeys.of(declared, client.settings.team ?? "") ?? [];
  for (const { id } of existing) {
    const reason = await reasonForOwner(run, slugKeys, { declared }, keys, id);
    if (reason !== undefined) throw new Error(reason);
  }
  const before = existing.map(({ id }) => id);
  // Ignores an Edge Config that another resource has created meanwhile.
  const look = async (): Promise<responses.EdgeConfig | undefined> =>
    (await configsNamed(client, slug)).find(({ id }) => !before.includes(id) && !isOthers(id));
  const request = {
    method: "POST",
    path: edgeConfigPath(),
    body: { slug },
    shape: responses.edgeConfig,
  } as const;
  const made = resultOf(await client.create({ request, look, existed: false }));
  if (schema === undefined) return made;
  checkpoint(made, { slug, ...rest });
  await setSchema(client, made.id, schema);
  return made;
}

/**
 * Adopts the Edge Config that has the slug, and sets the declared schema.
 * @returns undefined when no Edge Config has the slug, or when a resource of the stack has an Edge Config with the slug
 * @throws Error when several Edge Configs have the slug
 */
async function adopt(
  operation: ConfigOperation,
  existing: readonly responses.EdgeConfig[],
  { slug, schema }: Inputs,
): Promise<Created<Outputs> | undefined> {
  const { client } = operation;
  for (const { id } of existing) if (await operation.isOfStack(whatOf(slug, id), id)) return undefined;
  const [found, ...more] = existing;
  if (!found) return undefined;
  if (more.length > 0) throw new Error(notOne(slug, existing));
  const isOther = schema !== undefined && !sameJson(found.schema, schema);
  const isWritten = isOther && !isIgnored(await operation.ignored(), ["schema"]);
  return operation.adopt(whatOf(slug, found.id), [found.id], async () => {
    if (isWritten) await setSchema(client, found.id, schema);
    return resultOf(found);
  });
}

const whatOf = (slug: string, id: string): string => `The Edge Config ${slug} (${id})`;

const notOne = (slug: string, configs: readonly Pick<responses.EdgeConfig, "id">[]): string =>
  `${severalHave(slug, configs)} Import one of them by its id, or choose another slug.`;

const rename = (client: Client, id: string, slug: string): Promise<responses.EdgeConfig> =>
  client.send({ method: "PUT", path: edgeConfigPath(id), body: { slug }, shape: responses.edgeConfig });

async function setSchema(client: Client, id: string, definition: NonNullable<Inputs["schema"]>) {
  const path = edgeConfigSchemaPath(id);
  await client.send({ method: "POST", path, body: { definition }, shape: responses.anything });
}

async function deleteSchema(client: Client, id: string): Promise<void> {
  await client.send({ method: "DELETE", path: edgeConfigSchemaPath(id), shape: responses.anything });
}

const resultOf = ({ id, ownerId }: responses.EdgeConfig): Created<Outputs> => ({
  id,
  accountId: ownerId,
  outputs: { edgeConfigId: id },
});
