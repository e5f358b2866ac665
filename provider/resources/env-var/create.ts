import { isConflict } from "../../client/errors";
import { projectPath } from "../../client/paths";
import type * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { isIgnored } from "../../core/ignored";
import { takeKeys } from "../../core/unique-keys";
import { adoptable, take } from "./change";
import { defaults, type Inputs, type Outputs, settings } from "./inputs";
import { created, environmentsForCreate, matches, variableKeys, variablesOf } from "./records";

type EnvVarOperation = Operation<Inputs, Outputs>;

/** Creates a variable, or adopts one. */
export async function obtain(
  operation: EnvVarOperation,
  projectId: string,
  declared: Inputs,
): Promise<responses.Variable> {
  const { client } = operation;
  const before = matches(await variablesOf(client, projectId, true), declared);
  const existing =
    before.length > 0 && declared.adopt ? await adopt(operation, projectId, declared) : undefined;
  if (existing) return existing;
  const request = requestOf(projectId, declared);
  const look = () => lookUp(operation, projectId, declared);
  try {
    return await takeKeys(operation.run, variableKeys, {
      declared,
      state: { project: declared.project, projectId },
      attempt: (isFree) => client.create({ request, look, existed: before.length > 0 && !isFree }),
    });
  } catch (error) {
    const adopted =
      isConflict(error) && declared.adopt ? await adopt(operation, projectId, declared) : undefined;
    if (adopted) return adopted;
    throw error;
  }
}

function requestOf(projectId: string, declared: Inputs) {
  const { key, value = "", type = defaults.type, gitBranch, comment } = declared;
  const body = {
    key,
    type,
    ...environmentsForCreate(declared).environments,
    ...withoutUndefined({ value: type === "system" ? undefined : value, gitBranch, comment }),
  };
  const path = `${projectPath(projectId, "v10")}/env`;
  return { method: "POST", path, body, shape: created, secrets: [value] } as const;
}

/** The variable that a create whose answer was lost has made. */
async function lookUp(
  { client, isOthers }: EnvVarOperation,
  projectId: string,
  declared: Inputs,
): Promise<responses.Variable | undefined> {
  const [found, ...more] = matches(await variablesOf(client, projectId), declared);
  // Not ours if another resource has created it meanwhile.
  return found && more.length === 0 && !isOthers(`${projectId}/${found.id}`) ? found : undefined;
}

/** @returns undefined when there is none. @throws Error when it cannot be adopted, or when there are several */
async function adopt(
  operation: EnvVarOperation,
  projectId: string,
  declared: Inputs,
): Promise<responses.Variable | undefined> {
  const found = matches(await variablesOf(operation.client, projectId), declared);
  for (const { id } of found)
    if (await operation.isOfStack(`The variable ${declared.key} (${id})`, `${projectId}/${id}`))
      return undefined;
  const ignored = async () => {
    const paths = await operation.ignored();
    return new Set(settings.filter((key) => isIgnored(paths, [key])));
  };
  const chosen = await adoptable(declared, found, ignored);
  return chosen && take(operation, projectId, chosen, declared, ignored);
}

const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
