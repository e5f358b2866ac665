import type { Run, Story } from "./story";

/** A deploy with one member of vercel.json. */
const withFile = (name: string, contents: object, check?: Run["check"]): Run => ({
  line: `deploy --yes --prod --meta file=${name}`,
  before: (work) =>
    work.write("vercel.json", { $schema: "https://openapi.vercel.sh/vercel.json", ...contents }),
  says: "https://",
  check: async (work, said) => {
    expect(await work.last("app")).toMatchObject({ readyState: "READY", meta: { file: name } });
    await check?.(work, said);
  },
});

export const settings: Story = {
  title: "deploys with a vercel.json",
  folder: "app",
  prepare: async (work) => {
    work.write("index.html", "<h1>hi</h1>");
    work.write("api/hello.js", "export default (_, response) => response.end('hi');");
    work.write("api/clean.js", "export default (_, response) => response.end('done');");
    await work.server.control.seed({ projects: [{ team: "acme", name: "app" }] });
  },
  runs: [
    { line: "link --yes --project app", says: "acme/app" },
    withFile("schema", {}),
    withFile("version", { version: 2 }),
    withFile("builds", { builds: [{ src: "index.html", use: "@vercel/static" }] }),
    withFile("functions", { functions: { "api/*.js": { memory: 1024, maxDuration: 30 } } }),
    withFile("rewrites", { rewrites: [{ source: "/old/:path*", destination: "/new/:path*" }] }),
    withFile("redirects", { redirects: [{ source: "/a", destination: "/b", permanent: true }] }),
    withFile("headers", {
      headers: [{ source: "/(.*)", headers: [{ key: "X-Frame-Options", value: "DENY" }] }],
    }),
    withFile("routes", { routes: [{ src: "/old", dest: "/new", status: 307 }] }),
    withFile("urls", { cleanUrls: true, trailingSlash: false }),
    withFile("regions", { regions: ["fra1"] }),
    withFile("crons", { crons: [{ path: "/api/clean", schedule: "0 5 * * *" }] }),
    withFile("framework", { framework: null, devCommand: "npm start", ignoreCommand: "exit 1" }),
    withFile("commands", {
      buildCommand: "npm run build",
      installCommand: "npm ci",
      outputDirectory: "public",
    }),
    withFile("git", { git: { deploymentEnabled: { main: true, "feature-*": false } } }),
    withFile("github", { github: { silent: true, autoJobCancelation: false } }),
    withFile("images", {
      images: { sizes: [256, 640], domains: ["example.com"], formats: ["image/webp"], minimumCacheTTL: 60 },
    }),
    withFile("env", { env: { LEVEL: "debug" }, build: { env: { MODE: "slow" } } }),
    withFile("name", { name: "app", alias: ["app-docs.vercel.app"] }),
    withFile("public", { public: false, fluid: true }),
    {
      line: "deploy --yes -A vercel.staging.json",
      before: (work) => work.write("vercel.staging.json", { cleanUrls: true }),
      says: "https://",
    },
    { line: "crons ls --project app", says: "No cron jobs found" },
    {
      line: "deploy --yes --force",
      before: (work) => work.write("vercel.json", { cleanUrl: true }),
      code: 1,
      says: "cleanUrl",
    },
  ],
};
