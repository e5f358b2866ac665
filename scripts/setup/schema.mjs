// Longer than other files: the whole package schema is made here, part by part.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { declarationComment, interfaceMembers, schemaDescriptions } from "./descriptions.mjs";
import { fileOf } from "./names.mjs";
import { root } from "./paths.mjs";

/**
 * The package schema, of which Pulumi makes the SDK of each language: from the schemas of the resources, the comments
 * on their keys, the types of the look-ups, and the YAML example on each resource's page.
 */

const packageName = "slipway";
const token = (name) => `${packageName}:index:${name}`;

/** Look-ups: the types of argument and answer, and the name under which a list stands. */
const functions = {
  getProject: { args: ["sdk/lookups.ts", "ProjectLookup"], answer: "ProjectInfo" },
  getProjects: { args: [], answer: "ProjectInfo", list: "projects" },
  getProjectDomains: { args: ["sdk/lookups.ts", "ProjectLookup"], answer: "DomainInfo", list: "domains" },
  getEnvVars: { args: ["sdk/lookups.ts", "ProjectLookup"], answer: "EnvVarInfo", list: "variables" },
  getPromoteAliases: { args: ["sdk/lookups.ts", "ProjectLookup"], answer: "AliasInfo", list: "aliases" },
  getCustomEnvironment: {
    args: ["provider/lookups.ts", "CustomEnvironmentQuery"],
    answer: "CustomEnvironmentInfo",
  },
  getDeployment: { args: ["provider/lookups.ts", "DeploymentQuery"], answer: "DeploymentInfo" },
};

/** The largest number that every language takes for an integer. */
const largestInteger = 2 ** 31 - 1;
/** The longest list of values that stands in a description. */
const longestList = 9;

/** @param {string} version of the package @returns {object} */
export function packageSchema(version) {
  const types = {};
  const definitions = Object.fromEntries(
    Object.values(resources()).map((resource) => [resource.type, definitionOf(resource)]),
  );
  const made = Object.entries(definitions).map(([name, definition]) => [
    token(name),
    resourceOf(name, definition, types),
  ]);
  return {
    name: packageName,
    displayName: "Slipway",
    version,
    description: "Deployment projects, domains, environment variables and promotions.",
    keywords: ["pulumi", packageName, "category/cloud", "kind/native"],
    license: "MIT",
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: "@slipway/pulumi", respectSchemaVersion: true },
      python: { packageName: "pulumi_slipway", pyproject: { enabled: true }, respectSchemaVersion: true },
      go: {
        // Without a name for the root: code that an import generates would lack the package of its types.
        importBasePath: `slipway/sdk/go/${packageName}`,
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
      csharp: { respectSchemaVersion: true },
      java: { respectSchemaVersion: true },
    },
    config: { variables: settings() },
    provider: {
      description: textOf("sdk/provider.ts", "Provider"),
      inputProperties: settings(),
    },
    resources: { ...Object.fromEntries(made), [token("Site")]: siteOf(definitions, types) },
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, shape]) => [token(name), functionOf(name, shape, types)]),
    ),
    types,
  };
}

const textOf = (file, name) => declarationComment(join(root, file), name);

function settings() {
  const members = interfaceMembers(join(root, "sdk/provider.ts"), "ProviderArgs");
  return Object.fromEntries(
    members.map(({ name, text }) => [
      name,
      { type: "string", description: text, ...(name === "token" && { secret: true }) },
    ]),
  );
}

/** The list of resources. It is built when this file is loaded, but not yet when set-up begins. */
const resources = () => createRequire(import.meta.url)(join(root, "dist/provider/resources")).resources;

/** A resource's definition, with its schemas as JSON Schema and what is said of their keys. */
function definitionOf(resource) {
  const { z } = createRequire(import.meta.url)("zod");
  const file = fileOf(resource.type);
  const source = join(root, `provider/resources/${file}.ts`);
  const schema = (of, io) => z.toJSONSchema(of, { io, unrepresentable: "any", reused: "inline" });
  return {
    file,
    resource,
    inputs: schema(resource.inputs, "input"),
    outputs: schema(resource.outputs, "output"),
    about: { inputs: schemaDescriptions(source, "inputs"), outputs: schemaDescriptions(source, "outputs") },
  };
}

