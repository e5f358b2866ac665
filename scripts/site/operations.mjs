import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";

const methods = ["get", "post", "put", "patch", "delete"];

/** A page with the operations of the API, and the OpenAPI document of the server. */
export async function operationsPage() {
  const { startServer } = createRequire(import.meta.url)(join(root, "dist/server/index.js"));
  const server = await startServer();
  try {
    const response = await fetch(`${server.url}/openapi.json`);
    const description = await response.json();
    // The document contains the address of this server.
    delete description.servers;
    return { page: pageOf(description), description: `${JSON.stringify(description, null, 1)}\n` };
  } finally {
    await server.close();
  }
}

function pageOf({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ method, path, ...item[method] })),
  );
  const nouns = [...new Set(operations.map(nounOf))];
  const sections = nouns.map(
    (noun) => `## ${noun}\n\n${listOf(operations.filter((one) => nounOf(one) === noun))}`,
  );
  return [
    "# Operations",
    'The operations of the reference server, from its OpenAPI 3.1 document: <a href="/openapi.json" target="_self">openapi.json</a>. A running server has the document at `/openapi.json`. At `/docs`, you can read about the operations and try them.',
    ...sections,
  ].join("\n\n");
}

/** The first part of a path that is not a version, such as `projects`. */
const nounOf = ({ path }) => path.split("/").find((part) => part !== "" && !/^v\d+$/.test(part)) ?? path;

const listOf = (operations) =>
  operations
    .map(({ method, path, summary = "" }) => `- \`${method.toUpperCase()} ${path}\`<br>${inText(summary)}`)
    .join("\n");

/** Escapes characters that the generator would treat as markup. */
const inText = (text) => text.replaceAll("<", "&lt;").replaceAll("{", "&#123;").replace(/\s+/g, " ");
