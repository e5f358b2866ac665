/** @type {import("jest").Config} */
module.exports = {
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  transform: {
    "^.+\\.(ts|js|mjs)$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // These ship ES modules only; everything else in node_modules is loaded as it is.
  transformIgnorePatterns: [
    "/node_modules/(?!(nock|@mswjs|kysely|cookie|until-async|rettime|is-node-process|outvariant|strict-event-emitter|@open-draft)/)",
  ],
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.slipway"],
  testEnvironment: "node",
  reporters: ["default", "<rootDir>/test/support/closing-line.cjs"],
};
