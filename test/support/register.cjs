const { readFileSync } = require("node:fs");
const { transformSync } = require("@swc/core");

/**
 * Lets a child process of a test run the TypeScript sources without a build:
 * `node --require test/support/register.cjs server/main.ts`.
 */
require.extensions[".ts"] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, "utf8"), {
    filename,
    jsc: { target: "es2023", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
    sourceMaps: false,
    swcrc: false,
  });
  module._compile(code, filename);
};
