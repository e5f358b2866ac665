import Ajv from "ajv/dist/2020";
import { controlRoutes } from "../../../server/control";
import { routes } from "../../../server/routes";
import { developmentToken, plainDevelopmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer();

test("the document's patterns are those that readers in other languages know, too", async () => {
  const { body } = await world.app.inject("/openapi.json");
  const patterns: string[] = [];
  JSON.parse(body, (key, value) => {
    if (key === "pattern" && typeof value === "string") patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(0);
  expect(patterns.filter((pattern) => /\\p\{|\(\?</.test(pattern))).toEqual([]);
});

describe("the page for readers", () => {
  it("is named in plain text to who asks without a browser", async () => {
    const { statusCode, headers, body } = await world.app.inject({ url: "/", headers: { accept: "*/*" } });
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    for (const shown of ["/docs", "/openapi.json", "/_health", "Bearer slipway-dev-token"])
      expect(body).toContain(shown);
  });

  it("loads nothing from elsewhere, and no script that is not the server's own", async () => {
    const { statusCode, headers, body } = await world.app.inject("/docs");
    expect(statusCode).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self';/);
    for (const [, path = ""] of body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)) {
      expect(path).toMatch(/^\/(docs\/|openapi\.json)/);
      expect((await world.app.inject(path)).statusCode).toBe(200);
    }
  });

  it("fills in the development account, and nothing where there is none", async () => {
    expect((await world.app.inject("/docs/development")).json()).toEqual({
      token: "slipway-dev-token",
      team: "acme",
    });
    const revoked = { user: "dev", revoked: true };
    const tokens = [developmentToken, plainDevelopmentToken].map((token) => ({ token, ...revoked }));
    await world.seed({ tokens: [...tokens, { token: "another", user: "dev" }] });
    const { headers, body } = await world.app.inject("/docs/development");
    expect([headers["cache-control"], body]).toEqual(["no-store", "{}"]);
    expect((await world.app.inject("/")).body).toContain("Requests need a token");
  });
});

describe("without a dashboard", () => {
  const bare = useTestServer("memory", { dashboard: false });

  it("the server's address leads a browser to the page", async () => {
    const { statusCode, headers } = await bare.app.inject({ url: "/", headers: { accept: "text/html,*/*" } });
    expect([statusCode, headers.location]).toEqual([302, "/docs"]);
  });
});

describe("the documents", () => {
  interface Operation {
    operationId: string;
    summary: string;
    tags: string[];
    parameters: { name: string; description?: string }[];
    responses: Record<string, { description: string }>;
    requestBody?: { content: { "application/json": { schema: object; example?: unknown } } };
  }
  interface Document {
    servers: { url: string }[];
    paths: Record<string, Record<string, Operation>>;
  }
  const ask = async (path: string): Promise<Document> => (await world.app.inject(path)).json();
  const operationsOf = ({ paths }: Document): Operation[] => Object.values(paths).flatMap(Object.values);

  it.each([
    ["/openapi.json", routes.length],
    ["/openapi-control.json", controlRoutes.length],
  ])("%s has a server, and an id, a summary and a tag for each operation", async (path, count) => {
    const document = await ask(path);
    expect(document.servers).toMatchObject([{ url: "/" }]);
    const operations = operationsOf(document);
    expect(operations).toHaveLength(count);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(count);
    for (const { operationId, summary, tags, responses } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z0-9]+$/);
      expect([operationId, summary]).toEqual([operationId, expect.stringMatching(/^[A-Z].+\.$/)]);
      expect([operationId, tags]).toEqual([operationId, [expect.stringMatching(/^\w[\w -]+$/)]]);
      for (const [status, { description }] of Object.entries(responses))
        expect([operationId, status, description]).toEqual([
          operationId,
          status,
          expect.stringMatching(/\w/),
        ]);
    }
  });

  it.each([
    ["/v9/projects/{idOrName}", "Projects"],
    ["/v9/projects/{idOrName}/domains/{domain}", "Domains"],
    ["/v6/domains/{domain}/config", "Domains"],
    ["/v5/domains/records/{recordId}", "Domains"],
    ["/v9/projects/{idOrName}/env", "Environment variables"],
    ["/v3/env/pull/{idOrName}/{target}", "Environment variables"],
    ["/v1/env", "Environment variables"],
    ["/v9/projects/{idOrName}/custom-environments", "Custom environments"],
    ["/v10/projects/{projectId}/promote/{deploymentId}", "Promotions"],
    ["/v1/projects/{idOrName}/rolling-release/start", "Rolling releases"],
    ["/v2/files", "Deployments"],
    ["/v2/integrations/log-drains", "Log drains"],
    ["/v1/log-drains", "Log drains"],
    ["/v1/security/attack-mode", "Firewall"],
    ["/v1/security/firewall/bypass", "Firewall"],
    ["/v1/security/firewall/config", "Firewall"],
    ["/v1/projects/{idOrName}/members", "Projects"],
    ["/v1/edge-config", "Edge Configs"],
    ["/v1/edge-config/{id}/items", "Edge Configs"],
    ["/v1/webhooks", "Webhooks"],
    ["/v2/oauth/access_token", "Integrations"],
    ["/v2/user", "Accounts"],
  ])("keep %s with the others of %s", async (path, tag) => {
    const { paths } = await ask("/openapi.json");
    expect(new Set(Object.values(paths[path] ?? {}).flatMap(({ tags }) => tags))).toEqual(new Set([tag]));
  });

  it.each([["/openapi.json"], ["/openapi-control.json"]])("%s has each schema it refers to", async (path) => {
    const document = await ask(path);
    const references = new Set<string>();
    JSON.stringify(document, (name, value) => {
      if (name === "$ref") references.add(value);
      return value;
    });
    expect(references.size).toBeGreaterThan(0);
    for (const reference of references) {
      const [root, ...names] = reference.split("/");
      const found = names.reduce<unknown>(
        (value, name) => (value as Record<string, unknown>)?.[name],
        document,
      );
      expect([root, reference, found]).toEqual(["#", reference, expect.anything()]);
    }
  });

  it.each([["/openapi.json"], ["/openapi-control.json"]])("%s describes each parameter", async (path) => {
    const parameters = operationsOf(await ask(path)).flatMap(({ operationId, parameters }) =>
      parameters.map(({ name, description }) => [operationId, name, description]),
    );
    expect(parameters).toEqual(
      parameters.map(([operationId, name]) => [operationId, name, expect.stringMatching(/^\S.*\.$/)]),
    );
  });

  it("have an example for each body, which its own schema takes", async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const path of ["/openapi.json", "/openapi-control.json"]) {
      for (const { operationId, requestBody } of operationsOf(await ask(path))) {
        const body = requestBody?.content["application/json"];
        if (body === undefined) continue;
        const { schema, example } = body;
        expect([operationId, example]).toEqual([operationId, expect.anything()]);
        const isValid = ajv.compile(schema);
        expect([operationId, isValid(example), isValid.errors]).toEqual([operationId, true, null]);
      }
    }
  });

  it("have examples that a fresh server takes, one after the other", async () => {
    const bodies = new Map(
      operationsOf(await ask("/openapi.json")).map(({ operationId, requestBody }) => [
        operationId,
        requestBody?.content["application/json"]?.example,
      ]),
    );
    for (const [method, path, operation] of [
      ["POST", "/v10/projects", "createProject"],
      ["PATCH", "/v9/projects/web", "updateProject"],
      ["PATCH", "/v1/projects/web/protection-bypass", "updateProjectProtectionBypass"],
      ["POST", "/v10/projects/web/domains", "addProjectDomain"],
      ["PATCH", "/v9/projects/web/domains/www.example.com", "updateProjectDomain"],
      ["POST", "/v10/projects/web/env", "createProjectEnv"],
      ["POST", "/v9/projects/web/custom-environments", "createCustomEnvironment"],
      ["PATCH", "/v9/projects/web/custom-environments/staging", "updateCustomEnvironment"],
      ["DELETE", "/v9/projects/web/custom-environments/staging", "removeCustomEnvironment"],
      ["POST", "/v2/domains/example.com/records", "createRecord"],
      ["POST", "/v1/env", "createSharedEnvVariable"],
      ["DELETE", "/v9/projects/web/domains/www.example.com", "removeProjectDomain"],
      ["POST", "/projects/web/alias", "addProjectAlias"],
      ["POST", "/v1/log-drains", "createConfigurableLogDrain"],
      ["POST", "/v13/deployments", "createDeployment"],
      ["POST", "/v1/webhooks", "createWebhook"],
    ] as const) {
      const { status } = await world.call(method, path, { body: bodies.get(operation) });
      expect([operation, status < 300]).toEqual([operation, true]);
    }
  });
});
