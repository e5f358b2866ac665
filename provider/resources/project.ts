import { z } from "zod";
import { ifFound, isConflict } from "../client/errors";
import { projectPath } from "../client/paths";
import * as responses from "../client/responses";
import { refuseConfigReference } from "../core/config-reference";
import type { Created } from "../core/definition";
import { takeKeys } from "../core/key-step";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { isPlain, type Plain, same } from "../core/values";
import { projectNameFrom } from "./names";
import { storedBypass } from "./project/bypass";
import { projectDefaults } from "./project/defaults";
import { importableHooks, isHookName, mostHooks, storedHooks } from "./project/deploy-hooks";
import { computed, creatableKeys, type Inputs, inputs } from "./project/inputs";
import { withoutPublicSource } from "./project/public-source";
import { importable, managedSettings, matchingSettings, pick } from "./project/settings";
import {
  adoptedProject,
  type Outputs,
  otherRepository,
  outputs,
  type ProjectOperation,
  projectKeys,
  reconcile,
  resultOf,
} from "./project/steps";

const filters = z.strictObject({
  /** Part of the name. All projects of the account match by default. */
  search: z.string().optional(),
});

/**
 * A project. It is never replaced: a rename is in place.
 * @throws ApiError 409 when the name is taken; 428 when the account's plan lacks a protection
 * @source Project; Projects
 */
