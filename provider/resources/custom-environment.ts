import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Client } from "../client/client";
import { ifFound, isConflict } from "../client/errors";
import { environmentPath } from "../client/paths";
import * as responses from "../client/responses";
import type { Created } from "../core/definition";
import { projectIdOf } from "../core/project-reference";
import { resource } from "../core/resource";
import { holdersByProject, type Places, takingTurns } from "../core/turns/taking-turns";
import { inTurn, whoHas } from "../core/turns/wait";
import { asDeclared, same } from "../core/values";
import { projectRef } from "./names";

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
   * Target, or slug or id of a custom environment, to copy variables from when the environment is created.
   * Changing it later has no effect.
   */
  copyEnvVarsFrom: z.string().min(1).optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the environment, for `customEnvironmentIds` and `customEnvironmentId`. */
  environmentId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** Inputs that the service stores. */
const settings = ["slug", "description", "branchMatcher"] as const;

/**
 * A custom environment of a project.
 * @throws ApiError 409 if the project has an environment with this slug; 400 on delete if domains serve it
 * @source wire-shapes 3 and 11
 */
const environment = resource({
  type: "CustomEnvironment",
  handler: "environment",
  inputs,
  outputs,
  stable: ["projectId", "environmentId"],
  computed: ["description", "branchMatcher"],
  defaults: { description: null, branchMatcher: null },
  replaceOn: ["project"],
  references: ["project"],
  // Of one project, two with the same slug cannot exist at once.
  deleteFirst: (state, news) =>
    state.slug === news.slug && (news.project === state.project || news.project === state.projectId),
  objects: (_outputs, id) => [id],

  async create({ client, claim, isOthers }, declared) {
    const { project, ...body } = declared;
    const { id: projectId, accountId } = await client.identify(project);
    claim(`The environment ${body.slug}`, [`${projectId}/environments/${body.slug}`]);
    // Not ours if another resource has created it meanwhile.
    const look = async () => {
      const there = await ifFound(
        client.get(environmentPath(projectId, body.slug), responses.customEnvironment),
      );
      return there && !isOthers(`${projectId}/${there.id}`) ? there : undefined;
    };
    const existed = (await look()) !== undefined;
    const request = {
      method: "POST",
      path: environmentPath(projectId),
      body,
      shape: responses.customEnvironment,
    } as const;
    try {
      const attempt = () => client.create({ request, look, existed });
      const remote = await inTurn(client, environmentPlaces, undefined, declared, { projectId }, attempt);
      return resultOf(projectId, accountId, remote);
    } catch (error) {
      throw isConflict(error) ? error.advise(slugTaken) : error;
    }
  },

  async read(client, id, state) {
    const { project, environment } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const remote = await client.get(environmentPath(projectId, environment), responses.customEnvironment);
    const now: Record<string, unknown> = { project: state?.project ?? projectId };
    for (const key of settings) {
      const there = remote[key] ?? undefined;
      if (!state && there !== undefined) now[key] = there;
      if (state?.[key] !== undefined) now[key] = asDeclared(state[key], there ?? null);
    }
    if (state?.copyEnvVarsFrom !== undefined) now.copyEnvVarsFrom = state.copyEnvVarsFrom;
    return { ...resultOf(projectId, accountId, remote), inputs: now as Partial<Inputs> };
  },

  async update({ client, unsure, checkpoint }, id, state, declared) {
    const { projectId } = state;
    const { accountId } = await client.identify(projectId);
    let known: Partial<Inputs> & Outputs = state;
    const stepAside = async (): Promise<void> => {
      const aside = { ...known, slug: asideOf(declared.slug) };
      const remote = await change(client, aside, known);
      known = aside;
      checkpoint(resultOf(projectId, accountId, remote), inputsOf(known));
    };
    try {
      const attempt = () => change(client, declared, known, unsure);
      const remote = await inTurn(client, environmentPlaces, id, declared, state, attempt, stepAside);
      return resultOf(projectId, accountId, remote);
    } catch (error) {
      if (!isConflict(error)) throw error;
      throw error.advise((await whoHas(client, environmentPlaces, id, declared, state)) ?? slugTaken);
    }
  },

  async remove({ client }, _id, { projectId, environmentId }) {
    const path = environmentPath(projectId, environmentId);
    await client.send({ method: "DELETE", path, body: {}, shape: responses.anything });
  },
});

/** The places of custom environments: the slugs of a project. */
const environmentPlaces: Places = {
  noun: "the custom environment",
  choices: "another slug",
  async of(client, { project, slug }, state) {
    const projectId = typeof slug === "string" ? await projectIdOf(client, project, state) : undefined;
    return projectId === undefined ? undefined : [`${projectId}/${slug}`];
  },
  holders: (client, places, _declared, fresh) =>
    holdersByProject(places, async (projectId) =>
      ((await ifFound(environmentsOf(client, projectId, !fresh))) ?? []).map(({ id, slug }) => ({
        id,
        has: [`${projectId}/${slug}`],
      })),
    ),
};

/** A custom environment that can pass its slug to another one in the same run. */
export const customEnvironment = takingTurns(environment, environmentPlaces);

const slugTaken =
  "If this is an environment of the stack under another name, give the resource the option `aliases`; one that no " +
  "program has comes into the stack by `slipway import`.";

/**
 * The temporary slug of an environment that waits for its new one and releases the old one.
 * @choice Such as staging-moving-4f9a12c0: whoever looks on sees what it is.
 */
const asideOf = (slug: string): string => `${slug.slice(0, 16)}-moving-${randomBytes(4).toString("hex")}`;

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
 * @param all also sends those that do not differ
 */
function change(
  client: Client,
  declared: Partial<Inputs>,
  state: Partial<Inputs> & Outputs,
  all = false,
): Promise<responses.CustomEnvironment> {
  const body: Record<string, unknown> = {};
  for (const key of settings) {
    if (!all && same(state[key], declared[key])) continue;
    if (declared[key] !== undefined) body[key] = declared[key];
    else if (state[key] !== undefined) body[key] = null;
  }
  const path = environmentPath(state.projectId, state.environmentId);
  const shape = responses.customEnvironment;
  // With nothing to send, the environment is only read.
  if (Object.keys(body).length === 0) return client.get(path, shape);
  return client.send({ method: "PATCH", path, body, shape });
}

const inputsOf = (state: Partial<Inputs>): Partial<Inputs> =>
  Object.fromEntries(Object.entries(state).filter(([key]) => key in inputs.shape));

/** `project/environment`: the project by id or name, the environment by id or slug. */
function partsOf(id: string): { project: string; environment: string } {
  const [, project, environment] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
  if (project === undefined || environment === undefined) {
    throw new Error('The id of a custom environment is "project/environment", such as "web/staging".');
  }
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