function resourceOf(name, { file, resource, inputs, outputs, about }, types) {
  const { autoName, secret, replaceOn } = resource;
  const marks = (key) => ({ ...(secret.includes(key) && { secret: true }) });
  const inputProperties = propertiesOf(name, inputs, about.inputs, types, (key) => ({
    ...marks(key),
    ...(replaceOn.includes(key) && { willReplaceOnChanges: true }),
  }));
  const outputProperties = propertiesOf(name, outputs, about.outputs, types, marks);
  const required = inputs.required ?? [];
  const given = Object.entries(inputProperties).map(([key, { willReplaceOnChanges: _, ...rest }]) => [
    key,
    rest,
  ]);
  return {
    description: `${textOf(`sdk/${file}.ts`, name)}\n\n${exampleOf(file)}`,
    properties: { ...Object.fromEntries(given), ...outputProperties },
    required: [
      ...required,
      ...(outputs.required ?? []).filter((key) => !isNullable(outputs.properties[key])),
    ],
    inputProperties,
    requiredInputs: required.filter((key) => !(autoName && key === "name")),
  };
}

const propertiesOf = (owner, schema, about, types, marks = () => ({}), prefix = "") =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([key, inner]) => {
      const path = prefix + key;
      const text = about.get(path);
      if (text === undefined)
        throw new Error(`${owner}.${path} has no description: comment it in its schema`);
      const type = typeOf(owner, inner, about, types, `${path}.`);
      return [key, { ...type, description: text + valuesOf(inner), ...marks(key) }];
    }),
  );

const isNullable = (schema) => schema.anyOf?.some(({ type }) => type === "null") ?? false;

/** New values may come to the service any day: they stand in the text, not in the type. */
function valuesOf(schema) {
  const values = (schema.anyOf ?? [schema]).flatMap(({ enum: values = [] }) =>
    values.filter((one) => one !== null),
  );
  return values.length > 0 && values.length <= longestList ? ` One of: ${values.join(", ")}.` : "";
}

/** @param {string} prefix of the keys inside, in the descriptions */
function typeOf(owner, schema, about, types, prefix) {
  const options = (schema.anyOf ?? [schema]).filter(({ type }) => type !== "null");
  if (options.length > 1) {
    return { oneOf: options.map((option) => typeOf(owner, option, about, types, prefix)) };
  }
  const [option] = options;
  const type = Array.isArray(option.type) ? option.type.find((one) => one !== "null") : option.type;
  switch (type ?? typeof (option.const ?? option.enum?.[0])) {
    case "integer":
      return { type: option.maximum <= largestInteger ? "integer" : "number" };
    case "array":
      return { type: "array", items: typeOf(owner, option.items, about, types, prefix) };
    case "object":
      if (!option.properties) {
        return {
          type: "object",
          additionalProperties: typeOf(owner, option.additionalProperties, about, types, prefix),
        };
      }
      return refTo(typeName(owner, prefix, schema), types, () => ({
        properties: propertiesOf(owner, option, about, types, undefined, prefix),
        required: option.required ?? [],
      }));
    default:
      return { type: type === "number" || type === undefined ? kindOf(option) : type };
  }
}

/** The type of the values that are listed, or else a number: whole ones are integers. */
function kindOf(option) {
  const values = option.enum ?? ("const" in option ? [option.const] : []);
  if (values.length > 0 && values.every(Number.isInteger)) return "integer";
  return values.length > 0 ? typeof values[0] : option.type;
}

/** A type is called after its resource and the path to it; an item of a list or map by the singular. */
function typeName(owner, prefix) {
  const path = prefix.split(".").filter((key) => key !== "" && key !== "*");
  const pascal = path.map((key) => key[0].toUpperCase() + key.slice(1)).join("");
  return owner + pascal.replace(/sses$/, "ss").replace(/([^s])s$/, "$1");
}

function refTo(name, types, make) {
  types[token(name)] ??= { type: "object", ...make() };
  return { $ref: `#/types/${token(name)}` };
}

/** The first YAML program on the page of a resource. */
function exampleOf(page) {
  const [, program] =
    /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(root, `docs/resources/${page}.md`), "utf8")) ?? [];
  if (program === undefined) throw new Error(`docs/resources/${page}.md has no example in YAML`);
  const example = `{{% example %}}\n\`\`\`yaml\n${program}\`\`\`\n{{% /example %}}`;
  return `{{% examples %}}\n## Example Usage\n${example}\n{{% /examples %}}`;
}

