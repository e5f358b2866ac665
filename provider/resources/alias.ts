import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifAllowed, ifFound, isConflict } from "../client/errors";
import { deploymentPath, domainPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { aliasesOf, aliasPath, type RemoteAlias, remoteAlias } from "./alias/records";
import { isFailed } from "./deployment/wait";
import { deploymentIdInput } from "./id-inputs";
import { deploymentId as deploymentRef, domainName } from "./names";

const assignedAlias = z.looseObject({ uid: z.string(), oldDeploymentId: z.string().nullish() });
type AssignedAlias = z.infer<typeof assignedAlias>;

const aliasName = domainName.refine((name) => !name.startsWith("*."), "must be a name without a wildcard");

const inputs = z.strictObject({
  /**
   * Domain name that points to the deployment, such as docs.example.com or my-preview.vercel.app. The account must own
   * the domain. Changing it replaces the alias.
   */
  alias: aliasName,
  /** Id of the deployment, such as the `id` of a `Deployment`. It must be READY. Changing it moves the alias. */
  deploymentId: deploymentRef,
  /** Domain name to redirect to, instead of serving the deployment. */
  redirect: domainName.optional(),
  /**
   * Takes over an existing alias with this name, and points it to the deployment. If false, the create fails when the
   * account already has the alias. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the alias at the service. */
  aliasId: z.string(),
  /** Id of the project of the deployment; null if the deployment has none. */
  projectId: z.string().nullable(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type AliasOperation = Operation<Inputs, Outputs>;
/** Where an alias points. */
type Target = Pick<Inputs, "deploymentId" | "redirect">;
type Setting = keyof Target;
type Assigned = Pick<AssignedAlias, "uid" | "oldDeploymentId">;

/** Inputs that an update sends. A request sets both, so the other one is sent as the service has it. */
const settings: readonly Setting[] = ["deploymentId", "redirect"];

/**
 * The unique key of an alias is its name.
 * @choice An alias gets no temporary name: the resource that declares the name takes the alias over, so that the name
 *   always points to a deployment.
 */
const aliasKeys: UniqueKeys = {
  noun: "the alias",
  choices: "another alias",
  scope: "account",
  mayBeShared: true,
  of: ({ alias }, account) => (typeof alias === "string" ? [`${account}/${alias}`] : undefined),

  async owners({ client }, keys) {
    const names = keys.map((key) => key.slice(key.indexOf("/") + 1));
    const found = await Promise.all(names.map((name) => find(client, name)));
    return found.flatMap((one) => (one ? [one.alias] : []));
  },

  async refuseAdoption({ client }, [name = ""]) {
    const found = await find(client, name);
    return found && (await isOfProject(client, found)) ? ofProject(name) : undefined;
  },

  freeKeys: async () => async () => {},
};

/**
 * A name that points to a deployment, whatever production serves, such as the address of a preview. The domains of a
 * project are no aliases: a `Promotion` decides where these point.
 * @throws ApiError 400 if the deployment is not READY; 403 if another account or a project has the name, or if the
 *   account does not own the domain
 * @source the newest official client: POST /v2/deployments/{id}/aliases; the Terraform provider: vercel_alias
 */
export const alias = resource({
  type: "Alias",
  handler: "alias",
  scopes: ["read-write:deployment"],
  importId: "`<alias>`",
  inputs,
  outputs,
  traits: {
    defaults: { redirect: null, adopt: false },
    replaceOn: ["alias"],
    ids: {
      deploymentId: {
        ...deploymentIdInput,
        hint: "Give the id of a deployment of the account, not its URL; `getDeployment` finds it by branch or commit.",
        async read(client, id) {
          const found = await client.get(deploymentPath(id), responses.oneDeployment);
          if (found.id !== id) throw absentFrom(deploymentPath(id), `${id} is the URL of ${found.id}.`);
        },
      },
    },
  },
  checks: {
    // A deployment that is being built may be READY when the alias is made.
    async refusals(client, previous, { deploymentId: id }) {
      if (typeof id !== "string" || id === previous.deploymentId) return [];
      const found = await ifFound(client.get(deploymentPath(id), responses.oneDeployment));
      if (!isFailed(found?.readyState)) return [];
      const reason = `The deployment ${id} is ${found?.readyState}. Only a READY deployment can have an alias.`;
      return [{ property: "deploymentId", reason }];
    },
  },
  ownership: { uniqueKeys: aliasKeys },
  list: listing(z.strictObject({}), async (client) => ({
    items: (await aliasesOf(client)).map(({ alias: name }) => ({ id: name, name })),
  })),

  async create(operation, declared) {
    const { client } = operation;
    const scope = await scopeOf(client, declared.deploymentId);
    const before = await find(client, declared.alias);
    const made = before
      ? await takeAlias(operation, before, declared)
      : await createOrTake<Assigned, Assigned & RemoteAlias>(operation, declared.adopt, {
          isNew: true,
          find: () => pointing(client, declared.alias, declared),
          idOf: () => declared.alias,
          create: (look) => createNew(client, declared, look),
          take: (existing) => takeAlias(operation, existing, declared),
          refusal: (error) => error,
        });
    return resultOf(declared.alias, scope, made);
  },

  async read(client, id, state) {
    const found = await read(client, id);
    const now: Partial<Record<keyof Inputs, unknown>> = state
      ? inputsIn(inputs, state)
      : { alias: found.alias };
    now.deploymentId = found.deploymentId ?? undefined;
    const redirect = found.redirect ?? undefined;
    if (!state && redirect !== undefined) now.redirect = redirect;
    if (state?.redirect !== undefined) now.redirect = redirect ?? null;
    const scope = await scopeOf(client, found.deploymentId ?? "");
    return { ...resultOf(found.alias, scope, found), inputs: now as Partial<Inputs> };
  },

  async update({ client, unsure }, id, state, declared) {
    const isChanged = (key: Setting): boolean =>
      (unsure && declared[key] !== undefined) || (state[key] ?? null) !== (declared[key] ?? null);
    const changed = settings.filter(isChanged);
    const scope = await scopeOf(client, declared.deploymentId);
    return resultOf(id, scope, await change(client, await find(client, id), declared, changed));
  },

  async remove({ client }, id, { aliasId }) {
    const path = `/v2/aliases/${encodeURIComponent(aliasId)}`;
    await client.send({ method: "DELETE", path, object: aliasPath(id), shape: responses.anything });
  },
});

/**
 * Creates an alias exactly once. A request also moves an alias that exists: an alias that somebody else has created
 * meanwhile points back to its deployment.
 */
async function createNew(
  client: Client,
  declared: Inputs,
  look: () => Promise<RemoteAlias | undefined>,
): Promise<Assigned> {
  const request = assignment(declared.alias, declared);
  const made = await client.create<Assigned>({ request, look, existed: false });
  const { oldDeploymentId: old } = made;
  if (old == null || old === declared.deploymentId) return made;
  await assign(client, declared.alias, { deploymentId: old });
  throw new Error(existsAlready(declared));
}

/** Adopts an alias, or takes it over from another resource of the stack, and points it to the declared deployment. */
async function takeAlias(operation: AliasOperation, found: RemoteAlias, declared: Inputs): Promise<Assigned> {
  const { client } = operation;
  if (declared.adopt && (await isOfProject(client, found))) throw new Error(ofProject(declared.alias));
  const what = `The alias ${declared.alias}`;
  // Of an alias of the stack, the program has set the redirect, so a missing one is cleared.
  const isManaged = await operation.isOfStack(what, declared.alias);
  return takeOver(operation, declared, {
    unique: aliasKeys,
    keys: aliasKeys.of(declared, client.settings.team ?? "") ?? [],
    id: declared.alias,
    what,
    changed: settings.filter(
      (key) => (isManaged || declared[key] !== undefined) && declared[key] !== found[key],
    ),
    refusal: existsAlready(declared),
    change: (changed) => change(client, found, declared, changed),
  });
}

/**
 * Points an alias as declared, and leaves the setting alone that does not change.
 * @param found undefined if somebody has removed the alias
 */
async function change(
  client: Client,
  found: RemoteAlias | undefined,
  declared: Inputs,
  changed: readonly string[],
): Promise<Assigned> {
  if (!found) return assign(client, declared.alias, declared);
  if (changed.length === 0) return found;
  const { deploymentId: current, redirect } = found;
  return assign(client, declared.alias, {
    deploymentId: changed.includes("deploymentId") || current == null ? declared.deploymentId : current,
    redirect: changed.includes("redirect") ? declared.redirect : (redirect ?? undefined),
  });
}

const existsAlready = (declared: Inputs): string =>
  unmanagedExists(aliasKeys, declared.alias, [`/${declared.alias}`], true);

const ofProject = (name: string): string =>
  `${name} is a domain of a project, and a promotion decides where it points. Declare it as a ProjectDomain, or choose ` +
  "another alias.";

/** True for a domain of a project. The service lists it among the aliases once a deployment serves it. */
async function isOfProject(client: Client, { uid, alias: name, projectId }: RemoteAlias): Promise<boolean> {
  if (uid === name) return true;
  if (projectId == null) return false;
  return (await ifFound(client.get(domainPath(projectId, name), responses.anything))) !== undefined;
}

/** The request that points a name to a deployment, from wherever it points. */
const assignment = (name: string, { deploymentId: id, redirect }: Target) => ({
  method: "POST" as const,
  path: `${deploymentPath(id, "v2")}/aliases`,
  object: aliasPath(name),
  body: { alias: name, ...(redirect !== undefined && { redirect }) },
  shape: assignedAlias,
});

/** A conflict says that the alias points there already. */
const assign = (client: Client, name: string, target: Target): Promise<Assigned> =>
  client.send(assignment(name, target)).catch((error) => {
    if (isConflict(error)) return read(client, name);
    throw error;
  });

/** Reads an alias; undefined if the account has none with the name. */
const find = (client: Client, name: string): Promise<RemoteAlias | undefined> =>
  ifFound(client.send({ method: "GET", path: aliasPath(name), shape: remoteAlias, mayBeAbsent: true }));

/** An alias that points where it is declared to. */
async function pointing(client: Client, name: string, target: Target): Promise<RemoteAlias | undefined> {
  const found = await find(client, name);
  return found?.deploymentId === target.deploymentId ? found : undefined;
}

/** @throws ApiError 404 */
async function read(client: Client, name: string): Promise<RemoteAlias> {
  const found = await client.send({ method: "GET", path: aliasPath(name), shape: remoteAlias });
  if (found.deploymentId != null) return found;
  throw absentFrom(aliasPath(name), `The alias ${name} points to no deployment.`);
}

/** The account and the project of a deployment. */
interface Scope {
  accountId: string;
  projectId: string | null;
}

const resultOf = (name: string, { accountId, projectId }: Scope, { uid }: Assigned): Created<Outputs> => ({
  id: name,
  accountId,
  outputs: { aliasId: uid, projectId },
});

/** If the token can read neither the user nor the team, the project has the account. */
async function scopeOf(client: Client, deployment: string): Promise<Scope> {
  const { projectId = null } = await client.get(deploymentPath(deployment), responses.oneDeployment);
  const account = await ifAllowed(client.account());
  return { accountId: account ?? (await client.identify(projectId ?? "")).accountId, projectId };
}
