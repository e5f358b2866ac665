import * as z from "zod";
import { accountQuery } from "../http/query";
import { type Route, refusalsOf } from "../http/route";
import { packageVersion } from "../platform/version";
import { parameterDescriptions } from "./parameters";

type Schema = Record<string, unknown>;

/** A path in the form of OpenAPI: `/v9/projects/{idOrName}`. */
export const documented = (path: string): string => path.replace(/:([^/]+)/g, "{$1}");

/** The JSON Schema of a request. */
export const inputSchema = (schema: z.ZodType): Schema =>
  withoutDialect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
/** The JSON Schema of an answer. */
const outputSchema = (schema: z.ZodType): Schema =>
  withoutDialect(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }));

function withoutDialect({ $schema: _, ...schema }: Schema): Schema {
  return schema;
}

/** @param example an example that fits the schema; undefined: the document shows no example */
export const json = (schema: Schema, example?: unknown): Schema => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

const errorSchema: Schema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" } },
    },
  },
};

export const refused = (description: string): Schema => ({
  description,
  content: json({ $ref: "#/components/schemas/Error" }),
});

/** Makes the OpenAPI 3.1 document from the schemas and refusals of the routes. */
export function openApi(routes: readonly Route[]): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of routes) {
    const path = documented(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Slipway reference API",
      version: packageVersion(),
      description:
        "Projects, domains, environment variables and promotions. The version of a path never changes its meaning: any version, or none, leads to the same operation.",
    },
    servers: [{ url: "/", description: "This server." }],
    security: [{ token: [] }],
    ...withComponents(paths, { token: { type: "http", scheme: "bearer" } }),
  };
}

/** The paths of a document, and the schemas they refer to. */
export function withComponents(
  paths: Schema,
  securitySchemes: Schema,
): { paths: unknown; components: Schema } {
  const shared: Schema = {};
  return {
    paths: withSharedSchemas(paths, shared),
    components: { securitySchemes, schemas: { Error: errorSchema, ...shared } },
  };
}

/**
 * Moves schemas that contain themselves to the schemas of the document. zod puts them into the schema of the request or
 * the answer, but references start at the root of the document.
 * @param shared gets these schemas, by name
 */
function withSharedSchemas(value: unknown, shared: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => withSharedSchemas(item, shared));
  if (typeof value !== "object" || value === null) return value;
  const { $defs = {}, ...rest } = value as Schema;
  for (const [name, schema] of Object.entries($defs as Schema)) {
    if (name.startsWith("__")) throw new Error("a schema that contains itself needs a name: .meta({ id })");
    shared[name] = withSharedSchemas(schema, shared);
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [
      name,
      name === "$ref" && typeof member === "string"
        ? member.replace("#/$defs/", "#/components/schemas/")
        : withSharedSchemas(member, shared),
    ]),
  );
}

function operation(route: Route): Schema {
  const body = route.body && inputSchema(route.body);
  return {
    operationId: route.operationId,
    ...(route.tag === undefined ? {} : { tags: [route.tag] }),
    summary: route.summary,
    description: scopesIn(route),
    parameters: [
      ...parameters(route.params, "path"),
      ...parameters(route.query, "query"),
      ...(route.open ? [] : parameters(accountQuery, "query")),
    ],
    ...(body ? { requestBody: { required: hasRequired(body), content: content(route, body) } } : {}),
    ...(route.upload ? { requestBody: { required: true, content: { "application/octet-stream": {} } } } : {}),
    ...(route.open ? { security: [] } : {}),
    responses: responses(route),
  };
}

const hasRequired = ({ required }: Schema): boolean => Array.isArray(required) && required.length > 0;

const content = ({ form, text, example }: Route, schema: Schema): Schema => ({
  ...(form ? { "application/x-www-form-urlencoded": { schema } } : {}),
  ...(text ? { [text]: { schema, example } } : json(schema, example)),
});

function scopesIn({ scope, open }: Route): string {
  if (open) return "Needs no access token.";
  const names = scope.map((one) =>
    typeof one === "string" ? `\`${one}\`` : one.any.map((name) => `\`${name}\``).join(" or "),
  );
  return names.length > 0 ? `Needs ${names.join(" and ")}.` : "";
}

export function parameters(schema: z.ZodType | undefined, place: "path" | "query"): Schema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = inputSchema(schema) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([, property]) => !isRefused(property))
    .map(([name, { description = parameterDescriptions[name], ...property }]) => ({
      name,
      in: place,
      ...(description === undefined ? {} : { description }),
      required: place === "path" || required.includes(name),
      schema: property,
    }));
}

/** True for the schema of a parameter that is always refused. */
const isRefused = ({ not }: Schema): boolean =>
  typeof not === "object" && not !== null && Object.keys(not).length === 0;

function responses(route: Route): Schema {
  const [success, shape] = route.success;
  const answers: Record<string, Schema> = {
    [success]: { description: "Done.", ...(shape ? { content: json(outputSchema(shape)) } : {}) },
    ...(route.empty !== undefined && { 204: { description: route.empty } }),
  };
  const refusals = new Map<number, Set<string>>();
  for (const [status, code, when] of refusalsOf(route)) {
    const text = `\`${code}\`${when === undefined ? "" : `: ${when}`}`;
    refusals.set(status, (refusals.get(status) ?? new Set()).add(text));
  }
  for (const [status, texts] of [...refusals].sort(([a], [b]) => a - b)) {
    answers[status] = refused([...texts].join("; "));
  }
  return answers;
}
