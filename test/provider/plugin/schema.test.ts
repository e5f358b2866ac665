import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Resource } from "../../../provider/core/resource";
import { lookups } from "../../../provider/lookups";
import { lookupsById } from "../../../provider/lookups/by-id";
import type { Lookup } from "../../../provider/lookups/lookup";
import { resources } from "../../../provider/resources";
import { built } from "../../support/dist";
import { root } from "../../support/server";

interface Property {
  type?: string;
  $ref?: string;
  oneOf?: Property[];
  items?: Property;
  additionalProperties?: Property;
  description?: string;
  secret?: boolean;
  willReplaceOnChanges?: boolean;
  const?: string;
  default?: unknown;
  defaultInfo?: { environment: string[] };
}
interface Shape {
  description?: string;
  properties?: Record<string, Property>;
  required?: string[];
  enum?: { name: string; value: string }[];
}
interface Component extends Shape {
  properties: Record<string, Property>;
  inputProperties: Record<string, Property>;
  requiredInputs: string[];
  stateInputs?: Shape;
  aliases?: { type: string }[];
  isComponent?: boolean;
}
interface Schema {
  publisher: string;
  logoUrl: string;
  config: { variables: Record<string, Property> };
  provider: Component;
  resources: Record<string, Component>;
  functions: Record<string, { description: string; inputs: Shape; outputs: Shape }>;
  types: Record<string, Shape>;
}

const schema: Schema = JSON.parse(readFileSync(built("plugin/schema.json"), "utf8"));
const definitions = Object.values<Resource>(resources);

const resource = (type: string): Component => {
  const found = schema.resources[`slipway:index:${type}`];
  if (!found) throw new Error(`the schema has no ${type}`);
  return found;
};

/** A property with those that it consists of. */
const parts = (property: Property): Property[] => [
  property,
  ...[...(property.oneOf ?? []), property.items, property.additionalProperties].flatMap((inner) =>
    inner ? parts(inner) : [],
  ),
];

/** Every property of the package, by path. */
const properties = [
  ...[...Object.entries(schema.resources), ["provider", schema.provider] as const].flatMap(
    ([token, { properties, inputProperties }]) => [
      [token, properties] as const,
      [`${token} inputs`, inputProperties] as const,
    ],
  ),
  ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
    [`${token} inputs`, inputs?.properties ?? {}] as const,
    [`${token} outputs`, outputs.properties ?? {}] as const,
  ]),
  ...Object.entries(schema.types).map(([token, { properties = {} }]) => [token, properties] as const),
].flatMap(([token, all]) =>
  Object.entries(all).map(([key, property]) => [`${token}.${key}`, property] as const),
);

it("has every resource and the component Site", () => {
  expect(Object.keys(schema.resources).sort()).toEqual(
    [...definitions.map(({ type }) => type), "Site"].map((type) => `slipway:index:${type}`).sort(),
  );
});

describe.each(definitions.map((definition) => [definition.type, definition] as const))(
  "%s",
  (type, definition) => {
    it("has the inputs and outputs of its definition, and the record of its owner", () => {
      const inputs = Object.keys(definition.inputs.shape);
      expect(Object.keys(resource(type).inputProperties)).toEqual(inputs);
      expect(Object.keys(resource(type).properties).sort()).toEqual(
        [...inputs, ...Object.keys(definition.outputs.shape), "at"].sort(),
      );
      expect(resource(type).stateInputs?.properties).toEqual(resource(type).properties);
    });

    it("marks its secrets", () => {
      const all = resource(type).properties;
      const secrets = Object.keys(all).filter((key) => all[key]?.secret);
      expect(secrets.sort()).toEqual([...definition.traits.secret].sort());
    });

    it("marks the inputs whose change replaces it, and those that are secret", () => {
      const { inputProperties, properties } = resource(type);
      const inputsWith = (attribute: "willReplaceOnChanges" | "secret") =>
        Object.keys(inputProperties).filter((key) => inputProperties[key]?.[attribute]);
      expect(inputsWith("willReplaceOnChanges")).toEqual(definition.traits.replaceOn);
      expect(inputsWith("secret")).toEqual(
        Object.keys(definition.inputs.shape).filter((key) => definition.traits.secret.includes(key)),
      );
      expect(Object.values(properties).filter(({ willReplaceOnChanges }) => willReplaceOnChanges)).toEqual(
        [],
      );
    });

    it("is the resource of the dynamic provider under another type", () => {
      expect(resource(type).aliases).toEqual([{ type: `pulumi-nodejs:dynamic/slipway:${type}` }]);
    });
  },
);

