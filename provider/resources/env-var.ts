import { isConflict } from "../client/errors";
import { projectPath, variablePath } from "../client/paths";
import * as responses from "../client/responses";
import type { Created } from "../core/definition";
import { isIgnored } from "../core/ignored";
import { resource } from "../core/resource";
import { takeKeys } from "../core/unique-keys";
import { asDeclared } from "../core/values";
import { adoptable, change, take } from "./env-var/change";
import { withDefaultType } from "./env-var/default-type";
import {
  defaultOf,
  defaults,
  type Inputs,
  inputs,
  type Outputs,
  outputs,
  settings,
  textOf,
} from "./env-var/inputs";
import { created, environmentsForCreate, find, matches, variableKeys, variablesOf } from "./env-var/records";

/** The default type depends on the environments: see `withDefaultType`. */
const { type: _, ...documented } = defaults;

/**
 * An environment variable of a project.
 * @throws ApiError 403 when a variable of the same key, target and branch exists
 * @source Environment variable; Environment variables
 */
export const envVar = resource({
  type: "EnvVar",
  handler: "env",
  inputs,
  outputs,
  secret: ["value"],
  stable: ["projectId"],
  revised: ({ key, value, type, target, gitBranch, customEnvironmentIds }) => ({
    key,
    value,
    type: type ?? defaults.type,
    target,
    gitBranch,
    customEnvironmentIds,
  }),
  computed: ["type", "target", "gitBranch", "comment", "customEnvironmentIds"],
  defaults: { ...documented, adopt: false },
  references: ["project"],
  normalize: ({ value, ...inputs }) => (value === undefined ? inputs : { ...inputs, value: textOf(value) }),
  complete: withDefaultType,
  uniqueKeys: variableKeys,
  // A sensitive value cannot be made readable.
  replaces: (key, state) => key === "project" || (key === "type" && state.type === "sensitive"),
  // Two variables with the same identity cannot exist at once.
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

  async create(operation, declared) {
    const { client, checkpoint } = operation;
    if (declared.type === "sensitive" && declared.value === "")
      throw new Error(placeholderReason(declared.key));
    const { id: projectId, accountId } = await client.identify(declared.project);
    const look = async () => {
      const [there, ...more] = matches(await variablesOf(client, projectId), declared);
      // Not ours if another resource has created it meanwhile.
      return there && more.length === 0 && !operation.isOthers(`${projectId}/${there.id}`)
        ? there
        : undefined;
    };
    const before = matches(await variablesOf(client, projectId, true), declared);
    const remote = await obtain();
    const { isWhole } = environmentsForCreate(declared);
    checkpoint(resultOf(projectId, accountId, remote), {
      ...declared,
      ...(!isWhole && { customEnvironmentIds: undefined }),
    });
    if (isWhole) return resultOf(projectId, accountId, remote);
    return resultOf(projectId, accountId, await change(operation.run, projectId, remote.id, declared, {}));

    async function obtain(): Promise<responses.Variable> {
      const existing = before.length > 0 && declared.adopt ? await adopt() : undefined;
      if (existing) return existing;
      const { key, value = "", type = defaults.type, gitBranch, comment } = declared;
      const body = {
        key,
        type,
        ...environmentsForCreate(declared).environments,
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
        return await takeKeys(operation.run, variableKeys, {
          declared,
          state: { project: declared.project, projectId },
          attempt: (isFree) => client.create({ request, look, existed: before.length > 0 && !isFree }),
        });
      } catch (error) {
        const adopted = isConflict(error) && declared.adopt ? await adopt() : undefined;
        if (adopted) return adopted;
        throw error;
      }
    }

    /** @returns undefined when there is none. @throws Error when it cannot be adopted, or when there are several */
    async function adopt(): Promise<responses.Variable | undefined> {
      const there = matches(await variablesOf(client, projectId), declared);
      for (const { id } of there)
        if (await operation.isOfStack(`The variable ${declared.key} (${id})`, `${projectId}/${id}`))
          return undefined;
      const ignored = async () => {
        const paths = await operation.ignored();
        return new Set(settings.filter((key) => isIgnored(paths, [key])));
      };
      const found = await adoptable(declared, there, ignored);
      return found && take(operation, projectId, found, declared, ignored);
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
    return { ...resultOf(projectId, accountId, remote), inputs: now as Partial<Inputs> };
  },

  async update({ client, run, unsure }, id, state, declared) {
    const { projectId } = state;
    const { accountId } = await client.identify(projectId);
    const envId = id.slice(id.indexOf("/") + 1);
    const attempt = () => change(run, projectId, envId, declared, state, unsure);
    const remote = await takeKeys(run, variableKeys, { id, declared, state, attempt });
    return resultOf(projectId, accountId, remote);
  },

  async remove({ client }, id, { projectId }) {
    const path = variablePath(projectId, id.slice(id.indexOf("/") + 1));
    await client.send({ method: "DELETE", path, shape: responses.anything });
  },
});

/** For a variable with an unreadable value that was deleted at the service. */
const placeholderReason = (key: unknown): string =>
  `The sensitive variable ${typeof key === "string" ? key : ""} would be made with an empty value, which only stands for ` +
  "one that nobody can read. If it was removed at the service, give its value again, and remove " +
  'ignoreChanges: ["value"]; or remove the variable from the program.';

/**
 * The value that is declared. One of type system is the service's own, not declared.
 * The value of a sensitive variable cannot be read. Written by someone else, it is not the one we know any more: an
 * empty text then stands for what it is.
 */
function declaredValue(
  remote: responses.Variable,
  state: (Partial<Inputs> & Partial<Outputs>) | undefined,
): string | undefined {
  if (remote.type !== "sensitive") return (remote.type === "system" ? undefined : remote.value) ?? undefined;
  if (!state) return undefined;
  return remote.updatedAt == null || remote.updatedAt === state.updatedAt ? state.value : "";
}

const resultOf = (projectId: string, accountId: string, remote: responses.Variable): Created<Outputs> => ({
  id: `${projectId}/${remote.id}`,
  accountId,
  outputs: { projectId, updatedAt: remote.updatedAt ?? 0 },
  existing: { ...remote },
});

const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
