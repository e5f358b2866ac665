import { createHash } from "node:crypto";
import { withOwner } from "../../provider/core/ownership-record";
import { isPlain, type Plain } from "../../provider/core/values";
import { loaderText, type ResourceType } from "../../provider/loader";
import { resources } from "../../provider/resources";
import type { Discovered } from "./discover";

/** The files that import existing objects into a stack. */
export interface ImportFiles {
  /** The program, without secrets. */
  program: string;
  /** The input of `pulumi import --file`. Contains secrets. */
  importFile: string;
  /** Shell commands that set the values of variables in the stack's configuration. Contains secrets. */
  secrets: string;
}

export function importFiles(found: readonly Discovered[]): ImportFiles {
  return { program: programOf(found), importFile: importFileOf(found), secrets: secretsOf(found) };
}

/** Inputs that the program reads from the configuration. */
const configured = ({ inputs, secret, unreadable }: Discovered): string[] =>
  secret.filter((key) => key in inputs && !unreadable.includes(key));

/**
 * The configuration key of all values. They are one value, because the CLI reads only one from standard input, and the
 * list of processes shows its arguments. Imports of other objects have another key.
 */
function configKeyOf(found: readonly Discovered[]): string {
  const names = found.filter((one) => configured(one).length > 0).map(({ name }) => name);
  return `imported-${createHash("sha256").update(JSON.stringify(names.sort())).digest("hex").slice(0, 6)}`;
}

function programOf(found: readonly Discovered[]): string {
  const types = [...new Set(found.map(({ type }) => type))].sort();
  const needsConfig = found.some((one) => configured(one).length > 0);
  const identifiers = identifiersOf(found);
  const referable: Referable = { projects: new Map(), domains: new Map(), environments: new Map() };
  for (const [one, identifier] of identifiers) {
    if (one.type === "Project") referable.projects.set(one.id, identifier);
    else if (one.type === "CustomEnvironment")
      referable.environments.set(one.state.environmentId, identifier);
    else referable.domains.set(String(one.inputs.name), identifier);
  }
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
    ...targetsFirst(found).map((one, at, all) => {
      const before = new Set(all.slice(0, at));
      return declarationOf(one, identifiers.get(one), referable, before);
    }),
    "",
  ].join("\n");
}

/** Identifiers of resources that others refer to: projects and environments by id, domains by name. */
interface Referable {
  projects: Map<string, string>;
  domains: Map<string, string>;
  environments: Map<unknown, string>;
}

/** Sorts domains after their redirect targets. A loop is broken anywhere. */
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
  { projects, domains, environments }: Referable,
  before: ReadonlySet<Discovered>,
): string {
  const { type, name, inputs, projectId, unreadable } = one;
  const given: Record<string, string> = {};
  for (const [key, value] of Object.entries(inputs)) given[key] = literal(value, "  ");
  const owner = projects.get(projectId);
  if (type !== "Project" && owner !== undefined) given.project = `${owner}.id`;
  const target = domains.get(String(inputs.redirect));
  const isBefore = [...before].some(
    ({ type, inputs: { name } }) => type === "ProjectDomain" && name === inputs.redirect,
  );
  if (target !== undefined && isBefore) given.redirect = `${target}.name`;
  const { customEnvironmentId: environment, customEnvironmentIds } = inputs;
  const environmentOf = (id: unknown): string => {
    const identifier = environments.get(id);
    return identifier === undefined ? JSON.stringify(id) : `${identifier}.environmentId`;
  };
  if (environment !== undefined) given.customEnvironmentId = environmentOf(environment);
  if (Array.isArray(customEnvironmentIds)) {
    given.customEnvironmentIds = `[${customEnvironmentIds.map(environmentOf).join(", ")}]`;
  }
  for (const key of configured(one)) given[key] = `values.apply((all) => all[${JSON.stringify(name)}])`;
  const lines = Object.entries(given).map(([key, text]) => `  ${key}: ${text},\n`);
  const options = unreadable.length > 0 ? `, { ignoreChanges: ${literal(unreadable, "")} }` : "";
  const note =
    unreadable.length > 0
      ? "// The value cannot be read, so it is not managed. To set it, declare it here and remove ignoreChanges.\n"
      : "";
  const variable = identifier === undefined ? "" : `const ${identifier} = `;
  return `\n${note}${variable}new ${type}(${JSON.stringify(name)}, {\n${lines.join("")}}${options});`;
}

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

/** Assigns identifiers to resources that others refer to: projects, redirect targets and environments. */
function identifiersOf(found: readonly Discovered[]): Map<Discovered, string> {
  const taken = new Set(reserved);
  const identifiers = new Map<Discovered, string>();
  const domains = domainsOf(found);
  const targets = new Set(found.map(({ inputs }) => domains.get(inputs.redirect)));
  const used = new Set(
    found.flatMap(({ inputs }) => [inputs.customEnvironmentId, inputs.customEnvironmentIds].flat()),
  );
  const isNamed = (one: Discovered): boolean =>
    one.type === "Project" || targets.has(one) || used.has(one.state.environmentId ?? one);
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

/** Marks a secret for the engine. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The file contains inputs and outputs, because the engine cannot read a dynamic resource. */
function importFileOf(found: readonly Discovered[]): string {
  const resources = found.map(({ type, name, id, inputs, state, secret }) => {
    const marked = (values: Plain): Plain => ({
      ...Object.fromEntries(
        Object.entries(values).map(([key, value]) => [
          key,
          secret.includes(key) ? { ...secretSignature, plaintext: JSON.stringify(value) } : value,
        ]),
      ),
      __provider: loaderText(type),
    });
    return {
      type: `pulumi-nodejs:dynamic/slipway:${type}`,
      name,
      id,
      inputs: marked(inputs),
      outputs: marked(withOwner(state, id)),
    };
  });
  return `${JSON.stringify({ resources }, undefined, 2)}\n`;
}

function secretsOf(found: readonly Discovered[]): string {
  const values = found.flatMap((one) => configured(one).map((key) => [one.name, String(one.inputs[key])]));
  const text = quoted(JSON.stringify(Object.fromEntries(values)));
  return [
    "#!/bin/sh",
    "# Sets the values of variables in the stack's configuration. Remove it afterwards.",
    "set -e",
    "# If the CLI is not on PATH, use the one of the npm package.",
    'command -v pulumi > /dev/null || pulumi() { npx pulumi "$@"; }',
    // The list of processes does not show standard input.
    ...(values.length > 0
      ? [`printf '%s' ${text} | pulumi config set --secret -- ${configKeyOf(found)}`]
      : []),
    "",
  ].join("\n");
}

/** Quotes a text for the shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
