import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Client } from "../client/client";
import { ifFound } from "../client/errors";
import { environmentPath } from "../client/paths";
import * as responses from "../client/responses";
import type { Created } from "../core/definition";
import { takeKeys } from "../core/key-step";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { ownersByProject, type UniqueKeys } from "../core/unique-keys";
import { asDeclared, type Plain } from "../core/values";
import { filters, projectRef, twoParts } from "./names";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the environment. */
  project: projectRef,
  /** Name of the environment in URLs: lower case letters, digits, '-' and '_'. Changing it renames the environment. */
  slug: z
    .string()
    .max(32)
    .regex(/^[a-z0-9][a-z0-9_-]*$/, "must consist of lower case letters, digits, '-' and '_'")
    .refine(
      (slug) => !/^(production|preview|development)$/.test(slug),
      "must not be the name of a target, such as production",
    ),
  /** Description of the environment. */
  description: z.string().max(256).optional(),
  /** Git branches that deploy to the environment. */
  branchMatcher: z
    .strictObject({
      /** How the branch name is compared with the pattern. */
      type: z.enum(["startsWith", "equals", "endsWith"]),
      /** Text to compare the branch name with. */
      pattern: z.string().min(1).max(100),
    })
    .optional(),
  /**
   * Environment whose variables are copied when this environment is created: a target, such as production, or the slug
   * or id of another custom environment. A later change of `copyEnvVarsFrom` has no effect.
   */
  copyEnvVarsFrom: z
    .string()
    .max(100)
    .regex(
      /^(env_[A-Za-z0-9_-]+|[a-z0-9][a-z0-9_-]*)$/,
      "must be a target, such as production, or the slug or id of a custom environment",
    )
    .optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /**
   * Id of the environment, for `customEnvironmentIds` of an `EnvVar`, or for `customEnvironmentId` of a `ProjectDomain`
   * or `Deployment`.
   */
  environmentId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** Inputs that the service stores. */
const settings = ["slug", "description", "branchMatcher"] as const;

/** The unique keys of custom environments: the slugs of a project. */
const environmentKeys: UniqueKeys = {
  noun: "the custom environment",
  choices: "another slug",
  scope: "project",
  isContainer: true,
  isNeverAdopted: true,
  of: ({ slug }, projectId) => (typeof slug === "string" ? [`${projectId}/${slug}`] : undefined),

  owners: ({ client }, keys, _declared, fresh) =>
    ownersByProject(keys, async (projectId) =>
      ((await ifFound(environmentsOf(client, projectId, !fresh))) ?? []).map(({ id, slug }) => ({
        id,
        keys: [`${projectId}/${slug}`],
      })),
    ),

  async freeKeys({ client }, id, keys) {
    const { project, environment } = partsOf(id);
    const path = environmentPath(project, environment);
    const shape = responses.customEnvironment;
    const rename = (slug: string) => client.send({ method: "PATCH", path, body: { slug }, shape });
    const owner = await ifFound(client.get(path, shape));
    if (!owner || !keys.includes(`${project}/${owner.slug}`)) return async () => {};
    const slug = temporarySlug(owner.slug);
    await rename(slug);
    return async () => {
      if ((await ifFound(client.get(path, shape)))?.slug === slug) await rename(owner.slug);
    };
  },
};

/**
 * The temporary slug of an environment while another environment takes the original slug.
 * @choice It contains the original slug, such as staging-moving-4f9a12c0, so that users recognize the environment.
 */
const temporarySlug = (slug: string): string =>
  `${slug.slice(0, 16)}-moving-${randomBytes(4).toString("hex")}`;
const isTemporarySlug = (slug: string): boolean => /-moving-[0-9a-f]{8}$/.test(slug);

/**
 * A custom environment of a project, such as staging. Variables and domains refer to its `environmentId`.
 * @throws ApiError 409 if the project has an environment with this slug; 400 on delete if a domain uses the environment
 * @source wire-shapes 3 and 11
 */
