import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ifFound, isConflict } from "../client/errors";
import { projectPath } from "../client/paths";
import * as shapes from "../client/responses";
import { projectNameIn } from "../core/claims";
import { type Job, type Made, resource } from "../core/resource";
import { inTurn, type Places, takingTurns, whoHas } from "../core/take-turns";
import { asDeclared, isPlain, type Plain, same } from "../core/values";
import { projectDefaults } from "../vocabulary";
import { projectNameFrom } from "./names";
import { applyBypass, heldBypass, notedBypass } from "./project-bypass";
import { creatableKeys, type Inputs, inputs, patchable } from "./project-inputs";
import { bodyOf, particularOf, toldOf, withResets } from "./project-platform";
import { applyRepository, heldRepository, isSameRepository, repositoryOf } from "./project-repository";

const outputs = z.object({
  /** Id of the team or user that the project belongs to. */
  accountId: z.string(),
  /** The secrets of `protectionBypass`, given and generated, by label. Secret as a whole. */
  bypassSecrets: z.record(z.string(), z.string()),
});

type Outputs = z.output<typeof outputs>;
type State = Partial<Inputs> & Partial<Outputs>;
type ProjectJob = Job<Inputs, Outputs>;

/**
 * A project. It is never replaced: a rename is in place.
 * @throws ApiError 409 when the name is taken; 428 when the account's plan lacks a protection
 * @source Project; Projects
 */
const plainProject = resource({
  type: "Project",
  inputs,
  outputs,
  secret: ["passwordProtection", "protectionBypass", "bypassSecrets"],
  autoName: projectNameFrom,
  stable: ["accountId"],
  defaults: { ...projectDefaults, protectionBypass: {}, adopt: false },
  rules: [
    [
      ({ paused, autoAssignCustomDomains }) => paused === true && autoAssignCustomDomains === true,
      "paused and autoAssignCustomDomains cannot both be true, because pausing turns the assignment off. Remove autoAssignCustomDomains, or set it to false.",
    ],
    [
      ({ serverlessFunctionRegion, resourceConfig }) =>
        serverlessFunctionRegion != null && resourceConfig?.functionDefaultRegions !== undefined,
      "serverlessFunctionRegion and resourceConfig.functionDefaultRegions are one setting. Remove one of them.",
    ],
  ],
  async create(job, declared) {
    const { client } = job;
    const names = [projectNameIn(client.settings.team ?? "", declared.name)];
    job.claim(names);
    const look = async () => {
      const there = await ifFound(client.project(declared.name));
      return there && job.isOthers(there.id) ? undefined : there;
    };
    const before = await ifFound(client.project(declared.name));
    if (before && declared.adopt) return adopt(job, before, declared);
    const request = {
      method: "POST",
      path: "/v10/projects",
      body: { name: declared.name, ...linked(declared), ...withoutNulls(pick(declared, creatableKeys)) },
      shape: shapes.project,
    } as const;
    let remote: shapes.Project;
    try {
      const attempt = () => client.create({ request, look, existed: before !== undefined });
      remote = await inTurn(client, projectPlaces, undefined, declared, {}, attempt);
    } catch (error) {
      if (isConflict(error) && !declared.adopt) {
        const there = await ifFound(client.project(declared.name));
        throw error.advise(job.wayOut([...names, ...(there ? [there.id] : [])], "choose another name"));
      }
      if (!isConflict(error)) throw error;
      // It was made in between.
      return adopt(job, await client.project(declared.name), declared);
    }
    return settle(job, remote, {}, declared);
  },

  async read(client, id, state) {
    const remote = await client.project(id);
    const secrets = heldBypass(remote, state?.bypassSecrets ?? {});
    return { ...made(remote, secrets), inputs: state ? managed(remote, state, secrets) : everything(remote) };
  },

  async update(job, id, state, declared) {
    // What the state does not tell decides whether unpausing would do more than that.
    const isToLook = job.unsure || (state.paused === undefined && declared.paused === false);
    const paused = isToLook ? (await job.client.project(id)).paused : state.paused;
    return settle(job, { id, accountId: state.accountId, paused }, state, declared);
  },

  async remove({ client }, id) {
    await client.send({ method: "DELETE", path: projectPath(id), shape: shapes.anything });
  },
});

/** The name of a project is its own in the account. */
const projectPlaces: Places = {
  noun: "the project",
  choices: "another name",
  of: async (_client, { name }) => (typeof name === "string" ? [name] : undefined),
  async holders(client, names) {
    const found = await Promise.all(names.map((name) => ifFound(client.project(name))));
    return found.flatMap((project) => project?.id ?? []);
  },
  planned(client, id, { name: from, accountId }, { name: to }) {
    if (typeof accountId === "string" && typeof to === "string" && from !== to)
      client.planRename(id, accountId, to);
  },
};

/** A project, whose name may be another one's in the same run. */
export const project = takingTurns(plainProject, projectPlaces);

