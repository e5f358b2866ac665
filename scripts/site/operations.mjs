import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";

const methods = ["get", "post", "put", "patch", "delete"];

/** The operations of the API, as the server describes them, and that description as it serves it. */
export async function operationsPage() {
  const { startServer } = createRequire(import.meta.url)(join(root, "dist/server/index.js"));
  const server = await startServer();
  try {
    const response = await fetch(`${server.url}/openapi.json`);
    const description = await response.json();
    // The description names the address at which it was asked.
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
    'What the reference server serves, from its own description: <a href="/openapi.json" target="_self">openapi.json</a>, as OpenAPI 3.1. A running server has it at `/openapi.json`, and at `/docs` to read and to try.',
    ...sections,
  ].join("\n\n");
}

/** The first part of a path that names something, without its version. */
const nounOf = ({ path }) => path.split("/").find((part) => part !== "" && !/^v\d+$/.test(part)) ?? path;

const listOf = (operations) =>
  operations
    .map(({ method, path, summary = "" }) => `- \`${method.toUpperCase()} ${path}\`<br>${inText(summary)}`)
    .join("\n");

/** A text that the generator takes for nothing but text. */
const inText = (text) => text.replaceAll("<", "&lt;").replaceAll("{", "&#123;").replace(/\s+/g, " ");
