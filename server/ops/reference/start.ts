/** Starts the viewer of the OpenAPI document, and fills in the development token if there is one. */

interface Viewer {
  preauthorizeApiKey(scheme: string, token: string): void;
}

declare const SwaggerUIBundle: (options: Record<string, unknown>) => Viewer;

interface Parameter {
  name: string;
  in: string;
  schema?: { default?: unknown };
}

interface Description {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

interface Development {
  token?: string;
  team?: string;
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(path);
  return response.json();
}

/** The page shows one of two documents. */
const isOfControl = new URLSearchParams(location.search).get("of") === "control";

function addNavigation(): void {
  const navigation = document.createElement("nav");
  for (const [name, address, isShown] of [
    ["The API", "/docs", !isOfControl],
    ["The control plane", "/docs?of=control", isOfControl],
  ] as const) {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = name;
    if (isShown) link.setAttribute("aria-current", "page");
    navigation.append(link);
  }
  document.body.prepend(navigation);
}

async function start(): Promise<void> {
  addNavigation();
  const [description, { token, team }] = await Promise.all([
    ask<Description>(isOfControl ? "/openapi-control.json" : "/openapi.json"),
    ask<Development>("/docs/development"),
  ]);
  if (team !== undefined) fillInTeam(description, team);
  const viewer = SwaggerUIBundle({
    spec: description,
    dom_id: "#reference",
    deepLinking: true,
    docExpansion: "list",
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
    // The document is not sent to an external validator.
    validatorUrl: null,
    onComplete: () => token !== undefined && !isOfControl && viewer.preauthorizeApiKey("token", token),
  });
}

function fillInTeam({ paths }: Description, slug: string): void {
  for (const operations of Object.values(paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      const parameter = parameters.find((one) => one.name === "slug" && one.in === "query");
      if (parameter) parameter.schema = { ...parameter.schema, default: slug };
    }
  }
}

void start();
