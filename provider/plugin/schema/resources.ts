import { recordKey } from "../../core/ownership-record";
import type { Resource } from "../../core/resource";
import { type Texts, textAt } from "./texts";
import {
  type JsonSchema,
  jsonSchemaOf,
  type ObjectSpec,
  type Properties,
  type PropertySpec,
  type Types,
  withoutEnumerations,
} from "./types";

export interface ResourceSpec extends ObjectSpec {
  isComponent?: boolean;
  inputProperties: Properties;
  requiredInputs?: string[];
  stateInputs?: ObjectSpec;
  listInputs?: ObjectSpec;
  aliases?: { type: string }[];
}

/** The schema of a member that the state has in addition to the declared outputs. */
const record: PropertySpec = {
  type: "string",
  description: "Record of the API, the account and the owner of the object. Only the provider uses it.",
};

/** @param texts must describe the resource and each of its inputs and outputs */
export function resourceSpec(resource: Resource, texts: Texts, types: Types): ResourceSpec {
  const { type, traits } = resource;
  const [inputs, outputs] = [
    jsonSchemaOf(resource.inputs, "input"),
    jsonSchemaOf(resource.outputs, "output"),
  ];
  const inputProperties = inputPropertiesOf(resource, types);
  const properties = {
    ...withoutEnumerations(withoutReplacement(inputProperties)),
    ...secretly(resource, types.properties(type, `${type}.outputs`, outputs)),
    [recordKey]: record,
  };
  const required = inputs.required ?? [];
  return {
    description: descriptionOf(type, texts),
    properties,
    required: [
      ...required,
      ...(outputs.required ?? []).filter((key) => !isNullable(outputs.properties?.[key])),
    ],
    inputProperties,
    requiredInputs: required.filter((key) => !(traits.autoName && key === "name")),
    stateInputs: {
      type: "object",
      description: `Known state of the object, for a lookup by id.`,
      properties,
    },
    ...listInputsOf(resource, types),
    // With this alias, a stack of the npm package can move to the plugin without aliases in the program.
    aliases: [{ type: `pulumi-nodejs:dynamic/slipway:${type}` }],
  };
}

function listInputsOf({ type, list }: Resource, types: Types): Pick<ResourceSpec, "listInputs"> {
  if (!list) return {};
  const filters = jsonSchemaOf(list.filters, "input");
  const properties = types.properties(`${type}List`, `${type}.filters`, filters);
  return { listInputs: { type: "object", properties, required: filters.required ?? [] } };
}

/**
 * The inputs of a resource. Only the descriptions contain the defaults. If the schema declared a default, SDKs would
 * send it as an input, and the provider manages every input that it receives.
 */
export function inputPropertiesOf(resource: Resource, types: Types): Properties {
  const { type, traits } = resource;
  const schema = jsonSchemaOf(resource.inputs, "input");
  const properties = secretly(resource, types.properties(type, `${type}.inputs`, schema));
  return Object.fromEntries(
    Object.entries(properties).map(([key, property]) => {
      const description = `${property.description ?? ""}${defaultText(property.description, traits.defaults[key])}`;
      return [
        key,
        { ...property, description, ...(traits.replaceOn.includes(key) && { willReplaceOnChanges: true }) },
      ];
    }),
  );
}

function defaultText(description = "", value: unknown): string {
  const isNothing =
    value == null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  return isNothing || /default/i.test(description) ? "" : ` Defaults to ${JSON.stringify(value)}.`;
}

const secretly = ({ traits }: Resource, properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [
      key,
      traits.secret.includes(key) ? { ...property, secret: true } : property,
    ]),
  );

const withoutReplacement = (properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([key, { willReplaceOnChanges: _, ...property }]) => [key, property]),
  );

const isNullable = ({ type, anyOf = [] }: JsonSchema = {}): boolean =>
  [{ type }, ...anyOf].some((one) => [one.type].flat().includes("null"));

/** Returns the description of a type. The heading is part of the example, so that SDKs leave out both or neither. */
export function descriptionOf(type: string, texts: Texts): string {
  const example = textAt(texts, `${type}.example`);
  const block = `{{% examples %}}\n{{% example %}}\n## Example Usage\n\n${example}{{% /example %}}\n{{% /examples %}}`;
  return `${textAt(texts, type)}\n\n${block}`;
}
