import { isPlain, type Plain } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";

/** An output of another resource, as an argument. */
export interface Reference {
  /** Name of the resource. */
  $ref: string;
  output: string;
}

/** One resource as a program declares it. Its arguments are JSON, with references in any place. */
export interface Declaration {
  type: ResourceType;
  name: string;
  args: Plain;
  /** Resources that come first although no argument says so. */
  dependsOn?: string[];
  /** Name of its provider; not given, it is the default one. */
  provider?: string;
  /** Names that it had before. */
  aliases?: string[];
  /** Inputs whose values are left to others. */
  ignoreChanges?: string[];
  deleteBeforeReplace?: true;
}

/** Resources in the order in which a program makes them: each after those that it refers to. */
export type Program = Declaration[];

export const isReference = (value: unknown): value is Reference => isPlain(value) && "$ref" in value;

/** Replaces references, at any depth. */
export function resolve(value: unknown, of: (reference: Reference) => unknown): unknown {
  if (isReference(value)) return of(value);
  if (Array.isArray(value)) return value.map((item) => resolve(item, of));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, of)]));
}

/** The resources that a value refers to. */
export function referred(value: unknown): Set<string> {
  const names = new Set<string>();
  resolve(value, ({ $ref }) => names.add($ref));
  return names;
}

/** All resources that come before this one. */
export const dependenciesOf = ({ args, dependsOn = [] }: Declaration): Set<string> =>
  new Set([...referred(args), ...dependsOn]);

/** The same program with other names for its resources. */
export function renamed(program: Program, rename: (name: string) => string): Program {
  return program.map(({ name, args, dependsOn = [], ...rest }) => ({
    ...rest,
    name: rename(name),
    args: resolve(args, ({ $ref, output }) => ({ $ref: rename($ref), output })) as Plain,
    dependsOn: dependsOn.map(rename),
  }));
}

/** Several programs as one, each with names of its own: `p0-` … A team has one configuration. */
export const together = (programs: readonly Program[]): Program =>
  programs.flatMap((program, i) =>
    renamed(
      program.filter(({ type }) => i === 0 || type !== "TeamConfig"),
      (name) => `p${i}-${name}`,
    ),
  );

/** A program as a user would write it. */
export function toCode(program: Program): string {
  const used = new Set(program.flatMap((declaration) => [...dependenciesOf(declaration)]));
  return program
    .map((declaration) => {
      const { type, name, args, dependsOn = [], provider, aliases = [], ignoreChanges = [] } = declaration;
      const given = [
        ...(dependsOn.length === 0 ? [] : [`dependsOn: [${dependsOn.map(variable).join(", ")}]`]),
        ...(provider === undefined ? [] : [`provider: ${provider}`]),
        ...(aliases.length === 0 ? [] : [`aliases: ${literal(aliases.map((name) => ({ name })))}`]),
        ...(ignoreChanges.length === 0 ? [] : [`ignoreChanges: ${literal(ignoreChanges)}`]),
        ...(declaration.deleteBeforeReplace ? ["deleteBeforeReplace: true"] : []),
      ];
      const options = given.length === 0 ? "" : `, { ${given.join(", ")} }`;
      const made = `new ${type}(${JSON.stringify(name)}, ${literal(args)}${options});`;
      return used.has(name) ? `const ${variable(name)} = ${made}` : made;
    })
    .join("\n");
}

const variable = (name: string): string => name.replace(/\W/g, "_");

function literal(value: unknown): string {
  if (isReference(value)) return `${variable(value.$ref)}.${value.output}`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (!isPlain(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => {
    const name = /^\w+$/.test(key) ? key : JSON.stringify(key);
    return `${name}: ${literal(item)}`;
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
