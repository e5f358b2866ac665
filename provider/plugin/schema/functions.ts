import type { Lookup } from "../../lookups/lookup";
import * as shapes from "../../lookups/shapes";
import { type Texts, textAt } from "./texts";
import { type JsonSchema, jsonSchemaOf, type ObjectSpec, type Types, withoutEnumerations } from "./types";

export interface FunctionSpec {
  description: string;
  /** Absent without arguments, so that SDKs have a function without any. */
  inputs?: ObjectSpec;
  outputs: ObjectSpec;
}

export function functionSpec(name: string, lookup: Lookup, texts: Texts, types: Types): FunctionSpec {
  const args = jsonSchemaOf(lookup.args, "input");
  const result = withoutKeys(jsonSchemaOf(lookup.result, "output"), lookup.secret ?? []);
  const resultType = shapeName(lookup);
  const inputs = types.properties(shapeName({ result: lookup.args }), `${name}.args`, args);
  const members: ObjectSpec = {
    type: "object",
    properties: withoutEnumerations(types.properties(resultType, `${name}.result`, result)),
    // Pulumi drops a null, and SDKs of some languages fail without a member that is required.
    required: (result.required ?? []).filter((key) => !lookup.result.shape[key]?.safeParse(null).success),
  };
  return {
    description: textAt(texts, name),
    ...(Object.keys(inputs).length > 0 && {
      inputs: { type: "object", properties: inputs, required: args.required ?? [] } as const,
    }),
    outputs: lookup.list === undefined ? members : listOf(lookup.list, types.ref(resultType, members)),
  };
}

const listOf = (key: string, items: object): ObjectSpec => ({
  type: "object",
  properties: { [key]: { type: "array", items, description: `The ${key} that were found.` } },
  required: [key],
});

/** Returns the name of a type: that of the resource, or the name under which `shapes.ts` exports its shape. */
function shapeName({ resource, result }: Pick<Lookup, "resource" | "result">): string {
  if (resource) return resource.type;
  const [name] = Object.entries(shapes).find(([, shape]) => Object.is(shape, result)) ?? [];
  if (name === undefined)
    throw new Error("A look-up has a shape that provider/lookups/shapes.ts does not export.");
  return name;
}

const withoutKeys = (schema: JsonSchema, keys: readonly string[]): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([key]) => !keys.includes(key)),
  ),
  required: (schema.required ?? []).filter((key) => !keys.includes(key)),
});
