/**
 * The layers, from the top down. A layer imports the ones below it; the entries of one line do not import each other.
 * An entry is a file, a folder, or all other files of a folder (`*`).
 */
const layers = [
  "examples",
  // Fixtures for tests of programs, which start the bundle of the server.
  "sdk/testing",
  // Set-up and commands: plain JavaScript, which runs before anything is installed.
  "scripts/*",
  "scripts/check scripts/conformance scripts/docs scripts/image scripts/release scripts/site",
  "scripts/stack.mjs scripts/quickstart.mjs",
  "scripts/command.mjs scripts/local-server.mjs",
  "scripts/setup",
  // The `slipway` command.
  "cli/main.ts",
  "cli/command.ts",
  "cli/run.ts",
  "cli/commands.ts",
  "cli/demo.ts",
  "cli/init.ts",
  "cli/import/command.ts cli/server cli/snapshot/command.ts cli/audit cli/ci cli/doctor cli/completion cli/version.ts cli/pulumi-present.ts",
  "cli/rehearse",
  "cli/plugin.ts cli/import cli/snapshot",
  // The descriptions of the kinds of objects, for all commands.
  "cli/objects",
  "cli/core",
  // The reference API. Inside a noun: schema < rules < store < view < seed < routes.
  "server/main.ts",
  "server/command.ts server/index.ts",
  "server/server.ts",
  "server/coverage.ts",
  "server/routes.ts server/dashboard",
  "server/control",
  "server/options.ts server/workers",
  "server/init",
  "server/seed server/lenient server/process",
  "server/access-groups server/microfrontends/project-routes.ts server/microfrontends/routes.ts",
  "server/members server/serving",
  // The first deployment of a name creates its project.
  "server/deployments/create-routes.ts",
  "server/deployments/create-schema.ts",
  "server/aliases server/blob-stores server/checks server/feature-flags server/integrations server/projects server/rolling-releases/routes.ts",
  "server/deployments server/edge-configs server/environments server/firewall server/routing server/webhooks",
  "server/accounts server/certificates server/domains server/env server/ops server/log-drains server/microfrontends server/rolling-releases",
  "server/http server/mail",
  // The parts of the seeds of all nouns.
  "server/seed/section.ts",
  "server/seed/error.ts",
  "server/events",
  "server/access",
  "server/platform",
  "server/store",
  // The descriptions of what the server stores.
  "server/*/object.ts",
  "server/store/object.ts",
  // The parts that a user installs.
  "sdk/index.ts sdk/plugin.ts sdk/policies",
  "sdk/functions.ts sdk/components",
  "sdk/site.ts",
  "sdk/classes.ts",
  "sdk/*",
  "sdk/provider.ts sdk/types.ts",
  "sdk/core",
  // The meaning of each resource, and its two hosts.
  "provider/dynamic.ts",
  "provider/dynamic provider/plugin",
  "provider/stack-state.ts",
  "provider/hosting.ts provider/loader.ts provider/targets.ts",
  "provider/lookups/by-id.ts",
  "provider/lookups provider/resources/index.ts",
  "provider/resources/*",
  "provider/resources",
  "provider/resources/names.ts",
  "provider/core",
  "provider/client",
  "provider/pulumi-cli.ts provider/spans.ts provider/termination.ts provider/vocabulary.ts provider/webhook-events.ts",
];

/** Imports that the order would allow, and that are forbidden all the same. */
const walls = [
  [
    "^server/",
    "^(cli|sdk|provider)/(?!(vocabulary|webhook-events|spans)\\.ts)",
    "server/ reads the specification independently",
  ],
  ["^scripts/", "^(server|cli|sdk|provider)/", "scripts/ run before the sources are compiled"],
  [
    "^examples/",
    "^(cli|provider|server/.*/|server/(?!index))",
    "examples/ import the package by its public name",
  ],
  [
    "^cli/",
    "^server/(?!(options|index)\\.ts)",
    "cli/ starts the bundle of the server; only its options and types are shared",
  ],
  ["^cli/", "^sdk/", "cli/ runs without Pulumi"],
  [
    "^sdk/testing/",
    "^(provider|cli|sdk/(?!testing/)|server/(?!index\\.ts))",
    "sdk/testing/ needs only the bundle of the server",
  ],
];

/** The files of a noun, from the top down; a prefix may name a part of it: `promotion-routes.ts`. All are above `object.ts`. */
const nounLayers = ["routes", "seed", "view", "store", "rules", "schema"];

const nouns = layers.flatMap((line) => line.split(" ").filter((name) => /^server\/[\w-]+$/.test(name)));

const descriptions = nouns.filter((name) => name !== "server/store").map((name) => `${name}/object.ts`);

const escaped = (text) => text.replace(/\./g, "\\.");
const entries = layers.flatMap((line, depth) =>
  line
    .replace("server/*/object.ts", descriptions.join(" "))
    .split(" ")
    .map((name) => {
      const isRest = name.endsWith("/*");
      const base = isRest ? name.slice(0, -2) : name;
      const path = isRest ? `^${base}/[^/]+$` : /\.\w+$/.test(name) ? `^${escaped(name)}$` : `^${base}/`;
      return { name, depth, base, isRest, path };
    }),
);

/** An entry without the files of the entries inside it. */
const filesOf = ({ name, base, path }) => {
  const inside = entries.filter(
    (other) => other.name !== name && `${other.base}/`.startsWith(`${base}/`) && other.path !== path,
  );
  return inside.length > 0 ? { path, pathNot: inside.map((other) => other.path) } : { path };
};

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...entries.flatMap((entry) => {
      const above = entries.filter((other) => other !== entry && other.depth <= entry.depth);
      return above.map((other) => ({
        name: `${entry.name} is below ${other.name}`,
        severity: "error",
        from: filesOf(entry),
        to: filesOf(other),
      }));
    }),
    ...walls.map(([from, to, name]) => ({ name, severity: "error", from: { path: from }, to: { path: to } })),
    ...nouns.flatMap((noun) =>
      nounLayers.slice(1).map((layer, above) => ({
        name: `the ${layer} of ${noun} is below its ${nounLayers.slice(0, above + 1).join(", ")}`,
        severity: "error",
        from: { path: `^${noun}/[^/]*${layer}\\.ts$` },
        // Also by way of other files.
        to: { path: `^${noun}/[^/]*(${nounLayers.slice(0, above + 1).join("|")})\\.ts$`, reachable: true },
      })),
    ),
    {
      name: "no noun imports the routes of another",
      severity: "error",
      from: { path: "^server/([^/]+)/" },
      to: { path: "^server/[^/]+/[^/]*routes(?:\\.ts|/)", pathNot: "^server/$1/" },
    },
    { name: "no circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "every file has a layer",
      severity: "error",
      from: {},
      to: { path: "^(server|provider|sdk|cli|scripts|examples)/", pathNot: entries.map(({ path }) => path) },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // Imports of types alone count too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // Pages for browsers have a folder and types of their own; the examples import the package.
    exclude: { path: "(^|/)(dist|node_modules)/" },
    moduleSystems: ["es6", "cjs"],
  },
};
