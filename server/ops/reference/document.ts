/** Converts the OpenAPI document into the data of the reference page. */

export interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** True when the operation needs a token. */
  secured: boolean;
  parameters: Parameter[];
  body: { required: boolean; schema: Schema; example: unknown } | undefined;
  answers: { status: string; description: string; schema: Schema | undefined }[];
}

interface Content {
  "application/json"?: { schema?: Schema; example?: unknown };
}

interface RawOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Description {
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, RawOperation>>;
}

export interface Group {
  tag: string;
  operations: Operation[];
}

/** The operations by their tags, both in the order of the document. */
export function groupsOf({ paths }: Description): Group[] {
  const groups = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, raw] of Object.entries(methods)) {
      const operation = operationOf(method.toUpperCase(), path, raw);
      groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
    }
  }
  return [...groups].map(([tag, operations]) => ({ tag, operations }));
}

function operationOf(method: string, path: string, raw: RawOperation): Operation {
  const json = raw.requestBody?.content["application/json"];
  return {
    id: raw.operationId,
    method,
    path,
    tag: raw.tags[0] ?? "",
    summary: raw.summary,
    description: raw.description ?? "",
    secured: raw.security?.length !== 0,
    parameters: raw.parameters ?? [],
    body: json && {
      required: raw.requestBody?.required ?? false,
      schema: json.schema ?? {},
      example: json.example,
    },
    answers: Object.entries(raw.responses).map(([status, { description, content }]) => ({
      status,
      description,
      schema: Number(status) < 400 ? content?.["application/json"]?.schema : undefined,
    })),
  };
}

/** True when an operation contains each word of a search. */
export function matches({ id, method, path, tag, summary }: Operation, search: string): boolean {
  const text = `${method} ${path} ${id} ${tag} ${summary}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const alternativesOf = ({ anyOf, oneOf }: Schema): Schema[] | undefined => anyOf ?? oneOf;

/** A type in words: `string or null`, `array of objects`. */
export function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const alternatives = alternativesOf(schema);
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(" or ");
  const types = [schema.type ?? []].flat();
  const names = types.map((type) => (type === "array" && schema.items ? listOf(schema.items) : type));
  return names.length === 0 ? "any" : names.join(" or ");
}

function listOf(items: Schema): string {
  const type = typeOf(items);
  return type === "any"
    ? "array"
    : /^(string|number|integer|object|boolean)$/.test(type)
      ? `array of ${type}s`
      : `array of (${type})`;
}

/** The schemas that have members: the object itself, the items of an array, or the alternatives of a union. */
export function objectsIn(schema: Schema): Schema[] {
  const alternatives = alternativesOf(schema);
  if (alternatives) return alternatives.flatMap(objectsIn);
  if (schema.items) return objectsIn(schema.items);
  return schema.properties || typeof schema.additionalProperties === "object" ? [schema] : [];
}

/** The constraints of a value, in short phrases. */
export function limitsOf(schema: Schema): string[] {
  const one = alternativesOf(schema)?.find(({ type }) => type !== "null") ?? schema;
  const of = one.enum || !one.items ? one : one.items;
  return [
    ...(of.enum ? [`one of ${of.enum.map((value) => `\`${value}\``).join(", ")}`] : []),
    ...range("at least", "at most", of.minimum, of.maximum, ""),
    ...range("at least", "at most", of.minLength, of.maxLength, " characters"),
    ...range("at least", "at most", one.minItems, one.maxItems, " items"),
    ...(of.pattern === undefined ? [] : [`matches \`${of.pattern}\``]),
    ...(of.default === undefined ? [] : [`default \`${JSON.stringify(of.default)}\``]),
  ];
}

function range(
  low: string,
  high: string,
  min: number | undefined,
  max: number | undefined,
  unit: string,
): string[] {
  // Readers do not need the limit of integers in JavaScript.
  const limit = max !== undefined && Math.abs(max) < Number.MAX_SAFE_INTEGER ? max : undefined;
  const least = min !== undefined && Math.abs(min) < Number.MAX_SAFE_INTEGER ? min : undefined;
  return [
    ...(least === undefined ? [] : [`${low} ${least}${unit}`]),
    ...(limit === undefined ? [] : [`${high} ${limit}${unit}`]),
  ];
}
