// Longer than other files: a domain moves between projects, programs and teams.
import { z } from "zod";
import type { Client } from "../client/client";
import { type ApiError, ifFound, isConflict } from "../client/errors";
import { domainPath, projectPath } from "../client/paths";
import * as responses from "../client/responses";
import { inputsIn } from "../core/check";
import type { Created, Operation } from "../core/definition";
import { isIgnored, type PropertyPath, withoutIgnored } from "../core/ignored";
import { reasonForOwner, takeKeys } from "../core/key-step";
import { listing } from "../core/listing";
import { projectIdOf } from "../core/project-reference";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { declaringResource, type UniqueKeys } from "../core/unique-keys";
import { unknown } from "../core/values";
import { redirectStatusCodes } from "../vocabulary";
import { environmentIdInput } from "./id-inputs";
import { branchName, domainName, durationMs, environmentId, filters, projectRef } from "./names";
import {
  domainPage,
  domainsBefore,
  domainsOf,
  partsOf,
  readDomain,
  reasonOfService,
  withTargetHint,
} from "./project-domain/records";
import { removeDomain } from "./project-domain/remove";
import { verificationTimeoutMs, verifyUntil } from "./project-domain/verify";
import { Wait } from "./project-domain/wait";

const inputs = z.strictObject({
  /** Id or name of the project that serves the domain. Changing it replaces the domain. */
  project: projectRef,
  /** Domain name, such as www.example.com. Changing it replaces the domain. */
  name: domainName,
  /**
   * Git branch whose deployments the domain serves. Default: the production branch. Conflicts with `redirect` and
   * `customEnvironmentId`.
   */
  gitBranch: branchName.optional(),
  /** Domain to which this domain redirects. Conflicts with `gitBranch`. */
  redirect: domainName.optional(),
  /** HTTP status of the redirect. */
  redirectStatusCode: z.literal(redirectStatusCodes).optional(),
  /**
   * Id of the custom environment whose deployments the domain serves. Conflicts with `gitBranch`. Changing it replaces
   * the domain.
   */
  customEnvironmentId: environmentId.optional(),
  /**
   * Waits until the domain is verified. Default: false. If the same program publishes the DNS record that verifies the
   * domain, declare a `DomainVerification` that depends on the record instead.
   */
  waitForVerification: z.boolean().optional(),
  /**
   * How long `waitForVerification` waits (milliseconds). Default: 600000 (ten minutes). After a timeout, the run fails
   * and the domain stays attached.
   */
  timeoutMs: durationMs.optional(),
  /** If the project already has the domain, takes the domain over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Apex domain: the registrable part of the name. */
  apexName: z.string(),
  /** Whether the domain is verified. The project serves the domain only after verification. */
  verified: z.boolean(),
  /**
   * DNS records that verify the domain. One of the records is enough. Empty if the domain was verified at once. The
   * records stay in the output after verification, so that the resources that publish the records do not change.
   */
  verification: z.array(
    z.object({
      /** Type of the record, such as TXT. */
      type: z.string(),
      /** Name of the record. */
      domain: z.string(),
      /** Value of the record. */
      value: z.string(),
      /** Why Vercel asks for the record, if Vercel gives a reason. */
      reason: z.string().optional(),
    }),
  ),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** Inputs that an update sends. */
const changeable = ["gitBranch", "redirect", "redirectStatusCode"] as const;
/** Inputs that the service stores. */
const settings = [...changeable, "customEnvironmentId"] as const;

/**
 * The unique key of a domain is its name: a domain can only be on one project at a time.
 * @choice Owners are looked for in the projects of the stack, since no request finds a domain in a whole account.
 */
const domainKeys: UniqueKeys = {
  noun: "the domain",
  choices: "another name",
  scope: "account",
  adoptsByMoving: true,
  mayBeShared: true,
  of: ({ name }, account) => (typeof name === "string" ? [`${account}/${name}`] : undefined),

  async owners({ client, ownership }, keys, { project }, isStep) {
    // A killed run may have attached the domain to another project without recording it.
    const fresh = isStep || (await ownership.hasAbandoned());
    const own = await projectIdOf(client, project, {});
    const projects = new Set([
      ...(own === undefined ? [] : [own]),
      ...(fresh ? await ownership.projects() : []),
    ]);
    const names = keys.map((key) => key.slice(key.lastIndexOf("/") + 1));
    const found = await Promise.all(
      [...projects].map(async (projectId) => {
        const listed = fresh ? domainsOf(client, projectId) : domainsBefore(client, projectId);
        const domains = (await ifFound(listed)) ?? [];
        return domains.filter(({ name }) => names.includes(name)).map(({ name }) => `${projectId}/${name}`);
      }),
    );
    // For other projects, a check reads only the state, which is enough to refuse a domain of another resource.
    const recorded = fresh ? [] : await Promise.all(names.map((name) => ownership.recordedAs(name)));
    return [...new Set([...found, ...recorded].flat())];
  },

  async refuseAdoption({ client }, [id = ""], declared) {
    const { project, name } = partsOf(id);
    const found = await ifFound(client.get(domainPath(project, name), responses.domain));
    return found && otherEnvironment(declared as Partial<Inputs>, found);
  },

  async freeKeys(run, id) {
    const { client } = run;
    const { project, name } = partsOf(id);
    const found = await ifFound(client.get(domainPath(project, name), responses.domain));
    if (!found) return async () => {};
    const restoreRedirects = await ifFound(removeDomain(run, project, name));
    const settings = settingsOf(found);
    const path = `${projectPath(project, "v10")}/domains`;
    return async () => {
      await client.send({ method: "POST", path, body: { name, ...settings }, shape: responses.domain });
      await restoreRedirects?.();
    };
  },
};

/**
 * A domain attached to a project. Until the domain is verified, `verified` is false, and `verification` has the DNS
 * records that can verify it. Publish one of these records, and declare a `DomainVerification` that depends on the
 * published record.
 * @throws ApiError 409 if another project has the domain
 * @source Project domain; States and transitions
 */
export const projectDomain = resource({
  type: "ProjectDomain",
  handler: "domain",
  scopes: ["read-write:project", "read-write:domain"],
  importId: "`<project>/<domain>`",
  inputs,
  outputs,
  traits: {
    defaults: {
      gitBranch: null,
      redirect: null,
      redirectStatusCode: null,
      customEnvironmentId: null,
      waitForVerification: false,
      timeoutMs: verificationTimeoutMs,
      adopt: false,
    },
    stable: ["projectId", "apexName"],
    computed: settings,
    replaceOn: ["project", "name", "customEnvironmentId"],
    ids: { customEnvironmentId: environmentIdInput },
  },
  checks: {
    rules: [
      [
        ({ gitBranch, redirect }) => gitBranch !== undefined && redirect !== undefined,
        "gitBranch conflicts with redirect: a domain either serves a branch or redirects. Remove one of them.",
      ],
      [
        ({ gitBranch, customEnvironmentId }) => gitBranch !== undefined && customEnvironmentId !== undefined,
        "gitBranch conflicts with customEnvironmentId: a domain serves either a branch or an environment. Remove one of them.",
      ],
      [
        ({ name, redirect }) => name !== undefined && name === redirect,
        "redirect is the domain itself. Redirect to another domain, or remove redirect.",
      ],
    ],
    async refusals(client, previous, { project, name }) {
      if (typeof project !== "string" || typeof name !== "string" || previous.name === name) return [];
      const reason = await reasonOfService(client, project, name);
      return reason === undefined ? [] : [{ property: "name", reason }];
    },
  },
  diff: {
    // A domain can only be on one project at a time.
    deleteFirst: (state, news) => state.name === news.name,
    compare(key, state, news) {
      // The service returns null for an undeclared environment, which must not replace the domain.
      if (key === "customEnvironmentId") return (state[key] ?? undefined) !== news[key];
      return undefined;
    },
    // The engine asks what becomes of a domain when the target of its redirect is deleted first to be replaced, and
    // then does not know the redirect. The service keeps a target while a domain redirects to it, so this one goes
    // before it. It asks before the program declares the domain. Later, a redirect that is not known changes in place.
    drift(state, news, run) {
      if (typeof state.redirect !== "string") return [];
      const [key = ""] = domainKeys.of(state, run.client.settings.team ?? "") ?? [];
      if (news.redirect === unknown && declaringResource(run, domainKeys, key) === undefined)
        return [{ path: "redirect", kind: "update", replace: true }];
      const isGone = run.clearedRedirects.has(`${state.projectId}/${state.name}`);
      return isGone ? [{ path: "redirect", kind: "add", replace: false }] : [];
    },
    replacing: (run, id, news) => run.replacements.plan(id, news),
  },
  ownership: { uniqueKeys: domainKeys },
  list: listing(filters, domainPage),

  async create(operation, declared) {
    const { client } = operation;
    const { name, adopt } = declared;
    const refused = await reasonOfService(client, declared.project, name);
    if (refused !== undefined) throw new Error(refused);
    const { id: projectId, accountId } = await client.identify(declared.project);
    const id = `${projectId}/${name}`;
    const what = `The domain ${name}`;
    const look = () => ifFound(client.get(domainPath(projectId, name), responses.domain));
    // Ignores a domain that another resource has added meanwhile.
    const lookForOurs = async () => (operation.isOthers(id) ? undefined : look());
    const before = (await domainsBefore(client, projectId)).some((domain) => domain.name === name)
      ? await look()
      : undefined;
    const isOfStack = before !== undefined && (await operation.isOfStack(what, id));
    const take = async (): Promise<responses.Domain> => {
      if (before && isOfStack) return takeFromResource(operation, projectId, before, declared);
      if (before && adopt) return adoptDomain(operation, projectId, before, declared);
      const body = { name, ...given(declared) };
      const path = `${projectPath(projectId, "v10")}/domains`;
      const request = { method: "POST", path, body, shape: responses.domain } as const;
      const attempt = () => client.create({ request, look: lookForOurs, existed: before !== undefined });
      return takeKeys(operation.run, domainKeys, { declared, attempt });
    };
    const remote = await take().catch(async (error) => {
      // The domain was added meanwhile.
      const existing = isConflict(error) && adopt ? await lookForOurs() : undefined;
      if (existing) return adoptDomain(operation, projectId, existing, declared);
      if (isConflict(error)) throw withHint(error, name);
      throw await withTargetHint(client, projectId, declared.redirect, error);
    });
    return awaitIfAsked(operation, resultOf(remote, accountId), declared);
  },

  async read(client, id, state) {
    const { project, name } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const refused = state ? undefined : await reasonOfService(client, projectId, name);
    if (refused !== undefined) throw new Error(refused);
    const remote = await readDomain(client, projectId, name);
    const now: Partial<Inputs> = {
      ...(state ? inputsIn(inputs, state) : { project: projectId, name }),
      ...inputsRead(settings, state, remote, (key) => remote[key] ?? null),
    };
    return { ...resultOf(remote, accountId, state?.verification), inputs: now };
  },

  async update(operation, id, state, declared) {
    const { client } = operation;
    const { name } = declared;
    const { projectId } = state;
    const { accountId } = await client.identify(projectId);
    const all = operation.unsure || operation.run.clearedRedirects.has(id);
    const remote = await change(client, projectId, name, declared, state, {
      all,
      ignored: all ? await operation.ignored() : [],
    }).catch(async (error) => {
      throw await withTargetHint(client, projectId, declared.redirect, error);
    });
    return awaitIfAsked(operation, resultOf(remote, accountId, state.verification), declared);
  },

  async remove({ run, inform }, _id, { projectId, name = "" }) {
    await removeDomain(run, projectId, name, inform);
  },
});

/** @throws Error when the domain serves another environment than the declared one, or belongs to another resource */
async function adoptDomain(
  operation: Operation<Inputs, Outputs>,
  projectId: string,
  found: responses.Domain,
  declared: Inputs,
): Promise<responses.Domain> {
  const { name } = declared;
  const differs = settings.some((key) => declared[key] !== undefined && declared[key] !== found[key]);
  const ignored = differs ? await operation.ignored() : [];
  const managed = withoutIgnored(declared, found, ignored);
  const reason = otherEnvironment(managed, found);
  if (reason !== undefined) throw new Error(reason);
  return operation.adopt(`The domain ${name}`, [`${projectId}/${name}`], () =>
    change(operation.client, projectId, name, managed, {}, { ignored }),
  );
}

/** Why a domain is not adopted: it serves another environment than the declared one. Undefined if it does not. */
function otherEnvironment(declared: Partial<Inputs>, found: responses.Domain): string | undefined {
  const { customEnvironmentId = found.customEnvironmentId } = declared;
  if (customEnvironmentId === found.customEnvironmentId) return undefined;
  return (
    `The domain ${found.name} exists and serves a different environment than the declared customEnvironmentId. ` +
    "The API cannot change this environment, so the domain cannot be adopted as declared. Remove the domain there, or declare the environment that it serves."
  );
}

/**
 * Takes over a domain of the same project that another resource of the stack releases. The domain stays attached and
 * verified, and the deletion of the other resource keeps it.
 */
async function takeFromResource(
  { client, run, ignored }: Operation<Inputs, Outputs>,
  projectId: string,
  found: responses.Domain,
  declared: Inputs,
): Promise<responses.Domain> {
  const { name } = declared;
  const keys = domainKeys.of(declared, client.settings.team ?? "") ?? [];
  const reason = await reasonForOwner(run, domainKeys, { declared }, keys, `${projectId}/${name}`);
  if (reason !== undefined) throw new Error(reason);
  if (declared.customEnvironmentId === (found.customEnvironmentId ?? undefined))
    return change(client, projectId, name, declared, settingsOf(found), {
      ignored: declared.adopt ? await ignored() : [],
    });
  // No request changes the environment of a domain, so the domain is removed and added again.
  const putBack = await domainKeys.freeKeys(run, `${projectId}/${name}`, keys);
  const path = `${projectPath(projectId, "v10")}/domains`;
  const body = { name, ...given(declared) };
  try {
    return await client.send({ method: "POST", path, body, shape: responses.domain });
  } catch (error) {
    await putBack().catch(() => {});
    throw error;
  }
}

const withHint = (error: ApiError, name: string): ApiError =>
  error.hasHint
    ? error
    : error.withHint(
        `${error.detail.projectId ? `The project ${error.detail.projectId}` : "Another project or account"} has ${name}. ` +
          "Remove it there first, or declare it on that project. Set { adopt: true } if the option `retainOnDelete` " +
          "kept it there.",
      );

/**
 * Sends the settings that differ from the state. Settings that were removed from the program are cleared.
 * @param all also sends settings that do not differ
 * @param ignored settings that are not changed, even if they conflict with others
 */
async function change(
  client: Client,
  projectId: string,
  name: string,
  declared: Partial<Inputs>,
  state: Partial<Inputs>,
  { all = false, ignored = [] }: { all?: boolean; ignored?: readonly PropertyPath[] } = {},
): Promise<responses.Domain> {
  const body = changesOf(changeable, declared, state, () => null, all);
  if (body.redirect != null) {
    body.gitBranch = null;
    // The status belongs to the redirect, so a changed redirect is sent with its status.
    if (declared.redirectStatusCode !== undefined) body.redirectStatusCode = declared.redirectStatusCode;
  }
  if (body.gitBranch != null) body.redirect = null;
  for (const key of changeable) if (isIgnored(ignored, [key])) delete body[key];
  const path = domainPath(projectId, name);
  // If nothing differs, the domain is only read.
  if (Object.keys(body).length === 0) return client.get(path, responses.domain);
  return client.send({ method: "PATCH", path, body, shape: responses.domain });
}

async function awaitIfAsked(
  operation: Operation<Inputs, Outputs>,
  domain: Created<Outputs>,
  declared: Inputs,
): Promise<Created<Outputs>> {
  operation.checkpoint(domain, declared);
  if (!declared.waitForVerification || domain.outputs.verified) return domain;
  const wait = new Wait(operation.warn, declared.timeoutMs ?? verificationTimeoutMs);
  await verifyUntil(operation.client, domain.outputs.projectId, declared.name, wait);
  return { ...domain, outputs: { ...domain.outputs, verified: true } };
}

/** @param challenges the known challenges. The service returns them only until one is met. */
function resultOf(
  remote: responses.Domain,
  accountId: string,
  challenges: Outputs["verification"] = [],
): Created<Outputs> {
  const { projectId, apexName, verified, name } = remote;
  const told = (remote.verification ?? []).map(({ type, domain, value, reason }) => ({
    type,
    domain,
    value,
    ...(reason != null && { reason }),
  }));
  const verification = told.length > 0 ? told : challenges;
  const outputs = { projectId, apexName, verified, verification };
  return { id: `${projectId}/${name}`, accountId, outputs, existing: { ...remote } };
}

const given = (declared: Inputs): object =>
  Object.fromEntries(
    settings.filter((key) => declared[key] !== undefined).map((key) => [key, declared[key]]),
  );

const settingsOf = (remote: responses.Domain): Partial<Inputs> =>
  Object.fromEntries(settings.filter((key) => remote[key] != null).map((key) => [key, remote[key]]));
