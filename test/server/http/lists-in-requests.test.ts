import { inputSchema } from "../../../server/ops/openapi";
import { routes } from "../../../server/routes";
import { developmentToken } from "../../../server/seed/development-account";
import { seedEndpoints } from "../../support/endpoints";
import { useTestServer } from "../../support/world";

/** Lists in queries and bodies are limited, because each entry takes a part of a statement of the store. */

const world = useTestServer();
beforeEach(() => seedEndpoints(world));

interface Schema {
  type?: string | string[];
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema | false;
}

/** The paths of the arrays in a schema that have no limit. */
function* unlimited(schema: Schema, path = "body"): Generator<string> {
  const { anyOf = [], oneOf = [], allOf = [], properties = {}, additionalProperties, items } = schema;
  for (const form of [...anyOf, ...oneOf, ...allOf]) yield* unlimited(form, path);
  if (schema.type === "array" && schema.maxItems === undefined) yield path;
  if (typeof items === "object") yield* unlimited(items, `${path}[]`);
  for (const [name, property] of Object.entries(properties)) yield* unlimited(property, `${path}.${name}`);
  if (typeof additionalProperties === "object") yield* unlimited(additionalProperties, `${path}.*`);
}

/** Settings of a project whose length as JSON is limited. */
const limitedByLength = /^body\.(tracing|trustedSources|deploymentPolicy)\./;

test("every list in a body has a limit", () => {
  const found = routes.flatMap(({ method, path, body }) =>
    body ? [...unlimited(inputSchema(body) as Schema)].map((place) => [method, path, place] as const) : [],
  );
  expect(found.filter(([, , place]) => !limitedByLength.test(place))).toEqual([]);
});

const urlOf = (path: string): string =>
  path
    .replace(/:(idOrName|projectId)/, "prj_web")
    .replace(/:domain/, "www.example.com")
    .replace(/:deploymentId|(?<=deployments\/):id/, "dpl_1")
    .replace(/:\w+/g, "none");

/** Sends a request whose query has every parameter as it is written. */
async function send(method: string, url: string) {
  const headers = { authorization: `Bearer ${developmentToken}` };
  const answer = await world.app.inject({ method: method as "GET", url, headers });
  return { status: answer.statusCode, body: answer.body === "" ? undefined : answer.json() };
}

const many = 1_500;
const forms: [string, (name: string) => string][] = [
  ["repeated", (name) => Array.from({ length: many }, (_, at) => `${name}=d${at}`).join("&")],
  ["with many values", (name) => `${name}=${Array.from({ length: many }, (_, at) => `d${at}`).join(",")}`],
];

const parameters = routes.flatMap(({ method, path, query }) => {
  const names = query ? Object.keys((inputSchema(query) as Schema).properties ?? {}) : [];
  return [...names, "teamId"].map((name) => ({ method, path, name }));
});

test.each(forms)("no query parameter %s fails the server", async (_, write) => {
  expect.hasAssertions();
  for (const { method, path, name } of parameters) {
    const { status, body } = await send(
      method,
      `${urlOf(path)}?${name === "teamId" ? "" : "slug=acme&"}${write(name)}`,
    );
    const failed = status >= 500 && status !== 501 ? body : undefined;
    expect({ method, path, name, failed }).toEqual({ method, path, name, failed: undefined });
  }
});

test.each([
  ["GET", "/v4/aliases", "domain", 0],
  ["GET", "/v6/deployments", "users", 1],
  ["GET", "/v6/deployments", "state", 1],
  ["GET", "/v6/deployments", "projectIds", 0],
  ["GET", "/v6/deployments", "projectIds", 1],
  ["GET", "/v1/env", "ids", 1],
  ["GET", "/v1/env", "exclude_ids", 1],
  ["GET", "/v1/env", "exclude-ids", 1],
  ["GET", "/v3/teams/acme/members", "filterByUserIds", 1],
  ["GET", "/v9/projects", "excludeRepos", 1],
  ["GET", "/v9/projects", "buildMachineTypes", 1],
])("%s %s refuses too many values of %s", async (method, path, name, form) => {
  const [, write] = forms[form] ?? [];
  const { status, body } = await send(method, `${path}?slug=acme&${write?.(name)}`);
  expect([status, body.error.code]).toEqual([400, "bad_request"]);
});

test("the account after many other parameters is the one that the request acts on", async () => {
  const { id } = (await world.call("GET", "/v2/teams/acme")).body;
  await world.call("POST", "/v10/projects", { body: { name: "of-acme" } });
  const padding = Array(1_200).fill("a").join("&");
  const { body } = await send("GET", `/v9/projects?${padding}&teamId=${id}`);
  expect(body.projects.map(({ name }: { name: string }) => name)).toContain("of-acme");
});
