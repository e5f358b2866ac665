import { pathToFileURL } from "node:url";

/** Starts the npm package `emulate` over as many projects of a team as it is told, with tokens by number. */
const [module = "", projects = "0", tokens = "1"] = process.argv.slice(2);
const { createEmulator } = await import(pathToFileURL(module).href);
const numbered = (count: string): number[] => Array.from({ length: Number(count) }, (_, at) => at);
const { url } = await createEmulator({
  service: "vercel",
  port: 0,
  seed: {
    tokens: Object.fromEntries(numbered(tokens).map((at) => [`token-${at}`, { login: "ada", scopes: [] }])),
    vercel: {
      users: [{ username: "ada", name: "Ada", email: "ada@example.com" }],
      teams: [{ slug: "acme", name: "Acme" }],
      projects: numbered(projects).map((at) => ({
        name: `project-${at}`,
        team: "acme",
        framework: "nextjs",
        buildCommand: "npm run build",
      })),
    },
  },
});
console.log(`emulate is listening on ${String(url).replace("localhost", "127.0.0.1")}`);
