import { z } from "zod";
import { ifFound, isConflict } from "../client/errors";
import { variablePath } from "../client/paths";
import * as shapes from "../client/responses";
import { variableNames } from "../core/claims";
import { type Job, type Made, resource } from "../core/resource";
import { asDeclared, holdsUnknown, type Plain, same } from "../core/values";
import { envTargets, envTypes } from "../vocabulary";
import { find, matches, placeForCreate, variablesOf } from "./env-records";
import { adoptable, change, envVar, take } from "./env-var";
import { createAll, type Wanted } from "./env-vars-create";
import { sameProject } from "./project-reference";

const fields = envVar.inputs.shape;

/** A variable: its value alone, or all that is to be said of it. */
const variable = z.union([
  z.string().max(65_536),
  z.strictObject({
    /** Value of the variable. Every type but system has one. */
    value: fields.value,
    /** How the service keeps the value; by default the `type` of all. */
    type: fields.type,
    /** Environments that get the variable; by default the `target` of all, unless it is for custom environments. */
    target: fields.target,
    /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
    gitBranch: fields.gitBranch,
    /** What the variable is for. */
    comment: fields.comment,
    /** Ids of custom environments that get the variable, beside those of its own `target` or alone. */
    customEnvironmentIds: fields.customEnvironmentIds,
  }),
]);

/** What a user may declare. */
const inputs = z
  .strictObject({
    /** Id or name of the project. Changing it replaces the variables. */
    project: fields.project,
    /** The variables by name. Secret as a whole. Others of the project are left alone. */
    variables: z.record(z.string(), variable),
    /** Environments that get those that do not say; all by default, and for sensitive ones all but development. */
    target: fields.target,
    /** How the service keeps those that do not say; encrypted by default. */
    type: z.enum(envTypes).optional(),
    /** Takes over variables of the same key, environments and branch that exist already, instead of failing. */
    adopt: fields.adopt,
  })
  .superRefine((declared, context) => {
    for (const [key, one] of Object.entries(wantedOf(declared))) {
      const reason = reasonAgainst(key, one);
      if (reason) context.addIssue({ code: "custom", path: ["variables", key], message: reason });
    }
  });

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of each variable, and when it was last written (milliseconds since the epoch), by name. */
  records: z.record(
    z.string(),
    z.object({
      /** Id of the variable. */
      id: z.string(),
      /** When it was last written (milliseconds since the epoch). */
      updatedAt: z.number(),
    }),
  ),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type Variables = Inputs["variables"];
type Records = Outputs["records"];

/**
 * Many environment variables of a project, made with one request.
 * @throws ApiError 403 when variables of the same key, target and branch exist
 * @source Environment variables, POST /v10/projects/{idOrName}/env
 */
