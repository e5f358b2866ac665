const { createTransformer } = require("@swc/jest");

/**
 * Transforms a module of the server: a test file gets the module that its process has loaded, see `environment.cjs`. With
 * code of its own, it loads the module itself.
 */
module.exports = {
  createTransformer(options) {
    const { process, getCacheKey } = createTransformer(options);
    return {
      process(source, file, config) {
        const { code } = process(source, file, config);
        const name = JSON.stringify(file);
        return {
          code: `if (typeof requireShared === "function") { module.exports = requireShared(${name}); return; }\n${code}`,
        };
      },
      getCacheKey: (...given) => `${getCacheKey(...given)}-shared`,
    };
  },
};