function functionOf(name, { args: [file, args], answer, list }, types) {
  const search = { search: { type: "string", description: "Part of the name; by default all are listed." } };
  const inputs = file ? membersOf(join(root, file), args, types) : { properties: search, required: [] };
  const result = membersOf(join(root, "provider/lookups.ts"), answer, types);
  if (name === "getEnvVars") result.properties.value.secret = true;
  const outputs = list
    ? {
        properties: {
          [list]: {
            type: "array",
            items: refTo(answer, types, () => result),
            description: "What was found.",
          },
        },
        required: [list],
      }
    : result;
  return {
    description: textOf("sdk/lookups.ts", name),
    inputs: { type: "object", ...inputs },
    outputs: { type: "object", ...outputs },
  };
}

/** An interface as properties. */
function membersOf(file, name, types) {
  const members = interfaceMembers(file, name);
  return {
    properties: Object.fromEntries(
      members.map(({ name: key, type, text }) => [
        key,
        {
          ...typeScriptType(type, `${name}${key[0].toUpperCase()}${key.slice(1)}`, types),
          ...(text && { description: text }),
        },
      ]),
    ),
    required: members
      .filter(({ optional, type }) => !optional && !/undefined/.test(type))
      .map(({ name: key }) => key),
  };
}

function typeScriptType(text, name, types) {
  const type = text.replace(/ \| undefined/g, "");
  if (type.endsWith("[]")) return { type: "array", items: typeScriptType(type.slice(0, -2), name, types) };
  if (!type.startsWith("{")) return { type };
  const members = [...type.matchAll(/(\w+): (\w+)/g)].map(([, key, inner]) => [key, { type: inner }]);
  return refTo(name, types, () => ({
    properties: Object.fromEntries(members),
    required: members.map(([key]) => key),
  }));
}

/** The component. Names of domains are names of resources, so that they have to be known when it is declared. */
function siteOf({ Project, ProjectDomain, EnvVars, Promotion }, types) {
  const about = new Map(
    ["SiteArgs", "SiteDomain", "SiteVerification"].flatMap((name) =>
      interfaceMembers(join(root, "sdk/site.ts"), name).map((member) => [
        `${name}.${member.name}`,
        member.text,
      ]),
    ),
  );
  const without = (name, { inputs, about: texts }, ...keys) => {
    const properties = Object.entries(propertiesOf(name, inputs, texts.inputs, types));
    return Object.fromEntries(properties.filter(([key]) => !keys.includes(key)));
  };
  const said = (path, type) => ({ ...type, description: about.get(path) });
  const verification = refTo("SiteVerification", types, () => ({
    properties: {
      timeoutMs: said("SiteVerification.timeoutMs", { type: "integer" }),
    },
  }));
  const domain = refTo("SiteDomain", types, () => ({
    properties: {
      ...without("ProjectDomain", ProjectDomain, "project", "adopt", "waitForVerification", "timeoutMs"),
      name: said("SiteDomain.name", { type: "string", plain: true }),
      verify: said("SiteDomain.verify", { ...verification, plain: true }),
    },
    required: ["name"],
  }));
  const projectSettings = refTo("SiteProject", types, () => ({
    properties: without("Project", Project, "adopt"),
  }));
  const production = refTo("SiteProduction", types, () => ({
    properties: without("Promotion", Promotion, "project"),
    required: ["deployment"],
  }));
  const { variables } = without("EnvVars", EnvVars);
  const challenge = refTo("SiteChallenge", types, () =>
    membersOf(join(root, "sdk/site.ts"), "Challenge", types),
  );
  return {
    isComponent: true,
    description: `${textOf("sdk/site.ts", "Site")}\n\n${exampleOf("site")}`,
    inputProperties: {
      project: said("SiteArgs.project", { ...projectSettings, plain: true }),
      // The SDK of Go has no type for a plain item of a list.
      domains: said("SiteArgs.domains", { type: "array", items: domain, plain: true }),
      variables: { ...variables, ...said("SiteArgs.variables", {}), secret: true },
      production: said("SiteArgs.production", { ...production, plain: true }),
      adopt: said("SiteArgs.adopt", { type: "boolean" }),
    },
    properties: {
      projectId: { type: "string", description: "Id of the project." },
      urls: { type: "array", items: { type: "string" }, description: textOf("sdk/site.ts", "Site.urls") },
      challenges: { type: "array", items: challenge, description: textOf("sdk/site.ts", "Site.challenges") },
      production: { type: "string", description: textOf("sdk/site.ts", "Site.production") },
    },
    required: ["projectId", "urls", "challenges"],
  };
}
