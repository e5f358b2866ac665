const { availableParallelism } = require("node:os");
const { join } = require("node:path");

/** The modules of the server, without those that read the variables of their process. */
const shared = `^${join(__dirname, "server").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}/(?!(command|main)\\.ts$|(process|dashboard/app)/).+\\.ts$`;

const compiler = {
  jsc: { target: "es2023", parser: { syntax: "typescript" } },
  module: { type: "commonjs" },
};

/** @type {import("jest").Config} */
const project = {
  roots: ["<rootDir>/test"],
  transform: {
    [shared]: ["<rootDir>/test/support/shared-code.cjs", compiler],
    "^.+\\.(ts|js|mjs)$": ["@swc/jest", compiler],
  },
  // These ship ES modules only; everything else in node_modules is loaded as it is.
  transformIgnorePatterns: [
    "/node_modules/(?!(commander|nock|@mswjs|kysely|cookie|until-async|rettime|is-node-process|outvariant|strict-event-emitter|@open-draft)/)",
  ],
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.slipway"],
  testEnvironment: "<rootDir>/test/support/environment.cjs",
  setupFiles: [
    "<rootDir>/test/support/children-profile.cjs",
    "<rootDir>/test/support/own-sockets.cjs",
    "<rootDir>/test/support/readable-variables.cjs",
    "<rootDir>/test/support/no-name-server.cjs",
  ],
  // For what hangs; a busy machine is no reason to fail.
  testTimeout: 30_000,
};

/** Tests without a store, or with one of their own. */
const engineIndependent = [
  "/test/server/(options|server|process/\\w+|store/(store|memory)|platform/(assets|egress|ids|log-lines|poller|vault|vault-key))\\.test\\.ts$",
  "/test/server/(domains/names|events/delivery-restart|http/(closest|observers)|integrations/rules|log-drains/record)\\.test\\.ts$",
];

/** True in `npm run test:long`, in `npm run conformance`, and when the command names the tests. */
const isWhole = Boolean(process.env.SLIPWAY_TEST_LONG ?? process.env.SLIPWAY_TEST_NAMED);

/** The tests of the long run alone, such as those of each resource with the real CLI, kills, and the browser. */
const long = isWhole ? [] : ["\\.long\\.test\\.ts$"];

/** The tests of `npm test` on PostgreSQL: of the store. */
const onPostgres = ["**/*.postgres.test.ts", "**/server/store/*.test.ts"];

/** True in `npm run test:long`, and when the command selects the project. */
const isOnBothProfiles = Boolean(process.env.SLIPWAY_TEST_LONG) || process.argv.includes("hosted");

/** Tests under the folders of `hosted` that ask no server, that choose the profile themselves, or that only install. */
const profileIndependent = [
  "/test/provider/(client/(batches|errors|read-cache|retries|sender|step-limits)|core/(?!project-ref)[\\w-]+)\\.test\\.ts$",
  "/test/provider/(construct|old-reads|owners|plans|recorded-answers|stack-state|plugin/(replies|schema))\\.test\\.ts$",
  "/test/provider/resources/(deployment/(files|source|wait)|project/repository)\\.test\\.ts$",
  "/test/cli/(ci|completion|doctor-api|core/.*|import/(?!command)\\w+|rehearse/(?!rehearse)\\w+)\\.test\\.ts$",
  "/test/e2e/(node-version|node-warnings|package|package-add|release|site)\\.long\\.test\\.ts$",
];

/** @type {import("jest").Config} */
module.exports = {
  projects: [
    {
      ...project,
      displayName: "slipway",
      testMatch: ["**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", "\\.postgres\\.test\\.ts$", ...long],
    },
    {
      ...project,
      displayName: "postgres",
      testMatch: isWhole
        ? [
            "**/server/**/*.test.ts",
            "**/*.postgres.test.ts",
            ...(process.env.SLIPWAY_TEST_LONG ? ["**/contract/**/*.test.ts"] : []),
          ]
        : onPostgres,
      testPathIgnorePatterns: ["/node_modules/", ...engineIndependent, ...long],
      globals: { slipwayEngine: "postgres" },
      globalSetup: "<rootDir>/test/support/postgres/setup.cjs",
      globalTeardown: "<rootDir>/test/support/postgres/teardown.cjs",
    },
    ...(isOnBothProfiles
      ? [
          {
            ...project,
            displayName: "hosted",
            testMatch: ["**/test/{provider,cli,e2e,examples}/**/*.test.ts"],
            testPathIgnorePatterns: ["/node_modules/", "\\.postgres\\.test\\.ts$", ...profileIndependent],
            globals: { slipwayProfile: "hosted" },
          },
        ]
      : []),
  ],
  globalSetup: "<rootDir>/test/support/dist-setup.cjs",
  // Many tests wait for other processes, or for time to pass. With two workers more, no core is idle meanwhile.
  maxWorkers: availableParallelism() + 2,
  // A busy machine is no failure: what hangs ends nevertheless.
  testTimeout: 300_000,
  // No test depends on another. The seed is printed; `--seed` repeats an order.
  randomize: true,
  reporters: ["default", "<rootDir>/test/support/closing-line.cjs"],
};
