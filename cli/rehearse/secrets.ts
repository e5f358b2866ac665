import { explicitKey } from "../../provider/client/config";
import { isPlain, type Plain } from "../../provider/core/values";
import { resources as definitions } from "../../provider/resources";
import { type KindName, kindOfType, kinds } from "../objects";
import { placeholder } from "../objects/kind";
import { project, secretsInProject } from "../objects/project";
import type { Document } from "./copy";
import type { Resource, StackCopySource } from "./stack";

/**
 * Decides what is secret: by the schema of a resource, in the state, in the configuration and in the program, whose
 * secrets are in the state after the run.
 */

/** The texts that a report must not contain. */
export interface SecretTexts {
  /** Secrets that the program or the configuration declares. Reports never contain them. */
  declared: readonly string[];
  /** Secrets by their kind, such as the values of variables. They stay where they are the name of an object. */
  usual: readonly string[];
}

const usualKeys = new Map(
  Object.values(definitions).map(({ type, traits }) => [type as string, new Set<string>(traits.secret)]),
);

/** Inputs and outputs of other names that a provider always keeps secret. */
const providerKeys = new Set(["token", explicitKey("token")]);

/** True if an input or output is secret by the schema of its resource. */
export const isUsualSecret = (type: string, key: string): boolean =>
  usualKeys.get(typeName(type))?.has(key) === true || providerKeys.has(key);

/** The type of a resource without its package: `EnvVar`. */
export const typeName = (type: string): string => type.split(":").at(-1) ?? "";

/** The kind of the object that has the id of its resource. A Promotion has the id of its project. */
export const kindOf = (type: string): KindName | undefined => kindOfType.get(typeName(type))?.name;

/** The values in a document that are always secret. */
const secretsInRows = (document: Document): unknown[] =>
  kinds.flatMap((kind) =>
    ((document[kind.section] ?? []) as Plain[]).flatMap((row) =>
      kind === project
        ? secretsInProject(row)
        : "secret" in kind
          ? kind.secret.map((field) => row[field])
          : [],
    ),
  );

/** The secrets of stacks before and after a run, and of accounts. */
export function secretTextsOf(
  { config, token }: { config: StackCopySource["config"]; token: string },
  resources: readonly Resource[],
  documents: readonly Document[],
): SecretTexts {
  const declared: string[] = [];
  const usual = [token];
  for (const { value, objectValue, secret } of config.values())
    if (secret) declared.push(...textsIn(value), ...textsIn(objectValue));
  for (const { type, inputs, outputs, marked } of resources) {
    for (const key of marked) {
      const texts = [inputs[key], outputs[key]].flatMap(textsIn);
      (isUsualSecret(type, key) ? usual : declared).push(...texts);
    }
    for (const values of [inputs, outputs])
      for (const [key, value] of Object.entries(values))
        if (isUsualSecret(type, key)) usual.push(...textsIn(value));
  }
  for (const document of documents) usual.push(...textsIn(secretsInRows(document)));
  return { declared, usual: usual.filter((text) => text !== placeholder) };
}

/** Inputs with another name in the rows of an account. */
const fieldNames: Readonly<Record<string, string>> = {
  endpoint: "url",
  protectionBypass: "bypassSecrets",
  deployHooks: "link",
  gitRepository: "link",
};

/** The fields of objects that programs declare as secret, by kind and id of the object. */
export function secretFieldsOf(...states: readonly (readonly Resource[])[]): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>();
  for (const { id, type, marked } of states.flat()) {
    const kind = kindOf(type);
    const keys = marked.filter((key) => !isUsualSecret(type, key));
    if (kind === undefined || id === "" || keys.length === 0) continue;
    const known = fields.get(`${kind} ${id}`) ?? new Set();
    for (const key of keys) known.add(key).add(fieldNames[key] ?? key);
    fields.set(`${kind} ${id}`, known);
  }
  return fields;
}

/** Members of secret values with fixed words, and members that name an object. */
const wordKeys = new Set(["type", "deploymentType", "target", "gitBranch", "sources", "projectId", "id"]);

/** All texts in a value, also those in JSON texts. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value, ...(/^\s*[[{]/.test(value) ? textsIn(parsed(value)) : [])];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (wordKeys.has(key) ? [] : textsIn(item)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