it("requires no name of a project, which has a default", () => {
  expect(resource("Project").requiredInputs).toEqual([]);
});

it("describes every resource with an example, and every property", () => {
  for (const [token, { description }] of Object.entries(schema.resources))
    expect([token, description]).toEqual([token, expect.stringMatching(/^[A-Z][\s\S]*```yaml/)]);
  expect(
    properties.filter(([, { description }]) => !/\w/.test(description ?? "")).map(([path]) => path),
  ).toEqual([]);
});

it("leaves no heading behind where an SDK leaves out an example of another language", () => {
  for (const { description = "" } of Object.values(schema.resources)) {
    expect(description.replace(/\{\{% example %\}\}[\s\S]*?\{\{% \/example %\}\}/g, "")).not.toContain("#");
  }
});

it("has a type for every property, and refers to types and resources that it has", () => {
  for (const [path, property] of properties) {
    for (const { type, $ref, oneOf } of parts(property)) {
      expect([path, type ?? $ref ?? oneOf]).toEqual([path, expect.anything()]);
      const [, , kind = "", token = ""] = /^(#)\/(\w+)\/(.*)$/.exec($ref ?? "") ?? [];
      if ($ref !== undefined && $ref !== "pulumi.json#/Any")
        expect({ types: schema.types, resources: schema.resources }[kind]).toHaveProperty([token]);
    }
  }
});

// In most languages, an integer has 32 bits: too few for a time in milliseconds.
it("has integers of 32 bits, and numbers for what may be larger", () => {
  const typeOf = (type: string, input: string) => resource(type).inputProperties[input]?.type;
  expect(typeOf("AttackChallengeMode", "activeUntil")).toBe("number");
  expect(typeOf("Project", "skewProtectionBoundaryAt")).toBe("number");
  expect(typeOf("Promotion", "timeoutMs")).toBe("integer");
  expect(typeOf("DnsRecord", "ttl")).toBe("integer");
  expect(typeOf("ProjectDomain", "redirectStatusCode")).toBe("integer");
});

it("calls a type by the singular only where it is an item of a list or map", () => {
  const names = Object.keys(schema.types).map((token) => token.replace("slipway:index:", ""));
  expect(names).toEqual(
    expect.arrayContaining([
      "ProjectTrustedIps",
      "ProjectTrustedIpsAddress",
      "ProjectGitComments",
      "ProjectGitProviderOptions",
      "ProjectGitProviderOptionsConsolidatedGitCommitStatus",
      "ProjectOptionsAllowlistPath",
      "ProjectTrustedSources",
      "ProjectProtectionBypass",
    ]),
  );
  expect(names.filter((name) => /Statu$|Sourc$|IpS?$|Option$|Comment$|Bypas$/.test(name))).toEqual([]);
});

it("lists the known values of an input, and accepts others", () => {
  const framework = resource("Project").inputProperties.framework;
  expect(framework).toMatchObject({
    type: "string",
    oneOf: [{ type: "string" }, { $ref: "#/types/slipway:index:ProjectFramework" }],
  });
  expect(schema.types["slipway:index:ProjectFramework"]?.enum).toContainEqual({
    name: "Docusaurus2",
    value: "docusaurus-2",
  });
  for (const [token, { enum: members = [] }] of Object.entries(schema.types)) {
    const names = members.map(({ name }) => name);
    expect([token, new Set(names).size]).toEqual([token, names.length]);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  }
});

// YAML does not assign an enumeration to an input that takes any text.
it("has enumerations in inputs alone", () => {
  const project = schema.resources["slipway:index:Project"];
  expect(project?.inputProperties.nodeVersion).toMatchObject({ oneOf: expect.any(Array) });
  expect(project?.properties.nodeVersion).toEqual({
    type: "string",
    description: project?.inputProperties.nodeVersion?.description,
  });
  expect(schema.resources["slipway:index:EnvVar"]?.properties.target?.items).toEqual({ type: "string" });
});

// An SDK would send it, and so make the input managed.
it("names defaults in descriptions alone", () => {
  expect(properties.filter(([, property]) => property.default !== undefined)).toEqual([]);
  expect(resource("Promotion").inputProperties.timeoutMs?.description).toMatch(/default/i);
  expect(resource("ProjectDomain").inputProperties.waitForVerification?.description).toMatch(
    /Default: false\./,
  );
});

it("names the variables of the environment at the configuration, and marks the token as a secret", () => {
  expect(schema.config.variables).toMatchObject({
    apiUrl: { defaultInfo: { environment: ["SLIPWAY_API_URL"] } },
    token: { secret: true, defaultInfo: { environment: ["SLIPWAY_TOKEN"] } },
    team: { defaultInfo: { environment: ["SLIPWAY_TEAM"] } },
    defaultVariableType: { defaultInfo: { environment: ["SLIPWAY_DEFAULT_VARIABLE_TYPE"] } },
    refreshBeforeUpdate: { defaultInfo: { environment: ["SLIPWAY_REFRESH_BEFORE_UPDATE"] } },
  });
  expect(schema.provider.inputProperties).toMatchObject({
    token: { secret: true },
    kind: { const: "explicit" },
  });
  expect(schema.provider.properties).toEqual(schema.provider.inputProperties);
  // An explicit provider would record a token of the environment.
  for (const property of Object.values(schema.provider.inputProperties))
    expect(property.defaultInfo).toBeUndefined();
});

const allLookups = { ...lookups, ...lookupsById } as unknown as Record<string, Lookup>;

it("has every look-up", () => {
  expect(Object.keys(schema.functions).sort()).toEqual(
    Object.keys(allLookups)
      .map((name) => `slipway:index:${name}`)
      .sort(),
  );
});

it("describes the members of an answer as the resource does, and what is secret", () => {
  const { description, inputs, outputs } = schema.functions["slipway:index:getLogDrain"] ?? {};
  expect(description).toContain("no `headers` and no `secret`, which are secret.");
  expect(inputs?.properties?.id?.description).toBe("Id, as for an import: `<id>`.");
  const { endpoint } = resource("LogDrain").properties;
  expect(outputs?.properties?.endpoint).toEqual(endpoint);
  // An SDK fails without a member that is required.
  expect(outputs?.required).toEqual(["id", "name", "endpoint"]);
});

describe.each(Object.entries(allLookups))("%s", (name, lookup) => {
  const token = `slipway:index:${name}`;

  it("has the arguments and the results of its definition, without secrets", () => {
    const { description, inputs, outputs } = schema.functions[token] ?? {};
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(inputs?.properties ?? {})).toEqual(Object.keys(lookup.args.shape));
    const { items } = outputs?.properties?.[lookup.list ?? ""] ?? {};
    const result = items ? schema.types[items.$ref?.replace("#/types/", "") ?? ""] : outputs;
    const visible = Object.keys(lookup.result.shape).filter((key) => !lookup.secret?.includes(key));
    expect(Object.keys(result?.properties ?? {})).toEqual(visible);
    expect(Object.values(result?.properties ?? {}).filter(({ secret }) => secret)).toEqual([]);
  });
});

it("gives a site handles to the resources that it consists of", () => {
  expect(resource("Site")).toMatchObject({
    isComponent: true,
    properties: {
      project: { $ref: "#/resources/slipway:index:Project" },
      domains: { additionalProperties: { $ref: "#/resources/slipway:index:ProjectDomain" } },
      variables: { $ref: "#/resources/slipway:index:EnvVars" },
      promotion: { $ref: "#/resources/slipway:index:Promotion" },
    },
    inputProperties: { variables: { secret: true } },
  });
});

it.each(Object.entries(schema.resources))(
  "has an example of %s that declares what the package has",
  (token, { description }) => {
    const [, program = ""] = /```yaml\n([\s\S]*?)```/.exec(description ?? "") ?? [];
    const example = parse(program) as { resources: Record<string, { type: string; properties?: object }> };
    const declared = Object.values(example.resources);
    expect(declared.map(({ type }) => type)).toContain(token.replace(":index:", ":"));
    for (const { type, properties = {} } of declared) {
      const { inputProperties } = resource(type.replace("slipway:", ""));
      for (const key of Object.keys(properties)) expect(inputProperties).toHaveProperty([key]);
    }
  },
);

it("says where the plugin and the SDKs are published, as publishing.json has it", () => {
  const names = JSON.parse(readFileSync(join(root, "publishing.json"), "utf8"));
  const path = `${names.organization}/${names.repository}`;
  expect(schema).toMatchObject({
    publisher: names.publisher,
    repository: `https://github.com/${path}`,
    pluginDownloadURL: `github://api.github.com/${path}`,
    language: {
      nodejs: { packageName: names.npm },
      python: { packageName: names.pypi },
      go: { importBasePath: `github.com/${path}/sdk/go/slipway` },
      csharp: { rootNamespace: names.nuget },
      java: { basePackage: names.maven },
    },
  });
  const [, logo = ""] = /\/main\/(.+)$/.exec(schema.logoUrl) ?? [];
  expect(existsSync(join(root, logo))).toBe(true);
});
