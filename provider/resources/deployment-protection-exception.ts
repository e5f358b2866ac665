import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifFound } from "../client/errors";
import { anything } from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import {
  aliasList,
  aliasPath,
  type RemoteAlias,
  type RemoteException,
  remoteAlias,
  remoteException,
} from "./alias/records";
import { domainName, filters, projectRef, twoParts } from "./names";

/** The answer to the creation of an exception for everybody. */
const createdException = z
  .looseObject({ protectionBypass: z.looseObject({ "*": remoteException }) })
  .transform(({ protectionBypass }) => protectionBypass["*"]);

const scope = "alias-protection-override";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the exception. */
  project: projectRef,
  /**
   * Alias or URL of a deployment of the project, such as the `alias` of an `Alias` or the `url` of a `Deployment`, without
   * a scheme. Changing it replaces the exception.
   */
  alias: domainName.refine((name) => !name.startsWith("*."), "must be a name without a wildcard"),
  /** Takes over an existing exception. If false, the create fails when the alias already has one. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Time of the creation (milliseconds since the epoch). */
  createdAt: z.number().nullable(),
  /** Id of the user who created the exception. */
  createdBy: z.string().nullable(),
});

type Outputs = z.output<typeof outputs>;

const idOf = (projectId: string, alias: string): string => `${projectId}/${alias}`;
const partsOf = (id: string): [project: string, alias: string] =>
  twoParts(id, 'The id of an exception is "project/alias", such as "prj_…/docs-preview.vercel.app".');

/** The unique key of an exception is its alias. No step has to free it: a new resource takes the exception over. */
const exceptionKeys: UniqueKeys = {
  noun: "the exception from deployment protection",
  choices: "another alias",
  scope: "project",
  mayBeShared: true,
  of: ({ alias }, projectId) => (typeof alias === "string" ? [idOf(projectId, alias)] : undefined),
  async owners({ client }, keys) {
    const found = await Promise.all(
      keys.map(async (key) => ((await find(client, ...partsOf(key))) ? [key] : [])),
    );
    return found.flat();
  },
  freeKeys: async () => async () => {},
};

/**
 * An exception from the deployment protection of a project: everybody may open one alias, or the URL of one deployment.
 * @throws ApiError 404 if the account has no such alias or URL; 428 if its plan has no exceptions
 * @source the newest official client: PATCH /aliases/{id}/protection-bypass
 * @source the Terraform provider: vercel_deployment_protection_exception
 */
