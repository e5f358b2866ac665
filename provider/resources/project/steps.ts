// Longer than other files: the steps of a create or update in their order, and what they share.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ifFound } from "../../client/errors";
import { projectPath } from "../../client/paths";
import * as responses from "../../client/responses";
import type { Created, Operation } from "../../core/definition";
import { isIgnored, type PropertyPath, withoutIgnored } from "../../core/ignored";
import { takeKeys } from "../../core/key-step";
import type { UniqueKeys } from "../../core/unique-keys";
import { asDeclared, isPlain, own, type Plain, same } from "../../core/values";
import { applyBypass } from "./bypass";
import { projectDefaults } from "./defaults";
import { applyHooks, type StoredHooks, storedHooks } from "./deploy-hooks";
import { type Inputs, inputs, patchable } from "./inputs";
import { keptMembers, replacedAsWhole } from "./newer";
import { bodyOf, returnedSettings, withResets } from "./platform";
import { withoutPublicSource } from "./public-source";
import { applyRepository, isConnectedTo, isSameRepository, repositoryOf } from "./repository";
import { type Separate, type SeparateKey, separate, separateKeys } from "./separate";
import { changedSettings, comparable, inputsOf, matchingSettings, missingSettings, pick } from "./settings";

export const outputs = z.object({
  /** Id of the team or user that the project belongs to. */
  accountId: z.string(),
  /** The secrets of `protectionBypass`, set or generated, by label. The whole map is a secret. */
  bypassSecrets: z.record(z.string(), z.string()),
  /** The URLs of `deployHooks`, by name. A POST to a URL deploys the hook's branch. The whole map is a secret. */
  deployHookUrls: z.record(z.string(), z.string()),
});

export type Outputs = z.output<typeof outputs>;
type State = Partial<Inputs> & Partial<Outputs>;
export type ProjectOperation = Operation<Inputs, Outputs>;

/** The project before the first step: complete if it was just created or found, otherwise id, account and `paused`. */
type Start = Pick<responses.Project, "id" | "accountId" | "paused"> & Partial<responses.Project>;

/** The state of an update. Each step changes only `remote`, `applied` and `secrets`. */
interface Reconciliation {
  readonly operation: ProjectOperation;
  readonly start: Start;
  /** The inputs that were managed before, without those that the program ignores. */
  readonly state: State;
  /** The inputs that the program declares and does not ignore. */
  readonly declared: Inputs;
  readonly ignored: readonly PropertyPath[];
  /** The declared values of ignored inputs. The state records them unchanged. */
  readonly leftAlone: Partial<Inputs>;
  /** True when the whole project was known at the start. Inputs are then compared with the project, not the state. */
  readonly isWhole: boolean;
  /** The project at the service; undefined until it was read. */
  remote: responses.Project | undefined;
  /** The inputs that were applied so far. */
  applied: Partial<Inputs>;
  /** The secret outputs so far. */
  secrets: Secrets;
}

type Secrets = Pick<Outputs, "bypassSecrets" | "deployHookUrls">;

type Step = (run: Reconciliation) => Promise<void>;

/** Pausing comes last and unpausing first, because both change the assignment of domains. */
const steps: readonly Step[] = [
  unpause,
  patchSettings,
  connectRepository,
  applyDeployHooks,
  applyBypassSecrets,
  ...separateKeys.map(
    (key): Step =>
      (run) =>
        applySeparate(run, key),
  ),
  pause,
];

/**
 * Changes an existing project to the declared inputs, and saves the progress after each step.
 * @param whole the state before the update
 * @param program the declared inputs
 * @param ignored the paths in `ignoreChanges`
 */