export const envVars = resource({
  type: "EnvVars",
  inputs,
  outputs,
  secret: ["variables"],
  stable: ["projectId"],
  defaults: { target: envTargets, type: "encrypted", adopt: false },
  replaceOn: ["project"],
  objects: ({ projectId, records }) => Object.values(records).map(({ id }) => `${projectId}/${id}`),
  // Two variables of one identity cannot be there at once.
  deleteFirst: true,
  compare(key, state, news, client) {
    if (key === "project") return sameProject(client, state, news.project).then((equal) => !equal);
    if (key === "adopt" || holdsUnknown([news.variables, news.target, news.type])) return undefined;
    // The same may be said of each or of all.
    return !same(wantedOf(state as Partial<Inputs>), wantedOf(news as Inputs));
  },

  async create(job, declared) {
    const { id: projectId, accountId } = await job.client.identify(declared.project);
    const ledger = new Ledger(job, projectId, accountId, declared);
    await obtain(job, ledger, wantedOf(declared));
    return ledger.made();
  },

  async read(client, id, state) {
    const { id: projectId, accountId } = await client.identify(state?.projectId ?? id);
    if (!state) {
      throw new Error(
        "EnvVars are the variables that a program declares together, so they cannot be found by an id. " +
          "Look variables up with getEnvVars, or declare an EnvVar for each.",
      );
    }
    const variables: Variables = {};
    const records: Records = {};
    // That the project is gone is told here; from then on a 404 is about one variable.
    await variablesOf(client, projectId);
    for (const [key, wanted] of Object.entries(wantedOf(state))) {
      const record = state.records?.[key];
      const there = record && (await ifFound(find(client, `${projectId}/${record.id}`)))?.remote;
      if (!record || !there) continue;
      records[key] = recordOf(there);
      // One that was renamed is ours still, and gets its name back.
      if (there.key !== key) continue;
      const seen = seenOf(there, wanted, record.updatedAt);
      const declared = state.variables?.[key];
      variables[key] = declared !== undefined && same(seen, wanted) ? declared : seen;
    }
    const { project = projectId, target, type, adopt } = state;
    const now = { project, variables, target, type, adopt };
    return { id: projectId, accountId, inputs: now, outputs: { projectId, records } };
  },

  async update(job, _id, state, declared) {
    const { client } = job;
    const { projectId, records } = state;
    const { accountId } = await client.identify(projectId);
    const before = wantedOf(state);
    const wanted = wantedOf(declared);
    const ledger = new Ledger(job, projectId, accountId, declared, before, records);

    await settled(Object.entries(wanted), async ([key, one]) => {
      const [record, old] = [records[key], before[key]];
      if (!record || (old && same(old, one) && (await holds(record, one)))) return;
      // What cannot be read cannot be made readable either: it is made anew below.
      if (old?.type === "sensitive" && one.type !== "sensitive") return drop(key);
      // Without what held before, it was renamed by someone else: all is sent.
      const known = old && { ...old, key, project: projectId, updatedAt: record.updatedAt };
      const next = { ...one, key, project: projectId };
      ledger.keep(key, one, await edit(client, projectId, record.id, next, known ?? {}, job.unsure));
    });
    const missing = Object.entries(wanted).filter(([key]) => !ledger.has(key));
    await obtain(job, ledger, Object.fromEntries(missing));
    await settled(Object.keys(records), async (key) => {
      if (!(key in wanted)) await drop(key);
    });
    return ledger.made();

    /** Whether the service has what the state tells: asked only when nobody knows. */
    async function holds({ id, updatedAt }: Records[string], one: Wanted): Promise<boolean> {
      if (!job.unsure) return true;
      const { remote } = await find(client, `${projectId}/${id}`);
      return same(seenOf(remote, one, updatedAt), one);
    }

    async function drop(key: string): Promise<void> {
      await erase(job, projectId, records[key]?.id ?? "");
      ledger.lose(key);
    }
  },

  async remove(job, _id, { projectId, records }) {
    // That the project is gone is told here; from then on a 404 is about one variable.
    await job.client.project(projectId);
    await settled(Object.values(records), ({ id }) => erase(job, projectId, id));
  },
});

/** What is there by now, told after each step, so that a failure loses nothing. */
class Ledger {
  readonly #held: Record<string, Wanted>;
  readonly #records: Records;

  constructor(
    private readonly job: Job<Inputs, Outputs>,
    readonly projectId: string,
    private readonly accountId: string,
    readonly declared: Inputs,
    held: Record<string, Wanted> = {},
    records: Records = {},
  ) {
    this.#held = Object.fromEntries(Object.entries(held).filter(([key]) => key in records));
    this.#records = { ...records };
  }

  has(key: string): boolean {
    return key in this.#records;
  }

  keep(key: string, wanted: Wanted, remote: shapes.Variable): void {
    this.#held[key] = wanted;
    this.#records[key] = recordOf(remote);
    this.#tell();
  }

  lose(key: string): void {
    delete this.#held[key];
    delete this.#records[key];
    this.#tell();
  }

