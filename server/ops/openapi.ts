import * as z from "zod";
import { accountQuery } from "../http/query";
import type { Route } from "../http/route";
import { packageVersion } from "../platform/version";

type Schema = Record<string, unknown>;

/** A path in the form of OpenAPI: `/v9/projects/{idOrName}`. */
const documented = (path: string): string => path.replace(/:([^/]+)/g, "{$1}");

/** The JSON Schema of a request. */
const taken = (schema: z.ZodType): Schema =>
  withoutDialect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
/** The JSON Schema of an answer. */
const given = (schema: z.ZodType): Schema =>
  withoutDialect(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }));

function withoutDialect({ $schema: _, ...schema }: Schema): Schema {
  return schema;
}

const json = (schema: Schema): Schema => ({ "application/json": { schema } });

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
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Error: {
          type: "object",
          required: ["error"],
          properties: {
            error: {
              type: "object",
              required: ["code", "message"],
              properties: { code: { type: "string" }, message: { type: "string" } },
            },
          },
        },
      },
    },
  };
}

function operation(route: Route): Schema {
  const body = route.body && taken(route.body);
  return {
    summary: route.summary,
    description: scopesIn(route),
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^a-zA-Z0-9]+(.)?/g, (_, next = "") => next.toUpperCase())}`,
    parameters: [
      ...parameters(route.params, "path"),
      ...parameters(route.query, "query"),
      ...(route.open ? [] : parameters(accountQuery, "query")),
    ],
    ...(body ? { requestBody: { required: hasRequired(body), content: content(route, body) } } : {}),
    ...(route.open ? { security: [] } : {}),
    responses: responses(route),
  };
}

const hasRequired = ({ required }: Schema): boolean => Array.isArray(required) && required.length > 0;

const content = ({ form }: Route, schema: Schema): Schema => ({
  ...(form ? { "application/x-www-form-urlencoded": { schema } } : {}),
  ...json(schema),
});

function scopesIn({ scope, open }: Route): string {
  if (open) return "Needs no access token.";
  const names = scope.map((one) =>
    typeof one === "string" ? `\`${one}\`` : one.any.map((name) => `\`${name}\``).join(" or "),
  );
  return names.length > 0 ? `Needs ${names.join(" and ")}.` : "";
}

function parameters(schema: z.ZodType | undefined, place: "path" | "query"): Schema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = taken(schema) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function responses(route: Route): Schema {
  const [success, shape] = route.success;
  const answers: Record<string, Schema> = {
    [success]: { description: "Done.", ...(shape ? { content: json(given(shape)) } : {}) },
  };
  const refusals = new Map<number, Set<string>>();
  const add = (status: number, text: string): void => {
    refusals.set(status, (refusals.get(status) ?? new Set()).add(text));
  };
  add(400, "`bad_request`: an invalid value in the body or the query");
  if (!route.open) {
    add(401, "`forbidden`: the access token is missing or unknown");
    add(403, "`forbidden`: the access token lacks the permission");
    add(403, "`team_unauthorized`: the access token has no access to the team");
    add(403, "`integration_configuration_disabled`: the installation is disabled");
  }
  if (route.body) add(413, "`bad_request`: the body is too large");
  add(429, "`rate_limited`: too many requests, where limits are switched on");
  add(500, "`internal_server_error`: the server failed");
  for (const [status, code, when] of route.throws ?? []) add(status, `\`${code}\`: ${when}`);
  for (const [status, code, message] of route.refuse ?? []) {
    add(status, `\`${code}\`${typeof message === "string" ? `: ${message}` : ""}`);
  }
  for (const [status, texts] of [...refusals].sort(([a], [b]) => a - b)) {
    answers[status] = {
      description: [...texts].join("; "),
      content: json({ $ref: "#/components/schemas/Error" }),
    };
  }
  return answers;
}
