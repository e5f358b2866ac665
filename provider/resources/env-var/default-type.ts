import type { Settings } from "../../client/config";
import { holdsUnknown, isPlain, type Plain, unknown } from "../../core/values";
import { envTargets } from "../../vocabulary";

/**
 * The default type of variables. The check adds it to the inputs, so that the state records it. Variables that earlier
 * versions created without a type keep the type that they have.
 * @source the newest official client: sensitive, but not for development
 */

/**
 * @param previous the type of an existing variable in the last run
 * @param environments the targets of the variable; `unknown` if they are not known yet
 */
function defaultType(previous: unknown, value: unknown, environments: unknown): unknown {
  if (holdsUnknown(environments)) return unknown;
  // In a sensitive variable, an empty value stands for one that nobody can read.
  if (previous === "sensitive" && value === "") return "sensitive";
  // Any other empty value needs no protection.
  if (previous === "encrypted" || value === "") return "encrypted";
  return Array.isArray(environments) && environments.includes("development") ? "encrypted" : "sensitive";
}

const exists = (previous: Plain): boolean => Object.keys(previous).length > 0;

/** True when the check adds no type: the provider's configuration, the program or the adopted variable decides. */
const keepsTypes = ({ defaultVariableType }: Settings, { type, adopt }: Plain): boolean =>
  defaultVariableType === "encrypted" || type !== undefined || (adopt !== undefined && adopt !== false);

/** Adds the default type to the inputs of an `EnvVar`. An adopted variable keeps its type. */
export function withDefaultType(settings: Settings, previous: Plain, inputs: Plain): Plain {
  if (keepsTypes(settings, inputs)) return inputs;
  if (exists(previous) && previous.type === undefined) return inputs;
  return { ...inputs, type: defaultType(previous.type, inputs.value, inputs.target) };
}

/** The environments of one variable of an `EnvVars`. @param common the environments of the resource */
const environmentsOf = ({ target, customEnvironmentIds }: Plain, common: unknown): unknown =>
  target ?? (customEnvironmentIds ? [] : (common ?? envTargets));

/** The type of a variable in the last run, or undefined. @param old the declaration in the last run */
function typeBefore(old: unknown, value: unknown, common: unknown): unknown {
  const ownType = isPlain(old) ? old.type : undefined;
  return ownType ?? (value === "" && old !== undefined ? common : undefined);
}

/**
 * Adds default types to the inputs of an `EnvVars`: a common type for the common environments, and a type for each
 * variable whose default differs.
 */
export function withDefaultTypes(settings: Settings, previous: Plain, inputs: Plain): Plain {
  const { variables, target } = inputs;
  if (keepsTypes(settings, inputs) || !isPlain(variables)) return inputs;
  const before = isPlain(previous.variables) ? previous.variables : {};
  // Without `target`, the environments include development. The type is then encrypted, which needs no common type.
  const isKept = exists(previous) && previous.type === undefined;
  const common = target === undefined || isKept ? undefined : defaultType(previous.type, undefined, target);
  const typed = Object.entries(variables).map(([key, one]) => {
    if (!isPlain(one) || one.type !== undefined) return [key, one];
    const oldType = typeBefore(before[key], one.value, previous.type);
    if (isKept && before[key] !== undefined && oldType === undefined) return [key, one];
    const type = defaultType(oldType, one.value, environmentsOf(one, target));
    return [key, type === (common ?? "encrypted") ? one : { ...one, type }];
  });
  return {
    ...inputs,
    variables: Object.fromEntries(typed),
    ...(common !== undefined && { type: common }),
  };
}