export async function reconcile(
  operation: ProjectOperation,
  start: Start,
  whole: State,
  program: Inputs,
  ignored: readonly PropertyPath[] = [],
): Promise<Created<Outputs>> {
  const remote = start.name === undefined ? undefined : responses.project.parse(start);
  const declared = managedInputs(program, remote, whole, ignored);
  const leftAlone = Object.keys(program).filter((key) => !(key in declared)) as (keyof Inputs)[];
  const state = Object.fromEntries(
    Object.entries(whole).filter(
      ([key]) => key in declared || !isIgnored(ignored, [key]) || !(key in inputs.shape),
    ),
  ) as State;
  const run: Reconciliation = {
    operation,
    start,
    state,
    declared,
    ignored,
    leftAlone: pick(program, leftAlone),
    isWhole: remote !== undefined,
    remote,
    applied: remote ? matchingSettings(declared, remote) : inputsOf(state),
    secrets: { bypassSecrets: state.bypassSecrets ?? {}, deployHookUrls: state.deployHookUrls ?? {} },
  };
  if (remote) save(run);
  for (const step of steps) await step(run);
  return resultOf(run.remote ?? start, run.secrets);
}

/** The inputs that the program declares and does not ignore. @param remote the project that is adopted */
function managedInputs(
  program: Inputs,
  remote: responses.Project | undefined,
  state: State,
  ignored: readonly PropertyPath[],
): Inputs {
  const declared = withoutIgnored(program, remote ? comparable(remote) : state, ignored);
  // A password cannot be read. Sending the rest of the setting would overwrite the password, so nothing is sent.
  if (remote && isIgnored(ignored, ["passwordProtection"])) delete declared.passwordProtection;
  return { ...declared, name: program.name };
}

const save = ({ operation, start, secrets, applied, leftAlone }: Reconciliation): void =>
  operation.checkpoint(resultOf(start, secrets), { ...applied, ...leftAlone });

/** Records that these inputs were applied. Inputs that are not declared are no longer managed. */
function recordApplied(run: Reconciliation, keys: readonly (keyof Inputs)[]): void {
  for (const key of keys) delete run.applied[key];
  Object.assign(run.applied, pick(run.declared, keys));
  save(run);
}

/** Whether an input has to be compared with the service, or has changed since the last run. */
const isDue = ({ isWhole, operation, state, declared }: Reconciliation, key: keyof Inputs): boolean =>
  isWhole || operation.unsure || !same(state[key], declared[key]);

async function load(run: Reconciliation): Promise<responses.Project> {
  run.remote ??= await run.operation.client.project(run.start.id);
  return run.remote;
}

/** The desired `paused`: the default if it was removed from the program, undefined if it was never declared. */
const pausedOf = ({ declared, state }: Reconciliation): boolean | undefined =>
  declared.paused ?? (state.paused === undefined ? undefined : projectDefaults.paused);

async function unpause(run: Reconciliation): Promise<void> {
  if (pausedOf(run) !== false || !run.start.paused) return;
  await setPaused(run.operation, run.start.id, false);
  run.applied.paused = false;
  // Unpausing turns on the automatic assignment of domains.
  delete run.applied.autoAssignCustomDomains;
  if (run.remote) run.remote = { ...run.remote, paused: false, autoAssignCustomDomains: true };
  save(run);
}

async function patchSettings(run: Reconciliation): Promise<void> {
  const { operation, state, declared, applied, isWhole, remote } = run;
  const body =
    isWhole && remote
      ? missingSettings(declared, remote)
      : changedSettings(declared, operation.unsure ? {} : applied, state);
  if (Object.keys(body).length > 0) run.remote = await patch(run, await withKeptMembers(run, body));
  // This run, or an interrupted one, has given the project a temporary name.
  const { name } = await load(run);
  if (name !== declared.name && isTemporaryName(name)) run.remote = await patch(run, { name: declared.name });
  recordApplied(run, [...patchable, "adopt"]);
}

/** The settings to send, with the members that only the service has where it replaces a setting as a whole. */
async function withKeptMembers(run: Reconciliation, body: Plain): Promise<Plain> {
  const keys = replacedAsWhole.filter((key) => isPlain(body[key]));
  if (keys.length === 0) return body;
  const remote = returnedSettings(await load(run));
  const kept = keys.map(
    (key) => [key, keptMembers(remote[key], run.state[key], body[key] as Plain)] as const,
  );
  return { ...body, ...Object.fromEntries(kept) };
}

