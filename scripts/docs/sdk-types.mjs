/**
 * The interfaces of arguments and outputs, generated from the schemas. Declared interfaces are readable in an editor,
 * and cheap for the compiler. Types that the compiler infers from the schemas are neither.
 */

import { inWords } from "../setup/names.mjs";

const header = `/**
 * Arguments and outputs of the resources.
 * Written by \`npm run docs\` from the schemas of provider/resources; change it there.
 */

import type { Input, Output } from "@pulumi/pulumi";
`;

const pascal = (key) =>
  key.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, letter) => letter.toUpperCase());

/** A list with more values than this becomes a named type. */
const longestList = 9;

/** @param resources as `docs.mjs` loads them: type, JSON Schemas, descriptions, and the type in words (`what`) */
export function typesOf(resources) {
  const lists = new Set();
  return [header, ...resources.flatMap((one) => [...argsOf(one, lists), ...outputsOf(one, lists)])].join(
    "\n",
  );
}

function argsOf({ type, what, inputs, about, supplied = [] }, lists) {
  const nested = [];
  const wrap = (text, optional) => `Input<${text}${optional ? " | undefined" : ""}>`;
  const name = (path) => `${type}${path.map(pascal).join("")}Args`;
  const body = members(inputs, [], {
    about: about.inputs,
    type,
    lists,
    nested,
    wrap,
    name,
    supplied,
    readonly: false,
  });
  return [...nested, `/** Arguments of ${what}. ${resets} */\nexport interface ${type}Args {\n${body}}\n`];
}

const resets = "Inputs that you never set are not managed. Inputs that you remove are reset.";

function outputsOf({ type, what, inputs, outputs, about }, lists) {
  const nested = [];
  const name = (path) => `${type}${path.map(pascal).join("")}`;
  const plain = { type, lists, nested, wrap: undefined, name, supplied: [], readonly: true };
  const body = [
    members(inputs, [], { ...plain, about: about.inputs }),
    members(outputs, [], { ...plain, about: about.outputs }),
  ].join("");
  return [
    ...nested,
    `/** Outputs of ${what}, and its current inputs. */\nexport interface ${type}Outputs {\n${body}}\n`,
  ];
}

/** The members of an object, each with its description. Interfaces of nested objects come before the object. */
function members(schema, path, context) {
  const { about, wrap, supplied, readonly } = context;
  return Object.entries(schema.properties ?? {})
    .map(([key, inner]) => {
      const at = [...path, key];
      const text = about.get(at.join("."));
      const top = path.length === 0;
      const optional = !(schema.required ?? []).includes(key) || (top && supplied.includes(key));
      const shape = textOf(inner, at, context);
      const comment = text === undefined ? "" : `  /** ${text} */\n`;
      if (wrap) return `${comment}  ${key}${optional ? "?" : ""}: ${wrap(shape, optional)};\n`;
      const value = optional ? `${shape} | undefined` : shape;
      // A resource has every key as an output, even if the output has no value.
      return top
        ? `${comment}  readonly ${key}: Output<${value}>;\n`
        : `${comment}  ${readonly ? "readonly " : ""}${key}${optional ? "?" : ""}: ${value};\n`;
    })
    .join("");
}

function textOf(schema, path, context) {
  const { nested, wrap, name, type } = context;
  const inner = (item) => (wrap ? wrap(textOf(item, path, context), false) : textOf(item, path, context));
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((option) => textOf(option, path, context)))].join(" | ");
  }
  const values = schema.enum ?? schema.examples;
  if (values) {
    // With `string & {}`, any other text is accepted too, and editors still suggest the known values.
    const others = schema.examples ? " | (string & {})" : "";
    const text = values.map((value) => JSON.stringify(value)).join(" | ");
    if (values.length <= longestList) return text + others;
    const list = `${type}${path.map(pascal).join("")}`;
    if (!context.lists.has(list)) nested.push(`export type ${list} = ${text};\n`);
    context.lists.add(list);
    return list + others;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => textOf({ ...schema, type }, path, context)).join(" | ");
  }
  switch (schema.type) {
    case "array":
      return `${parenthesised(inner(schema.items))}[]`;
    case "object": {
      if (typeof schema.additionalProperties === "object" && schema.properties === undefined) {
        return `Record<string, ${inner(schema.additionalProperties)}>`;
      }
      const body = members(schema, path, context);
      nested.push(`export interface ${name(path)} {\n${body}}\n`);
      return name(path);
    }
    case "integer":
      return "number";
    case undefined:
      return "unknown";
    default:
      return schema.type;
  }
}

const parenthesised = (text) => (/[ |]/.test(text) && !/^\w+<.*>$/.test(text) ? `(${text})` : text);

/**
 * The file with the class of each resource.
 * @param {{ type: string, constant: string, file: string, about: string, importId: string, hasOwnClass: boolean }[]}
 *   resources `constant` is the name of the definition
 */
export function classesOf(resources) {
  const sorted = [...resources].sort((a, b) => (a.file < b.file ? -1 : 1));
  const generated = sorted.filter(({ hasOwnClass }) => !hasOwnClass);
  return [
    "/** The class of each resource. Written by `npm run docs` from provider/resources; change it there. */",
    "",
    'import type * as pulumi from "@pulumi/pulumi";',
    ...generated.map(({ constant, file }) => `import { ${constant} } from "../provider/resources/${file}";`),
    'import { classOf } from "./core/resource";',
    'import type * as types from "./types";',
    "",
    ...sorted
      .filter(({ hasOwnClass }) => hasOwnClass)
      .map(({ type, file }) => `export { ${type} } from "./${file}";`),
    ...generated.map(classText),
  ].join("\n");
}

const classText = ({ type, constant, about, importId }) => `
/** ${about} */
export class ${type} extends classOf<types.${type}Outputs>(${constant}) {
  constructor(name: string, args: types.${type}Args, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads ${existing(type)} without managing it. The id is ${importId}. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${type} {
    return new ${type}(name, {} as types.${type}Args, { ...opts, id });
  }
}
`;

const existing = (type) => inWords(type).replace(/^an? /, "an existing ");

/**
 * The file that exports both forms of each look-up.
 * @param {Record<string, { about: string, type?: string, hidden?: string[] }>} lookups by name; `type` is the resource
 *   that is looked up by its id, and `hidden` are its members that the answer leaves out
 */
export const functionsOf = (lookups) =>
  [
    "/** The look-ups. Written by `npm run docs` from provider/lookups. */",
    "",
    'import { lookups } from "../provider/lookups";',
    'import { outputForm, plainForm, plainFormById } from "./lookups";',
    'import type * as types from "./types";',
    ...Object.entries(lookups).flatMap(([name, { about, type, hidden = [] }]) => [
      "",
      `/** ${about} */`,
      `export const ${name} = ${type ? formById(name, type, hidden) : `plainForm("${name}", lookups.${name})`};`,
      `/** ${about} Takes Outputs and returns one. */`,
      `export const ${name}Output = outputForm(${name});`,
    ]),
    "",
  ].join("\n");

const formById = (name, type, hidden) =>
  `plainFormById<types.${type}Outputs, ${hidden.map((key) => `"${key}"`).join(" | ") || "never"}>("${name}")`;
