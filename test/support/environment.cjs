const { TestEnvironment } = require("jest-environment-node");
require("./register.cjs");

/**
 * Loads the server's code once for all test files of a process: to load and compile it takes longer than most tests.
 * The code then has the timers, the variables and the classes of the process. A test file that replaces these, or that
 * compares classes, begins with `@own-code`.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    if (context.docblockPragmas["own-code"] === undefined) this.global.requireShared = require;
  }
};