async function connectRepository(run: Reconciliation): Promise<void> {
  const { operation, state, declared } = run;
  if (!isDue(run, "gitRepository") || !(declared.gitRepository || state.gitRepository)) return;
  const remote = await load(run);
  await applyRepository(operation.client, remote, state.gitRepository, declared.gitRepository, (stored) => {
    delete run.applied.gitRepository;
    if (stored) run.applied.gitRepository = stored;
    else run.remote = { ...remote, link: undefined };
    save(run);
  });
  // Connecting another repository deletes the deploy hooks, and the service may create others, so they are read again.
  // Of that answer only the link is taken: it may be older than the other settings.
  if (declared.deployHooks ?? state.deployHooks) {
    const read = (): Promise<responses.Project> => operation.client.project(run.start.id);
    const isConnected = (now: responses.Project): boolean => isConnectedTo(now, declared.gitRepository);
    const { link } = await operation.client.readUntil(projectPath(run.start.id), read, isConnected);
    run.remote = { ...(run.remote ?? remote), link };
  }
}

async function applyDeployHooks(run: Reconciliation): Promise<void> {
  const { operation, state, declared, ignored } = run;
  if (!declared.deployHooks && (!state.deployHooks || isIgnored(ignored, ["deployHooks"]))) return;
  const managed = { hooks: state.deployHooks ?? {}, urls: state.deployHookUrls ?? {} };
  const wanted = declared.deployHooks ?? {};
  const record = ({ hooks, urls }: StoredHooks): void => {
    run.applied.deployHooks = hooks;
    run.secrets = { ...run.secrets, deployHookUrls: urls };
    save(run);
  };
  const remote = await load(run);
  record(storedHooks(remote, managed.hooks, managed.urls));
  run.remote = await applyHooks(operation.client, remote, managed, wanted, record);
  record(storedHooks(run.remote, wanted, managed.urls));
  recordApplied(run, ["deployHooks"]);
}

async function applyBypassSecrets(run: Reconciliation): Promise<void> {
  const { operation, state, declared, ignored } = run;
  if (!declared.protectionBypass && isIgnored(ignored, ["protectionBypass"])) return;
  const isLeft = (label: string): boolean =>
    isIgnored(ignored, ["protectionBypass", label]) && !own(state.bypassSecrets, label);
  const labels = Object.entries(declared.protectionBypass ?? {});
  const wanted = Object.fromEntries(labels.filter(([label]) => !isLeft(label)));
  const bypassSecrets = await applyBypass(operation.client, await load(run), state, wanted, (secrets) => {
    run.secrets = { ...run.secrets, bypassSecrets: secrets };
    save(run);
  });
  run.secrets = { ...run.secrets, bypassSecrets };
  recordApplied(run, ["protectionBypass"]);
}

async function applySeparate(run: Reconciliation, key: SeparateKey): Promise<void> {
  const { operation, start, state, declared } = run;
  const isDeclared = declared[key] !== undefined;
  if (!isDue(run, key) || (!isDeclared && state[key] === undefined)) return;
  const value = withResets(key, state[key], declared[key] ?? projectDefaults[key], isDeclared);
  const remote = await load(run);
  const { path, body, of, asReturned }: Separate = separate[key];
  if (same(asDeclared(value, of(remote)), value)) return;
  await operation.client.send({
    method: "PATCH",
    path: path(start.id),
    body: body(value),
    shape: responses.anything,
  });
  run.remote = { ...remote, ...asReturned(value, remote) };
  recordApplied(run, [key]);
}

async function pause(run: Reconciliation): Promise<void> {
  if (!pausedOf(run) || run.start.paused) return;
  await setPaused(run.operation, run.start.id, true);
  run.remote = { ...(await load(run)), paused: true, autoAssignCustomDomains: false };
}

const setPaused = ({ client }: ProjectOperation, id: string, paused: boolean): Promise<unknown> =>
  client.send({
    method: "POST",
    path: `${projectPath(id, "v1")}/${paused ? "pause" : "unpause"}`,
    shape: responses.anything,
  });

