const { join } = require("node:path");

// A policy pack has the version of package.json in the working directory, which is that of the program.
process.chdir(join(__dirname, ".."));
require("../dist/sdk/policies/pack.js");
