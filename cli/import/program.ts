import { isPlain, type Plain } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { resources } from "../../provider/resources";
import type { Discovered } from "./declare";
import { configKeyOf, secretValues, withSecretsReplaced } from "./secret-values";

/** The program that declares the objects, in TypeScript, without secrets. */
export function programOf(found: readonly Discovered[]): string {
  const types = [...new Set(found.map(({ type }) => type))].sort();
  const needsConfig = found.some((one) => secretValues(one).length > 0);
  const identifiers = identifiersOf(found);
  const expressions: Expressions = new Map(
    [...identifiers].map(([one, identifier]) => [
      referredValue(one),
      new Expression(`${identifier}.${referredOutputs[one.type]}`),
    ]),
  );
  return [
    ...(needsConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    ...(types.length > 0 ? [`import { ${types.join(", ")} } from "slipway";`] : ["export {};"]),
    ...(needsConfig
      ? [
          "",
          "// The values of the variables, by the name of the resource.",
          "const values = new pulumi.Config()",
          `  .requireSecretObject<Record<string, string>>(${JSON.stringify(configKeyOf(found))});`,
        ]
      : []),
    ...targetsFirst(found).map((one, at, all) =>
      declarationOf(one, identifiers.get(one), expressions, all.slice(0, at)),
    ),
    "",
  ].join("\n");
}

/** The output of a resource to which inputs of other resources refer. */
const referredOutputs: Partial<Record<ResourceType, string>> = {
  Project: "id",
  ProjectDomain: "name",
  CustomEnvironment: "environmentId",
  SharedEnvVar: "id",
  EdgeConfig: "edgeConfigId",
  AccessGroup: "accessGroupId",
  MicrofrontendGroup: "microfrontendGroupId",
  BlobStore: "storeId",
};

/** The inputs that refer to other resources than projects, with one value or several. */
const referringInputs = [
  ...["redirect", "customEnvironmentId", "customEnvironmentIds", "sharedEnvVarId", "edgeConfigId"],
  ...["accessGroupId", "microfrontendGroupId", "defaultAppProjectId", "blobStoreId"],
];

const referredValue = ({ type, id, state }: Discovered): unknown =>
  referredOutputs[type] === "id" ? id : state[referredOutputs[type] ?? ""];

/** Expressions for outputs of other resources, by their values. */
type Expressions = ReadonlyMap<unknown, Expression>;

/** Sorts domains after their redirect targets. A cycle of redirects is cut at any of its domains. */
function targetsFirst(found: readonly Discovered[]): Discovered[] {
  const domains = domainsOf(found);
  const ordered = new Set<Discovered>();
  const open = new Set<Discovered>();
  const visit = (one: Discovered): void => {
    if (open.has(one)) return;
    open.add(one);
    const target = domains.get(one.inputs.redirect);
    if (target) {
      const owner = found.find(({ type, id }) => type === "Project" && id === target.projectId);
      if (owner) visit(owner);
      visit(target);
    }
    ordered.add(one);
  };
  for (const one of found) visit(one);
  return [...ordered];
}

const domainsOf = (found: readonly Discovered[]): Map<unknown, Discovered> =>
  new Map(found.filter(({ type }) => type === "ProjectDomain").map((one) => [one.inputs.name, one]));

function declarationOf(
  one: Discovered,
  identifier: string | undefined,
  expressions: Expressions,
  before: readonly Discovered[],
): string {
  const { type, name, projectId, unreadable } = one;
  const inputs = withConfigured(one);
  const expressionFor = (value: unknown): unknown => expressions.get(value) ?? value;
  const isTargetBefore = before.some(
    ({ type, inputs: { name } }) => type === "ProjectDomain" && name === inputs.redirect,
  );
  if ("project" in inputs) inputs.project = expressions.get(projectId) ?? inputs.project;
  for (const key of [...referringInputs, "projectIds"]) {
    const value = inputs[key];
    if (value === undefined || (key === "redirect" && !isTargetBefore)) continue;
    inputs[key] = Array.isArray(value) ? value.map(expressionFor) : expressionFor(value);
  }
  const lines = Object.entries(inputs).map(([key, value]) => `  ${key}: ${literal(value, "  ")},\n`);
  const options = unreadable.length > 0 ? `, { ignoreChanges: ${literal(unreadable, "")} }` : "";
  const note =
    unreadable.length > 0
      ? "// The value cannot be read, so it is not managed. To set it, declare it here and remove ignoreChanges.\n"
      : "";
  const variable = identifier === undefined ? "" : `const ${identifier} = `;
  return `\n${note}${variable}new ${type}(${JSON.stringify(name)}, {\n${lines.join("")}}${options});`;
}

/** A value of the program that is not a literal. */
class Expression {
  constructor(readonly text: string) {}
}

/** The inputs, with expressions in place of their secrets. */
const withConfigured = (one: Discovered): Plain =>
  withSecretsReplaced(
    one,
    secretValues(one).map(({ path, key }) => ({
      path,
      replacement: new Expression(`values.apply((all) => all[${JSON.stringify(key)}])`),
    })),
  );

/** Formats a value as TypeScript, on one line if it fits. */
function literal(value: unknown, indent: string): string {
  const deeper = `${indent}  `;
  const wrap = (open: string, items: string[], close: string, space: string): string => {
    const line = `${open}${space}${items.join(", ")}${space}${close}`;
    if (items.length === 0) return open + close;
    if (line.length <= 80 && !line.includes("\n")) return line;
    return `${open}\n${items.map((item) => `${deeper}${item},\n`).join("")}${indent}${close}`;
  };
  if (Array.isArray(value))
    return wrap(
      "[",
      value.map((item) => literal(item, deeper)),
      "]",
      "",
    );
  if (value instanceof Expression) return value.text;
  if (!isPlain(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${literal(item, deeper)}`,
  );
  return wrap("{", members, "}", " ");
}

/** Names that the program cannot use for variables: reserved words, names of CommonJS, and imported names. */
const reserved = new Set([
  ...Object.values(resources).map(({ type }) => type),
  ...(
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined var void while with yield " +
    "exports module require pulumi values"
  ).split(" "),
]);

/** Prefixes of identifiers that would not begin with a letter. */
const prefixes: Partial<Record<ResourceType, string>> = {
  Project: "project",
  ProjectDomain: "domain",
  CustomEnvironment: "environment",
};

/** Assigns identifiers to resources that others refer to. */
function identifiersOf(found: readonly Discovered[]): Map<Discovered, string> {
  const taken = new Set(reserved);
  const identifiers = new Map<Discovered, string>();
  const used = new Set(found.flatMap(({ inputs }) => referringInputs.flatMap((key) => inputs[key])));
  const isNamed = (one: Discovered): boolean =>
    one.type === "Project" || (one.type in referredOutputs && used.has(referredValue(one)));
  for (const one of found.filter(isNamed)) {
    const camel = one.name.replace(/[^A-Za-z0-9]+(.)?/g, (_, next?: string) => next?.toUpperCase() ?? "");
    const prefix = prefixes[one.type] ?? "resource";
    const base = /^[A-Za-z]/.test(camel)
      ? camel.charAt(0).toLowerCase() + camel.slice(1)
      : `${prefix}${camel}`;
    let candidate = base;
    for (let i = 2; taken.has(candidate); i++) candidate = `${base}${i}`;
    taken.add(candidate);
    identifiers.set(one, candidate);
  }
  return identifiers;
}