/** Sends settings. A change of the name first takes the name from its current owner. */
async function patch(run: Reconciliation, settings: Plain): Promise<responses.Project> {
  const { operation, start, declared } = run;
  const { client } = operation;
  const secrets = declared.passwordProtection ? [declared.passwordProtection.password] : [];
  const send = (settings: Plain): Promise<responses.Project> => {
    return withoutPublicSource(bodyOf(settings), (body) =>
      client.send({
        method: "PATCH",
        path: projectPath(start.id),
        body,
        shape: responses.project,
        secrets,
      }),
    );
  };
  if (settings.name === undefined) return send(settings);
  return takeKeys(operation.run, projectKeys, { id: start.id, declared, attempt: () => send(settings) });
}

/**
 * The temporary name of a project while another project takes the original name.
 * @choice It contains the original name, such as web-moving-4f9a12c0, so that users recognize the project.
 */
const temporaryName = (name: string): string =>
  `${name.slice(0, 80).replace(/-+$/, "")}-moving-${randomBytes(4).toString("hex")}`;
const isTemporaryName = (name: string): boolean => /-moving-[0-9a-f]{8}$/.test(name);

/** The unique key of a project is its name in the account. */
export const projectKeys: UniqueKeys = {
  noun: "the project",
  choices: "another name",
  scope: "account",
  isContainer: true,
  of: ({ name }, account) => (typeof name === "string" ? [`${account}/${name}`] : undefined),

  async owners({ client }, keys, _declared, fresh) {
    const names = keys.map((key) => key.slice(key.indexOf("/") + 1));
    const found = await Promise.all(names.map((name) => client.projectNamed(name, !fresh)));
    return found.flatMap((project) => project?.id ?? []);
  },

  async refuseAdoption({ client }, [id = ""], { name, gitRepository }) {
    const found = await ifFound(client.project(id));
    return found && otherRepository(`${name}`, found, gitRepository as Inputs["gitRepository"]);
  },

  async freeKeys({ client }, id, keys) {
    const rename = (name: string) =>
      client.send({ method: "PATCH", path: projectPath(id), body: { name }, shape: responses.project });
    const owner = await ifFound(client.project(id));
    if (!owner || !keys.some((key) => key.endsWith(`/${owner.name}`))) return async () => {};
    const name = temporaryName(owner.name);
    await rename(name);
    return async () => {
      if ((await ifFound(client.project(id)))?.name === name) await rename(owner.name);
    };
  },
};

/** Why a project is not adopted: it is connected to another repository than declared. Undefined if it is not. */
export function otherRepository(
  name: string,
  found: responses.Project,
  declared: Inputs["gitRepository"],
): string | undefined {
  if (!declared || !found.link || isSameRepository(repositoryOf(found), declared)) return undefined;
  return (
    `The project "${name}" is connected to ${repositoryOf(found)?.repo ?? "a repository"}, not to the declared ` +
    `${declared.repo}, so it is not adopted: it may belong to somebody else. Choose another name. Or adopt it without ` +
    "gitRepository, and declare gitRepository in the next run."
  );
}

/** The subject of an adoption. @param accounts id and slug of the account; states of earlier versions contain either */
export const adoptedProject = (
  id: string,
  name: string,
  accounts: readonly string[],
): { what: string; names: [id: string, ...string[]] } => ({
  what: `The project "${name}"`,
  names: [id, ...accounts.map((account) => `${account}/${name}`)],
});

/** The result of a create, read or update. */
export const resultOf = (
  remote: Pick<responses.Project, "id" | "accountId"> & Partial<responses.Project>,
  secrets: Secrets,
): Created<Outputs> => {
  const { id, accountId, name } = remote;
  // Until the project was read, only its id and account are known.
  const existing = name === undefined ? {} : { existing: comparable(remote as responses.Project) };
  return { id, accountId, outputs: { accountId, ...secrets }, ...existing };
};