/**
 * Brings a project that exists to what is declared, step by step, keeping what each step reached.
 * Pausing comes last and unpausing first, because both change the assignment of domains.
 * @param start what is known of the project: all of it when it was just made or found
 * @param state what was managed before
 */
async function settle(
  job: ProjectJob,
  start: Pick<shapes.Project, "id" | "accountId" | "paused"> & Partial<shapes.Project>,
  state: State,
  declared: Inputs,
): Promise<Made<Outputs>> {
  const { client } = job;
  const { id } = start;
  let whole = start.name === undefined ? undefined : shapes.project.parse(start);
  const holds: Partial<Inputs> = whole ? heldOf(declared, whole) : inputsOf(state);
  let secrets = state.bypassSecrets ?? {};
  const reached = (): void => job.reached(made(start, secrets), holds);
  if (whole) reached();

  const paused = declared.paused ?? (state.paused === undefined ? undefined : projectDefaults.paused);
  if (paused === false && start.paused) {
    await setPaused(job, id, false);
    holds.paused = false;
    // Unpausing turns it on.
    delete holds.autoAssignCustomDomains;
    whole &&= { ...whole, autoAssignCustomDomains: true };
    reached();
  }

  const body = whole ? lackingOf(declared, whole) : changedOf(declared, job.unsure ? {} : holds, state);
  const isChanged = Object.keys(body).length > 0;
  const aside = (name: string): void => {
    holds.name = name;
    reached();
  };
  const remote = isChanged
    ? await patch(job, id, body, declared, aside)
    : (whole ?? (await client.project(id)));
  for (const key of patchable) delete holds[key];
  Object.assign(holds, pick(declared, [...patchable, "adopt"]));
  reached();

  const { gitRepository } = declared;
  const isDue = whole || job.unsure || !same(state.gitRepository, gitRepository);
  if (isDue && (gitRepository || state.gitRepository)) {
    await applyRepository(client, remote, state.gitRepository, gitRepository, (held) => {
      delete holds.gitRepository;
      if (held) holds.gitRepository = held;
      reached();
    });
  }

  secrets = await applyBypass(client, remote, state, declared.protectionBypass ?? {}, (soFar) => {
    secrets = soFar;
    reached();
  });
  delete holds.protectionBypass;
  Object.assign(holds, pick(declared, ["protectionBypass"]));
  reached();

  const dataCache = declared.dataCache ?? (state.dataCache && projectDefaults.dataCache);
  const isToSet = whole || job.unsure || !same(state.dataCache, declared.dataCache);
  if (isToSet && dataCache && dataCache.disabled !== (remote.dataCache?.userDisabled ?? false)) {
    const path = `/v1/data-cache/projects/${encodeURIComponent(id)}`;
    await client.send({ method: "PATCH", path, body: dataCache, shape: shapes.project });
    delete holds.dataCache;
    Object.assign(holds, pick(declared, ["dataCache"]));
    reached();
  }

  if (paused && !start.paused) await setPaused(job, id, true);
  return made(remote, secrets);
}

/** @param aside told of the name that the project has while it waits for its own to be free */
async function patch(
  { client }: ProjectJob,
  id: string,
  body: Plain,
  declared: Inputs,
  aside: (name: string) => void,
): Promise<shapes.Project> {
  const secrets = declared.passwordProtection ? [declared.passwordProtection.password] : [];
  const send = (settings: Plain): Promise<shapes.Project> => {
    const body = bodyOf(settings);
    return client.send({ method: "PATCH", path: projectPath(id), body, shape: shapes.project, secrets });
  };
  if (body.name === undefined) return send(body);
  try {
    return await inTurn(
      client,
      projectPlaces,
      id,
      declared,
      {},
      () => send(body),
      async () => {
        const name = asideOf(declared.name);
        await send({ name });
        aside(name);
      },
    );
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw error.advise((await whoHas(client, projectPlaces, id, declared, {})) ?? "Choose another name.");
  }
}

/**
 * The name of a project that waits for its own to be free, and lets another one have the one that it had.
 * @choice Such as web-moving-4f9a12c0: whoever looks on sees what it is.
 */
const asideOf = (name: string): string => `${name.slice(0, 80)}-moving-${randomBytes(4).toString("hex")}`;

/**
 * The body that makes as declared what does not hold, and resets what is declared no more.
 * @param holds what is known to hold
 */
function changedOf(declared: Inputs, holds: Partial<Inputs>, state: State): Plain {
  const body: Plain = {};
  for (const key of patchable) {
    if (declared[key] === undefined) {
      if (state[key] !== undefined && isReset(key))
        body[key] = withResets(key, state[key], projectDefaults[key], false);
    } else if (!same(holds[key], declared[key])) body[key] = withResets(key, state[key], declared[key], true);
  }
  // The two are one setting: what is declared of it is not reset by what left.
  if (declared.serverlessFunctionRegion != null && isPlain(body.resourceConfig))
    delete body.resourceConfig.functionDefaultRegions;
  // A paused project keeps it turned off.
  if (declared.paused) delete body.autoAssignCustomDomains;
  return body;
}

