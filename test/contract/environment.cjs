const { registerHooks } = require("node:module");
const { TestEnvironment } = require("jest-environment-node");

/**
 * Tests in this environment load the official SDKs as the SDKs' users do, by Node itself: they are thousands
 * of ES modules, which Node has in seconds, and which Jest would have to transform and to keep per test file.
 */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.requireNatively = requireNatively;
  }
};

function requireNatively(name) {
  const hooks = registerHooks({ resolve });
  try {
    return require(name);
  } finally {
    hooks.deregister();
  }
}

/** The older two name no upper bound for zod, and need its third major version. */
function resolve(specifier, context, next) {
  const isOlder = /[\\/]sdk-k[36][\\/]/.test(context.parentURL ?? "");
  return next(specifier === "zod" && isOlder ? "zod/v3" : specifier, context);
}
