/**
 * Jest loads CommonJS, so this compiles TypeScript to it, although package.json says "type": "module". Modules that a
 * test imports cannot use top-level await or import.meta; keep these in index.ts.
 */
export default {
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  testEnvironment: "node",
  // The Pulumi CLI starts several processes.
  testTimeout: 120_000,
};