export const deploymentProtectionException = resource({
  type: "DeploymentProtectionException",
  handler: "exception",
  scopes: ["read-write:project", "read:deployment"],
  importId: "`<project>/<alias>`",
  inputs,
  outputs,
  traits: {
    defaults: { adopt: false },
    stable: ["projectId", "createdAt", "createdBy"],
    replaceOn: ["project", "alias"],
  },
  checks: {
    // The alias may not exist yet. It is then created before the exception.
    async refusals(client, previous, { project, alias }) {
      if (typeof project !== "string" || typeof alias !== "string") return [];
      if (alias === previous.alias && project === previous.project) return [];
      const [known, found] = await Promise.all([ifFound(client.identify(project)), read(client, alias)]);
      const reason = known && found && ofAnother(found, known.id);
      return reason === undefined ? [] : [{ property: "alias", reason }];
    },
  },
  ownership: { uniqueKeys: exceptionKeys },
  list: listing(filters, async (client, { project }) => {
    const { id: projectId } = await client.identify(project);
    const names = await exceptionsOf(client, projectId);
    return { items: names.map(({ alias: name }) => ({ id: idOf(projectId, name), name })) };
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { alias: name } = declared;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const id = idOf(projectId, name);
    const request = { ...change(name, "create"), shape: createdException };
    const exception = await createOrTake<RemoteException>(operation, declared.adopt, {
      async find() {
        const found = await read(client, name);
        const reason = found && ofAnother(found, projectId);
        if (reason !== undefined) throw new Error(reason);
        return found && exceptionIn(found);
      },
      idOf: () => id,
      create: (look) => client.create({ request, look, existed: false }),
      take: (existing) =>
        takeOver(operation, declared, {
          ...{ unique: exceptionKeys, keys: exceptionKeys.of(declared, projectId) ?? [], id },
          what: `The exception of ${name} from deployment protection`,
          changed: [],
          refusal: unmanagedExists(exceptionKeys, id, [id], true),
          change: async () => existing,
        }),
      refusal: (error) => error,
    });
    return resultOf(projectId, accountId, name, exception);
  },

  async read(client, id, state) {
    const [project, name] = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const exception = await readException(client, projectId, name);
    const now = state ? inputsIn(inputs, state) : { project: projectId, alias: name };
    return { ...resultOf(projectId, accountId, name, exception), inputs: now };
  },

  // Only `adopt` can change, which says how the exception was created.
  async update({ client }, id, state) {
    const { accountId } = await client.identify(state.projectId);
    return resultOf(state.projectId, accountId, partsOf(id)[1], state);
  },

  async remove({ client }, id, { projectId }) {
    const [, name] = partsOf(id);
    // The exception of an alias that has moved to another project is no longer this one.
    await readException(client, projectId, name);
    await client.send({ ...change(name, "revoke"), shape: anything });
  },
});

const change = (name: string, action: "create" | "revoke") => ({
  method: "PATCH" as const,
  path: `/v3/aliases/${encodeURIComponent(name)}/protection-bypass`,
  object: aliasPath(name),
  body: { override: { scope, action } },
});

function exceptionIn({
  protectionBypass,
}: Pick<RemoteAlias, "protectionBypass">): RemoteException | undefined {
  const exception = protectionBypass?.["*"];
  return exception?.scope === scope ? exception : undefined;
}

/** A name of the account that points to a deployment; undefined if the account has no such name. */
const read = (client: Client, name: string): Promise<RemoteAlias | undefined> =>
  ifFound(client.send({ method: "GET", path: aliasPath(name), shape: remoteAlias, mayBeAbsent: true }));

/** The exception of a name of a project; undefined if it has none, or if the name is of another project. */
async function find(client: Client, projectId: string, name: string): Promise<RemoteException | undefined> {
  const found = await read(client, name);
  return found && ofAnother(found, projectId) === undefined ? exceptionIn(found) : undefined;
}

/** @throws ApiError 404 */
async function readException(client: Client, projectId: string, name: string): Promise<RemoteException> {
  const found = await client.get(aliasPath(name), remoteAlias);
  const exception = ofAnother(found, projectId) === undefined ? exceptionIn(found) : undefined;
  if (exception) return exception;
  throw absentFrom(aliasPath(name), `The project ${projectId} has no exception for ${name}.`);
}

/** Why a name cannot have an exception of a project; undefined if it can. */
const ofAnother = ({ alias: name, projectId: owner }: RemoteAlias, projectId: string): string | undefined =>
  owner == null || owner === projectId
    ? undefined
    : `${name} points to a deployment of the project ${owner}, and not of ${projectId}. Declare that project, or another ` +
      "alias. If this program points the alias elsewhere, first run `pulumi up` with its Alias as the only target.";

/** The names of a project that have an exception for everybody. */
export async function exceptionsOf(client: Client, projectId: string): Promise<RemoteAlias[]> {
  const names = await client.listNow("/v4/aliases", aliasList, (page) => page.aliases, {
    projectId,
    limit: "100",
  });
  return names.filter((one) => exceptionIn(one) !== undefined);
}

const resultOf = (
  projectId: string,
  accountId: string,
  name: string,
  { createdAt, createdBy }: Pick<RemoteException, "createdAt" | "createdBy">,
): Created<Outputs> => ({
  id: idOf(projectId, name),
  accountId,
  outputs: { projectId, createdAt: createdAt ?? null, createdBy: createdBy ?? null },
});
