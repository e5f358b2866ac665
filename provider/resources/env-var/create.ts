import { isConflict } from "../../client/errors";
import type * as responses from "../../client/responses";
import type { Operation } from "../../core/definition";
import { isIgnored } from "../../core/ignored";
import { takeKeys } from "../../core/key-step";
import { losesIgnored } from "../../core/unique-key-messages";
import { ownerLabel } from "../../core/unique-keys";
import { adoptable, adoptVariable, type IgnoredSettings } from "./change";
import { createVariable } from "./create-batch";
import { type Inputs, type Outputs, settings } from "./inputs";
import {
  keysOf,
  matchingVariables,
  type NewSettings,
  variableKeys,
  variablesOf,
  variablesWithoutValues,
} from "./records";

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
 * Adopts the unmanaged variable that conflicts with the declared one. Variables of other resources of the stack are
 * moved out of the way.
 * @returns undefined when no unmanaged variable conflicts
 * @throws Error when the variable cannot be adopted, or when several conflict
 */
async function adopt(
  operation: EnvVarOperation,
  projectId: string,
  declared: Inputs,
): Promise<responses.Variable | undefined> {
  const ignored = async () => {
    const paths = await operation.ignored();
    return new Set(settings.filter((key) => isIgnored(paths, [key])));
  };
  const conflicting = matchingVariables(await variablesOf(operation.client, projectId), declared);
  const unmanaged = await unmanagedOf(operation, projectId, declared, conflicting, ignored);
  const chosen = await adoptable(declared, unmanaged, ignored);
  if (!chosen) return undefined;
  return adoptVariable(operation, projectId, chosen, declared, ignored);
}

/**
 * The variables that no resource of the stack has.
 * @throws Error when the declared variable takes a key from another resource, and ignores its value
 */
export async function unmanagedOf(
  operation: Pick<Operation<never, never>, "ownerOf">,
  projectId: string,
  declared: NewSettings,
  variables: readonly responses.Variable[],
  ignored: IgnoredSettings,
): Promise<responses.Variable[]> {
  const unmanaged: responses.Variable[] = [];
  for (const variable of variables) {
    const what = `The variable ${variable.key} (${variable.id})`;
    const owner = await operation.ownerOf(what, `${projectId}/${variable.id}`);
    // A variable that another resource of the run adopts just now has an owner without a name. It is refused later.
    if (owner?.urn === undefined) unmanaged.push(variable);
    else if ((await ignored()).has("value"))
      throw new Error(losesIgnored(variableKeys, ownerLabel(owner), keysOf(projectId, declared)));
  }
  return unmanaged;
}