  made(): Made<Outputs> {
    const { projectId, accountId } = this;
    return { id: projectId, accountId, outputs: { projectId, records: { ...this.#records } } };
  }

  /** Each variable says all for itself, since not all of them have become what is declared for all. */
  #tell(): void {
    const { project, adopt } = this.declared;
    this.job.reached(this.made(), { project, adopt, variables: { ...this.#held } });
  }
}

/** Makes variables, or takes over those that exist. @throws Error that names those that could not be made */
async function obtain(
  job: Job<Inputs, Outputs>,
  ledger: Ledger,
  wanted: Record<string, Wanted>,
): Promise<void> {
  const { client } = job;
  const { projectId, declared } = ledger;
  if (Object.keys(wanted).length === 0) return;
  const names = Object.entries(wanted).flatMap(([key, one]) => variableNames(projectId, { ...one, key }));
  job.claim(names);
  if (declared.adopt) await adopt(true);
  const rest = Object.entries(wanted).filter(([key]) => !ledger.has(key));
  if (rest.length === 0) return;
  const halfMade: [key: string, one: Wanted, remote: shapes.Variable][] = [];
  const refusal = await createAll(job, projectId, Object.fromEntries(rest), (key, remote) => {
    const one = wanted[key];
    if (!one) return;
    const { isWhole } = placeForCreate(one);
    if (!isWhole) halfMade.push([key, one, remote]);
    ledger.keep(key, isWhole ? one : { ...one, customEnvironmentIds: undefined }, remote);
  });
  await settled(halfMade, async ([key, one, { id }]) => {
    const next = { ...one, key, project: projectId };
    const known = { ...next, customEnvironmentIds: undefined };
    ledger.keep(key, one, await edit(client, projectId, id, next, known));
  });
  // They were made in between.
  if (refusal && isConflict(refusal) && declared.adopt) await adopt(false);
  if (refusal && rest.some(([key]) => !ledger.has(key))) throw refusal;

  /** @param stale a list that was read before is good enough */
  async function adopt(stale: boolean): Promise<void> {
    const all = await variablesOf(client, projectId, stale);
    const open = Object.entries(wanted).filter(([key]) => !ledger.has(key));
    // Nothing is taken over unless all can be.
    const found = open.map(
      ([key, one]) => [key, one, adoptable({ ...one, key }, matches(all, { ...one, key }))] as const,
    );
    await settled(found, async ([key, one, there]) => {
      if (there)
        ledger.keep(key, one, await take(job, projectId, there, { ...one, key, project: projectId }));
    });
  }
}

/** @throws ApiError that names the variable when another one stands in its way */
async function edit(...args: Parameters<typeof change>): Promise<shapes.Variable> {
  try {
    return await change(...args);
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw error.advise(
      `Another variable ${args[3].key} has this target and branch: remove it, or choose another target or branch.`,
    );
  }
}

/** Removes a variable that may be gone already, unless another resource has it. */
async function erase(
  { client, isOthers }: Job<Inputs, Outputs>,
  projectId: string,
  id: string,
): Promise<void> {
  if (isOthers(`${projectId}/${id}`)) return;
  const path = variablePath(projectId, id);
  await ifFound(client.send({ method: "DELETE", path, shape: shapes.anything }));
}

/**
 * How many variables are written at a time: the service takes some of them in a minute, and all at once would each
 * wait, and ask again and again, for the whole of it.
 */
const width = 16;

/** Does all, also when one of them fails. @throws the first error */
async function settled<T>(items: readonly T[], step: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const errors: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const item of rest) await step(item).catch((error) => errors.push(error));
  };
  await Promise.all(Array.from({ length: width }, work));
  if (errors.length > 0) throw errors[0];
}

/** What is to hold of each variable. */
function wantedOf({ variables = {}, target, type }: Partial<Inputs>): Record<string, Wanted> {
  const whole = Object.entries(variables).map(([key, given]): [string, Wanted] => {
    const one = typeof given === "string" ? { value: given } : given;
    const kept = one.type ?? type;
    const usual =
      kept === "sensitive" ? envTargets.filter((name) => name !== "development") : [...envTargets];
    const isForCustomOnes = (one.customEnvironmentIds ?? []).length > 0;
    return [key, { ...one, type: kept, target: one.target ?? (isForCustomOnes ? [] : (target ?? usual)) }];
  });
  return Object.fromEntries(whole);
}

/** What the service has, of what is managed. */
function seenOf(remote: shapes.Variable, wanted: Wanted, updatedAt: number): Wanted {
  // A sensitive value that someone else wrote is not the one we know: an empty text stands for what it is.
  const isOurs = remote.updatedAt == null || remote.updatedAt === updatedAt;
  const value = remote.type === "sensitive" ? (isOurs ? wanted.value : "") : (remote.value ?? undefined);
  const there: Plain = {
    value,
    type: remote.type,
    target: remote.target ?? [],
    gitBranch: remote.gitBranch ?? undefined,
    comment: remote.comment ?? "",
    customEnvironmentIds: remote.customEnvironmentIds ?? [],
  };
  const managed = Object.entries(wanted).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    managed.map(([key, item]) => [key, asDeclared(item, there[key])]),
  ) as unknown as Wanted;
}

/** @returns what is wrong with a variable, or undefined */
function reasonAgainst(key: string, one: Wanted): string | undefined {
  if (!fields.key.safeParse(key).success)
    return "is no name for a variable: it has letters, digits and '_', and does not begin with a digit";
  if (one.type === "system")
    return one.value === undefined
      ? undefined
      : "has type system, whose value the service sets: remove value";
  if (one.value === undefined) return "has no value: give one; only type system has none";
  if (one.type === "sensitive" && one.target.includes("development"))
    return "has type sensitive, which excludes the target development";
  const environments = [...one.target, ...(one.customEnvironmentIds ?? [])];
  if (environments.length === 0) return "has no target: give it target, customEnvironmentIds, or both";
  if (one.gitBranch !== undefined && environments.some((name) => name !== "preview"))
    return 'has a gitBranch, which needs the target preview, and no other: give it target ["preview"]';
  return undefined;
}

const recordOf = ({ id, updatedAt }: shapes.Variable): Records[string] => ({ id, updatedAt: updatedAt ?? 0 });