const isReset = (key: string): key is keyof typeof projectDefaults => Object.hasOwn(projectDefaults, key);

/** Declared settings that the service does not hold yet. */
function lackingOf(declared: Inputs, remote: shapes.Project): Plain {
  const body: Plain = {};
  const told = toldOf(remote);
  for (const key of patchable) {
    const value = declared[key];
    if (value === undefined || (declared.paused && key === "autoAssignCustomDomains")) continue;
    // A password cannot be compared.
    const unseen = key === "passwordProtection" && value !== null;
    if (unseen || !same(asDeclared(value, told[key] ?? null), value)) body[key] = value;
  }
  return body;
}

/** Declared settings that hold already. */
function heldOf(declared: Inputs, remote: shapes.Project): Partial<Inputs> {
  const lacking = lackingOf(declared, remote);
  const held = pick(declared, ["adopt", ...patchable.filter((key) => !(key in lacking))]);
  const gitRepository = declared.gitRepository && heldRepository(remote, declared.gitRepository);
  return { ...held, ...(gitRepository && { gitRepository }) };
}

const setPaused = ({ client }: ProjectJob, id: string, paused: boolean): Promise<unknown> =>
  client.send({
    method: "POST",
    path: `${projectPath(id, "v1")}/${paused ? "pause" : "unpause"}`,
    shape: shapes.anything,
  });

/** @throws Error when what is found is connected to another repository than the declared one, or adopted already */
async function adopt(job: ProjectJob, remote: shapes.Project, declared: Inputs): Promise<Made<Outputs>> {
  const { name, gitRepository } = declared;
  if (gitRepository && remote.link && !isSameRepository(repositoryOf(remote), gitRepository)) {
    throw new Error(
      `The project "${name}" is connected to ${repositoryOf(remote)?.repo ?? "a repository"}, not to the declared ` +
        `${gitRepository.repo}, so it is not taken over: it may be somebody else's. Choose another name; or, if it is ` +
        "meant, adopt it without gitRepository, and give that in the next run.",
    );
  }
  const byName = [remote.accountId, job.client.settings.team ?? ""].map((account) =>
    projectNameIn(account, name),
  );
  return job.adopt(`The project "${name}"`, [remote.id, ...byName], () => settle(job, remote, {}, declared));
}

/** The repository as a create takes it: its production branch is set afterwards. */
const linked = ({ gitRepository }: Inputs): object =>
  gitRepository ? { gitRepository: { type: gitRepository.type, repo: gitRepository.repo } } : {};

/** The managed inputs as the service has them now. What it does not tell is taken to be as declared. */
function managed(remote: shapes.Project, state: State, secrets: Record<string, string>): Partial<Inputs> {
  const now: Record<string, unknown> = inputsOf(state);
  const told = toldOf(remote);
  for (const key of patchable) {
    if (state[key] !== undefined && told[key] !== undefined) now[key] = asDeclared(state[key], told[key]);
  }
  const { passwordProtection, protectionBypass } = state;
  if (passwordProtection && remote.passwordProtection) {
    now.passwordProtection = {
      ...passwordProtection,
      deploymentType: remote.passwordProtection.deploymentType ?? passwordProtection.deploymentType,
    };
  }
  if (protectionBypass) {
    now.protectionBypass = notedBypass(remote, protectionBypass, secrets);
  }
  if (state.paused !== undefined) now.paused = remote.paused ?? false;
  if (state.gitRepository) now.gitRepository = heldRepository(remote, state.gitRepository);
  if (state.dataCache) now.dataCache = { disabled: remote.dataCache?.userDisabled ?? false };
  return now as Partial<Inputs>;
}

/** All that the service tells of what can be declared; a password it does not. */
function everything(remote: shapes.Project): Partial<Inputs> {
  const told = toldOf(remote);
  const found: Plain = {};
  const settings: Plain = { ...told, ...particularOf(told), passwordProtection: undefined };
  for (const key of patchable) if (settings[key] != null) found[key] = settings[key];
  if (remote.oidcTokenConfig)
    found.oidcTokenConfig = asDeclared(projectDefaults.oidcTokenConfig, remote.oidcTokenConfig);
  const gitRepository = repositoryOf(remote);
  if (gitRepository) found.gitRepository = gitRepository;
  found.paused = remote.paused ?? false;
  found.dataCache = { disabled: remote.dataCache?.userDisabled ?? false };
  return found as Partial<Inputs>;
}

const made = (
  { id, accountId }: Pick<shapes.Project, "id" | "accountId">,
  bypassSecrets: Record<string, string>,
): Made<Outputs> => ({ id, accountId, outputs: { accountId, bypassSecrets } });

const pick = (from: Partial<Inputs>, keys: readonly (keyof Inputs)[]): Partial<Inputs> =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]));

const inputsOf = (state: State): Partial<Inputs> =>
  pick(state, Object.keys(inputs.shape) as (keyof Inputs)[]);

const withoutNulls = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
