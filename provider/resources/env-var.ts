import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Client } from "../client/client";
import { isConflict } from "../client/errors";
import { projectPath, variablePath } from "../client/paths";
import * as shapes from "../client/responses";
import { variableNames } from "../core/claims";
import { type Job, type Made, resource } from "../core/resource";
import { inTurn, takingTurns, whoHas } from "../core/take-turns";
import { asDeclared, same } from "../core/values";
import { envTargets, envTypes } from "../vocabulary";
import { created, find, matches, placeForCreate, variablePlaces, variablesOf } from "./env-records";
import { branchName, projectRef } from "./names";
import { sameProject } from "./project-reference";

/** What a user may declare. */
const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the variable. */
  project: projectRef,
  /** Name of the variable. Changing it renames the variable. */
  key: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "may have letters, digits and '_', and does not begin with a digit"),
  /** Value of the variable; always kept as a secret. Every type but system has one. */
  value: z.string().max(65_536).optional(),
  /**
   * How the service keeps the value; encrypted by default. A sensitive one can be read by nobody any more, so it
   * becomes another type only by being replaced.
   */
  type: z.enum(envTypes).optional(),
  /** Environments that get the variable. Not given, it is for custom environments alone. */
  target: z.array(z.enum(envTargets)).optional(),
  /** Git branch whose previews alone get the variable. Needs the target preview, and no other. */
  gitBranch: branchName.optional(),
  /** What the variable is for. */
  comment: z.string().max(500).optional(),
  /** Ids of custom environments that get the variable, beside those of `target` or alone. */
  customEnvironmentIds: z.array(z.string().min(1)).optional(),
  /** Takes over a variable of the same key, environments and branch that exists already, instead of failing. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** When the variable was last written (milliseconds since the epoch). */
  updatedAt: z.number(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** Inputs that the service keeps. */
const settings = ["key", "value", "type", "target", "gitBranch", "comment", "customEnvironmentIds"] as const;

/** What a setting goes back to when it leaves the program. @source wire-shapes 4 */
const defaults = {
  type: "encrypted",
  target: [],
  gitBranch: null,
  comment: "",
  customEnvironmentIds: [],
} as const;

/**
 * An environment variable of a project.
 * @throws ApiError 403 when a variable of the same key, target and branch exists
 * @source Environment variable; Environment variables
 */
const variable = resource({
  type: "EnvVar",
  inputs,
  outputs,
  secret: ["value"],
  stable: ["projectId"],
  defaults: { ...defaults, adopt: false },
  compare(key, state, news, client) {
    if (key === "project") return sameProject(client, state, news.project).then((equal) => !equal);
    return undefined;
  },
  // What cannot be read cannot be made readable either.
  replaces: (key, state) => key === "project" || (key === "type" && state.type === "sensitive"),
  // Two variables of one identity cannot be there at once.
  deleteFirst: true,
  rules: [
    [
      ({ type }, declared) => type === "system" && declared.has("value"),
      "value cannot be given with type system, whose value the service sets. Remove value.",
    ],
    [
      ({ type }, declared) =>
        !declared.has("value") && type !== "system" && (type !== undefined || !declared.has("type")),
      "value is missing. Give one; only type system has none.",
    ],
    [
      (known, declared) =>
        (["target", "customEnvironmentIds"] as const).every((key) =>
          known[key] === undefined ? !declared.has(key) : known[key].length === 0,
        ),
      "target is missing. Give target, customEnvironmentIds, or both.",
    ],
    [
      ({ type, target }) => type === "sensitive" && (target ?? []).includes("development"),
      "type sensitive excludes the target development. Declare another variable for development, of another type.",
    ],
    [
      ({ gitBranch, target = [], customEnvironmentIds = [] }) =>
        gitBranch !== undefined &&
        (target.some((one) => one !== "preview") || customEnvironmentIds.length > 0),
      'gitBranch needs the target preview, and no other. Set target to ["preview"], or remove gitBranch.',
    ],
  ],

  async refusals(_client, previous, { key, type, value }) {
    if (Object.keys(previous).length > 0 || type !== "sensitive" || value !== "") return [];
    return [{ property: "value", reason: placeholderReason(key) }];
  },

  async create(job, declared) {
    const { client, reached } = job;
    if (declared.type === "sensitive" && declared.value === "")
      throw new Error(placeholderReason(declared.key));
    const { id: projectId, accountId } = await client.identify(declared.project);
    const names = variableNames(projectId, declared);
    job.claim(names);
    const look = async () => {
      const [there, ...more] = matches(await variablesOf(client, projectId), declared);
      // One that another resource has made in between is not ours.
      return there && more.length === 0 && !job.isOthers(`${projectId}/${there.id}`) ? there : undefined;
    };
    const before = matches(await variablesOf(client, projectId, true), declared);
    const remote = await obtain();
    const { isWhole } = placeForCreate(declared);
    reached(made(projectId, accountId, remote), {
      ...declared,
      ...(!isWhole && { customEnvironmentIds: undefined }),
    });
    if (isWhole) return made(projectId, accountId, remote);
    return made(projectId, accountId, await change(client, projectId, remote.id, declared, {}));

    async function obtain(): Promise<shapes.Variable> {
      const existing = before.length > 0 && declared.adopt ? await adopt() : undefined;
      if (existing) return existing;
      const { key, value = "", type = defaults.type, gitBranch, comment } = declared;
      const body = {
        key,
        type,
        ...placeForCreate(declared).place,
        ...withoutUndefined({ value: type === "system" ? undefined : value, gitBranch, comment }),
      };
      const request = {
        method: "POST",
        path: `${projectPath(projectId, "v10")}/env`,
        body,
        shape: created,
        secrets: [value],
      } as const;
      try {
        const attempt = () => client.create({ request, look, existed: before.length > 0 });
        return await inTurn(client, variablePlaces, undefined, declared, { projectId }, attempt);
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (declared.adopt) {
          const adopted = await adopt();
          if (adopted) return adopted;
        }
        const there = matches(await variablesOf(client, projectId), declared).map(
          (one) => `${projectId}/${one.id}`,
        );
        throw error.advise(job.wayOut([...there, ...names], "choose another key, target or branch"));
      }
    }

    /** @returns undefined when there is none. @throws Error when it is not to be had, or there are several */
    async function adopt(): Promise<shapes.Variable | undefined> {
      const there = matches(await variablesOf(client, projectId), declared);
      const found = adoptable(declared, there);
      return found && take(job, projectId, found, declared);
    }
  },

  async read(client, id, state) {
    const { projectId, accountId, remote } = await find(client, id);
    const value = declaredValue(remote, state);
    const now: Record<string, unknown> = { project: state?.project ?? projectId };
    for (const key of settings) {
      const there = key === "value" ? value : (remote[key] ?? undefined);
      if (!state && there !== undefined) now[key] = there;
      if (state?.[key] !== undefined) now[key] = asDeclared(state[key], there ?? defaultOf(key));
    }
    if (state?.adopt !== undefined) now.adopt = state.adopt;
    return { ...made(projectId, accountId, remote), inputs: now as Partial<Inputs> };
  },

  async update({ client, unsure, reached }, id, state, declared) {
    const { projectId } = state;
    const { accountId } = await client.identify(projectId);
    const envId = id.slice(id.indexOf("/") + 1);
    // A run that was killed may have left it aside, under a key that no state tells.
    const isMoved = (["target", "gitBranch", "customEnvironmentIds"] as const).some(
      (key) => !same(state[key], declared[key]),
    );
    const there = isMoved ? (await find(client, id)).remote : undefined;
    let known = there && isAside(there.key) ? { ...state, key: there.key } : state;
    const stepAside = async (): Promise<void> => {
      known = { ...known, key: asideOf(declared.key) };
      const remote = await change(client, projectId, envId, inputsOf(known), state);
      known = { ...known, updatedAt: remote.updatedAt ?? known.updatedAt };
      reached(made(projectId, accountId, remote), inputsOf(known));
    };
    try {
      const attempt = () => change(client, projectId, envId, declared, known, unsure);
      const remote = await inTurn(client, variablePlaces, id, declared, state, attempt, stepAside);
      return made(projectId, accountId, remote);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const advice = await whoHas(client, variablePlaces, id, declared, state);
      throw error.advise(
        advice ?? "Another variable has this key, target and branch: remove it, or choose another of these.",
      );
    }
  },

  async remove({ client }, id, { projectId }) {
    const path = variablePath(projectId, id.slice(id.indexOf("/") + 1));
    await client.send({ method: "DELETE", path, shape: shapes.anything });
  },
});

/** Said of one that was imported, or rewritten by somebody else, and then removed. */
const placeholderReason = (key: unknown): string =>
  `The sensitive variable ${typeof key === "string" ? key : ""} would be made with an empty value, which only stands for ` +
  "one that nobody can read. If it was removed at the service, give its value again, and remove " +
  'ignoreChanges: ["value"]; or remove the variable from the program.';

/** An environment variable, whose key and targets may be another one's in the same run. */
export const envVar = takingTurns(variable, variablePlaces);

/**
 * The key of a variable that waits for its own to be free, and lets another one have the one that it had.
 * @choice Such as DATABASE_URL__MOVING_4f9a: whoever looks on sees what it is, and the next run what it was.
 */
const asideOf = (key: string): string => `${key.slice(0, 200)}__MOVING_${randomBytes(4).toString("hex")}`;
const isAside = (key: string): boolean => /__MOVING_[0-9a-f]{8}$/.test(key);

const inputsOf = (state: Partial<Inputs>): Inputs =>
  Object.fromEntries(Object.entries(state).filter(([key]) => key in inputs.shape)) as Inputs;

/**
 * Of variables that stand in the way of a declared one, that which it takes over.
 * @returns undefined when there is none
 * @throws Error when there are several, or when it would be taken away from an environment
 */
export function adoptable(
  declared: {
    key: string;
    target?: readonly string[] | undefined;
    customEnvironmentIds?: readonly string[] | undefined;
  },
  [found, ...more]: readonly shapes.Variable[],
): shapes.Variable | undefined {
  if (!found) return undefined;
  const { key, target, customEnvironmentIds } = declared;
  if (more.length > 0) {
    throw new Error(
      `Several variables named ${key} exist for the declared targets (${[found, ...more].map(({ id }) => id).join(", ")}), ` +
        "so none can be adopted. Declare one variable for each of them, with its own target.",
    );
  }
  // What is not declared stays as it is.
  const targets = target ? (found.target ?? []) : [];
  const environments = customEnvironmentIds ? (found.customEnvironmentIds ?? []) : [];
  const lost = [
    ...targets.filter((one) => !target?.some((wanted) => wanted === one)),
    ...environments.filter((one) => !customEnvironmentIds?.includes(one)),
  ];
  if (lost.length === 0) return found;
  throw new Error(
    `The variable ${key} (${found.id}) is there for ${[...targets, ...environments].join(", ")}, and is not adopted for fewer, ` +
      `because that would take it away from ${lost.join(", ")}. ` +
      "Declare it for all of them and adopt it so; a later run may then narrow it, and declare others for the rest.",
  );
}

/** Takes over a variable. @throws Error when another resource has it */
export function take(
  job: Pick<Job<never, never>, "adopt" | "client">,
  projectId: string,
  found: shapes.Variable,
  declared: Inputs,
): Promise<shapes.Variable> {
  const { id, key } = found;
  // It goes by what it is and by what it becomes.
  const names = [...variableNames(projectId, found), ...variableNames(projectId, declared)];
  return job.adopt(`The variable ${key} (${id})`, [`${projectId}/${id}`, ...names], () =>
    change(job.client, projectId, id, hidden(declared, found), {}),
  );
}

/**
 * Sends the settings that differ from the state: what left the program is reset.
 * @param all sends those that do not differ, too
 */
export async function change(
  client: Client,
  projectId: string,
  envId: string,
  declared: Inputs,
  state: Partial<Inputs & Outputs>,
  all = false,
): Promise<shapes.Variable> {
  const body: Record<string, unknown> = {};
  for (const key of settings) {
    if (!all && same(state[key], declared[key])) continue;
    if (declared[key] !== undefined) body[key] = declared[key];
    else if (state[key] !== undefined) body[key] = defaultOf(key);
  }
  // The value of another type does not go by itself.
  if (body.type === "system" && state.type !== "system") body.value = "";
  else if (body.type === "system" || body.value === undefined) delete body.value;
  // Imported without it, or rewritten by someone else: what nobody can read is not overwritten with nothing.
  if (state.type === "sensitive" && state.value === "" && body.value === "") delete body.value;
  const read = () => client.get(variablePath(projectId, envId, "v1"), shapes.variable);
  // A sensitive value that someone else wrote is seen by its time alone, which a write of ours would cover up.
  const unseen = state.type === "sensitive" && body.value === undefined;
  const before = unseen ? await read() : undefined;
  const after = Object.keys(body).length === 0 ? (before ?? (await read())) : await send();
  if (!before || before.updatedAt === state.updatedAt) return after;
  return { ...after, updatedAt: state.updatedAt };

  async function send(): Promise<shapes.Variable> {
    const path = variablePath(projectId, envId);
    const secrets = declared.value === undefined ? [] : [declared.value];
    // The answer may be an empty object; then the record is asked for. @source wire-shapes 4
    const shape = z.union([shapes.variable, z.looseObject({}).transform(() => undefined)]);
    return (await client.send({ method: "PATCH", path, body, shape, secrets })) ?? read();
  }
}

/**
 * What an adoption makes of a variable.
 * @choice One that anyone can read gets the default type unless another one is declared: it would else show the
 *   declared value, which may be the first secret that it holds.
 */
export const hidden = <I extends { type?: Inputs["type"] }>(declared: I, { type }: shapes.Variable): I =>
  declared.type === undefined && /^(plain|system)$/.test(type)
    ? { ...declared, type: defaults.type }
    : declared;

const defaultOf = (key: string): unknown =>
  key in defaults ? defaults[key as keyof typeof defaults] : undefined;

/**
 * The value that is declared. One of type system is the service's own, not declared.
 * The value of a sensitive variable cannot be read. Written by someone else, it is not the one we know any more: an
 * empty text then stands for what it is.
 */
function declaredValue(
  remote: shapes.Variable,
  state: (Partial<Inputs> & Partial<Outputs>) | undefined,
): string | undefined {
  if (remote.type !== "sensitive") return (remote.type === "system" ? undefined : remote.value) ?? undefined;
  if (!state) return undefined;
  return remote.updatedAt == null || remote.updatedAt === state.updatedAt ? state.value : "";
}

const made = (projectId: string, accountId: string, remote: shapes.Variable): Made<Outputs> => ({
  id: `${projectId}/${remote.id}`,
  accountId,
  outputs: { projectId, updatedAt: remote.updatedAt ?? 0 },
});

const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