export const customEnvironment = resource({
  type: "CustomEnvironment",
  handler: "environment",
  scopes: ["read-write:project"],
  importId: "`<project>/<slug>`, or `<project>/<id>`",
  inputs,
  outputs,
  traits: {
    defaults: { description: null, branchMatcher: null },
    stable: ["projectId", "environmentId"],
    computed: ["description", "branchMatcher"],
    replaceOn: ["project"],
  },
  diff: {
    // A project cannot have two environments with the same slug.
    deleteFirst: (state, news) =>
      state.slug === news.slug && (news.project === state.project || news.project === state.projectId),
  },
  ownership: { objects: (_outputs, id) => [id], uniqueKeys: environmentKeys },
  // The service returns all environments in one page.
  list: listing(filters, async (client, { project }) => {
    const { id: projectId } = await client.identify(project);
    const all = await environmentsOf(client, projectId, false);
    return { items: all.map(({ id, slug }) => ({ id: `${projectId}/${id}`, name: slug })) };
  }),

  async create({ client, isOthers, run }, declared) {
    const { project, ...body } = declared;
    const { id: projectId, accountId } = await client.identify(project);
    // Ignores an environment that another resource has created meanwhile.
    const look = async () => {
      const path = environmentPath(projectId, body.slug);
      const shape = responses.customEnvironment;
      const found = await ifFound(client.send({ method: "GET", path, shape, mayBeAbsent: true }));
      return found && !isOthers(`${projectId}/${found.id}`) ? found : undefined;
    };
    const existed = (await look()) !== undefined;
    const request = {
      method: "POST",
      path: environmentPath(projectId),
      body,
      shape: responses.customEnvironment,
    } as const;
    const remote = await takeKeys(run, environmentKeys, {
      declared,
      state: { project, projectId },
      attempt: (isFree) => client.create({ request, look, existed: existed && !isFree }),
    });
    return resultOf(projectId, accountId, remote);
  },

  async read(client, id, state) {
    const { project, environment } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const remote = await client.get(environmentPath(projectId, environment), responses.customEnvironment);
    const now: Plain = {
      project: state?.project ?? projectId,
      ...inputsRead(settings, state, remote, (key, declared) => asDeclared(declared, remote[key] ?? null)),
    };
    if (state?.copyEnvVarsFrom !== undefined) now.copyEnvVarsFrom = state.copyEnvVarsFrom;
    return { ...resultOf(projectId, accountId, remote), inputs: now as Partial<Inputs> };
  },

  async update({ client, run, unsure }, id, state, declared) {
    const { projectId } = state;
    const { accountId } = await client.identify(projectId);
    const attempt = () => change(client, declared, state, unsure);
    const remote = await takeKeys(run, environmentKeys, { id, declared, state, attempt });
    return resultOf(projectId, accountId, remote);
  },

  async remove({ client }, _id, { projectId, environmentId }) {
    const path = environmentPath(projectId, environmentId);
    await client.send({ method: "DELETE", path, body: {}, shape: responses.anything });
  },
});

/** All custom environments of a project. @param stale see `Client.list` */
const environmentsOf = (
  client: Client,
  projectId: string,
  stale: boolean,
): Promise<responses.CustomEnvironment[]> =>
  client.list(
    environmentPath(projectId),
    responses.customEnvironmentList,
    ({ environments }) => environments,
    {},
    stale,
  );

/**
 * Sends the settings that differ from the state. Settings that were removed from the program are cleared.
 * @param all also sends settings that do not differ
 */
async function change(
  client: Client,
  declared: Inputs,
  state: Partial<Inputs> & Outputs,
  all = false,
): Promise<responses.CustomEnvironment> {
  const body = changesOf(settings, declared, state, () => null, all);
  const path = environmentPath(state.projectId, state.environmentId);
  const shape = responses.customEnvironment;
  // If no setting differs, the environment is only read.
  const send = (body: object) => client.send({ method: "PATCH", path, body, shape });
  const changed = await (Object.keys(body).length === 0 ? client.get(path, shape) : send(body));
  // This run, or an interrupted one, has given the environment a temporary slug.
  const hasTemporaryKey = isTemporarySlug(changed.slug) && changed.slug !== declared.slug;
  return hasTemporaryKey ? send({ slug: declared.slug }) : changed;
}

/** Parses `project/environment`: the project by id or name, the environment by id or slug. */
function partsOf(id: string): { project: string; environment: string } {
  const form = 'The id of a custom environment is "project/environment", such as "web/staging".';
  const [project, environment] = twoParts(id, form);
  return { project, environment };
}

const resultOf = (
  projectId: string,
  accountId: string,
  remote: responses.CustomEnvironment,
): Created<Outputs> => ({
  id: `${projectId}/${remote.id}`,
  accountId,
  outputs: { projectId, environmentId: remote.id },
  existing: { ...remote },
});
