import { isConflict } from "../../client/errors";
import type * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { isIgnored } from "../../core/ignored";
import { takeKeys } from "../../core/unique-keys";
import { adoptable, adoptVariable } from "./change";
import { createVariable } from "./create-batch";
import { type Inputs, type Outputs, settings } from "./inputs";
import { matchingVariables, variableKeys, variablesOf, variablesWithoutValues } from "./records";

type EnvVarOperation = Operation<Inputs, Outputs>;

/** Creates a variable, or adopts one. */
export async function createOrAdopt(
  operation: EnvVarOperation,
  projectId: string,
  declared: Inputs,
): Promise<responses.Variable> {
  const { client, isOthers } = operation;
  const before = matchingVariables(await variablesWithoutValues(client, projectId, true), declared);
  const existing =
    before.length > 0 && declared.adopt ? await adopt(operation, projectId, declared) : undefined;
  if (existing) return existing;
  const ids = before.map(({ id }) => id);
  try {
    return await takeKeys(operation.run, variableKeys, {
      declared,
      state: { project: declared.project, projectId },
      attempt: () => createVariable(operation.run, projectId, { declared, before: ids, isOthers }),
    });
  } catch (error) {
    const adopted =
      isConflict(error) && declared.adopt ? await adopt(operation, projectId, declared) : undefined;
    if (adopted) return adopted;
    throw error;
  }
}

/**
 * Adopts the variable that conflicts with the declared one.
 * @returns undefined when no variable conflicts, or when a resource of the stack has the conflicting variable
 * @throws Error when the variable cannot be adopted, or when several conflict
 */
async function adopt(
  operation: EnvVarOperation,
  projectId: string,
  declared: Inputs,
): Promise<responses.Variable | undefined> {
  const found = matchingVariables(await variablesOf(operation.client, projectId), declared);
  for (const { id } of found)
    if (await operation.isOfStack(`The variable ${declared.key} (${id})`, `${projectId}/${id}`))
      return undefined;
  const ignored = async () => {
    const paths = await operation.ignored();
    return new Set(settings.filter((key) => isIgnored(paths, [key])));
  };
  const chosen = await adoptable(declared, found, ignored);
  return chosen && adoptVariable(operation, projectId, chosen, declared, ignored);
}