export const project = resource({
  type: "Project",
  handler: "project",
  scopes: ["read-write:project"],
  importId: "`<project>`",
  inputs,
  outputs,
  traits: {
    secret: ["passwordProtection", "protectionBypass", "bypassSecrets", "deployHookUrls"],
    defaults: { ...projectDefaults, deployHooks: {}, protectionBypass: {}, adopt: false },
    stable: ["accountId"],
    computed,
    autoName: projectNameFrom,
  },
  checks: {
    rules: [
      [
        ({ paused, autoAssignCustomDomains }) => paused === true && autoAssignCustomDomains === true,
        "paused and autoAssignCustomDomains cannot both be true, because pausing turns the assignment off. Remove autoAssignCustomDomains, or set it to false.",
      ],
      [
        ({ serverlessFunctionRegion, resourceConfig }) =>
          serverlessFunctionRegion !== undefined && resourceConfig?.functionDefaultRegions !== undefined,
        "serverlessFunctionRegion and resourceConfig.functionDefaultRegions are the same setting. Remove one of them.",
      ],
      [
        ({ deployHooks = {} }, declared) =>
          Object.keys(deployHooks).length > 0 && !declared.has("gitRepository"),
        "deployHooks needs gitRepository, because the hooks deploy its branches. Declare gitRepository.",
      ],
      [
        ({ deployHooks = {} }) => Object.keys(deployHooks).some((name) => !isHookName(name)),
        "deployHooks must have names of 1 to 180 characters as its keys, without spaces around them.",
      ],
      [
        ({ protectionBypass = {} }) => {
          const secrets = Object.values(protectionBypass).flatMap(({ secret }) => secret ?? []);
          return new Set(secrets).size < secrets.length;
        },
        "protectionBypass has the same secret twice, which the service stores once, with one note. Remove one of them, or give it a secret of its own.",
      ],
      [
        ({ protectionBypass = {} }) =>
          Object.values(protectionBypass).filter(({ isEnvVar }) => isEnvVar).length > 1,
        "protectionBypass has isEnvVar: true more than once, but one secret is the variable of deployments. Keep it for one of them.",
      ],
      [
        ({ deployHooks = {} }) => Object.keys(deployHooks).length > mostHooks,
        `deployHooks must have at most ${mostHooks} hooks, as many as a project can have. Remove some.`,
      ],
    ],
    warnings: ({ publicSource }) =>
      publicSource === undefined
        ? []
        : [
            "publicSource is deprecated: since June 2026, the API ignores it. Remove publicSource from the program.",
          ],
    async refusals(_client, previous, { passwordProtection }) {
      const password = isPlain(passwordProtection) ? passwordProtection.password : undefined;
      return refuseConfigReference(previous, "passwordProtection", password);
    },
  },
  diff: {
    plan({ client }, id, { name: from, accountId }, { name: to }) {
      if (typeof accountId === "string" && typeof to === "string" && from !== to)
        client.planRename(id, accountId, to);
    },
  },
  ownership: { uniqueKeys: projectKeys },
  list: listing(filters, (client, query, at) =>
    readPage(client, at, {
      path: "/v9/projects",
      query,
      shape: responses.projectList,
      items: ({ projects }) => projects.map(({ id, name }) => ({ id, name })),
    }),
  ),

  async create(operation, declared) {
    const { client } = operation;
    const look = async () => {
      const existing = await ifFound(client.project(declared.name));
      return existing && operation.isOthers(existing.id) ? undefined : existing;
    };
    const before = await client.projectNamed(declared.name, true);
    const isOfStack =
      before && declared.adopt && (await operation.isOfStack(`The project "${declared.name}"`, before.id));
    if (before && !isOfStack && declared.adopt) return adopt(operation, before, declared);
    const request = {
      method: "POST",
      path: "/v10/projects",
      body: { name: declared.name, ...linked(declared), ...withoutNulls(pick(declared, creatableKeys)) },
      shape: responses.project,
    } as const;
    let remote: responses.Project;
    try {
      remote = await takeKeys(operation.run, projectKeys, {
        declared,
        attempt: (isFree) =>
          withoutPublicSource(request.body, (body) =>
            client.create({
              ...{ request: { ...request, body }, look },
              existed: before !== undefined && !isFree,
            }),
          ),
      });
    } catch (error) {
      if (!isConflict(error) || !declared.adopt || isOfStack) throw error;
      // The project was created meanwhile.
      return adopt(operation, await client.project(declared.name), declared);
    }
    client.recordCreated(remote);
    return reconcile(operation, remote, {}, declared);
  },

  async read(client, id, state) {
    const remote = await client.project(id);
    const secrets = storedBypass(remote, state?.bypassSecrets ?? {});
    const managed = state ? (state.deployHooks ?? {}) : importableHooks(remote);
    const { urls } = storedHooks(remote, managed, state?.deployHookUrls);
    return {
      ...resultOf(remote, { bypassSecrets: secrets, deployHookUrls: urls }),
      inputs: state ? managedSettings(remote, state, secrets) : importable(remote),
    };
  },

  async update(operation, id, state, declared) {
    // Unpausing also changes other settings. If the state does not record `paused`, the project is therefore read.
    const isToLook = operation.unsure || (state.paused === undefined && declared.paused === false);
    const paused = isToLook ? (await operation.client.project(id)).paused : state.paused;
    const start = { id, accountId: state.accountId, paused };
    return reconcile(operation, start, state, declared, await operation.ignored());
  },

  async remove({ client }, id) {
    await client.send({ method: "DELETE", path: projectPath(id), shape: responses.anything });
  },
});

/** @throws Error when the project has another repository than the declared one, or belongs to another resource */
async function adopt(
  operation: ProjectOperation,
  remote: responses.Project,
  declared: Inputs,
): Promise<Created<Outputs>> {
  const { name, gitRepository } = declared;
  const reason = otherRepository(name, remote, gitRepository);
  if (reason !== undefined) throw new Error(reason);
  const accounts = [remote.accountId, operation.client.settings.team ?? ""];
  const { what, names } = adoptedProject(remote.id, name, accounts);
  return operation.adopt(what, names, async () => {
    const stored: Plain = matchingSettings(declared, remote);
    const differs = Object.entries(declared).some(([key, value]) => !same(stored[key], value));
    return reconcile(operation, remote, {}, declared, differs ? await operation.ignored() : []);
  });
}

/** The repository in a create. Its production branch is set afterwards. */
const linked = ({ gitRepository }: Inputs): object =>
  gitRepository ? { gitRepository: { type: gitRepository.type, repo: gitRepository.repo } } : {};

const withoutNulls = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
