/**
 * Jest loads CommonJS: TypeScript is compiled to it here, although package.json says "type": "module". So what a test
 * imports holds no top-level await and no import.meta; a program that needs them keeps them in index.ts.
 */
export default {
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  testEnvironment: "node",
  // The Pulumi CLI starts and ends processes of its own.
  testTimeout: 120_000,
};
