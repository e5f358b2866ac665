const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");

/**
 * Lets a child process of a test run the TypeScript sources without a build:
 * `node --require test/support/register.cjs server/command.ts`. Compiled code is kept for the next child.
 */
const cache = path.join(__dirname, "../../node_modules/.cache/slipway-tests");
mkdirSync(cache, { recursive: true });

require.extensions[".ts"] = (module, filename) => {
  const source = readFileSync(filename, "utf8");
  const kept = path.join(cache, `${createHash("sha256").update(source).digest("hex")}.js`);
  module._compile(read(kept) ?? compile(source, filename, kept), filename);
};

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function compile(source, filename, kept) {
  const { code } = require("@swc/core").transformSync(source, {
    filename,
    jsc: { target: "es2023", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
    sourceMaps: false,
    swcrc: false,
  });
  const whole = `${kept}.${process.pid}`;
  writeFileSync(whole, code);
  renameSync(whole, kept);
  return code;
}
